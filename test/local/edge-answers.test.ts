import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rateRules } from '../../lambdas/edge/distribution.ts'
import {
  edgeKeys,
  exhaustedText,
  keyDigest,
  keyMark,
  readerTiers,
  tiers,
  usageFrom,
} from '../../schemas/api/access.ts'
import { documents, edgeTable } from '../../schemas/api/documents.ts'
import { errorBody, RateLimitExceededError } from '../../schemas/api/errors.ts'
import { responseHeaders } from '../../schemas/api/headers.ts'
import { cacheOf, edgeErrorIn, readerNamed, SECRET, startEdgeStack, useEdgeStack } from './edge-stack.ts'

const creators = '/v1/z100/creators'
const { stack, keys } = await useEdgeStack()

describe('by tier', () => {
  it('basic is answered only by the API, which counts the answers', async () => {
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
    expect(stack.seen.log.map(usageFrom)).toEqual(
      Array(4).fill({ account: 'a2', hour, mark: keyMark(keyDigest(key)) }),
    )
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
      stack.entries.set(edgeKeys.exhausted(`b${tier}`), exhaustedText(hour, tiers[tier].limitPerHour))
      const now = stack.state.nowMs / 1_000
      const resetAt = (hour + 1) * 3_600
      for (const path of [creators, `${creators}?limit=5`, '/v1/nothing']) {
        const reply = await stack.ask(path, { key })
        const { limitPerHour: limit } = tiers[tier]
        const expected = errorBody(
          new RateLimitExceededError({ limit, resetAt, now }),
          edgeErrorIn(reply).request_id,
        )
        expect([reply.status, JSON.parse(reply.text)]).toEqual([429, expected])
        expect(reply.headers).toMatchObject({
          'retry-after': String(Math.ceil(resetAt - now)),
          'x-ratelimit-limit': String(limit),
          'x-ratelimit-remaining': '0',
          'x-ratelimit-reset': String(resetAt),
          'ratelimit-policy': `"hourly";q=${limit};w=3600`,
          ratelimit: `"hourly";r=0;t=${Math.ceil(resetAt - now)}`,
          'access-control-expose-headers': responseHeaders['access-control-expose-headers'],
        })
      }
      expect([stack.seen.bucket, stack.seen.api, stack.seen.log]).toEqual([[], [], []])
      await stack.ask('/v1/usage', { key })
      expect(stack.seen.api.map(({ url }) => url)).toEqual(['/v1/usage'])
      // Another tier has another limit, which is not reached.
      stack.entries.set(edgeKeys.exhausted(`b${tier}`), exhaustedText(hour, tiers[tier].limitPerHour - 1))
      expect((await stack.ask(creators, { key })).status).toBe(200)
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

it('an outage of the API leaves the boards available', async () => {
  stack.state.api = 'down'
  expect((await stack.ask(creators, { key: keys.enterprise })).status).toBe(200)
  stack.state.nowMs += 300_000
  expect(cacheOf(await stack.ask(creators, { key: keys.enterprise }))).toBe('Miss')
  expect((await stack.ask(`${creators}?limit=5`, { key: keys.enterprise })).status).toBe(503)
})

const published = new Set<string>(documents.map(({ name }) => `/${name}`))

describe('the bucket', () => {
  it('gets only names of documents, for any path', async () => {
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
