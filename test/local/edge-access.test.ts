import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rateRules } from '../../lambdas/edge/distribution.ts'
import { edgeKeys, keyDigest, newKey, readerTiers, tiers, usageFrom } from '../../schemas/access.ts'
import { documents, edgeTable } from '../../schemas/documents.ts'
import {
  errorBody,
  RateLimitExceededError,
  SuspendedKeyError,
  UnauthorizedError,
} from '../../schemas/errors.ts'
import {
  cacheOf,
  type EdgeReply,
  type EdgeStack,
  readerNamed,
  SECRET,
  startEdgeStack,
  useEdgeStack,
} from '../support/edge-stack.ts'

const creators = '/v1/z100/creators'
let stack: EdgeStack
/** One key of each tier. */
let keys: { basic: string; professional: string; enterprise: string }

useEdgeStack((started) => {
  stack = started
  keys = {
    basic: stack.key('a1', 'basic'),
    professional: stack.key('a2', 'professional'),
    enterprise: stack.key('a3', 'enterprise'),
  }
})

const errorIn = ({ text }: EdgeReply) => JSON.parse(text).error

describe('without a valid key', () => {
  it('every request is answered with 401 in the error shape', async () => {
    for (const path of [
      creators,
      `${creators}?limit=5`,
      '/v1/nothing',
      '/v1/%zz',
      '/v1/usage',
      '/v1/z100/creators/24h',
    ]) {
      for (const method of ['GET', 'HEAD', 'POST', 'TRACE']) {
        const reply = await stack.ask(path, { method })
        expect([path, method, reply.status]).toEqual([path, method, 401])
      }
    }
    const reply = await stack.ask(creators)
    const expected = errorBody(new UnauthorizedError('missing_api_key'), errorIn(reply).request_id)
    expect(reply.text).toBe(JSON.stringify(expected))
    expect(reply.headers).toMatchObject({
      'x-request-id': errorIn(reply).request_id,
      'www-authenticate': 'Bearer',
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
    })
    expect([stack.seen.bucket, stack.seen.api, stack.seen.log]).toEqual([[], [], []])
  })

  it.each([
    ['no key', () => 'Bearer'],
    ['another scheme', () => `Basic ${Buffer.from(`${keys.enterprise}:`).toString('base64')}`],
    ['the key without scheme', () => keys.enterprise],
    ['a signature', () => `AWS4-HMAC-SHA256 Credential=${keys.enterprise}/x, SignedHeaders=host`],
    ['a key of 7 KB', () => `Bearer ${'k'.repeat(7_000)}`],
    ['a digest', () => `Bearer ${keyDigest(keys.enterprise)}`],
    ['another entry of the store', () => `Bearer ${edgeKeys.exhausted('a3')}`],
    ['two keys in one', () => `Bearer ${keys.enterprise}, Bearer ${keys.enterprise}`],
  ])('%s is not valid', async (_what, authorization) => {
    const reply = await stack.ask(creators, { headers: { authorization: authorization() } })
    expect(reply.status).toBe(401)
    expect(errorIn(reply).details.reason).toBe('invalid_api_key')
    expect(reply.text).not.toContain(keys.enterprise)
    expect([stack.seen.bucket, stack.seen.api]).toEqual([[], []])
  })

  it('a key that the store does not know, or fails to read, is left to the API', async () => {
    const key = newKey('live')
    expect(JSON.parse((await stack.ask(creators, { key })).text).for).toBe(readerNamed(key))
    stack.entries.set(edgeKeys.key(keyDigest(key)), 'not an entry')
    expect(JSON.parse((await stack.ask(creators, { key })).text).for).toBe(readerNamed(key))
    const { get } = stack.entries
    stack.entries.get = () => {
      throw new Error('the store is away')
    }
    expect(JSON.parse((await stack.ask(creators, { key: keys.enterprise })).text).for).toBe(
      readerNamed(keys.enterprise),
    )
    stack.entries.get = get
    expect([stack.seen.bucket, stack.seen.log]).toEqual([[], []])
  })

  it('two Authorization headers are invalid, each alone is valid', async () => {
    const { enterprise } = keys
    const header = `authorization: Bearer ${enterprise}\r\n`
    const ask = (headers: string) =>
      stack.talk(`GET ${creators} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${headers}\r\n`)
    expect(await ask(header)).toMatch(/^HTTP\/1.1 200 /)
    expect(await ask(header + header)).toMatch(/^HTTP\/1.1 401 [\s\S]*"invalid_api_key"/)
  })

  it('a key is unknown as soon as its entry is deleted, also for cached answers', async () => {
    const key = stack.key('a9', 'enterprise')
    expect((await stack.ask(creators, { key })).status).toBe(200)
    expect(cacheOf(await stack.ask(creators, { key }))).toBe('Hit')
    stack.entries.delete(edgeKeys.key(keyDigest(key)))
    expect(JSON.parse((await stack.ask(creators, { key })).text).for).toBe(readerNamed(key))
  })

  it('a key with an end is valid until then', async () => {
    const key = stack.key('a5', 'enterprise', { endsAt: stack.state.nowMs / 1_000 + 60 })
    expect((await stack.ask(creators, { key })).status).toBe(200)
    stack.state.nowMs += 59_000
    expect((await stack.ask(creators, { key })).status).toBe(200)
    stack.state.nowMs += 1_000
    const reply = await stack.ask(creators, { key })
    expect([reply.status, errorIn(reply).details.reason]).toEqual([401, 'expired_api_key'])
  })

  it('a suspended account is refused with its own error', async () => {
    const reply = await stack.ask(creators, { key: stack.key('a4', 'enterprise', { state: 'suspended' }) })
    expect(reply.status).toBe(403)
    expect(reply.text).toBe(JSON.stringify(errorBody(new SuspendedKeyError(), errorIn(reply).request_id)))
    expect(reply.headers).not.toHaveProperty('www-authenticate')
  })

  it('preflight requests of other origins are allowed', async () => {
    const { status, headers } = await stack.ask('/v1/anything', { method: 'OPTIONS' })
    expect([status, headers]).toMatchObject([
      204,
      { 'access-control-allow-origin': '*', 'access-control-allow-methods': 'GET, HEAD, OPTIONS' },
    ])
  })

  it('headers and cookies beyond the limit of the gateway are refused in the error shape', async () => {
    for (const name of ['a', 'cookie']) {
      const long = await stack.ask('/v1/status', { headers: { [name]: 'x'.repeat(9_000) } })
      expect([long.status, errorIn(long)]).toMatchObject([
        400,
        { code: 'INVALID_PARAMETER', details: { parameter: 'headers' } },
      ])
      expect(errorIn(long).message).toBe('The parameter headers is not valid: it takes at most 8 KB.')
    }
    expect((await stack.ask('/v1/status', { headers: { a: 'x'.repeat(7_000) } })).status).toBe(200)
  })

  it('public paths are answered, and cached where the answer is the same for all', async () => {
    const ask = async (path: string, method = 'GET') => {
      const reply = await stack.ask(path, { method })
      return [reply.status, cacheOf(reply), stack.seen.bucket.length, stack.seen.api.length]
    }
    expect(await ask('/v1/status/')).toEqual([200, 'Miss', 1, 0])
    expect(await ask('/v1/status')).toEqual([200, 'Hit', 1, 0])
    expect(await ask('/v1/openapi.json')).toEqual([200, 'Miss', 1, 1])
    expect(await ask('/v1/%6fpenapi.json/')).toEqual([200, 'Hit', 1, 1])
    // A query does not lead past the cache.
    expect(await ask('/v1/openapi.json?strict=1')).toEqual([200, 'Hit', 1, 1])
    expect(await ask('/v1/status?strict=1&x=1')).toEqual([200, 'Hit', 1, 1])
    expect(await ask('/llms.txt')).toEqual([200, 'Miss', 1, 2])
    expect(await ask('/v1/llms.txt')).toEqual([200, 'Miss', 1, 3])
    // What names the address that was asked is kept by that.
    const host = async (host: string) => cacheOf(await stack.ask('/robots.txt', { headers: { host } }))
    expect([await host('localhost'), await host('LOCALHOST'), await host('127.0.0.1')]).toEqual([
      'Miss',
      'Hit',
      'Miss',
    ])
    expect(stack.seen.api.slice(-2).map(({ headers }) => headers['x-z100-host'])).toEqual([
      'localhost',
      '127.0.0.1',
    ])
    // The page of a token, with its name in it, is made by the API; what cannot be an id is asked for as `-`.
    expect(await ask('/token/0xab?utm=1')).toEqual([200, 'Miss', 1, 6])
    expect(await ask('/token/0xab')).toEqual([200, 'Hit', 1, 6])
    expect(await ask('/token/%3Cscript%3E/x')).toEqual([200, 'Miss', 1, 7])
    for (const method of ['POST', 'DELETE', 'TRACE']) {
      const reply = await stack.ask('/v1/status', { method })
      expect([reply.status, reply.headers['allow'], errorIn(reply).details]).toEqual([
        405,
        'GET, HEAD, OPTIONS',
        { method },
      ])
    }
    expect(stack.seen.api.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /v1/openapi.json',
      'GET /v1/llms.txt',
      'GET /v1/llms.txt',
      'GET /v1/robots.txt',
      'GET /v1/robots.txt',
      'GET /v1/token-pages/0xab',
      'GET /v1/token-pages/-',
    ])
    expect(stack.seen.log).toEqual([])
  })
})

describe('by tier', () => {
  it('basic is answered by the API alone, which counts the answers', async () => {
    for (const path of [creators, `${creators}/?period=7d`, '/v1/nothing', `${creators}?period=2h`]) {
      await stack.ask(path, { key: keys.basic })
    }
    expect(stack.seen.bucket).toEqual([])
    expect(stack.seen.api.map(({ url }) => url)).toEqual([
      creators,
      `${creators}/?period=7d`,
      '/v1/nothing',
      `${creators}?period=2h`,
    ])
    expect(new Set(stack.seen.api.map(({ headers }) => headers['x-z100-scope'])).size).toBe(4)
    expect(stack.seen.log).toEqual([])
  })

  it('invalid requests are passed to the API unchanged', async () => {
    const queries = ['period=2h', 'period=%e2%28', 'limit=%zz', 'strict=true&utm=x', 'period=1h&period=7d']
    const paths = [...queries.map((query) => `${creators}?${query}`), '/v1/%zz', '/v1/z100/%2563reators']
    for (const path of paths) await stack.ask(path, { key: keys.enterprise })
    expect([stack.seen.bucket, stack.seen.api.map(({ url }) => url)]).toEqual([[], paths])
  })

  it('professional is answered from the cache, and each answer is counted by one log line', async () => {
    const { professional: key } = keys
    const headers = { cookie: 'a=b', range: 'bytes=0-1', 'x-z100-scope': 'mine' }
    for (let i = 0; i < 3; i += 1)
      expect(JSON.parse((await stack.ask(creators, { key, headers })).text)).toHaveProperty('document')
    await stack.ask(creators, { key, method: 'HEAD' })
    await stack.ask(`${creators}?limit=7`, { key })
    expect((await stack.ask(creators, { key, method: 'PUT' })).status).toBe(405)
    await stack.ask(creators, { key, method: 'OPTIONS' })
    const hour = Math.floor(stack.state.nowMs / 3_600_000)
    expect(stack.seen.log.map(usageFrom)).toEqual(Array(4).fill({ account: 'a2', hour }))
    expect([stack.seen.bucket.length, stack.seen.api.length]).toEqual([1, 1])
    expect(stack.seen.log.join()).not.toContain(key)
    expect(stack.seen.log.join()).not.toContain(keyDigest(key))
    expect(Object.keys(stack.seen.bucket[0]!.headers)).toEqual(['host', 'connection'])
  })

  it.each(readerTiers)(
    '%s: an account that has used up its hour is refused here until the hour ends',
    async (tier) => {
      const key = stack.key(`b${tier}`, tier)
      const hour = Math.floor(stack.state.nowMs / 3_600_000)
      stack.entries.set(edgeKeys.exhausted(`b${tier}`), String(hour))
      const now = stack.state.nowMs / 1_000
      const resetAt = (hour + 1) * 3_600
      for (const path of [creators, `${creators}?limit=5`, '/v1/nothing']) {
        const reply = await stack.ask(path, { key })
        const { limitPerHour: limit } = tiers[tier]
        const expected = errorBody(
          new RateLimitExceededError({ limit, resetAt, now }),
          errorIn(reply).request_id,
        )
        expect([reply.status, JSON.parse(reply.text)]).toEqual([429, expected])
        expect(reply.headers).toMatchObject({
          'retry-after': String(Math.ceil(resetAt - now)),
          'x-ratelimit-limit': String(limit),
          'x-ratelimit-remaining': '0',
          'x-ratelimit-reset': String(resetAt),
        })
      }
      expect([stack.seen.bucket, stack.seen.api, stack.seen.log]).toEqual([[], [], []])
      stack.state.nowMs += 3_600_000
      expect((await stack.ask(creators, { key })).status).toBe(200)
    },
  )

  it('the key of the pages gets documents uncounted; other requests reach the API with the address of the reader', async () => {
    const key = stack.key('pages', 'site')
    for (let at = 0; at < 3; at++) {
      const reply = await stack.ask(`${creators}?period=7d`, { key })
      expect(JSON.parse(reply.text)).toEqual({ document: `${creators}/7d` })
    }
    expect([stack.seen.bucket.length, stack.seen.api, stack.seen.log]).toEqual([1, [], []])
    const forged = { 'x-z100-viewer': '203.0.113.9' }
    expect((await stack.ask('/v1/tokens/0xab', { key, from: '127.0.0.3', headers: forged })).status).toBe(200)
    expect(stack.seen.api.map(({ headers }) => headers['x-z100-viewer'])).toEqual(['127.0.0.3'])
    expect(stack.seen.log).toEqual([])
  })

  it('the key of the pages is limited per address; other addresses and other keys are not affected', async () => {
    const [rule] = rateRules.filter(({ name }) => name === 'site')
    const limited = await startEdgeStack({ rateRules: [{ ...rule!, limit: 5 }] })
    const [pages, reader] = [limited.key('pages', 'site'), limited.key('r', 'enterprise')]
    const statuses = async (key: string, from?: string) => {
      const replies = []
      for (let at = 0; at < 7; at++)
        replies.push((await limited.ask(creators, { key, ...(from && { from }) })).status)
      return replies
    }
    expect(await statuses(pages)).toEqual([200, 200, 200, 200, 200, 429, 429])
    expect(await statuses(pages, '127.0.0.2')).toEqual([200, 200, 200, 200, 200, 429, 429])
    expect(await statuses(reader)).toEqual(Array(7).fill(200))
    limited.state.nowMs += rule!.windowSeconds * 1_000
    expect((await limited.ask(creators, { key: pages })).status).toBe(200)
    await limited.stop()
  })
})

describe('answers of one reader', () => {
  it.each(['basic', 'enterprise'] as const)(
    'are not given to another: %s accounts with the same concurrent requests to a slow API',
    async (tier) => {
      stack.state.delayMs = 40
      const accounts = Array.from({ length: 8 }, (_, i) => stack.key(`i${i}`, tier))
      for (const path of [`${creators}?limit=5`, '/v1/tokens/0xab', '/v1/nothing', `${creators}/24h`]) {
        const replies = await Promise.all([...accounts, ...accounts].map((key) => stack.ask(path, { key })))
        for (const [at, { text, headers }] of replies.entries()) {
          const own = readerNamed(accounts[at % 8])
          expect(headers['x-ratelimit-remaining']).toBe(own)
          expect(headers).not.toHaveProperty('age')
          if (path !== '/v1/nothing') expect(JSON.parse(text).for).toBe(own)
        }
        expect(new Set(replies.map(({ headers }) => headers['x-amz-cf-id'])).size).toBe(16)
      }
    },
  )

  it('are not given to another where the API answers for a missing document', async () => {
    Object.assign(stack.state, { bucket: 'empty', delayMs: 40 })
    const accounts = Array.from({ length: 8 }, (_, i) => stack.key(`m${i}`, 'enterprise'))
    const replies = await Promise.all(accounts.map((key) => stack.ask(`${creators}?utm=x`, { key })))
    expect(replies.map(({ text }) => JSON.parse(text).for)).toEqual(accounts.map(readerNamed))
    expect(new Set(stack.seen.api.map(({ url }) => url))).toEqual(new Set([`${creators}/24h`]))
    expect(replies.map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual(accounts.map(readerNamed))
    stack.state.bucket = 'up'
    expect(JSON.parse((await stack.ask(creators, { key: accounts[0]! })).text)).toEqual({
      document: `${creators}/24h`,
    })
  })

  it('a forged scope gives no access to the shared cache', async () => {
    const headers = { 'x-z100-scope': 'shared', 'X-Z100-Ignored': 'forged', 'x-z100-other': '1' }
    await stack.ask(`${creators}/24h`, { key: keys.enterprise, headers })
    const [request] = stack.seen.api
    expect(request!.headers['x-z100-scope']).not.toBe('shared')
    expect(request!.headers).not.toHaveProperty('x-z100-other')
    const reply = await stack.ask(creators, { key: keys.enterprise, headers })
    expect(JSON.parse(reply.text)).toEqual({ document: `${creators}/24h` })
    expect(reply.headers).not.toHaveProperty('x-ignored-parameters')
  })
})

describe('an outage', () => {
  it('of the API leaves the boards available', async () => {
    stack.state.api = 'down'
    expect((await stack.ask(creators, { key: keys.enterprise })).status).toBe(200)
    stack.state.nowMs += 300_000
    expect(cacheOf(await stack.ask(creators, { key: keys.enterprise }))).toBe('Miss')
    expect((await stack.ask(`${creators}?limit=5`, { key: keys.enterprise })).status).toBe(503)
  })
})

const published = new Set<string>(documents.map(({ name }) => `/${name}`))

describe('the bucket', () => {
  it('is only asked for names of documents, for any path', async () => {
    const piece = fc.oneof(
      fc.constantFrom('..', '.', '', '%2e%2e', '%2E', '%2f', '%5c', '\\', '%00', '%252e%252e', ';', '@', ':'),
      fc.constantFrom(
        'v1',
        'z100',
        'creators',
        '24h',
        'images',
        'manifests',
        'published',
        'status',
        'market',
        'all',
      ),
      fc.webSegment({ size: 'small' }),
    )
    const path = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => `/${pieces.join('/')}`)
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          path,
          path.map((rest) => `/v1${rest}`),
        ),
        async (sent) => {
          const { text } = await stack.ask(sent.replace(/[^!-~]/g, ''), { key: keys.enterprise })
          expect(text).not.toContain(SECRET)
        },
      ),
      { numRuns: 120 },
    )
    expect(stack.seen.bucket.filter(({ url }) => !published.has(url ?? '')).map(({ url }) => url)).toEqual([])
    expect(stack.seen.api.length).toBeGreaterThan(20)
  })

  it('has one object for every spelling of a default request', async () => {
    const letters = (text: string) =>
      fc
        .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
        .map((isUpper) =>
          [...text].map((letter, at) => (isUpper[at] ? letter.toUpperCase() : letter)).join(''),
        )
    const encoded = (text: string) =>
      fc.nat(text.length - 1).map((at) => {
        const code = text.charCodeAt(at).toString(16).padStart(2, '0')
        return text[at] === '/' ? text : `${text.slice(0, at)}%${code}${text.slice(at + 1)}`
      })
    const either = (text: string) => fc.oneof(fc.constant(text), encoded(text))
    const request = fc
      .constantFrom(...Object.entries(edgeTable))
      .chain(([path, { documentParameters, rest }]) => {
        const said = [...documentParameters, ...rest].map(({ names, fallback, same }) => {
          const words = fallback === null ? [''] : [fallback, ...(same ?? []), '']
          const pair = fc
            .tuple(fc.constantFrom(...names), fc.constantFrom(...words))
            .chain(([name, word]) =>
              fc.tuple(either(name), word === '' ? fc.constant('') : letters(word).chain(either)),
            )
          return fc.option(
            pair.map(([name, word]) => `${name}=${word}`),
            { nil: '' },
          )
        })
        const query = fc
          .tuple(...said, fc.constantFrom('', 'utm_source=x', '&&'))
          .chain((parts) => fc.shuffledSubarray(parts, { minLength: parts.length, maxLength: parts.length }))
        const tail = fc.constantFrom('', '/')
        return fc.tuple(fc.constant(path), either(path), tail, query)
      })
    const objects = new Map<string, Set<string>>()
    await fc.assert(
      fc.asyncProperty(request, async ([path, spelt, tail, query]) => {
        const text = query.filter((part) => part !== '').join('&')
        const reply = await stack.ask(`${spelt}${tail}${text === '' ? '' : `?${text}`}`, {
          key: keys.enterprise,
        })
        expect(reply.status).toBe(200)
        objects.set(path, (objects.get(path) ?? new Set()).add(reply.text))
      }),
      { numRuns: 150 },
    )
    expect([...objects.values()].map(({ size }) => size)).toEqual([...objects].map(() => 1))
    // One request of the bucket for each, and none of the API.
    expect(new Set(stack.seen.bucket.map(({ url }) => url)).size).toBe(stack.seen.bucket.length)
    expect(stack.seen.api.map(({ url }) => url)).toEqual([])
  })
})

describe('a malformed or hostile request', () => {
  /** Nothing is written, tunnelled or traced here, whatever the word for it. */
  const NO_METHOD = /^(CONNECT|TRACE|DELETE|STEAL) /
  const line = (text: string, headers = '') =>
    `${text} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nauthorization: Bearer KEY\r\n${headers}\r\n`
  it.each([
    ['the bucket’s image', line('GET /images/1')],
    ['the bucket’s manifest', line('GET /v1/manifests/1')],
    ['a document’s own path elsewhere', line('GET /published/v1/z100/creators/24h')],
    ['dots', line('GET /v1/../images/1')],
    ['dots above all', line('GET /../../images/1')],
    ['encoded dots', line('GET /v1/%2e%2e/%2e%2e/images/1')],
    ['doubly encoded dots', line('GET /v1/%252e%252e/images/1')],
    ['backslashes', line('GET /v1/..\\images\\1')],
    ['an encoded slash', line('GET /v1/..%2fimages%2f1')],
    ['two slashes', line('GET //v1/z100/creators')],
    ['two slashes within', line('GET /v1//z100/creators')],
    ['a NUL', line('GET /v1/z100/creators%00')],
    ['bad encoding', line('GET /v1/%zz')],
    ['another host', line('GET /v1/z100/creators').replace('localhost', 'example.com')],
    [
      'a host that ends like ours',
      line('GET /v1/z100/creators').replace('localhost', 'localhost.example.com'),
    ],
    ['two hosts', line('GET /v1/z100/creators', 'host: example.com\r\n')],
    ['no host', line('GET /v1/z100/creators').replace('host: localhost\r\n', '')],
    ['a whole address', line('GET http://example.com/v1/z100/creators')],
    ['no address', line('GET *')],
    ['a tunnel', line('CONNECT example.com:443')],
    ['TRACE', line('TRACE /v1/nothing')],
    ['DELETE', line('DELETE /v1/nothing')],
    ['no such method', line('STEAL /v1/z100/creators')],
    ['a body', `${line('POST /v1/nothing', 'content-length: 5\r\n')}hello`],
    ['two lengths', `${line('POST /v1/nothing', 'content-length: 5\r\ncontent-length: 6\r\n')}hello`],
    [
      'a smuggled request',
      `${line('POST /v1/x', 'transfer-encoding: chunked\r\ncontent-length: 3\r\n')}0\r\n\r\nGET /`,
    ],
    ['an expectation', line('POST /v1/nothing', 'expect: 200-ok\r\ncontent-length: 0\r\n')],
    ['8 KB of Authorization', line('GET /v1/z100/creators').replace('KEY', 'k'.repeat(8192))],
    ['30 KB of headers', line('GET /v1/z100/creators', `x: ${'y'.repeat(30_000)}\r\n`)],
    ['9 KB of address', line(`GET /v1/z100/creators?x=${'y'.repeat(9_000)}`)],
    ['a header with a line end', line('GET /v1/z100/creators', 'x: a\rb\r\n')],
    ['Basic', line('GET /v1/z100/creators').replace('Bearer KEY', 'Basic dTpw')],
    ['two Authorizations', line('GET /v1/z100/creators', 'authorization: Bearer KEY\r\n')],
    ['no HTTP', 'hello\r\n\r\n'],
    ['TLS', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003'],
  ])('%s is refused in the error shape', async (_what, text) => {
    const reply = await stack.talk(text.replaceAll('KEY', keys.enterprise))
    const status = NO_METHOD.test(text) ? '405' : '4\\d\\d'
    expect(reply).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    const [head = '', body = ''] = reply.split(/\r\n\r\n(.*)/s)
    expect(head).toMatch(/^content-type: application\/json/im)
    expect(head).toMatch(/^access-control-allow-origin: \*$/im)
    expect(/^allow: GET, HEAD/im.test(head)).toBe(reply.startsWith('HTTP/1.1 405'))
    expect(Object.keys(JSON.parse(body).error)).toEqual(['code', 'message', 'details', 'request_id'])
    expect(reply).not.toContain(keys.enterprise)
    expect(reply).not.toContain(SECRET)
    expect(stack.seen.bucket).toEqual([])
  })
})
