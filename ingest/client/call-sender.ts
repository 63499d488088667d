/** Sends calls to one endpoint, singly or in batches of the size that it accepts; calls that a batch left unanswered are repeated. */
import {
  BatchTooLargeError,
  IngestError,
  orFault,
  RateLimitedError,
  RpcRefusedError,
  RpcUnavailableError,
} from './faults.ts'
import { answersById, type Exchange, resultOf } from './http-exchange.ts'
import type { Pacing } from './pacing.ts'

/** One JSON-RPC call. */
export type Call = { readonly method: string; readonly params: readonly unknown[] }

/** Results by the index of their calls. A caller keeps them over attempts, so that no answered call is repeated. */
export type Answers = Map<number, unknown>

/** Both methods throw an IngestError. */
export type CallSender = {
  one(call: Call): Promise<unknown>
  /** Adds the answers that are missing in `answers`. */
  many(calls: readonly Call[], answers: Answers): Promise<void>
}

/** Opens a sender; nothing is sent yet. `name`: the endpoint. */
export function openSender(name: string, exchange: Exchange, pacing: Pacing): CallSender {
  const size = openBatchSize()

  const one = (call: Call): Promise<unknown> => {
    const { method } = call
    return pacing.run({ calls: 1, isOfLogs: method === 'eth_getLogs' }, async () =>
      resultOf(name, method, await exchange.post(method, { jsonrpc: '2.0', id: 1, ...call })),
    )
  }
  /** Sends the calls at these positions until each has failed or is answered. */
  const batch = (calls: readonly Call[], part: readonly number[], answers: Answers): Promise<void> =>
    pacing.run({ calls: part.length, isOfLogs: false }, async () => {
      const open = part.filter((at) => !answers.has(at))
      const [{ method } = { method: '' }] = open.flatMap((at) => calls[at] ?? [])
      const body = open.map((at) => ({ jsonrpc: '2.0', id: at, ...calls[at] }))
      const byId = answersById(await answerOfBatch(name, method, () => exchange.post(method, body)))
      const faults: IngestError[] = []
      for (const at of open) {
        const result = resultOrFault(name, calls[at]?.method ?? method, byId.get(at))
        if (result instanceof IngestError) faults.push(result)
        else answers.set(at, result)
      }
      const [first] = faults
      const final = faults.find((fault) => !(fault instanceof RpcUnavailableError))
      if (final ?? (faults.length === open.length && first)) throw final ?? first
    })

  const many = async (calls: readonly Call[], answers: Answers): Promise<void> => {
    for (;;) {
      const open = calls.flatMap((_, at) => (answers.has(at) ? [] : [at]))
      const part = open.slice(0, Math.min(size.calls(), pacing.batchSize()))
      const [at] = part
      const call = at === undefined ? undefined : calls[at]
      if (at === undefined || !call) return
      if (part.length === 1) {
        answers.set(at, await one(call))
        continue
      }
      try {
        await batch(calls, part, answers)
        size.answered(part.length)
      } catch (fault) {
        if (fault instanceof BatchTooLargeError) size.refused(part.length, fault.allowedCalls)
        else if (fault instanceof RateLimitedError && part.length > pacing.batchSize()) continue
        else {
          if (fault instanceof RpcUnavailableError) size.failed(part.length)
          throw fault
        }
      }
    }
  }
  return { one, many }
}

/** The answers to a batch. A batch that is refused as a whole is answered with one object; its calls may be answered singly. */
async function answerOfBatch(
  name: string,
  method: string,
  post: () => Promise<unknown>,
): Promise<readonly unknown[]> {
  try {
    const answer = await post()
    if (Array.isArray(answer)) return answer
    resultOf(name, method, answer)
  } catch (fault) {
    if (!(fault instanceof RpcRefusedError) || fault.scope !== 'request') throw fault
    throw new BatchTooLargeError(fault.message)
  }
  throw new BatchTooLargeError(`${name}: ${method}: a batch was answered with one result`, 1)
}

function resultOrFault(name: string, method: string, answer: unknown): unknown {
  try {
    return resultOf(name, method, answer)
  } catch (fault) {
    return orFault(fault)
  }
}

/** Calls in a batch until the endpoint refuses one. */
const BATCH_MAX = 100
/** After this many consecutive batches failed without a reason, the next one has half as many calls. */
const FAILURES_MAX = 2
/** After this many answered batches of full size, a size that failed without being refused is tried again. */
const GROW_AFTER = 10

/** How many calls an endpoint takes in a batch: fewer after a refusal or repeated failures. */
function openBatchSize() {
  /** Larger batches are refused; after failures the size can be smaller. */
  let [limit, size, failures, answered] = [BATCH_MAX, BATCH_MAX, 0, 0]
  return {
    calls: () => size,
    refused(calls: number, allowed: number | undefined) {
      // If it refuses a size that it claims to allow, another limit applies.
      limit = allowed !== undefined && allowed < calls ? allowed : Math.max(1, Math.floor(calls / 2))
      size = limit
    },
    failed(calls: number) {
      failures += 1
      if (failures % FAILURES_MAX === 0) size = Math.max(1, Math.floor(calls / 2))
    },
    answered(calls: number) {
      failures = 0
      if (calls < size || size === limit) return
      answered += 1
      if (answered % GROW_AFTER === 0) size = Math.min(limit, size * 2)
    },
  }
}
