import { createServer, type ServerResponse } from 'node:http'
import { afterAll, describe, expect, it } from 'vitest'
import { listen } from '../../emulators/listening.ts'
import { openClient, RefusedError } from '../../schemas/client.ts'
import { errorBody, RateLimitExceededError } from '../../schemas/errors.ts'

// A server that answers what each test tells it, one answer a request, and remembers what it was asked.
type Answerer = (response: ServerResponse) => void
const asked: { url: string; key: string | undefined }[] = []
const answers: Answerer[] = []
const server = await listen(
  'api',
  createServer(({ url, headers }, response) => {
    asked.push({ url: url ?? '', key: headers.authorization })
    answers.shift()?.(response)
  }),
)
const baseUrl = server.url
afterAll(() => server.stop())

const says =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answerer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }

/** What a call asks for when it is given these answers, and what comes of it. */
async function during<Result>(given: readonly Answerer[], call: () => Promise<Result>) {
  asked.splice(0)
  answers.splice(0, answers.length, ...given)
  const result = await call().catch((error: unknown) => error)
  return { result, asked: [...asked], left: answers.length }
}

const client = (more: object = {}) => openClient({ baseUrl: `${baseUrl}/`, key: 'k', ...more })

describe('a request', () => {
  it('has its id and query encoded, and the key', async () => {
    const { asked, result } = await during(
      [says(200, [], { 'x-total-count': '7', 'x-snapshot-id': 's', 'x-data-block': '12' })],
      () => client().get('/v1/tokens/{id}/swaps', { id: 'a/b?', query: { limit: 2, type: 'buy' } }),
    )
    expect(asked).toEqual([{ url: '/v1/tokens/a%2Fb%3F/swaps?limit=2&type=buy', key: 'Bearer k' }])
    expect(result).toMatchObject({ body: [], total: 7, snapshotId: 's', dataBlock: 12 })
  })

  it('may have no query and no key; its answer may be text', async () => {
    const text: Answerer = (response) =>
      void response.writeHead(200, { 'content-type': 'text/plain' }).end('# z100')
    const { result } = await during([text], () => openClient({ baseUrl }).get('/v1/llms.txt'))
    expect(result).toMatchObject({ body: '# z100', total: null, snapshotId: null })
    expect(asked[0]).toEqual({ url: '/v1/llms.txt', key: undefined })
  })

  it('is checked by the compiler', () => {
    // @ts-expect-error: a search needs its text
    const search = () => client().get('/v1/search')
    // @ts-expect-error: trending lists have no period of 4h
    const trending = () => client().get('/v1/market/trending', { query: { timeframe: '4h' } })
    // @ts-expect-error: no such key in an answer
    const key = async () => (await client().get('/v1/z100/index')).body.worth
    expect([search, trending, key]).toHaveLength(3)
  })
})

describe('a refusal', () => {
  const limited = new RateLimitExceededError({ limit: 100, resetAt: 7_201, now: 7_200 })
  const refusal = says(429, errorBody(limited, 'r'), limited.headers)

  it('says why, and when to ask again', async () => {
    const { result } = await during([refusal], () => client().get('/v1/status'))
    expect(result).toBeInstanceOf(RefusedError)
    expect(result).toMatchObject({
      status: 429,
      code: 'RATE_LIMIT_EXCEEDED',
      requestId: 'r',
      retryAfterSeconds: 1,
      message: limited.message,
      details: { limit: 100 },
    })
  })

  it("that is not the API's has the code NO_ANSWER", async () => {
    const page: Answerer = (response) => void response.writeHead(502).end('<html>')
    const { result } = await during([page], () => client().get('/v1/status'))
    expect(result).toMatchObject({ status: 502, code: 'NO_ANSWER', details: {}, requestId: null })
  })

  it('ends at once when the caller gives up', async () => {
    const giveUp = new AbortController()
    const waiting = during([() => {}], () => client({ signal: giveUp.signal }).get('/v1/status'))
    await expect.poll(() => asked.length).toBe(1)
    giveUp.abort(new Error('enough'))
    expect((await waiting).result).toMatchObject({ message: expect.stringMatching(/enough|abort/) })
  })
})
