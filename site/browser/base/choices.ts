/** The reader's choices, stored in the page's address, so that they can be linked, bookmarked and undone with Back. */

import type { Answer } from '../../../clients/typescript/index.ts'
import type { Period } from '../../../market/window.ts'
import { type Child, h, setChildren } from './dom.ts'
import { countLabel } from './format.ts'
import { notePlace } from './place.ts'

/** A single choice. Labels by value, in display order. */
export type Choice = {
  readonly name: string
  readonly label: string
  readonly values: Readonly<Record<string, string>>
  /** @default the first */
  readonly fallback?: string
}

/** The chosen value: from the address, if that has a valid one. */
export function chosenValue({ name, values, fallback }: Choice): string {
  const asked = new URLSearchParams(location.search).get(name)
  return asked !== null && Object.hasOwn(values, asked) ? asked : (fallback ?? Object.keys(values)[0] ?? '')
}

let shownSearch = location.search

/**
 * Writes values into the address as a new history entry, so that Back undoes the choice. An empty value removes the
 * parameter.
 */
export function choose(values: Readonly<Record<string, string>>): void {
  const url = new URL(location.href)
  for (const [name, value] of Object.entries(values)) {
    if (value === '') url.searchParams.delete(name)
    else url.searchParams.set(name, value)
  }
  if (url.search === location.search) return
  notePlace()
  history.pushState(null, '', url)
  shownSearch = url.search
}

/** Replaces the page's address without a history entry. */
export function replaceUrl(address: string): void {
  history.replaceState(history.state, '', address)
  shownSearch = location.search
}

/** Reloads the page when Back leads to other choices. In-page links change none. */
export function goBackToChoices(): void {
  addEventListener('popstate', () => {
    if (location.search !== shownSearch) location.reload()
  })
}

/** Buttons for a choice; `onChange` receives the chosen value. */
export function choiceButtons(choice: Choice, onChange: (value: string) => void): HTMLElement {
  const group = h('div', { class: 'choice', role: 'group', 'aria-label': choice.label })
  const show = () => {
    const now = chosenValue(choice)
    for (const button of group.querySelectorAll('button'))
      button.setAttribute('aria-pressed', String(button.value === now))
  }
  const pick = (value: string) => {
    choose({ [choice.name]: value })
    show()
    onChange(value)
  }
  setChildren(
    group,
    Object.entries(choice.values).map(([value, label]) =>
      h('button', { type: 'button', value, on: { click: () => pick(value) } }, label),
    ),
  )
  show()
  return group
}

const periodLabels: Readonly<Record<Period, string>> = {
  '1h': '1 h',
  '4h': '4 h',
  '24h': '24 h',
  '7d': '7 d',
}

/** A choice of period, by parameter name. */
export const periodChoice = (name: string, label: string): Choice => ({
  name,
  label,
  values: periodLabels,
  fallback: '24h',
})

/** Shows which rows of a paged list are shown, with links to the previous and next ones. `offset`: rows before the first. */
export function pageLinks(
  { total, headers }: Answer<readonly unknown[]>,
  offset: number,
  [before, after]: readonly [before: string, after: string],
  show: (offset: number) => void,
): Child {
  const size = Number(headers.get('x-per-page'))
  if (total === null || total <= size) return null
  const to = (label: string, next: number) =>
    next >= 0 && next < total && h('button', { type: 'button', on: { click: () => show(next) } }, label)
  return h(
    'nav',
    { class: 'bar', 'aria-label': 'Pages of the list' },
    h(
      'span',
      { class: 'quiet' },
      `${countLabel(offset + 1)} to ${countLabel(Math.min(total, offset + size))} of ${countLabel(total)}`,
    ),
    h('span', { class: 'row' }, to(before, offset - size), to(after, offset + size)),
  )
}
