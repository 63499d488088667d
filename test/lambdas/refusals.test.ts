import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from 'vitest'
import { bearer } from '../support/aws/access.ts'
import { startApiEdge } from '../support/aws/api-edge.ts'
import { annPath, useMarketApi } from './market-api.ts'

const { api, ask } = await useMarketApi()

/** One more than a request may name. */
const ADDRESSES = Array.from({ length: 101 }, (_, at) => `0x${String(at).padStart(40, '0')}`)

describe('refused requests', () => {
  const refusal = async (path: string, init?: RequestInit) => {
    const { status, headers, body } = await ask(path, init)
    const { error } = body as {
      error: { code: string; details: Record<string, unknown>; request_id: string }
    }
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(error.request_id).toBe(headers.get('x-request-id'))
    return [status, error.code, error.details]
  }

  it.each([
    ['limit=101', 'limit', 101],
    ['limit=1&limit=2', 'limit', '1, 2'],
    ['period=2h', 'period', '2h'],
    ['snapshot=20200101T0000Z-00000000', 'snapshot', '20200101T0000Z-00000000'],
    ['strict=1&x=2', 'x', 2],
  ])('a parameter: %s', async (query, parameter, provided) => {
    expect(await refusal(`/v1/z100/creators?${query}`)).toMatchObject([
      400,
      'INVALID_PARAMETER',
      { parameter, provided, allowed: expect.stringMatching(/./) },
    ])
  })

  it('names the parameter in its message', async () => {
    const messageOf = async (path: string) =>
      ((await ask(path)).body as { error: { message: string } }).error.message
    expect(await messageOf('/v1/search')).toBe(
      'The parameter q is missing: it takes at least 2 characters, at most 100.',
    )
    expect(await messageOf('/v1/search?q=aa&limit=0')).toBe(
      'The parameter limit is not valid: it takes 1-100.',
    )
    expect(await messageOf('/v1/market/stats?strict=true&period=1h')).toBe(
      'The parameter period is unknown: this resource takes as_of, strict.',
    )
  })

  it.each([
    ['/v1/search', 'q', null],
    ['/v1/search?q=+a+', 'q', ' a '],
    ['/v1/tokens?value=a&field=', 'field', null],
    ['/v1/tokens?field=address', 'value', null],
    ['/v1/tokens?field=address&value=0x12', 'value', '0x12'],
    [`/v1/tokens?addresses=0x${'ab'.repeat(20)},0x12`, 'addresses', '0x12'],
    [`/v1/tokens?addresses=${ADDRESSES.join()}`, 'addresses', '101 addresses'],
    ['/v1/tokens?cursor=7', 'cursor', 7],
    ['/v1/tokens/0x01/candles?interval=2m', 'interval', '2m'],
    ['/v1/%zz', 'path', '/v1/%zz'],
  ])('a request: %s', async (path, parameter, provided) => {
    expect(await refusal(path)).toMatchObject([400, 'INVALID_PARAMETER', { parameter, provided }])
  })

  it('unknown paths are 404, other methods 405', async () => {
    expect(await refusal('/v1/nothing')).toMatchObject([404, 'RESOURCE_NOT_FOUND', { path: '/v1/nothing' }])
    expect(await refusal(`${annPath}/nothing`)).toMatchObject([404, 'RESOURCE_NOT_FOUND', {}])
    const path = '/v1/z100/posts'
    expect(await refusal(path, { method: 'POST', body: '{}' })).toMatchObject([
      405,
      'METHOD_NOT_ALLOWED',
      { method: 'POST' },
    ])
    expect((await ask(path, { method: 'DELETE' })).headers.get('allow')).toBe('GET, HEAD, OPTIONS')
    expect(await refusal(path, { method: 'PROPFIND' })).toMatchObject([405, 'METHOD_NOT_ALLOWED', {}])
  })

  it('keeps a valid request id of the client', async () => {
    const idOf = async (id: string) =>
      (await ask('/v1/nothing', { headers: { 'x-request-id': id } })).headers.get('x-request-id')
    expect(await idOf('job-7.retry:2')).toBe('job-7.retry:2')
    for (const id of ['x'.repeat(65), 'a b', '<script>']) expect(await idOf(id)).not.toBe(id)
  })

  it('names the newest snapshot in errors and in the usage', async () => {
    const snapshot = (await ask('/v1/z100/posts')).headers.get('x-snapshot-id')
    for (const path of ['/v1/usage', '/v1/nothing', '/v1/search', `/v1/tokens/0x${'1'.repeat(40)}`]) {
      const { headers } = await ask(path)
      expect([path, headers.get('x-snapshot-id')]).toEqual([path, snapshot])
      expect(headers.get('x-data-time')).toBeTruthy()
    }
  })

  it('a defect is a 500 without details', async () => {
    const { list } = api.stores.lists
    api.stores.lists.list = () => Promise.reject(new Error('secret'))
    expect(await refusal('/v1/z100/posts')).toEqual([
      500,
      'INTERNAL_ERROR',
      { help: 'See /docs/errors#INTERNAL_ERROR.' },
    ])
    api.stores.lists.list = list
    expect(api.state.defects.splice(0).map(String)).toEqual(['Error: secret'])
  })
})

describe('conditions and methods', () => {
  it('answers 304 to a matching ETag, and HEAD with the headers of GET', async () => {
    const { headers, text } = await ask(annPath)
    const etag = headers.get('etag')!
    for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const again = await ask(annPath, { headers: { 'if-none-match': tag } })
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag])
    }
    expect((await ask(annPath, { headers: { 'if-none-match': '"x"' } })).text).toBe(text)
    const head = await ask(annPath, { method: 'HEAD' })
    expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', etag])
  })

  it('marks old figures as stale', async () => {
    api.state.now += 3_600
    expect((await ask(annPath)).headers.get('x-data-stale')).toBe('true')
    api.state.now -= 3_600
  })
})

const edge = await startApiEdge(api, { now: Date.now, onLog: () => {} })
afterAll(() => edge.stop())
const keys = [(await api.access.keyOf('basic')).key, api.key]

describe('through the edge', () => {
  /** Sends a path as it is: Node's http, Python's urllib, Go and Java do so; `URL` and most other clients resolve dots. */
  async function send(url: string, path: string, { key = '', body = '' } = {}) {
    const { hostname: host, port } = new URL(url)
    const headers = {
      ...(key === '' ? {} : bearer(key)),
      ...(body === '' ? {} : { 'content-length': body.length }),
    }
    const sent = httpRequest({ host, port, path, headers, agent: false }).end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    return { status: response.statusCode, type: response.headers['content-type'], text: await text(response) }
  }

  /** Addresses with dot segments that lie in the API as they are sent, wherever they lead. */
  const dotted = [
    ...['/v1/../manifest', '/v1/%2e%2e/manifest', '/v1/.%2E/manifest', '/v1/..', '/v1/../../x'],
    ...['/v1/x/../../y', '/v1/./z100/creators', '/v1/z100/../z100/creators', '/v1/z100/creators/.'],
    ...['/v1/z100/creators/..', '/v1/tokens/../z100/creators', '/v1/tokens/..', '/v1/tokens/.'],
    '/v1/tokens/%2e%2e/metrics',
  ]
  it.each(dotted)('%s, with dot segments, is not found with a key, nor at the gateway', async (path) => {
    for (const key of keys) {
      expect([path, (await send(edge.url, path, { key })).status]).toEqual([path, 404])
      const { status, text } = await send(api.url, path, { key })
      expect([status, JSON.parse(text).error.code]).toEqual([404, 'RESOURCE_NOT_FOUND'])
    }
    expect(api.state.defects).toEqual([])
  })

  it('what leads out of the API by dots is a missing page of the site, as the path that it leads to, with or without a key', async () => {
    const page = await send(edge.url, '/manifest')
    expect([page.status, page.type]).toEqual([404, 'text/html; charset=utf-8'])
    for (const key of ['', ...keys]) expect(await send(edge.url, '/v1/../manifest', { key })).toEqual(page)
  })

  const ways = ['/v1/z100/creators', '/v1/status', '/about']
  it.each(ways)('a GET with a body is refused as by CloudFront, in the error shape: %s', async (path) => {
    const { status, text } = await send(edge.url, path, { key: api.key, body: '{}' })
    expect([status, JSON.parse(text).error.message]).toEqual([403, 'A GET may have no body here.'])
  })
})
