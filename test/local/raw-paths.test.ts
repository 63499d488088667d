import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Emulator } from '../../emulators/listening.ts'
import { startApiEdge } from '../support/api-edge.ts'
import { type ApiStack, startApiStack } from '../support/api-stack.ts'

let api: ApiStack
let edge: Emulator
let keys: readonly string[]
beforeAll(async () => {
  api = await startApiStack()
  edge = await startApiEdge(api, { now: Date.now(), onLog: () => {} })
  keys = [(await api.access.keyOf('basic')).key, api.key]
})
afterAll(async () => {
  await edge.stop()
  await api.stop()
})

/** Sends a path as it is: Node's http, Python's urllib, Go and Java do so; `URL` and most other clients resolve dots. */
async function send(url: string, path: string, { key = '', method = 'GET', body = '' } = {}) {
  const { hostname: host, port } = new URL(url)
  const headers = {
    ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
    ...(body === '' ? {} : { 'content-length': body.length }),
  }
  const request = httpRequest({ host, port, path, method, headers, agent: false })
  request.end(body)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return { status: response.statusCode, type: response.headers['content-type'], text: await text(response) }
}

/** Addresses with dot segments that lie in the API as they are sent, wherever they lead. */
const dotted = [
  ...[
    '/v1/../manifest',
    '/v1/%2e%2e/manifest',
    '/v1/.%2E/manifest',
    '/v1/..',
    '/v1/../../x',
    '/v1/x/../../y',
  ],
  ...['/v1/./z100/creators', '/v1/z100/../z100/creators', '/v1/z100/creators/.', '/v1/z100/creators/..'],
  ...['/v1/tokens/../z100/creators', '/v1/tokens/..', '/v1/tokens/.', '/v1/tokens/%2e%2e/metrics'],
]

describe('a path with dot segments', () => {
  it.each(dotted)('%s is not found with a key, at the edge and at the gateway', async (path) => {
    for (const key of keys) {
      expect([path, (await send(edge.url, path, { key })).status]).toEqual([path, 404])
      const { status, text } = await send(api.url, path, { key })
      expect([status, JSON.parse(text).error.code]).toEqual([404, 'RESOURCE_NOT_FOUND'])
    }
    expect(api.state.defects).toEqual([])
  })

  it('that leads out of the API is a missing page of the site, as the path that it leads to, with or without a key', async () => {
    const page = await send(edge.url, '/manifest')
    expect([page.status, page.type]).toEqual([404, 'text/html; charset=utf-8'])
    for (const key of ['', ...keys]) expect(await send(edge.url, '/v1/../manifest', { key })).toEqual(page)
  })
})

describe('a GET with a body', () => {
  it.each(['/v1/z100/creators', '/v1/status', '/about'])(
    'is refused by the edge as by CloudFront, in the error shape: %s',
    async (path) => {
      const { status, text } = await send(edge.url, path, { key: api.key, body: '{}' })
      expect([status, JSON.parse(text).error.message]).toEqual([403, 'A GET may have no body here.'])
    },
  )
})
