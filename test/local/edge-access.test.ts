import { describe, expect, it } from 'vitest'
import { edgeKeys, keyDigest, LOST_LINE, newKey } from '../../schemas/api/access.ts'
import { errorBody, SuspendedKeyError, UnauthorizedError } from '../../schemas/api/errors.ts'
import { MCP_PATH } from '../../schemas/api/mcp.ts'
import { REDIRECTS } from '../../schemas/pages/site.ts'
import { cacheOf, edgeErrorIn, readerNamed, SECRET, useEdgeStack } from './edge-stack.ts'

const creators = '/v1/z100/creators'
const { stack, keys } = await useEdgeStack()

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
    const expected = errorBody(new UnauthorizedError('missing_api_key'), edgeErrorIn(reply).request_id)
    expect(reply.text).toBe(JSON.stringify(expected))
    expect(reply.headers).toMatchObject({
      'x-request-id': edgeErrorIn(reply).request_id,
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
    expect(edgeErrorIn(reply).details.reason).toBe('invalid_api_key')
    expect(reply.text).not.toContain(keys.enterprise)
    expect([stack.seen.bucket, stack.seen.api]).toEqual([[], []])
  })

  it('a key that the store does not know, or fails to read, is left to the API', async () => {
    const key = newKey('live')
    stack.entries.set(edgeKeys.whole, 'yes')
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
    expect([stack.seen.bucket, stack.seen.log]).toEqual([[], [expect.stringContaining(LOST_LINE)]])
  })

  it('two Authorization headers are invalid, each single one is valid', async () => {
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
    expect([reply.status, edgeErrorIn(reply).details.reason]).toEqual([401, 'expired_api_key'])
  })

  it('a suspended account is refused with its own error', async () => {
    const reply = await stack.ask(creators, { key: stack.key('a4', 'enterprise', { state: 'suspended' }) })
    expect(reply.status).toBe(403)
    expect(reply.text).toBe(JSON.stringify(errorBody(new SuspendedKeyError(), edgeErrorIn(reply).request_id)))
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
      expect([long.status, edgeErrorIn(long)]).toMatchObject([
        400,
        { code: 'INVALID_PARAMETER', details: { parameter: 'headers' } },
      ])
      expect(edgeErrorIn(long).message).toBe('The parameter headers is not valid: it takes at most 8 KB.')
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
    expect(await ask('/token/0XAB')).toEqual([200, 'Hit', 1, 6])
    expect(await ask('/token/%3Cscript%3E/x')).toEqual([200, 'Miss', 1, 7])
    for (const method of ['POST', 'DELETE', 'TRACE']) {
      const reply = await stack.ask('/v1/status', { method })
      expect([reply.status, reply.headers['allow'], edgeErrorIn(reply).details]).toEqual([
        405,
        'GET, HEAD, OPTIONS',
        { method, help: 'See /docs/errors#METHOD_NOT_ALLOWED.' },
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

it('an address of the documentation leads to its first page', async () => {
  for (const [path, page] of Object.entries(REDIRECTS)) {
    const { status, headers } = await stack.ask(path)
    expect([status, headers['location']]).toEqual([301, page])
  }
})

it('a message to the tools reaches the API with its key and body, and never a cache', async () => {
  const before = stack.seen.api.length
  const headers = { authorization: 'Bearer k', 'x-z100-host': 'elsewhere.invalid', host: 'localhost' }
  for (const _ of [1, 2]) await stack.ask(MCP_PATH, { method: 'POST', headers })
  const seen = stack.seen.api.slice(before)
  expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual(['POST /mcp', 'POST /mcp'])
  // What says where the service is comes from the edge alone.
  expect(seen.map((each) => [each.headers['authorization'], each.headers['x-z100-host']])).toEqual([
    ['Bearer k', 'localhost'],
    ['Bearer k', 'localhost'],
  ])
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
