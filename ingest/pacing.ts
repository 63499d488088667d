/** When and how an endpoint is asked again after it said 429: paced to what it grants, as late as it says. */
import { BlockRangeTooLargeError, RateLimitedError } from './faults.ts'
import { type Clock, openPace, clock as realClock } from './pace.ts'

/** Something is waited for. `until`: Unix ms. */
export type Wait = {
  readonly endpoint: string
  readonly cause: string
  /** How often in a row. */
  readonly times: number
  readonly until: number
}

/** Who is told what an endpoint is asked, and what it is waited for. */
export type PacingReports = {
  readonly onRequest: (calls: number) => void
  readonly onWait: (wait: Wait) => void
}

/** What one HTTP request asks for. */
export type Asked = { readonly calls: number; readonly isOfLogs: boolean }

/** Providers limit HTTP requests, or JSON-RPC calls, or both: both are paced, and a refusal cuts the one that it must have meant. */
export type Pacing = {
  /** Asks when it is time, and again after a 429. Throws RateLimitedError after some, BlockRangeTooLargeError where it is one range of logs that the endpoint finds too dear. */
  run<T>(asked: Asked, ask: () => Promise<T>): Promise<T>
  /** Calls that may go into one request. */
  batchSize(): number
}

/** Refusals in a row after which a request is given up. */
const REFUSALS_MAX = 8
/** 429 so often for one range of logs: what it costs is too much, not how often it is asked. */
const REFUSALS_OF_A_RANGE = 4
/** The pause after a 429 without Retry-After; it doubles with each in a row. */
const PAUSE_MS = 200
const PAUSE_MAX_MS = 60_000

/** Opens the pacing of one endpoint. */
export function openPacing(
  endpoint: string,
  { onRequest, onWait }: PacingReports,
  clock: Clock = realClock,
): Pacing {
  const paces = { requests: openPace(clock), calls: openPace(clock) }
  let pausedUntil = 0

  const waitForTurn = async (calls: number): Promise<void> => {
    for (let ms = pausedUntil - clock.now(); ms > 0; ms = pausedUntil - clock.now()) await clock.sleep(ms)
    await Promise.all([paces.requests.take(1), paces.calls.take(calls)])
  }
  const refused = (fault: RateLimitedError, calls: number, times: number): void => {
    // It meant the limit of which more was asked than was ever granted.
    const isOfCalls = paces.calls.excess(calls) >= paces.requests.excess(1)
    paces[isOfCalls ? 'calls' : 'requests'].refused(times > 1)
    const pause = Math.min(PAUSE_MAX_MS, fault.retryAfterMs ?? PAUSE_MS * 2 ** (times - 1))
    pausedUntil = Math.max(pausedUntil, clock.now() + pause)
    onWait({ endpoint, cause: fault.message, times, until: Date.now() + pausedUntil - clock.now() })
  }
  // Half a second's calls: more at once would be a burst of its own.
  const batchSize = (): number => Math.max(1, Math.floor(paces.calls.perSecond() / 2))

  const run = async <T>({ calls, isOfLogs }: Asked, ask: () => Promise<T>): Promise<T> => {
    for (let times = 1; ; times += 1) {
      await waitForTurn(calls)
      onRequest(calls)
      try {
        const answer = await ask()
        paces.requests.granted(1)
        paces.calls.granted(calls)
        return answer
      } catch (fault) {
        if (!(fault instanceof RateLimitedError)) throw fault
        refused(fault, calls, times)
        if (isOfLogs && times >= REFUSALS_OF_A_RANGE) throw new BlockRangeTooLargeError(fault.message)
        if (times >= REFUSALS_MAX || calls > batchSize()) throw fault
      }
    }
  }
  return { run, batchSize }
}
