/** The age of the figures, always visible. `/v1/status` needs no key and is not counted. */
import { ApiError, createClient, type Status } from '../../../clients/typescript/index.ts'
import { find, h, setChildren } from './dom.ts'
import { countLabel, duration, timeOfDay } from './format.ts'
import { TIMEOUT_SECONDS } from './key.ts'

const ASK_EVERY_MS = 15_000
/** Seconds after the next snapshot was due, up to which figures count as fresh and as late. */
const FRESH_SECONDS = 120
const LATE_SECONDS = 240

type Known = { readonly status: Status; readonly clockAheadMs: number }
type State = 'unknown' | 'fresh' | 'late' | 'stale' | 'lost'

const listeners = new Set<(status: Status) => void>()
let known: Known | null = null
/** Why the last request failed; null: it did not. */
let failure: string | null = null
/** Numbers of the request that was made last, and of the newest that has an outcome: an earlier one tells nothing any more. */
let asked = 0
let told = 0

/** Calls back with every new snapshot, and immediately with the current one if known. */
export function onSnapshot(listener: (status: Status) => void): () => void {
  listeners.add(listener)
  if (known) listener(known.status)
  return () => listeners.delete(listener)
}

/** The service's time now, Unix ms: the reader's clock may be wrong. */
export const serviceNow = (): number => Date.now() - (known?.clockAheadMs ?? 0)

/** Exclusive end of the minutes that the figures cover, Unix seconds; 0 before it is known. */
export const figuresEnd = (): number => (known ? Date.parse(known.status.as_of) / 1_000 : 0)

/** The chain that the service follows; null before it is known. */
export const chainName = (): string | null => known?.status.chain ?? null

/** Shows the age of the figures from now on, and updates it while the page is visible. */
export function showFreshness(): void {
  const line = find('#freshness')
  const button = find('#freshness button')
  button.addEventListener('click', () => {
    const facts = find('#facts')
    facts.hidden = !facts.hidden
    button.setAttribute('aria-expanded', String(!facts.hidden))
  })
  const ask = () => {
    if (!document.hidden) void refresh().then(() => show(line))
  }
  ask()
  setInterval(ask, ASK_EVERY_MS)
  setInterval(() => show(line), 1_000)
  document.addEventListener('visibilitychange', ask)
  for (const change of ['online', 'offline']) addEventListener(change, ask)
}

/** Why there is no answer at all. */
export const silenceText = (): string =>
  navigator.onLine ? 'The service is not responding.' : 'You are offline.'

async function refresh(): Promise<void> {
  const own = ++asked
  const isLate = () => own < told
  const client = createClient({ baseUrl: location.origin, timeoutSeconds: TIMEOUT_SECONDS, maxRetries: 0 })
  try {
    const { body, headers } = await client.get('/v1/status')
    if (isLate()) return
    told = own
    const then = Date.parse(headers.get('date') ?? '') + 1_000 * Number(headers.get('age') ?? 0)
    const clockAheadMs = Number.isNaN(then) ? 0 : Date.now() - then
    const isNew = body.snapshot_id !== known?.status.snapshot_id
    known = { status: body, clockAheadMs }
    failure = null
    if (isNew) for (const listener of listeners) listener(body)
  } catch (error) {
    if (isLate()) return
    told = own
    // Shown on the page: why there is no answer, and the time of the figures.
    failure = error instanceof ApiError ? error.message : silenceText()
  }
}

function show(line: HTMLElement): void {
  const state = stateNow()
  if (line.dataset['state'] !== state.is) line.dataset['state'] = state.is
  const words = line.querySelector('[role=status]')
  // Screen readers are notified when the state changes, not each second.
  if (words && words.textContent !== state.description) words.textContent = state.description
  find('#freshness .age').textContent = known ? duration(ageSeconds(known.status)) : '…'
  setChildren(find('#facts'), factsNow())
}

function stateNow(): { is: State; description: string } {
  if (!known) return failure ? lost(failure) : { is: 'unknown', description: 'Checking…' }
  if (failure) return lost(`${failure} These are the last figures received.`)
  const { status, reasons } = known.status
  if (status === 'degraded')
    return { is: 'stale', description: `Degraded: ${reasons.join('; ')}. The last good figures stay.` }
  const every = known.status.rebuild_every_seconds
  const age = ageSeconds(known.status) - every
  if (age > LATE_SECONDS) {
    const most = duration(every + LATE_SECONDS)
    return { is: 'stale', description: `Stale: the data is more than ${most} old.` }
  }
  return age > FRESH_SECONDS ? { is: 'late', description: 'Late' } : { is: 'fresh', description: 'Fresh' }
}

const lost = (description: string) => ({ is: 'lost' as const, description })

const ageSeconds = ({ as_of: asOf }: Status): number => (serviceNow() - Date.parse(asOf)) / 1_000

function factsNow() {
  if (!known) return failure ? 'no figures' : null
  const { status } = known
  return [
    h('p', {}, `Figures of ${timeOfDay(status.as_of)} UTC, ${duration(ageSeconds(status))} old. `),
    h('p', {}, `Block ${countLabel(status.block_number)}. `),
    h('p', {}, h('a', { href: '/proof' }, `Snapshot ${status.snapshot_id}`)),
  ]
}
