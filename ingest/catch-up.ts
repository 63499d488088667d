import type { Chain } from './client/chains.ts'
import type { Progress } from './writer/progress.ts'

/** Progress of catching up, in blocks, and its cost. */
export type CatchUp = {
  /** A request to an endpoint, with its number of calls. */
  asked(calls: number): void
  /** A step of the writer; true: it sealed a minute. */
  progressed(progress: Progress): boolean
  /** Blocks from the first sealed one to the head (0 before that), and how many of them are sealed. */
  readonly total: number
  readonly done: number
  readonly minutes: number
  readonly calls: number
  /** Rate, time left, calls made, calls left and total cost; no estimates at the very beginning. */
  note(): string
}

/** Milliseconds and share of the blocks before an estimate: a first burst of minutes does not predict the rest. */
const LEAST = { ms: 3_000, share: 0.02 } as const

type Priced = Pick<Chain, 'publicEndpoints'>

/** Blocks to read, and the minutes from the first to the last. */
export type ToRead = { readonly from: number; readonly to: number; readonly minutes: number }

/** Measured calls (bench, catch-up) for each range, and for each verified minute. */
const CALLS = { aRange: 16, aMinute: 2.4 } as const
/** Minutes folded and stored per second, however fast endpoints are. */
const MINUTES_A_SECOND = 60

/** Estimates calls, time and cost before the first block is read. */
export function forecast(
  { publicEndpoints }: Priced,
  { from, to, minutes }: ToRead,
  blocksACall: number,
): string {
  const blocks = Math.max(0, to - from + 1)
  const ranges = Math.ceil(blocks / blocksACall)
  const calls = ranges * CALLS.aRange + Math.min(blocks, minutes) * CALLS.aMinute
  const all = `${countText(blocks)} blocks from ${from} on: about ${roundText(calls)} calls at ${countText(blocksACall)} blocks a call`
  if (!publicEndpoints) return all
  const { callsASecond } = publicEndpoints
  const seconds = Math.max(calls / callsASecond, minutes / MINUTES_A_SECOND)
  return `${all}, ${timeText(seconds)} at ${callsASecond} calls/s${priceText(calls, { publicEndpoints })}`
}

/** Counts from now on. `now` gives milliseconds of any origin. */
export function openCatchUp(chain: Priced, now: () => number = () => performance.now()): CatchUp {
  const sums = { done: 0, total: 0, minutes: 0, calls: 0 }
  let first: { readonly block: number; readonly at: number; readonly calls: number } | undefined

  const progressed = (progress: Progress): boolean => {
    if (progress.is !== 'sealed' || progress.entry.is !== 'sealed') return false
    const { firstBlock, last } = progress.entry
    // Calls before it, which found the beginning, are not repeated.
    first ??= { block: firstBlock, at: now(), calls: sums.calls }
    sums.minutes += 1
    sums.done = last.number - first.block + 1
    sums.total = Math.max(sums.done, progress.head.number - first.block + 1)
    return true
  }
  const note = (): string => {
    const { done, total, calls } = sums
    const made = `${countText(calls)} calls`
    const ms = now() - (first?.at ?? now())
    if (!first || ms < LEAST.ms || done < LEAST.share * total) return `blocks; ${made}`
    const left = (total - done) / done
    const more = left * (calls - first.calls)
    const rate = (done / ms) * 1_000
    return `blocks, ${rate.toFixed(rate < 10 ? 1 : 0)}/s, ${timeText((left * ms) / 1_000)} left; ${made}, about ${roundText(more)} more${priceText(calls + more, chain)}`
  }
  const asked = (more: number): void => {
    sums.calls += more
  }
  return Object.assign(sums, { asked, progressed, note })
}

const countText = (count: number): string => count.toLocaleString('en-US')
const roundText = (count: number): string => countText(Math.round(Number(count.toPrecision(2))))

const priceText = (calls: number, { publicEndpoints }: Priced): string =>
  publicEndpoints
    ? `, at most $${Math.max(0.01, (calls * publicEndpoints.microUsdACall) / 1e6).toFixed(2)} in all`
    : ''

function timeText(seconds: number): string {
  if (seconds < 90) return `about ${Math.ceil(seconds)} s`
  return seconds < 5_400 ? `about ${Math.round(seconds / 60)} min` : `about ${(seconds / 3_600).toFixed(1)} h`
}
