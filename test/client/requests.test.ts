import { createServer, type ServerResponse } from 'node:http'
import { inspect } from 'node:util'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import {
  ApiError,
  ConnectionError,
  createClient,
  type ErrorCode,
  isApiError,
} from '../../clients/typescript/index.ts'
import { resources } from '../../clients/typescript/resources.ts'
import { VERSION } from '../../clients/typescript/wire.ts'
import { listen } from '../../dev/emulators/listening.ts'
import {
  errorBody,
  errorCodes,
  RateLimitExceededError,
  ServiceUnavailableError,
} from '../../schemas/api/errors.ts'
import { rateHeaders } from '../../schemas/api/headers.ts'
import { operationEntries } from '../../schemas/api/operations.ts'

// A server that answers what each test tells it, one answer a request, and remembers what it was asked.
type Answerer = (response: ServerResponse) => void
const asked: { url: string; key: string | undefined; client: unknown }[] = []
const answers: Answerer[] = []
const server = await listen(
  'api',
  createServer(({ url, headers }, response) => {
    asked.push({ url: url ?? '', key: headers.authorization, client: headers['x-client'] })
    answers.shift()?.(response)
  }),
)
const baseUrl = server.url
afterAll(() => server.stop())
afterEach(() => vi.unstubAllEnvs())

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

const client = (more: object = {}) =>
  createClient({ baseUrl: `${baseUrl}/`, apiKey: 'k', maxRetries: 0, ...more })

describe('a request', () => {
  it('has its id and query encoded, and the key', async () => {
    const { asked, result } = await during(
      [
        says(200, [], {
          ...{ 'x-total-count': '7', 'x-snapshot-id': 's', 'x-data-block': '12' },
          ...rateHeaders({ limit: '100', remaining: '42', end: '7200', left: '60' }),
        }),
      ],
      () => client().get('/v1/tokens/{id}/swaps', { id: 'a/b?', query: { limit: 2, type: 'buy' } }),
    )
    const url = '/v1/tokens/a%2Fb%3F/swaps?limit=2&type=buy'
    expect(asked).toEqual([{ url, key: 'Bearer k', client: `z100-typescript/${VERSION}` }])
    const rateLimit = { limit: 100, remaining: 42, resetAt: new Date(7_200_000) }
    expect(result).toMatchObject({ body: [], total: 7, snapshotId: 's', dataBlock: 12, rateLimit })
  })

  it('has the key of the environment unless it is given another one, or none', async () => {
    vi.stubEnv('Z100_API_KEY', 'of the environment')
    for (const [options, key] of [
      [{}, 'Bearer of the environment'],
      [{ apiKey: 'own' }, 'Bearer own'],
      [{ apiKey: null }, undefined],
    ] as const) {
      const ask = () => createClient({ baseUrl, ...options }).get('/v1/status')
      const { asked, result } = await during([says(200, {})], ask)
      expect([asked[0]?.url, asked[0]?.key]).toEqual(['/v1/status', key])
      expect(result).toMatchObject({ body: {}, total: null, snapshotId: null, rateLimit: null })
    }
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

  it('states the reason, and when to retry', async () => {
    const { result } = await during([refusal], () => client().get('/v1/status'))
    expect(result).toBeInstanceOf(ApiError)
    expect(result).toMatchObject({
      status: 429,
      code: 'RATE_LIMIT_EXCEEDED',
      requestId: 'r',
      retryAfterSeconds: 1,
      message: limited.message,
      details: { limit: 100 },
    })
  })

  it("that is not the API's has the code NO_ANSWER and says what came", async () => {
    const type = { 'content-type': 'text/html' }
    for (const [status, headers, message] of [
      [502, {}, 'status 502, no content type'],
      [200, type, 'status 200, text/html'],
      [301, { ...type, location: 'https://elsewhere.example/v1/status' }, 'redirects to https://elsewhere'],
    ] as const) {
      const page: Answerer = (response) => void response.writeHead(status, headers).end('<html>')
      const { result, asked } = await during([page], () => client().get('/v1/status'))
      expect(result).toMatchObject({ status, code: 'NO_ANSWER', details: {}, requestId: null })
      expect([String(result), asked.length]).toEqual([expect.stringContaining(message), 1])
      expect([isApiError(result, 'NO_ANSWER'), isApiError(result, 'UNAUTHORIZED')]).toEqual([true, false])
    }
    expect([isApiError(new Error('other')), isApiError(null)]).toEqual([false, false])
  })

  it('ends at once when the caller gives up', async () => {
    const giveUp = new AbortController()
    const waiting = during([() => {}], () => client({ signal: giveUp.signal }).get('/v1/status'))
    await expect.poll(() => asked.length).toBe(1)
    giveUp.abort(new Error('enough'))
    expect((await waiting).result).toMatchObject({ message: 'enough' })
  })

  it('of a service that cannot be reached, or is silent, names the cause', async () => {
    const gone = createClient({ baseUrl: 'http://127.0.0.1:9', maxRetries: 0 })
    await expect(gone.service.status()).rejects.toThrow(new ConnectionError('The service cannot be reached.'))
    // A body that never ends is silence, too.
    const drips: Answerer = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const timer = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(timer))
    }
    for (const silent of [() => {}, drips]) {
      const { result } = await during(
        [silent],
        async () => await client({ timeoutSeconds: 0.1 }).service.status(),
      )
      const message = expect.stringContaining('0.1 seconds')
      expect(result).toMatchObject({ name: 'ConnectionError', message })
    }
  })
})

describe('another attempt', () => {
  const unavailable = says(503, errorBody(new ServiceUnavailableError(0), 'r'), { 'retry-after': '0' })

  it('follows a failure that may pass, as late as Retry-After says, and at most as often as allowed', async () => {
    const { result, asked } = await during(
      [unavailable, unavailable, says(200, { status: 'ok' })],
      async () => client({ maxRetries: 2 }).service.status(),
    )
    expect(asked).toHaveLength(3)
    expect(result).toMatchObject({ body: { status: 'ok' } })
    const given = await during(
      [unavailable, unavailable],
      async () => await client({ maxRetries: 1 }).service.status(),
    )
    expect(given.asked).toHaveLength(2)
    expect(given.result).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' })
  })

  it('follows a cut connection', async () => {
    const cut: Answerer = (response) => void response.destroy()
    const { asked, result } = await during(
      [cut, says(200, [])],
      async () => await client({ maxRetries: 1 }).boards.creators(),
    )
    expect(asked).toHaveLength(2)
    expect(result).toMatchObject({ body: [] })
  })

  it('is not made when it would have to wait longer than allowed, nor for a question that was not understood', async () => {
    const hour = says(
      429,
      errorBody(new RateLimitExceededError({ limit: 1, resetAt: 7_200, now: 3_600 }), 'r'),
      { 'retry-after': '3600' },
    )
    const limited = await during([hour], async () => await client({ maxRetries: 5 }).boards.posts())
    expect(limited.asked).toHaveLength(1)
    expect(limited.result).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', retryAfterSeconds: 3_600 })
    const wrong = says(400, {
      error: { code: 'INVALID_PARAMETER', message: 'no', details: {}, request_id: 'r' },
    })
    const { asked } = await during([wrong], async () => await client({ maxRetries: 5 }).boards.posts())
    expect(asked).toHaveLength(1)
  })
})

describe('a list', () => {
  const page = (rows: readonly number[], next?: string) =>
    says(200, rows, next ? { link: `</first?a=1,2>; rel="first", <${next}>; rel="next"` } : {})

  it('is iterated page by page along the links, and the first page is requested once', async () => {
    const { asked, result } = await during(
      [page([1, 2], '/v1/z100/creators?offset=2&snapshot=s'), page([3])],
      async () => {
        const call = client().boards.creators({ limit: 2 })
        await call
        const rows: unknown[] = []
        for await (const row of call) rows.push(row)
        return rows
      },
    )
    expect(result).toEqual([1, 2, 3])
    expect(asked.map(({ url }) => url)).toEqual([
      '/v1/z100/creators?limit=2',
      '/v1/z100/creators?offset=2&snapshot=s',
    ])
  })

  it('that is none is refused when it is iterated', async () => {
    const { result } = await during([says(200, { status: 'ok' })], async () => {
      for await (const _ of client().service.status());
    })
    expect(result).toBeInstanceOf(TypeError)
  })

  it('sends nothing before it is awaited or iterated', async () => {
    const { asked } = await during([], async () => void client().boards.creators())
    expect(asked).toEqual([])
  })
})

describe('the client', () => {
  it('has a method for every operation that answers JSON', () => {
    const paths = operationEntries.filter(([, each]) => !each.mediaType).map(([, each]) => each.path)
    const ours = Object.values(resources).flatMap((methods) => Object.values(methods))
    expect([...ours].sort()).toEqual([...paths].sort())
  })

  it('knows every error code', () => {
    const known: Readonly<Record<ErrorCode, true>> = {
      INVALID_PARAMETER: true,
      UNAUTHORIZED: true,
      INSUFFICIENT_TIER: true,
      SUSPENDED_API_KEY: true,
      RESOURCE_NOT_FOUND: true,
      METHOD_NOT_ALLOWED: true,
      RATE_LIMIT_EXCEEDED: true,
      INTERNAL_ERROR: true,
      SERVICE_UNAVAILABLE: true,
    }
    expect(Object.keys(known)).toEqual(Object.keys(errorCodes))
  })

  it('does not show its key when it is printed', () => {
    const opened = createClient({ baseUrl, apiKey: 'z100_live_secret' })
    expect(inspect(opened, { depth: 9, showHidden: true }) + JSON.stringify(opened)).not.toContain('secret')
  })

  it('refuses an address that is none', () => {
    expect(() => createClient({ baseUrl: 'api.example.com' })).toThrow('Invalid URL')
  })
})
