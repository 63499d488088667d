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
      const isAll =
        fault instanceof WrongChainError || (fault instanceof RpcRefusedError && fault.scope === 'everything')
      if (!run.hasAnswered || !(isAll || fault instanceof RpcRefusedError)) return fault
      const scope = isAll ? EVERYTHING : method
      const before = closed.get(scope)
      // Requests in flight when the first of them was refused repeat its refusal.
      const leftMs = leftOf(before)
      if (before && leftMs > 0) return new EndpointClosedError(before.said, leftMs)
      const times = (before?.times ?? 0) + 1
      const pause = Math.min(pauseMs * 2 ** (times - 1), LONGEST_MS)
      const until = Date.now() + pause
      closed.set(scope, { until, pause, times, said: fault.message })
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
