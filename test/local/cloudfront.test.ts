import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createServer, get as httpGet, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { CreateBucketCommand, DeleteObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { distribution } from '../../lambdas/edge/distribution.ts'
import { startCloudfront } from '../../local/aws/cloudfront.ts'
import { passThrough } from '../../local/aws/cloudfront-origin.ts'
import type { Emulator } from '../../local/aws/listening.ts'
import { listen } from '../../local/aws/listening.ts'
import { startS3 } from '../../local/aws/s3.ts'
import { edgeTable } from '../../schemas/documents.ts'
import { tempDir } from '../support/temp-dir.ts'

const credentials = { accessKeyId: 'local', secretAccessKey: 'local-secret' }
const Bucket = 'published'
const settings = distribution(edgeTable, null)
const creators = '/v1/z100/creators'
const body = JSON.stringify(Array.from({ length: 100 }, (_, i) => ({ rank: i + 1, handle: `creator${i}` })))

let s3: Emulator
let client: S3Client
let gate: Emulator
let edge: Emulator
/** Requests that reached the bucket, what is done with them, and the clock of the edge. */
let reached: IncomingMessage[]
let mode: 'pass' | 'drop' | 'fail'
let now: number
let defects: unknown[]

const publish = (
  Key: string,
  Body: string,
  CacheControl = 'public, max-age=20, stale-while-revalidate=10, stale-if-error=600',
) =>
  client.send(
    new PutObjectCommand({
      Bucket,
      Key,
      Body,
      CacheControl,
      ContentType: 'application/json',
      Metadata: {
        snapshot: '7',
        block: '99',
        'block-hash': '0xab',
        time: '2026-11-21T12:00:00Z',
        total: '100',
      },
    }),
  )

type Reply = { status: number; headers: IncomingHttpHeaders; body: Buffer }

/** One raw request: no client that resolves dot segments, decompresses or follows. */
async function ask(
  path: string,
  options: { method?: string; headers?: Record<string, string>; base?: string } = {},
): Promise<Reply> {
  const { hostname, port } = new URL(options.base ?? edge.url)
  const { method = 'GET', headers = {} } = options
  const request = httpRequest({ hostname, port, path, method, headers, agent: false })
  request.end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const parts: Buffer[] = []
  for await (const part of response) parts.push(part)
  return { status: response.statusCode!, headers: response.headers, body: Buffer.concat(parts) }
}

const cacheOf = ({ headers }: Reply) => String(headers['x-cache']).split(' ')[0]

async function errorOf(path: string, options: Parameters<typeof ask>[1] = {}) {
  const reply = await ask(path, options)
  expect(reply.headers['content-type']).toMatch(/^application\/json/)
  expect(reply.headers['access-control-allow-origin']).toBe('*')
  const { error } = JSON.parse(reply.body.toString())
  expect(Object.keys(error)).toEqual(['code', 'message', 'details', 'request_id'])
  expect(error.request_id).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/)
  expect(reply.headers['x-request-id']).toBe(error.request_id)
  return {
    status: reply.status,
    code: error.code,
    details: error.details,
    message: error.message,
    headers: reply.headers,
  }
}

const serve = (name: string, listener: RequestListener) => listen(name, createServer(listener))

const startEdge = (origins: Record<string, string> = {}) =>
  startCloudfront({
    ...settings,
    origins: { published: `${gate.url}/${Bucket}`, ...origins },
    now: () => now,
    onDefect: (error) => defects.push(error),
  })

beforeAll(async () => {
  s3 = await startS3({ dir: tempDir(), anonymousRead: [Bucket] })
  client = new S3Client({ endpoint: s3.url, region: 'us-east-1', credentials })
  await client.send(new CreateBucketCommand({ Bucket }))
  gate = await serve('gate', (request, response) => {
    reached.push(request)
    if (mode === 'drop') request.socket.destroy()
    else if (mode === 'fail') response.writeHead(500, { 'content-type': 'application/xml' }).end('<Error/>')
    else
      passThrough({ request, response, added: {} }, { url: `${s3.url}${request.url}` }, () =>
        response.destroy(),
      )
  })
})
afterAll(async () => {
  await gate.stop()
  await s3.stop()
})
beforeEach(async () => {
  reached = []
  mode = 'pass'
  now = 1_800_000_000_000
  defects = []
  edge = await startEdge()
  await publish('v1/z100/creators/24h', body)
})
afterEach(async () => {
  await edge.stop()
  expect(defects).toEqual([])
})

describe('a document', () => {
  it('comes from the bucket once, then from the cache with its age', async () => {
    const miss = await ask(creators)
    expect(miss.status).toBe(200)
    expect(miss.body.toString()).toBe(body)
    expect(miss.headers).toMatchObject({
      'x-cache': 'Miss from cloudfront',
      'cache-control': 'public, max-age=20, stale-while-revalidate=10, stale-if-error=600',
      etag: `"${createHash('md5').update(body).digest('hex')}"`,
      'x-total-count': '100',
      'x-page-count': '1',
      'x-data-block': '99',
      'x-data-block-hash': '0xab',
      'access-control-allow-origin': '*',
    })
    expect(
      Object.keys(miss.headers).filter((name) => name.startsWith('x-amz-') && name !== 'x-amz-cf-id'),
    ).toEqual([])
    now += 7500
    const hit = await ask(creators)
    expect(hit.headers).toMatchObject({ 'x-cache': 'Hit from cloudfront', age: '7' })
    expect(reached).toHaveLength(1)
  })

  it('is asked for anew when its time is over, and changes when the bucket does', async () => {
    await ask(creators)
    await publish('v1/z100/creators/24h', '[1]')
    now += 19_000
    expect(cacheOf(await ask(creators))).toBe('Hit')
    expect(reached).toHaveLength(1)
    now += 2_000
    const reply = await ask(creators)
    expect([cacheOf(reply), reply.body.toString()]).toEqual(['Miss', '[1]'])
  })

  it.each(['drop', 'fail'] as const)(
    'outlives an origin that will %s, asked once a second',
    async (failing) => {
      await ask(creators)
      mode = failing
      now += 300_000
      for (let i = 0; i < 5; i += 1) expect(cacheOf(await ask(creators))).toBe('Hit')
      // A kept-alive connection that breaks is tried once more on a new one.
      const tries = failing === 'drop' ? 2 : 1
      expect(reached).toHaveLength(1 + tries)
      now += 1100
      expect((await ask(creators)).status).toBe(200)
      expect(reached.length).toBeGreaterThan(1 + tries)

      now += 400_000
      expect(await errorOf(creators)).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' })
      mode = 'pass'
      now += 1100
      expect(cacheOf(await ask(creators))).toBe('Miss')
    },
  )

  it('is asked for on a new connection where kept-alive ones have all been closed', async () => {
    const known = new WeakSet<object>()
    let refused = 0
    const origin = await listen(
      'forgetful',
      createServer(async ({ socket }, response) => {
        if (known.has(socket)) {
          refused += 1
          return socket.destroy()
        }
        known.add(socket)
        await sleep(20)
        return response.writeHead(200, { 'content-type': 'application/json' }).end('[]')
      }),
    )
    const other = await startCloudfront({ ...settings, origins: { published: origin.url, api: origin.url } })
    const askFor = (sort: string) => ask(`${creators}?sort=${sort}&limit=1`, { base: other.url })
    try {
      await Promise.all(['price', 'volume', 'holders'].map(askFor))
      const { status } = await askFor('price_change')
      expect([status, refused]).toEqual([200, 1])
    } finally {
      await other.stop()
      await origin.stop()
    }
  })

  it('is compressed as the reader likes, under a weak ETag', async () => {
    const [br, gzip, plain] = await Promise.all(
      ['gzip, deflate, br;q=0.5', 'gzip', 'br;q=0, identity'].map((accepted) =>
        ask(creators, { headers: { 'accept-encoding': accepted } }),
      ),
    )
    expect(br!.headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' })
    expect(brotliDecompressSync(br!.body).toString()).toBe(body)
    expect(gzip!.headers).toMatchObject({ 'content-encoding': 'gzip', etag: expect.stringMatching(/^W\/"/) })
    expect(gunzipSync(gzip!.body).toString()).toBe(body)
    expect(plain!.headers).not.toHaveProperty('content-encoding')
    expect(plain!.headers.etag).toMatch(/^"/)
    now += 31_000
    const renewed = await ask(creators, { headers: { 'accept-encoding': 'gzip' } })
    expect(cacheOf(renewed)).toBe('Miss')
    expect(gunzipSync(renewed.body).toString()).toBe(body)

    await publish('v1/status', '{"small":true}')
    const small = await ask('/v1/status', { headers: { 'accept-encoding': 'gzip' } })
    expect(small.headers).not.toHaveProperty('content-encoding')
  })

  it('is not sent again to who has it', async () => {
    const { headers } = await ask(creators, { headers: { 'accept-encoding': 'gzip' } })
    const again = async (sent: Record<string, string>) =>
      ask(creators, { headers: { 'accept-encoding': 'gzip', ...sent } })
    for (const tags of [headers.etag!, headers.etag!.replace('W/', ''), `"x", ${headers.etag}`, '*']) {
      const reply = await again({ 'if-none-match': tags })
      expect([reply.status, reply.body.length]).toEqual([304, 0])
      expect(reply.headers).toMatchObject({
        etag: headers.etag,
        'x-data-block': '99',
        'access-control-allow-origin': '*',
      })
    }
    expect((await again({ 'if-none-match': '"other"' })).status).toBe(200)
    expect((await again({ 'if-modified-since': headers['last-modified']! })).status).toBe(304)
    expect(
      (await again({ 'if-none-match': '"other"', 'if-modified-since': headers['last-modified']! })).status,
    ).toBe(200)
  })

  it('has a HEAD', async () => {
    const head = await ask(creators, { method: 'HEAD' })
    expect([head.status, head.body.length, head.headers['content-length']]).toEqual([
      200,
      0,
      `${body.length}`,
    ])
    expect(cacheOf(await ask(creators))).toBe('Hit')
  })

  it('is missing before the first snapshot, for a moment', async () => {
    const missing = '/v1/z100/posts'
    const error = await errorOf(missing)
    expect(error).toMatchObject({
      status: 503,
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringMatching(/first snapshot/),
    })
    expect(error.headers['retry-after']).toBe('5')
    await publish('v1/z100/posts/24h', '[]')
    now += 1100
    expect((await ask(missing)).status).toBe(200)
    await client.send(new DeleteObjectCommand({ Bucket, Key: 'v1/z100/posts/24h' }))
  })
})

describe('what is no document', () => {
  it('needs the API, and says so when there is none', async () => {
    expect(await errorOf(`${creators}?limit=5`)).toMatchObject({
      status: 503,
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringMatching(/Only documents/),
    })
    expect(reached).toHaveLength(0)
  })
})

describe('other origins', () => {
  it("the API's errors pass, a proxy's do not", async () => {
    const api = await serve('api', (request, response) => {
      const isJson = request.url!.includes('limit=5')
      response.writeHead(isJson ? 429 : 502, { 'content-type': isJson ? 'application/json' : 'text/html' })
      response.end(isJson ? '{"error":{"code":"RATE_LIMIT_EXCEEDED"}}' : '<html>')
    })
    const own = await startEdge({ api: api.url })
    expect((await ask(`${creators}?limit=5`, { base: own.url })).status).toBe(429)
    expect(await errorOf(`${creators}?limit=6`, { base: own.url })).toMatchObject({ status: 503 })
    await own.stop()
    await api.stop()
  })

  it.each(['/stream/swaps', '/v1/stream/swaps?type=buy'])(
    'the stream at %s passes event by event and ends with its reader',
    async (path) => {
      const seen: IncomingMessage[] = []
      const opened: ServerResponse[] = []
      let isClosed = false
      const stream = await serve('stream', (request, response) => {
        seen.push(request)
        opened.push(response)
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
        request.on('close', () => {
          isClosed = true
        })
      })
      const own = await startEdge({ stream: stream.url })
      const headers = { 'accept-encoding': 'gzip, br', 'last-event-id': '7.1', 'x-forwarded-for': '10.9.8.7' }
      const sent = httpGet(`${own.url}${path}`, { headers })
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      expect(response.headers).toMatchObject({
        'content-type': 'text/event-stream',
        'access-control-allow-origin': '*',
      })
      for (const event of ['data: 1\n\n', 'data: 2\n\n']) {
        opened[0]!.write(event)
        const [chunk] = await once(response, 'data')
        expect(chunk.toString()).toBe(event)
      }
      expect(seen[0]!.url).toBe(path)
      expect(seen[0]!.headers).toMatchObject({
        'last-event-id': '7.1',
        'x-forwarded-for': '10.9.8.7, 127.0.0.1',
      })
      sent.on('error', () => undefined)
      response.destroy()
      await expect.poll(() => isClosed).toBe(true)
      await stream.stop()
      expect(await errorOf(path, { base: own.url })).toMatchObject({ status: 503 })
      await own.stop()
      expect(await errorOf(path)).toMatchObject({ status: 503, message: expect.stringMatching(/stream/) })
    },
  )

  it('bytes that are no request end a stream that is under way, and are answered behind an answer that is whole', async () => {
    const stream = await serve('stream', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n')
    })
    const own = await startEdge({ stream: stream.url })
    const talk = async (path: string, isBegun: (text: string) => boolean) => {
      const socket = connect(Number(new URL(own.url).port), '127.0.0.1')
      socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`)
      let reply = ''
      let isSent = false
      for await (const part of socket) {
        reply += part
        if (isSent || !isBegun(reply)) continue
        isSent = true
        socket.write('BLA BLA\r\n\r\n')
      }
      return reply.match(/HTTP\/1\.1 \d+/g)
    }
    expect(await talk('/stream/swaps', (text) => text.includes('data: 1'))).toEqual(['HTTP/1.1 200'])
    expect(await talk('/v1', (text) => text.endsWith('}'))).toEqual(['HTTP/1.1 503', 'HTTP/1.1 400'])
    await own.stop()
    await stream.stop()
  })

  it('the site is cached by path, for as long as it says; its pages have a policy, and what is none is answered by the fallback origin', async () => {
    const asked: string[] = []
    const site = await serve('site', (request, response) => {
      asked.push(request.url!)
      const headers = { 'content-type': 'text/html', 'cache-control': 'max-age=5' }
      if (request.url === '/nothing')
        response.writeHead(403, { 'content-type': 'application/xml' }).end('<Error/>')
      else response.writeHead(200, headers).end(`page ${asked.length}`)
    })
    const api = await serve('api', (_request, response) => {
      response.writeHead(404, { 'content-type': 'text/html' }).end('nothing here')
    })
    const own = await startEdge({ site: site.url, api: api.url })
    const page = async (path: string) => (await ask(path, { base: own.url })).body.toString()
    expect([await page('/'), await page('/'), await page('/?a'), await page('/about?id=0x1')]).toEqual([
      'page 1',
      'page 1',
      'page 1',
      'page 2',
    ])
    // A bucket takes no query, and `/` is an object like any other.
    expect(asked).toEqual(['/index.html', '/about'])
    now += 6000
    expect(await page('/')).toBe('page 3')
    const { headers } = await ask('/', { base: own.url })
    expect(headers['content-security-policy']).toMatch(
      /default-src 'none'.*require-trusted-types-for 'script'/,
    )
    expect((await ask('/v1/z100/creators', { base: own.url })).headers).not.toHaveProperty(
      'content-security-policy',
    )
    const nothing = await ask('/nothing', { base: own.url })
    expect([nothing.status, nothing.body.toString()]).toEqual([404, 'nothing here'])
    expect(nothing.headers).toHaveProperty('content-security-policy')
    expect(await errorOf('/', { base: own.url, method: 'POST' })).toMatchObject({ status: 405 })
    await own.stop()
    const alone = await startEdge({ site: site.url })
    expect(await errorOf('/nothing', { base: alone.url })).toMatchObject({
      status: 404,
      code: 'RESOURCE_NOT_FOUND',
    })
    await alone.stop()
    await Promise.all([site.stop(), api.stop()])
  })
})
