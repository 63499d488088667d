import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import {
  compileFunction,
  type FunctionEvent,
  type FunctionHeaders,
} from '../../../dev/emulators/cloudfront-function.ts'
import { behaviours } from '../../../lambdas/edge/distribution.ts'
import { assemble, edgeFunctions } from '../../../lambdas/edge/function-text.ts'
import { ignoredText } from '../../../schemas/api/headers.ts'
import { REDIRECTS } from '../../../schemas/pages/site.ts'
import { tempDir } from '../../support/temp-dir.ts'

const texts = edgeFunctions({})
const viewerResponse = compileFunction(texts.api.response!)

const dir = tempDir()
afterAll(() => rmSync(dir, { recursive: true }))

const valued = (values: Record<string, string>): FunctionHeaders =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }]))

function eventOf(request: Partial<FunctionEvent['request']>): FunctionEvent {
  return {
    version: '1.0',
    context: {
      distributionDomainName: 'd.cloudfront.net',
      distributionId: 'D',
      eventType: 'viewer-request',
      requestId: 'request-1',
    },
    viewer: { ip: '127.0.0.1' },
    request: { method: 'GET', uri: '/', querystring: {}, headers: {}, cookies: {}, ...request },
  }
}

describe('viewer-request', () => {
  it("is within CloudFront's size limit and syntax", () => {
    // What is added later needs room.
    expect(texts.api.request.length).toBeLessThan(9_200)
    for (const text of Object.values(texts).flatMap((each) => Object.values<string>(each))) {
      expect(text).toMatch(/(async )?function handler\(\w+\)/)
      expect(text).not.toMatch(/export|class |\.\.\.|\?\?|\?\.[a-z]|new Map/)
    }
    expect(texts.api.request).toMatch(/^import \w+ from"cloudfront";/)
  })

  it('sends a document to the bucket, or to the API if the bucket lacks it, and all else to a route of the API', async () => {
    const keyValueStore = { get: () => 'account|enterprise|active|' }
    const viewerRequest = compileFunction(texts.api.request, { keyValueStore })
    const headers = valued({ authorization: `Bearer z100_test_${'0'.repeat(33)}` })
    const sentTo = async (uri: string, query: Record<string, string> = {}) => {
      const { result, origin } = viewerRequest(
        eventOf({ uri, headers: { ...headers }, querystring: valued(query) }),
      )
      const { uri: path } = (await result) as { uri: string }
      return { path, ...origin }
    }
    const toBucket = { originIds: ['published', 'api'], failoverOn: [403, 404] }
    expect(await sentTo('/v1/market/stats')).toEqual({ path: '/v1/market/stats', ...toBucket })
    const toApi = { originIds: ['api'], failoverOn: [] }
    expect(await sentTo('/v1/tokens')).toEqual({ path: '/v1/tokens', ...toApi })
    expect(await sentTo('/V1/tokens')).toEqual({ path: '/v1/-/V1/tokens', ...toApi })
    const creators = '/v1/z100/creators'
    expect(await sentTo(creators, { period: '%37d' })).toEqual({ path: `${creators}/7d`, ...toBucket })
    expect(await sentTo(creators, { as_of: '2026-11-01T10:00Z' })).toEqual({
      path: `${creators}/24h/as-of/2026-11-01T10`,
      ...toApi,
    })
  })

  it('passes on at most 256 bytes of ignored names, as the API answers them', async () => {
    const headers = valued({ authorization: `Bearer z100_test_${'0'.repeat(33)}` })
    const keyValueStore = { get: () => 'account|enterprise|active|' }
    const { result } = compileFunction(texts.api.request, { keyValueStore })(
      eventOf({ uri: '/v1/market/stats', headers, querystring: valued({ ['x'.repeat(300)]: '1' }) }),
    )
    const sent = (await result) as { headers: FunctionHeaders }
    expect(sent.headers['x-z100-ignored']?.value).toBe(ignoredText(['x'.repeat(300)]))
    expect(sent.headers['x-z100-ignored']?.value).toHaveLength(256)
  })

  it.each([
    ['class', 'class A { b() {} }; globalThis.a = A'],
    ['destructuring', 'const { uri } = event; globalThis.a = uri'],
    ['spread', 'globalThis.a = [...event]'],
    ['for-of', 'for (const one of event) globalThis.a = one'],
    ['generator', 'function* all() { yield 1 }; globalThis.a = all'],
  ])(
    'is not assembled with syntax that CloudFront does not understand and nothing can stand for: %s',
    (_what, text) => {
      const file = join(dir, 'function.js')
      const written = (body: string) =>
        writeFileSync(file, `export function handler(event) { ${body}; return event }`)
      written('globalThis.a = event?.uri ?? 1')
      expect(assemble(file, {})).not.toMatch(/\?\.|\?\?/)
      written(text)
      expect(() => assemble(file, {})).toThrow(/not supported/)
    },
  )

  it('is not assembled beyond 10 KB', () => {
    const file = join(dir, 'long.js')
    writeFileSync(file, `export function handler(event) { return '${'x'.repeat(10_240)}' }`)
    expect(() => assemble(file, {})).toThrow('10240')
  })
})

describe('headers of a reader', () => {
  const viewerRequest = compileFunction(texts.api.request, {
    keyValueStore: { get: () => 'account|enterprise|active|' },
  })
  const forwarded = async (uri: string, sent: Record<string, string>) => {
    const { result } = viewerRequest(eventOf({ uri, headers: valued(sent) }))
    return Object.keys(((await result) as { headers: FunctionHeaders }).headers)
  }
  const key = { authorization: `Bearer z100_test_${'0'.repeat(33)}` }

  it('that S3 would refuse or act on reach no origin', async () => {
    const sent = {
      'x-amz-date': 'never',
      'x-amz-meta-total': '1',
      range: 'bytes=99999999-',
      'if-match': '"other"',
      'if-unmodified-since': 'Sat, 21 Nov 2026 12:00:01 GMT',
      'if-range': '"e"',
    }
    for (const uri of ['/v1/market/stats', '/v1/tokens', '/v1/status']) {
      const names = await forwarded(uri, { ...key, ...sent, 'if-none-match': '"e"' })
      expect(names).toContain('if-none-match')
      expect(names.filter((name) => name in sent)).toEqual([])
    }
  })

  it('keep a key from operations that need none', async () => {
    expect(await forwarded('/v1/tokens', key)).toContain('authorization')
    for (const uri of ['/v1/status', '/v1/openapi.json', '/token/0xabc', '/v1/token-pages/0xabc'])
      expect(await forwarded(uri, key)).not.toContain('authorization')
  })
})

describe('viewer-response', () => {
  const respond = async (headers: Record<string, string>, ignored: Record<string, string> = {}) => {
    const event = {
      ...eventOf({ headers: valued(ignored) }),
      response: { statusCode: 200, headers: valued(headers) },
    }
    return ((await viewerResponse(event)).result as { headers: FunctionHeaders }).headers
  }

  it('turns metadata into headers and hides the bucket', async () => {
    const sent = {
      etag: '"e"',
      server: 'AmazonS3',
      'x-amz-request-id': 'r',
      'x-amz-meta-total': '37',
      'x-amz-meta-snapshot': '12',
      'x-amz-meta-block': '99',
      'x-amz-meta-block-hash': '0xab',
      'x-amz-meta-time': '2026-11-21T12:00:00Z',
      'x-amz-meta-sort': 'rank;desc',
      'x-amz-meta-period': '24h',
    }
    expect(await respond(sent, { 'x-z100-ignored': 'utm' })).toEqual(
      valued({
        etag: '"e"',
        'x-snapshot-id': '12',
        'x-data-block': '99',
        'x-data-block-hash': '0xab',
        'x-data-time': '2026-11-21T12:00:00Z',
        'x-applied-sort': 'rank;desc',
        'x-applied-period': '24h',
        'x-total-count': '37',
        'x-page-count': '1',
        'x-current-page': '1',
        'x-per-page': '100',
        'x-ignored-parameters': 'utm',
        'x-request-id': 'request-1',
      }),
    )
  })

  it('sets the request id unless the API has set one', async () => {
    expect(await respond({ 'x-request-id': 'api' })).toEqual(valued({ 'x-request-id': 'api' }))
  })

  it('never calls a document stale: its metadata tell when its bytes last changed', async () => {
    expect(await respond({ 'x-amz-meta-time': '2020-01-01T00:00:00Z' })).toEqual(
      valued({ 'x-data-time': '2020-01-01T00:00:00Z', 'x-request-id': 'request-1' }),
    )
  })

  it('adds page headers to lists only; an empty list has no pages', async () => {
    expect(await respond({ 'x-amz-meta-block': '1' })).not.toHaveProperty('x-page-count')
    expect(await respond({ 'x-amz-meta-total': '0' })).toMatchObject(valued({ 'x-page-count': '0' }))
    expect(await respond({ 'x-amz-meta-total': '45', 'x-amz-meta-limit': '20' })).toMatchObject(
      valued({
        'x-page-count': '3',
        'x-per-page': '20',
        link: [
          '</?limit=20&offset=0>; rel="first"',
          '</?limit=20&offset=20>; rel="next"',
          '</?limit=20&offset=40>; rel="last"',
        ].join(', '),
      }),
    )
  })

  it('holds the further pages to the snapshot of the first while it can be read', async () => {
    const linkOf = async (secondsAgo: number) => {
      const made = new Date(Date.now() - secondsAgo * 1_000).toISOString()
      const facts = { 'x-amz-meta-time': made, 'x-amz-meta-snapshot': 's1', 'x-amz-meta-total': '101' }
      return (await respond(facts))['link']?.value
    }
    expect(await linkOf(60)).toContain('</?limit=100&offset=100&snapshot=s1>; rel="next"')
    expect(await linkOf(14 * 60 + 1)).toContain('</?limit=100&offset=100>; rel="next"')
    const unnamed = { 'x-amz-meta-time': new Date().toISOString(), 'x-amz-meta-total': '101' }
    expect((await respond(unnamed))['link']?.value).not.toContain('snapshot')
  })
})

it('http is redirected to https where no key can be sent, and refused elsewhere', () => {
  const redirected = behaviours.filter(({ isHttpsOnly }) => !isHttpsOnly).map(({ pattern }) => pattern)
  const pages = [...Object.keys(REDIRECTS), '/robots.txt', '/sitemap.xml', '/token/*', '*']
  expect(redirected.toSorted()).toEqual([...pages, '/embed/*', '/previews/*'].toSorted())
})

describe('the runner of functions', () => {
  it('has no process, timers or eval', async () => {
    const run = compileFunction(`function handler(event) {
      let evaluated; try { evaluated = (0, eval)('1') } catch (e) { evaluated = e.name }
      return { statusCode: 200, body: [typeof process, typeof require, typeof setTimeout, evaluated].join() }
    }`)
    const { result } = await run(eventOf({}))
    expect(result).toMatchObject({ body: 'undefined,undefined,undefined,EvalError' })
  })

  it('reads key values, computes digests, and does not mix up concurrent choices of origin', async () => {
    const code = `import cf from 'cloudfront'; import crypto from 'crypto';
      async function handler(event) {
        const id = event.request.uri.slice(1)
        const digest = crypto.createHash('sha256').update(id).digest('base64url')
        await null
        const origin = await cf.kvs().get(digest.slice(0, 3))
        cf.selectRequestOriginById(origin + id)
        return event.request
      }`
    const stored = new Map([['a', 'o-']])
    const any = { get: () => stored.get('a') }
    const run = compileFunction(code, { keyValueStore: any })
    const outcomes = await Promise.all(['/1', '/2', '/3'].map((uri) => run(eventOf({ uri }))))
    expect(outcomes.map(({ origin }) => origin!.originIds)).toEqual([['o-1'], ['o-2'], ['o-3']])
    const none = { get: () => undefined }
    const lacking = compileFunction(code, { keyValueStore: none })
    expect(() => lacking(eventOf({ uri: '/1' }))).toThrow('KeyNotFound')
    expect(run(eventOf({ uri: '/4' })).origin!.originIds).toEqual(['o-4'])
  })

  it('gives each call its own event, and ends a function that never resolves', () => {
    const run = compileFunction(`let seen = null
      async function handler(event) {
        if (event.request.uri === '/wait') await new Promise(() => {})
        const before = seen
        seen = event.request.uri
        event.request.headers['x-seen'] = { value: String(before) }
        return event.request
      }`)
    const event = eventOf({ uri: '/1', headers: valued({ a: 'b' }) })
    expect(run(event).result).toMatchObject({ headers: valued({ a: 'b', 'x-seen': 'null' }) })
    expect(() => run(eventOf({ uri: '/wait' }))).toThrow('come to no answer')
    expect(run(eventOf({ uri: '/2' })).result).toMatchObject({ headers: valued({ 'x-seen': '/1' }) })
  })
})
