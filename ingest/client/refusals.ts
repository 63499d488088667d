/** Endpoints that refuse during a run, or whose quota is used up: they get no requests for a while, which is reported. */
import {
  EndpointClosedError,
  type IngestError,
  QuotaSpentError,
  RpcRefusedError,
  WrongChainError,
} from './faults.ts'
import type { Wait } from './pacing.ts'
import type { NewestBlock } from './reach.ts'

/** Current refusals of one endpoint: a method, or all requests. */
export type Refusals = {
  /** Throws EndpointClosedError while the method is refused. */
  assertOpen(method: string): void
  /** The fault to throw for a refusal of a method: EndpointClosedError once any endpoint has answered, else itself. */
  refused(fault: IngestError, method: string): IngestError
  /** The method was answered. */
  answered(method: string): void
}

/** State shared by the endpoints of a run: whether one of them has ever answered, and the newest block. */
export type RunState = NewestBlock & { hasAnswered: boolean }

/** The longest pause: each refusal without an answer in between doubles it. */
const LONGEST_MS = 900_000
/** A quota ends with its period, but a plan may change before: once an hour. */
const QUOTA_MS = { least: 60_000, most: 3_600_000 } as const
const EVERYTHING = '*'

/** Opens the refusals of an endpoint: none. `pauseMs`: the first pause. */
export function openRefusals(
  endpoint: string,
  run: RunState,
  { pauseMs, onWait }: { readonly pauseMs: number; readonly onWait: (wait: Wait) => void },
): Refusals {
  const closed = new Map<string, Refusal>()

  return {
    assertOpen(method) {
      for (const scope of [EVERYTHING, method]) {
        const refusal = closed.get(scope)
        const leftMs = leftOf(refusal)
        if (refusal && leftMs > 0) throw new EndpointClosedError(refusal.said, leftMs)
      }
    },
    refused(fault, method) {
      const isQuota = fault instanceof QuotaSpentError
      const isAll =
        isQuota ||
        fault instanceof WrongChainError ||
        (fault instanceof RpcRefusedError && fault.scope === 'everything')
      if (!(isAll || fault instanceof RpcRefusedError) || !(run.hasAnswered || isQuota)) return fault
      const scope = isAll ? EVERYTHING : method
      const before = closed.get(scope)
      // Requests in flight when the first of them was refused repeat its refusal.
      const leftMs = leftOf(before)
      if (before && leftMs > 0) return new EndpointClosedError(before.said, leftMs)
      const times = (before?.times ?? 0) + 1
      const pause = isQuota ? pauseOfQuota(fault) : Math.min(pauseMs * 2 ** (times - 1), LONGEST_MS)
      const until = Date.now() + pause
      closed.set(scope, { until, pause, times, said: fault.message })
      onWait({ for: isQuota ? 'quota' : 'refusal', endpoint, cause: fault.message, times, until })
      return new EndpointClosedError(fault.message, pause)
    },
    answered(method) {
      run.hasAnswered = true
      closed.delete(EVERYTHING)
      closed.delete(method)
    },
  }
}

/** The last refusal of a method, or of everything. `until`: Unix ms; `pause`: ms. */
type Refusal = {
  readonly until: number
  readonly pause: number
  readonly times: number
  readonly said: string
}

/** What is left of the pause, in ms; none if it is more than the whole: the machine's clock was set back. */
function leftOf({ until, pause }: Pick<Refusal, 'until' | 'pause'> = { until: 0, pause: 0 }): number {
  const leftMs = until - Date.now()
  return leftMs > pause ? 0 : leftMs
}

/** Until the period ends, as far as it is known; an endpoint's own word is bounded. */
function pauseOfQuota({ period, retryAfterMs }: QuotaSpentError): number {
  const pause = retryAfterMs ?? (period ? leftOfPeriod(period) : QUOTA_MS.most)
  return Math.min(QUOTA_MS.most, Math.max(QUOTA_MS.least, pause))
}

/** Milliseconds until the next UTC day or month. */
function leftOfPeriod(period: 'day' | 'month'): number {
  const now = new Date()
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  return (period === 'day' ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1)) - now.getTime()
}
