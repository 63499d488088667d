/** A token bucket whose rate is learnt: additive increase while it is the bottleneck, multiplicative decrease when the endpoint says 429. */
import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds of any origin, and waiting for them. */
export type Clock = { now(): number; sleep(ms: number): Promise<unknown> }

/** This machine's. */
export const clock: Clock = { now: () => performance.now(), sleep }

/** How fast one kind of thing (HTTP requests, or JSON-RPC calls) is sent to one endpoint. No limit until the first refusal. */
export type Pace = {
  /** Waits until so many may be sent, in the order of asking. */
  take(count: number): Promise<void>
  /** So many were answered. */
  granted(count: number): void
  /** How far so many more would exceed what was ever answered within a second: above 1, they would be a record. */
  excess(count: number): number
  /** The endpoint said 429, and this is the limit that it meant: once, or (`isRepeated`) again. */
  refused(isRepeated: boolean): void
  /** A second; Infinity: no limit is known. */
  perSecond(): number
}

const SECOND_MS = 1_000
/** Milliseconds' worth of unused allowance that may be spent at once. */
const BURST_MS = 500
const CUT = 0.8
/** Refusals within so many ms of a cut are of what was sent before it. */
const CUT_EVERY_MS = 500
/** Growth a second, as a share of the rate: until the second refusal, and after it. */
const GROWTH = { searching: 0.5, settled: 0.04 } as const
const LEAST_PER_SECOND = 0.2

/** Opens a pace without a limit. */
export function openPace({ now, sleep }: Clock = clock): Pace {
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
    async take(count) {
      if (rate === Number.POSITIVE_INFINITY) return
      fill()
      const lacking = Math.min(count, capacity()) - tokens
      // Taken before the wait, so that whoever asks next waits for its turn after this one.
      tokens -= count
      if (lacking <= 0) return
      rate += Math.min(rate, count * growth)
      await sleep((lacking / rate) * SECOND_MS)
    },
    granted(count) {
      recent.push({ at: now(), count })
      most = Math.max(most, lastSecond())
    },
    excess: (count) => (lastSecond() + count) / most,
    refused(isRepeated) {
      if (now() - cutAt < CUT_EVERY_MS) return
      // Far below what is granted otherwise, one refusal says nothing of the rate.
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
