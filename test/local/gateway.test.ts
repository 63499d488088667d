import { request as httpRequest } from 'node:http'
import type { APIGatewayProxyEvent } from 'aws-lambda'
import { afterEach, describe, expect, it } from 'vitest'
import { type GatewayOptions, type ProxyFunction, startGateway } from '../../local/aws/gateway.ts'
import { gatewayResponses } from '../../schemas/gateway-responses.ts'
import { notFoundPage } from '../../schemas/site.ts'

let stop = async () => {}
afterEach(() => stop())

async function gateway(handler: ProxyFunction, options: Partial<GatewayOptions> = {}): Promise<string> {
  const running = await startGateway({
    routes: [{ resource: '/v1/{proxy+}', handler }],
    responses: gatewayResponses,
    ...options,
  })
  stop = running.stop
  return running.url
}

const ok = { statusCode: 200, body: '{}' }

/** The event that a request becomes; the path is sent as it is. */
async function eventOf(path: string, headers: Record<string, string | string[]> = {}) {
  let seen: APIGatewayProxyEvent | undefined
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
  it('keeps the path as it was sent and decodes what it binds', async () => {
    const event = await eventOf('/v1/tokens/a%2Fb%20c/swaps')
    expect(event).toMatchObject({
      resource: '/v1/{proxy+}',
      path: '/v1/tokens/a%2Fb%20c/swaps',
      httpMethod: 'GET',
      pathParameters: { proxy: 'tokens/a/b c/swaps' },
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
      stageVariables: null,
      body: null,
      isBase64Encoded: false,
      requestContext: {
        stage: 'prod',
        path: '/prod/v1/tokens/a%2Fb%20c/swaps',
        identity: { sourceIp: '127.0.0.1' },
      },
    })
    expect(event.requestContext.requestId).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('lists all values of a name and has the last one alone', async () => {
    const event = await eventOf('/v1/x?a=1&a=2&q=a+b%2B%c3%a9&empty=&bare&__proto__=p&bad=%zz')
    expect(event.multiValueQueryStringParameters).toEqual(
      Object.assign(Object.create(null), {
        a: ['1', '2'],
        q: ['a b+é'],
        empty: [''],
        bare: [''],
        ['__proto__']: ['p'],
        bad: ['%zz'],
      }),
    )
    expect(event.queryStringParameters).toMatchObject({ a: '2', empty: '' })
  })

  it('lists all values of a header', async () => {
    const event = await eventOf('/v1/x', { 'X-One': ['1', '2'] })
    expect(event.multiValueHeaders['X-One']).toEqual(['1', '2'])
    expect(event.headers['X-One']).toBe('2')
  })
})

describe('the answer', () => {
  it('is what the function returned, with the headers that the gateway renames', async () => {
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

  it('has no body for HEAD and keeps the length', async () => {
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

  it('is 502 when the function throws, and tells nobody but the operator why', async () => {
    const defects: unknown[] = []
    const url = await gateway(() => Promise.reject(new Error('secret')), { onDefect: (e) => defects.push(e) })
    expect(await refused(url)).toEqual([502, 'INTERNAL_ERROR'])
    expect(String(defects[0])).toContain('secret')
  })

  it('is 504 when the function takes too long, a page for people where there is no resource', async () => {
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
