/**
 * Paces requests to what an endpoint grants, and retries after a 429, not before the time it names. The rate is that of a
 * token bucket, adapted by additive increase while it is the bottleneck and multiplicative decrease after a refusal.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { BlockRangeTooLargeError, RateLimitedError } from './faults.ts'

/** A pause. `for`: a rate is paced, by pauses and then by turns, a quota and a refusal are waited out, a fault is retried. `until`: Unix ms. */
export type Wait = {
  readonly for: 'rate' | 'turn' | 'quota' | 'refusal' | 'fault'
  readonly endpoint: string
  readonly cause: string
  /** Number of pauses in a row, of a turn those before it. */
  readonly times: number
  readonly until: number
}

/** Called for each request, and for each pause. */
export type PacingReports = {
  readonly onRequest: (calls: number) => void
  readonly onWait: (wait: Wait) => void
}

/** The contents of one HTTP request. */
export type PacedRequest = { readonly calls: number; readonly isOfLogs: boolean }

/** Providers limit HTTP requests, JSON-RPC calls, or both. Both are paced; a 429 slows the one that was closer to its maximum so far. */
export type Pacing = {
  /** Sends when the rate allows, and again after a 429. Throws RateLimitedError after 20 s of refusals, or at once if the endpoint requires a longer pause; BlockRangeTooLargeError, which is not certain, if the endpoint refuses logs again and again while it answers other calls. */
  run<T>(asked: PacedRequest, ask: () => Promise<T>): Promise<T>
  /** Calls that may go into one request. */
  batchSize(): number
}

/** How long (ms) a request is retried after its first refusal: another endpoint may answer sooner. */
const PATIENCE_MS = 20_000
/** After this many 429 in a row for logs, other calls being answered, the range may be too expensive. */
const REFUSALS_OF_LOGS = 4
/** The pause after a 429 without Retry-After; doubles with each in a row. */
const PAUSE_MS = 200
/** Upper limit of Retry-After: daily quotas are sometimes raised. */
const PAUSE_MAX_MS = 3_600_000

export function openPacing(
  endpoint: string,
  { onRequest, onWait }: PacingReports,
  clock: Clock = realClock,
): Pacing {
  const paces = { requests: openPace(clock), calls: openPace(clock) }
  let pausedUntil = 0
  /** The newest refusal, which every turn is due to. */
  let refusal = { cause: '', times: 0 }
  /** Refusals of logs since logs were answered, and whether other calls were answered since the first of them. */
  let logs = { refusals: 0, areOthersAnswered: false }

  const waitForTurn = async (calls: number): Promise<void> => {
    for (let ms = pausedUntil - clock.now(); ms > 0; ms = pausedUntil - clock.now()) await clock.sleep(ms)
    const ms = Math.max(paces.requests.take(1), paces.calls.take(calls))
    if (ms === 0) return
    onWait({ for: 'turn', endpoint, ...refusal, until: Date.now() + ms })
    await clock.sleep(ms)
  }
  const refused = (fault: RateLimitedError, calls: number, times: number): number => {
    // The limit exceeded is the one of which more was requested than ever granted.
    const isOfCalls = paces.calls.excess(calls) >= paces.requests.excess(1)
    paces[isOfCalls ? 'calls' : 'requests'].refused(times > 1)
    const pause = Math.min(PAUSE_MAX_MS, fault.retryAfterMs ?? PAUSE_MS * 2 ** (times - 1))
    pausedUntil = Math.max(pausedUntil, clock.now() + pause)
    const until = Date.now() + pausedUntil - clock.now()
    refusal = { cause: fault.message, times }
    onWait({ for: 'rate', endpoint, ...refusal, until })
    return pause
  }
  // Half a second's calls: more at once would be a burst.
  const batchSize = (): number => Math.max(1, Math.floor(paces.calls.perSecond() / 2))

  const run = async <T>({ calls, isOfLogs }: PacedRequest, ask: () => Promise<T>): Promise<T> => {
    let refusedAt: number | undefined
    for (let times = 1; ; times += 1) {
      const pause = pausedUntil - clock.now()
      if (pause > PATIENCE_MS) throw new RateLimitedError(endpoint, 'retry later', pause)
      await waitForTurn(calls)
      onRequest(calls)
      try {
        const answer = await ask()
        paces.requests.granted(1)
        paces.calls.granted(calls)
        logs = isOfLogs
          ? { refusals: 0, areOthersAnswered: false }
          : { ...logs, areOthersAnswered: logs.refusals > 0 }
        return answer
      } catch (fault) {
        if (!(fault instanceof RateLimitedError)) throw fault
        refusedAt ??= clock.now()
        const endOfPause = clock.now() + refused(fault, calls, times)
        if (isOfLogs) logs = { ...logs, refusals: logs.refusals + 1 }
        if (isOfLogs && logs.areOthersAnswered && logs.refusals >= REFUSALS_OF_LOGS) {
          logs = { refusals: 0, areOthersAnswered: false }
          throw new BlockRangeTooLargeError(fault.message, undefined, false)
        }
        if (endOfPause - refusedAt > PATIENCE_MS || calls > batchSize()) throw fault
      }
    }
  }
  return { run, batchSize }
}

/** Milliseconds since any origin. */
export type Clock = { now(): number; sleep(ms: number): Promise<unknown> }

/** The clock of this machine. */
export const realClock: Clock = { now: () => performance.now(), sleep }

/** The rate of HTTP requests or of JSON-RPC calls to one endpoint. No limit until the first refusal. */
export type Pace = {
  /** Takes a turn, first come, first served: the ms until this many may be sent. */
  take(count: number): number
  /** So many were answered. */
  granted(count: number): void
  /** So many more, relative to the most that was ever answered within a second. */
  excess(count: number): number
  /** The endpoint answered 429 because of this limit, once or (`isRepeated`) again. */
  refused(isRepeated: boolean): void
  /** Infinity: no limit is known. */
  perSecond(): number
}

const SECOND_MS = 1_000
/** Bucket size, as milliseconds at the current rate. */
const BURST_MS = 500
const CUT = 0.8
/** Refusals within this many ms of a cut are for requests sent before it. */
const CUT_EVERY_MS = 500
/** Growth per second, as a share of the rate, before and after the second refusal. */
const GROWTH = { searching: 0.5, settled: 0.04 } as const
const LEAST_PER_SECOND = 0.2

/** Opens a pace without a limit. */
export function openPace({ now }: Pick<Clock, 'now'> = realClock): Pace {
  let rate = Number.POSITIVE_INFINITY
  let tokens = 0
  let filledAt = now()
  let growth: number = GROWTH.searching
  let cutAt = Number.NEGATIVE_INFINITY
  let most = 1
  let recent: { readonly at: number; readonly count: number }[] = []

  const lastSecond = (): number => {
    const since = now() - SECOND_MS
    recent = recent.filter(({ at }) => at > since)
    return recent.reduce((sum, { count }) => sum + count, 0)
  }
  const capacity = (): number => Math.max(1, (rate * BURST_MS) / SECOND_MS)
  const fill = (): void => {
    tokens = Math.min(capacity(), tokens + ((now() - filledAt) * rate) / SECOND_MS)
    filledAt = now()
  }

  return {
    take(count) {
      if (rate === Number.POSITIVE_INFINITY) return 0
      fill()
      const lacking = Math.min(count, capacity()) - tokens
      // Taken before the wait, so that the next caller waits behind this one.
      tokens -= count
      if (lacking <= 0) return 0
      rate += Math.min(rate, count * growth)
      return (lacking / rate) * SECOND_MS
    },
    granted(count) {
      recent.push({ at: now(), count })
      most = Math.max(most, lastSecond())
    },
    excess: (count) => (lastSecond() + count) / most,
    refused(isRepeated) {
      if (now() - cutAt < CUT_EVERY_MS) return
      // A single refusal far below the rate has another cause.
      if (!isRepeated && rate < Number.POSITIVE_INFINITY && lastSecond() < rate / 2) return
      cutAt = now()
      if (rate === Number.POSITIVE_INFINITY) {
        rate = Math.max(1, lastSecond())
        tokens = 0
        filledAt = now()
      } else {
        fill()
        rate = Math.max(LEAST_PER_SECOND, rate * CUT)
        growth = GROWTH.settled
      }
    },
    perSecond: () => rate,
  }
}
