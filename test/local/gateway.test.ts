import { request as httpRequest } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import {
  type GatewayEvent,
  type GatewayOptions,
  type ProxyFunction,
  startGateway,
} from '../../dev/emulators/gateway.ts'
import type { Emulator } from '../../dev/emulators/listening.ts'
import { BODY_BYTES } from '../../dev/emulators/request-body.ts'
import { gatewayResponses } from '../../schemas/api/gateway-responses.ts'
import { notFoundPage } from '../../schemas/pages/site.ts'

const running: Emulator[] = []
afterEach(() => Promise.all(running.splice(0).map(({ stop }) => stop())))

async function gateway(handler: ProxyFunction, options: Partial<GatewayOptions> = {}): Promise<string> {
  const started = await startGateway({
    routes: [{ resource: '/v1/{proxy+}', handler, identity: [] }],
    authorizer: { handler: async () => {}, ttlSeconds: 0 },
    usagePlans: { knows: () => false },
    responses: gatewayResponses,
    ...options,
  })
  running.push(started)
  return started.url
}

const ok = { statusCode: 200, body: '{}' }

/** The event that a request becomes; the path is sent as it is. */
async function eventOf(path: string, headers: Record<string, string | string[]> = {}) {
  let seen: GatewayEvent | undefined
  const url = await gateway(async (event) => {
    seen = event
    return ok
  })
  await new Promise<void>((resolve, reject) => {
    const { port } = new URL(url)
    const sent = httpRequest({ host: '127.0.0.1', port, path, headers }, (response) => {
      response.resume().once('end', resolve)
    })
    sent.once('error', reject).end()
  })
  return seen!
}

describe('the event of a REST API', () => {
  it('has the path unchanged, and all values of a parameter, decoded once', async () => {
    const sent = '/v1/tokens/a%2Fb%20c/swaps'
    const query = 'a=1&a=2&q=a+b%2B%c3%a9&empty=&bare&__proto__=p&bad=%zz'
    expect(await eventOf(`${sent}?${query}`)).toMatchObject({
      resource: '/v1/{proxy+}',
      path: sent,
      httpMethod: 'GET',
      multiValueQueryStringParameters: Object.assign(Object.create(null), {
        a: ['1', '2'],
        q: ['a b+é'],
        empty: [''],
        bare: [''],
        ['__proto__']: ['p'],
        bad: ['%zz'],
      }),
      requestContext: { requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    })
    expect((await eventOf(sent)).multiValueQueryStringParameters).toBeNull()
  })

  it('lists all values of a header, also of __proto__', async () => {
    const { multiValueHeaders } = await eventOf('/v1/x', { 'X-One': ['1', '2'], ['__proto__']: '3' })
    expect(multiValueHeaders).toMatchObject({ 'X-One': ['1', '2'], 'X-Forwarded-Proto': ['http'] })
    expect(Object.entries(multiValueHeaders)).toContainEqual(['__proto__', ['3']])
  })
})

describe('the answer', () => {
  it('is the function’s, with the headers that the gateway renames', async () => {
    const url = await gateway(async () => ({
      statusCode: 401,
      headers: { 'WWW-Authenticate': 'Bearer', 'X-Number': 5 },
      body: '{"é":1}',
    }))
    const response = await fetch(`${url}/v1/x`)
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBeNull()
    expect(response.headers.get('x-amzn-remapped-www-authenticate')).toBe('Bearer')
    expect(response.headers.get('x-number')).toBe('5')
    expect(await response.text()).toBe('{"é":1}')
  })

  it('to HEAD has no body, but its length', async () => {
    const url = await gateway(async (event) => ({ statusCode: 200, body: event.httpMethod }))
    const response = await fetch(`${url}/v1/x`, { method: 'HEAD' })
    expect([response.headers.get('content-length'), await response.text()]).toEqual(['4', ''])
  })

  const refused = async (url: string, path = '/v1/x') => {
    const response = await fetch(url + path)
    const { error } = (await response.json()) as { error: { code: string; request_id: string } }
    expect(error.request_id).toBe(response.headers.get('x-request-id'))
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    return [response.status, error.code]
  }

  it('is 502 if the function throws, and only the operator gets the reason', async () => {
    const defects: unknown[] = []
    const url = await gateway(() => Promise.reject(new Error('secret')), { onDefect: (e) => defects.push(e) })
    expect(await refused(url)).toEqual([502, 'INTERNAL_ERROR'])
    expect(String(defects[0])).toContain('secret')
  })

  it('is 504 if the function takes too long, and an HTML page if there is no such resource', async () => {
    const url = await gateway(() => new Promise(() => {}), { timeoutMs: 20 })
    expect(await refused(url)).toEqual([504, 'INTERNAL_ERROR'])
    for (const path of ['/v2/x', '/v1']) {
      const response = await fetch(url + path)
      expect([response.status, response.headers.get('content-type')]).toEqual([
        404,
        'text/html; charset=utf-8',
      ])
      expect(await response.text()).toBe(notFoundPage)
    }
  })
})

it('a body of more than 10 MB is refused, and none of it kept', async () => {
  const url = await gateway(async () => ok, { onDefect: (error) => expect.unreachable(String(error)) })
  const answer = await fetch(`${url}/v1/anything`, { method: 'POST', body: Buffer.alloc(BODY_BYTES + 1) })
  expect(answer.status).toBe(413)
})
