/** What a running service does against its own description: asked for everything, and with malformed requests. */
import fc from 'fast-check'
import { mapParallel } from '../../../store/aws/parallel.ts'
import type { Answered, Described } from './described.ts'
import { type DescribedRequest, type RequestContext, requestsOf } from './described-requests.ts'
import { type FuzzRequest, fuzzRequests, send } from './fuzz-requests.ts'

export type WalkOptions = {
  readonly described: Described
  readonly facts: RequestContext
  readonly ask: (path: string) => Promise<Answered>
  /** Of each operation the first request, of the others one of so many. @default 1 */
  readonly oneOf?: number
  /** Whether to leave a request out. @default none */
  readonly isLeftOut?: (request: DescribedRequest) => boolean
}

const PARALLEL = 4

/** Asks for every operation with every parameter. What differs from the description, and from 200 and 400. */
export async function walk(options: WalkOptions): Promise<readonly string[]> {
  const { described, facts, ask, oneOf = 1, isLeftOut = () => false } = options
  const known = requestsOf(described.operations, facts).filter((request) => !isLeftOut(request))
  const requests = known.filter(
    ({ operation }, at, all) => at % oneOf === 0 || operation !== all[at - 1]?.operation,
  )
  const wrong = await mapParallel(requests, PARALLEL, async (request) => {
    const { operation, path, isValid } = request
    const answer = await ask(path)
    const faults = described.faults(operation, answer)
    const isAsMeant = answer.status === (isValid ? 200 : 400)
    return (isAsMeant ? faults : [...faults, `${answer.status} ${answer.text.slice(0, 200)}`]).map(
      (fault) => `${path}: ${fault}`,
    )
  })
  return wrong.flat()
}

export type FuzzOptions = {
  readonly described: Described
  readonly facts: RequestContext
  readonly base: string
  readonly headers?: Record<string, string>
  readonly rounds: number
}

/** Sends malformed requests; throws with the smallest request whose answer is not described, says nothing, or is a defect. */
export async function fuzz({ described, facts, base, headers, rounds }: FuzzOptions): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fuzzRequests(described.operations, facts), async (request) => {
      const wrong = faultsOfAnswer(described, request, await send(base, request, headers))
      if (wrong.length > 0) throw new FuzzFailure(request, wrong)
    }),
    { numRuns: rounds },
  )
}

class FuzzFailure extends Error {
  override readonly name = 'FuzzFailure'
  constructor({ method, path }: FuzzRequest, wrong: readonly string[]) {
    super(`${method} ${path}\n${wrong.join('\n')}`)
  }
}

/** What is wrong with the answer to a request, whatever it asked for. */
export function faultsOfAnswer(
  described: Described,
  request: FuzzRequest,
  answer: Answered,
): readonly string[] {
  const { operation, method } = request
  const { status, headers, text } = answer
  const open =
    headers.get('access-control-allow-origin') === '*' ? [] : ['no page of another origin may read it']
  if (status >= 500) return [`${status} ${text}`]
  // The edge answers it; to the API itself it is a method like others.
  if (method === 'OPTIONS' && status === 204) return text === '' ? open : [text]
  if (method === 'HEAD') return text === '' ? open : ['a body for HEAD']
  if (method !== 'GET' && status < 400) return [`${status} for ${method}`]
  const wrong =
    status >= 400 ? described.errorFaults(answer) : operation ? described.faults(operation, answer) : []
  return [...open, ...wrong, ...(operation || status >= 400 ? [] : [`${status} where nothing is`])]
}
