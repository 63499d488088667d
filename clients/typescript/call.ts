import { type Answer, answerFrom } from './paths.ts'
import { type RequestOptions, request } from './request.ts'

/** The rows of a list: of a body that is an array. */
type RowOf<Body> = Body extends readonly (infer Row)[] ? Row : never

/**
 * A request that is sent when it is awaited or iterated. Awaited, it gives one answer. Iterated, it gives the rows of the
 * list, page by page: later pages are read from the snapshot of the first one.
 */
export type Call<Body> = PromiseLike<Answer<Body>> & AsyncIterable<RowOf<Body>>

/** A call of a path with its query. */
export function callOf<Body>(origin: string, address: string, options: RequestOptions): Call<Body> {
  const page = async (at: string): Promise<Answer<Body>> => {
    const [response, text] = await request(origin + at, options)
    return answerFrom<Body>(response, text)
  }
  let first: Promise<Answer<Body>> | undefined
  const start = () => {
    first ??= page(address)
    return first
  }
  return {
    // biome-ignore lint/suspicious/noThenProperty: a call is awaited, and sends nothing when it is only iterated.
    then: (onAnswer, onError) => start().then(onAnswer, onError),
    [Symbol.asyncIterator]: () => rowsOf(start, page),
  }
}

async function* rowsOf<Body>(
  start: () => Promise<Answer<Body>>,
  page: (at: string) => Promise<Answer<Body>>,
): AsyncGenerator<RowOf<Body>, void, undefined> {
  let answer = await start()
  for (;;) {
    if (!Array.isArray(answer.body)) throw new TypeError('This answer is not a list: await it instead.')
    yield* answer.body as RowOf<Body>[]
    if (answer.next === null) return
    answer = await page(answer.next)
  }
}
