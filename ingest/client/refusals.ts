/** Endpoints that refuse during a run: they get no requests for increasing pauses, which are reported. */
import { EndpointClosedError, type IngestError, RpcRefusedError, WrongChainError } from './faults.ts'
import type { Wait } from './pacing.ts'

/** Current refusals of one endpoint: a method, or all requests. */
export type Refusals = {
  /** Throws EndpointClosedError while the method is refused. */
  assertOpen(method: string): void
  /** The fault to throw for a refusal of a method: EndpointClosedError once any endpoint has answered, else itself. */
  refused(fault: IngestError, method: string): IngestError
  /** The method was answered. */
  answered(method: string): void
}

/** State shared by the endpoints of a run: whether one of them has ever answered. */
export type RunState = { hasAnswered: boolean }

/** The first pause, and the longest: each refusal in a row doubles it. */
const LONGEST_MS = 900_000
const EVERYTHING = '*'

/** Opens the refusals of an endpoint: none. `pauseMs`: the first pause. */
export function openRefusals(
  endpoint: string,
  run: RunState,
  { pauseMs, onWait }: { readonly pauseMs: number; readonly onWait: (wait: Wait) => void },
): Refusals {
  /** By method. Times are Unix ms. */
  const closed = new Map<string, { readonly until: number; readonly times: number; readonly said: string }>()

  return {
    assertOpen(method) {
      const now = Date.now()
      for (const scope of [EVERYTHING, method]) {
        const refusal = closed.get(scope)
        if (refusal && refusal.until > now) throw new EndpointClosedError(refusal.said, refusal.until - now)
      }
    },
    refused(fault, method) {
      const isAll =
        fault instanceof WrongChainError || (fault instanceof RpcRefusedError && fault.scope === 'everything')
      if (!run.hasAnswered || !(isAll || fault instanceof RpcRefusedError)) return fault
      const scope = isAll ? EVERYTHING : method
      const before = closed.get(scope)
      // Requests in flight when the first of them was refused repeat its refusal.
      if (before && before.until > Date.now())
        return new EndpointClosedError(before.said, before.until - Date.now())
      const times = (before?.times ?? 0) + 1
      const pause = Math.min(pauseMs * 2 ** (times - 1), LONGEST_MS)
      const until = Date.now() + pause
      closed.set(scope, { until, times, said: fault.message })
      onWait({ endpoint, cause: fault.message, times, until })
      return new EndpointClosedError(fault.message, pause)
    },
    answered(method) {
      run.hasAnswered = true
      closed.delete(EVERYTHING)
      closed.delete(method)
    },
  }
}
