/** Alerts on watched tokens: a form, what is set, and what was told, by the browser's notifications where it grants them. */
import type { TokenSummary } from '../../../clients/typescript/index.ts'
import {
  type Alert,
  type AlertFigure,
  alertFigures,
  alertText,
  isAlert,
  judgeAlerts,
} from '../base/alerts.ts'
import { type Child, h, setChildren } from '../base/dom.ts'
import { shortHex } from '../base/format.ts'

const STORED = 'z100.alerts'

/** The bounds that this browser keeps, the newest first. */
export function storedAlerts(): readonly Alert[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isAlert) : []
  } catch {
    return []
  }
}

/** The part, and what judges the rows of an answer. */
export function openAlerts(): { readonly element: HTMLElement; judge(rows: readonly TokenSummary[]): void } {
  let symbols: ReadonlyMap<string, string> = new Map()
  const told = h('ul', { 'aria-live': 'polite' })
  const list = h('ul', { class: 'alerts' })
  const fault = h('p', { class: 'down', role: 'alert' })
  const tokens = h('select', { name: 'token', 'aria-label': 'Token' })
  const keep = (next: readonly Alert[]) => {
    try {
      localStorage.setItem(STORED, JSON.stringify(next))
      fault.textContent = ''
    } catch {
      fault.textContent = 'Your browser stores nothing for this site, so it keeps no alert.'
    }
    draw()
  }
  const draw = () => {
    const all = storedAlerts()
    const line = (alert: Alert, at: number) =>
      lineOf(alert, symbols.get(alert.token), () => keep(all.filter((_, n) => n !== at)))
    setChildren(list, all.map(line))
  }
  const form = formOf(tokens, (alert) => keep([alert, ...storedAlerts()]))
  const element = h('section', { class: 'panel', hidden: true }, introduction(), form, fault, list, told)
  return {
    element,
    judge: (rows) => {
      element.hidden = rows.length === 0
      symbols = new Map(rows.map((row) => [row.token_address.toLowerCase(), row.symbol]))
      const chosen = tokens.value
      setChildren(
        tokens,
        [...symbols].map(([address, symbol]) => option(address, symbol)),
      )
      if (symbols.has(chosen)) tokens.value = chosen
      const all = storedAlerts()
      const judged = judgeAlerts(all, rows)
      if (all.length > 0) keep(judged.alerts)
      for (const text of judged.told) {
        told.prepend(h('li', {}, text))
        notify(text)
      }
    },
  }
}

const introduction = (): Child => [
  h('h2', {}, 'Alerts'),
  h(
    'p',
    { class: 'quiet' },
    'You are notified while this page is open in a tab, once each time a limit is crossed. Alerts stay in this browser.',
  ),
]

const option = (value: string, label: string) => h('option', { value }, label)

const lineOf = (alert: Alert, symbol: string | undefined, remove: () => void): HTMLElement =>
  h(
    'li',
    { class: 'row' },
    `${symbol ?? shortHex(alert.token)}: ${alertText(alert)}${alert.isTold ? ' (passed)' : ''}`,
    h('button', { type: 'button', on: { click: remove } }, 'Remove'),
  )

/** Sets an alert, and asks the browser for its notifications if it was never asked. */
function formOf(tokens: HTMLSelectElement, add: (alert: Alert) => void): HTMLElement {
  const figure = h(
    'select',
    { 'aria-label': 'Figure' },
    Object.entries(alertFigures).map(([name, [label]]) => option(name, label)),
  )
  const side = h('select', { 'aria-label': 'Side' }, option('above', 'above'), option('below', 'below'))
  const bound = h('input', { type: 'number', step: 'any', required: true, 'aria-label': 'Bound' })
  const submit = (event: Event) => {
    event.preventDefault()
    add({
      token: tokens.value,
      figure: figure.value as AlertFigure,
      isAbove: side.value === 'above',
      value: Number(bound.value),
      isTold: false,
    })
    if ('Notification' in window && Notification.permission === 'default')
      void Notification.requestPermission()
  }
  const button = h('button', { type: 'submit', class: 'strong' }, 'Set alert')
  return h('form', { class: 'row', on: { submit } }, tokens, figure, side, bound, button)
}

/** Shows a notification; a browser that makes none for pages, or was not allowed to, leaves it at the list. */
function notify(text: string): void {
  try {
    if ('Notification' in window && Notification.permission === 'granted')
      new Notification('z100', { body: text, tag: text })
  } catch {
    // Browsers of phones make notifications for service workers only.
  }
}
