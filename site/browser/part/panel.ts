/** A part of a page with requested data: loading, filled, empty, refused or out of date, each with a message. */
import { ApiError } from '../../../clients/typescript/index.ts'
import { askedAgainAt, refusalText } from '../base/ask.ts'
import { type Child, h, setChildren } from '../base/dom.ts'
import { duration, timeOfDay } from '../base/format.ts'
import { onSnapshot } from '../base/freshness.ts'
import { onAccess } from '../base/key.ts'
import { returnToPlace } from '../base/place.ts'
import { askForKey } from './access.ts'

/** Options of a panel. */
export type PanelOptions<T> = {
  /** Heading; absent: the page's own suffices. */
  readonly title?: string
  readonly load: (signal: AbortSignal) => Promise<T>
  readonly show: (value: T) => Child
  /** Whether there is nothing to show, and the message then. */
  readonly empty?: { readonly when: (value: T) => boolean; readonly description: string }
  /** Minimum seconds between two refreshes, which follow new snapshots. @default never */
  readonly everySeconds?: number
}

/** A panel. `reload` asks again, `askOther` for other data, which what is shown must not be taken for if no answer comes. */
export type Panel = { readonly element: HTMLElement; reload(): void; askOther(): void }

/** Creates a panel and requests its data. */
export function openPanel<T>(options: PanelOptions<T>): Panel {
  const notice = h('div')
  const content = h('div', { class: 'content' })
  const heading = options.title === undefined ? null : h('h2', {}, options.title)
  const element = h('section', { class: 'panel', 'aria-busy': 'true' }, heading, notice, content)
  setChildren(content, skeleton())
  let asking = new AbortController()
  let askedAt = 0
  const reload = (): void => {
    asking.abort()
    asking = new AbortController()
    askedAt = Date.now()
    const { signal } = asking
    element.setAttribute('aria-busy', 'true')
    options
      .load(signal)
      .then(
        (value) => {
          if (signal.aborted) return
          element.dataset['state'] = 'shown'
          setChildren(notice)
          setChildren(content, shown(options, value))
          returnToPlace()
        },
        (error: unknown) => {
          if (signal.aborted) return
          // The next snapshot shows whether the service answers again.
          if (!(error instanceof ApiError) || error.status >= 500) askedAt = Number.NEGATIVE_INFINITY
          const isShown = element.dataset['state'] === 'shown'
          if (!isShown) {
            element.dataset['state'] = 'refused'
            setChildren(content)
          }
          setChildren(notice, refusal(error, { isShown, reload, signal }))
        },
      )
      .finally(() => {
        if (!signal.aborted) element.setAttribute('aria-busy', 'false')
      })
  }
  const everyMs = 1_000 * (options.everySeconds ?? Number.POSITIVE_INFINITY)
  reload()
  onAccess(reload)
  onSnapshot(() => {
    if (Date.now() - askedAt >= everyMs) reload()
  })
  const askOther = () => {
    element.dataset['state'] = 'asked'
    reload()
  }
  return { element, reload, askOther }
}

/** Grey bars where rows will be; the words are for screen readers. */
const skeleton = (): Child => h('div', { class: 'waiting' }, h('span', { class: 'unseen' }, 'Loading…'))

function shown<T>({ empty, show }: PanelOptions<T>, value: T): Child {
  return empty?.when(value) ? h('p', { class: 'quiet' }, empty.description) : show(value)
}

type Asking = { readonly isShown: boolean; readonly reload: () => void; readonly signal: AbortSignal }

function refusal(error: unknown, { isShown, reload, signal }: Asking): Child {
  const stays = isShown && h('p', {}, 'The data below is from an earlier snapshot.')
  if (error instanceof ApiError && error.status === 429) {
    return h('div', { class: 'notice', role: 'alert' }, limitNotice(error, reload, signal), stays)
  }
  const isKey = error instanceof ApiError && [401, 403].includes(error.status)
  const again = isKey
    ? h('button', { type: 'button', on: { click: askForKey } }, 'Use another key')
    : h('button', { type: 'button', on: { click: reload } }, 'Ask again')
  const id = error instanceof ApiError && error.requestId
  return h(
    'div',
    { class: 'notice', role: 'alert' },
    h('p', {}, refusalText(error)),
    stays,
    h('p', { class: 'row' }, again, id && h('span', { class: 'quiet' }, `request ${id}`)),
  )
}

/** Shows which limit is used up and until when, and then retries once. */
function limitNotice({ details, message }: ApiError, reload: () => void, signal: AbortSignal): Child {
  const until = askedAgainAt()
  const left = h('span', { class: 'number' })
  const tick = () => {
    const seconds = Math.ceil((until - Date.now()) / 1_000)
    left.textContent = duration(seconds)
    if (seconds <= 0) reload()
  }
  // Before the first look, which may ask again at once.
  const timer = setInterval(tick, 1_000)
  signal.addEventListener('abort', () => clearInterval(timer))
  tick()
  const { limit, reset_at: reset } = details
  const what =
    typeof reset === 'string'
      ? `The hour’s limit of this key (${limit} answers) is used up until ${timeOfDay(reset)} UTC.`
      : message
  return h('p', {}, `${what} The page asks again in `, left, '.')
}
