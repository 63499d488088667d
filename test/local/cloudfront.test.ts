import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  createServer,
  get as httpGet,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import { connect } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import { listen, viewerAddressOf } from '../../dev/emulators/listening.ts'
import { cacheOf, type EdgeReply, startEdgeStack, useEdgeStack } from './edge-stack.ts'

const creators = '/v1/z100/creators'
const body = JSON.stringify(Array.from({ length: 100 }, (_, i) => ({ rank: i + 1, handle: `creator${i}` })))
/** As S3 sends an object of the publisher. */
const objectHeaders = {
  'cache-control': 'public, max-age=20, stale-while-revalidate=10, stale-if-error=86400',
  'last-modified': 'Sat, 21 Nov 2026 12:00:01 GMT',
  server: 'AmazonS3',
  'x-amz-request-id': 'r',
  'x-amz-meta-snapshot': '7',
  'x-amz-meta-total': '100',
  'x-amz-meta-block': '99',
  'x-amz-meta-block-hash': '0xab',
}

const {
  stack,
  keys: { enterprise: key },
} = await useEdgeStack()

function publish(text: string, name = `${creators}/24h`) {
  const etag = `"${createHash('md5').update(text).digest('hex')}"`
  stack.objects.set(name, { headers: { ...objectHeaders, etag }, body: text })
}
const ask = (path: string, headers: Record<string, string> = {}, method = 'GET', target = stack) =>
  target.ask(path, { key, headers, method })

function errorOf({ status, headers, text }: EdgeReply) {
  expect(headers['content-type']).toMatch(/^application\/json/)
  expect(headers['access-control-allow-origin']).toBe('*')
  const { error } = JSON.parse(text)
  expect(Object.keys(error)).toEqual(['code', 'message', 'details', 'request_id'])
  expect(error.request_id).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/)
  expect(headers['x-request-id']).toBe(error.request_id)
  return { status, code: error.code }
}

const serve = (name: string, listener: RequestListener) => listen(name, createServer(listener))

/** Another edge, with more origins, that knows the same key. */
async function stackWith(origins: Record<string, string>) {
  const other = await startEdgeStack({ origins })
  for (const [name, entry] of stack.entries) other.entries.set(name, entry)
  return other
}

beforeEach(() => publish(body))

describe('a document', () => {
  it('comes from the bucket once, then from the cache with its age', async () => {
    const miss = await ask(`${creators}?utm=x`)
    expect([miss.status, miss.text]).toEqual([200, body])
    expect(miss.headers).toMatchObject({
      'x-cache': 'Miss from cloudfront',
      'cache-control': objectHeaders['cache-control'],
      etag: `"${createHash('md5').update(body).digest('hex')}"`,
      'x-total-count': '100',
      'x-page-count': '1',
      'x-data-block': '99',
      'x-data-block-hash': '0xab',
      'x-ignored-parameters': 'utm',
      'access-control-allow-origin': '*',
    })
    expect(
      Object.keys(miss.headers).filter((name) => name.startsWith('x-amz-') && name !== 'x-amz-cf-id'),
    ).toEqual([])
    stack.state.nowMs += 7_500
    const hit = await ask(creators)
    expect(hit.headers).toMatchObject({ 'x-cache': 'Hit from cloudfront', age: '7' })
    expect(stack.seen.bucket).toHaveLength(1)
  })

  it('is requested again when its cache time is over, and then changes with the bucket', async () => {
    await ask(creators)
    publish('[1]')
    stack.state.nowMs += 19_000
    expect(cacheOf(await ask(creators))).toBe('Hit')
    stack.state.nowMs += 2_000
    const reply = await ask(creators)
    expect([cacheOf(reply), reply.text]).toEqual(['Miss', '[1]'])
  })

  it('is revalidated by its ETag: an unchanged one keeps the headers that it was stored with', async () => {
    for (const accepted of ['gzip', 'identity']) {
      const reader = { 'accept-encoding': accepted }
      const publishAt = (snapshot: string) => {
        publish(body)
        const { headers, body: text } = stack.objects.get(`${creators}/24h`)!
        const confirmed = new Date(stack.state.nowMs).toISOString()
        const metadata = { 'x-amz-meta-snapshot': snapshot, 'x-amz-meta-confirmed': confirmed }
        stack.objects.set(`${creators}/24h`, { headers: { ...headers, ...metadata }, body: text })
      }
      publishAt('7')
      expect(cacheOf(await ask(creators, reader))).toBe('Miss')
      // The publisher is alive all the time, and what a reader gets never says that it is not.
      for (let minute = 1; minute <= 10; minute++) {
        stack.state.nowMs += 60_000
        publishAt(String(7 + minute))
        const reply = await ask(creators, reader)
        expect([cacheOf(reply), reply.status, reply.headers['x-snapshot-id']]).toEqual([
          'RefreshHit',
          200,
          '7',
        ])
        expect(reply.headers).not.toHaveProperty('x-data-stale')
        const bytes = accepted === 'gzip' ? gunzipSync(reply.bytes) : reply.bytes
        expect(bytes.toString()).toBe(body)
      }
    }
  })

  it('is compressed as the reader accepts, with a weak ETag', async () => {
    const [br, gzip, plain] = await Promise.all(
      ['gzip, deflate, br;q=0.5', 'gzip', 'br;q=0, identity'].map((accepted) =>
        ask(creators, { 'accept-encoding': accepted }),
      ),
    )
    expect(br!.headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' })
    expect(brotliDecompressSync(br!.bytes).toString()).toBe(body)
    expect(gzip!.headers).toMatchObject({ 'content-encoding': 'gzip', etag: expect.stringMatching(/^W\/"/) })
    expect(gunzipSync(gzip!.bytes).toString()).toBe(body)
    expect(plain!.headers).not.toHaveProperty('content-encoding')
    expect(plain!.headers.etag).toMatch(/^"/)
    publish('{"small":true}', '/v1/status')
    const small = await ask('/v1/status', { 'accept-encoding': 'gzip' })
    expect(small.headers).not.toHaveProperty('content-encoding')
  })

  it('is answered with 304 to a reader that has it', async () => {
    const accepted = { 'accept-encoding': 'gzip' }
    const { headers } = await ask(creators, accepted)
    const again = (sent: Record<string, string>) => ask(creators, { ...accepted, ...sent })
    for (const tags of [headers.etag!, headers.etag!.replace('W/', ''), `"x", ${headers.etag}`, '*']) {
      const reply = await again({ 'if-none-match': tags })
      expect([reply.status, reply.text]).toEqual([304, ''])
      expect(reply.headers).toMatchObject({
        etag: headers.etag,
        'x-data-block': '99',
        'access-control-allow-origin': '*',
      })
    }
    const since = { 'if-modified-since': headers['last-modified']! }
    expect((await again(since)).status).toBe(304)
    for (const sent of [{}, since])
      expect((await again({ 'if-none-match': '"other"', ...sent })).status).toBe(200)
  })

  it('is answered to HEAD without a body, which fills the cache', async () => {
    const head = await ask(creators, {}, 'HEAD')
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', `${body.length}`])
    expect(cacheOf(await ask(creators))).toBe('Hit')
  })
})

describe('other origins', () => {
  it('errors of the API pass; one that is not JSON, or no answer, becomes a 503 with Retry-After', async () => {
    expect((await ask('/v1/nothing')).text).toContain('"request_id":"api"')
    for (const api of ['broken', 'down'] as const) {
      stack.state.api = api
      const reply = await ask('/v1/nothing')
      expect(errorOf(reply)).toEqual({ status: 503, code: 'SERVICE_UNAVAILABLE' })
      expect(reply.headers['retry-after']).toBe('5')
    }
  })

  it('one that is reset within its answer is answered with 503, and ends nothing else', async () => {
    const api = await serve('api', ({ socket }, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('x')
      // Once its head has been read.
      setTimeout(() => socket.resetAndDestroy(), 50)
    })
    const own = await stackWith({ api: api.url })
    expect(errorOf(await own.ask('/v1/nothing', { key }))).toMatchObject({ status: 503 })
    await own.stop()
    await api.stop()
  })

  it.each(['/stream/swaps', '/v1/stream/swaps?type=buy'])(
    'the stream at %s is passed on event by event and ends with its reader',
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
      const own = await stackWith({ stream: stream.url })
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
      expect(errorOf(await own.ask(path))).toMatchObject({ status: 503 })
      await own.stop()
    },
  )

  it('malformed bytes end a running stream, and are answered with 400 after a complete answer', async () => {
    const stream = await serve('stream', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n')
    })
    const own = await stackWith({ stream: stream.url })
    const talk = async (path: string, isBegun: (text: string) => boolean) => {
      const socket = connect(own.port, '127.0.0.1')
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
    expect(await talk('/v1', (text) => text.endsWith('}'))).toEqual(['HTTP/1.1 401', 'HTTP/1.1 400'])
    await own.stop()
    await stream.stop()
  })

  it('an error of an origin is kept for a second, so that a failing one is not asked by every reader', async () => {
    let asked = 0
    const archive = await serve('published', (request, response) => {
      asked += 1
      response.writeHead(Number(request.url?.slice(-3)), { 'content-type': 'text/plain' }).end()
    })
    const own = await stackWith({ published: archive.url })
    for (const status of [500, 502, 503, 504]) {
      const count = async (laterMs: number) => {
        own.state.nowMs += laterMs
        await own.ask(`/archive/v1/${status}`)
        return asked
      }
      const before = asked
      expect([status, await count(0), await count(999), await count(1)]).toEqual([
        status,
        before + 1,
        before + 1,
        before + 2,
      ])
    }
    await own.stop()
    await archive.stop()
  })

  it('the site is cached by path for its max-age; pages have a content security policy, and a missing one comes from the fallback origin', async () => {
    const asked: string[] = []
    const site = await serve('site', (request, response) => {
      asked.push(request.url!)
      const headers = { 'content-type': 'text/html', 'cache-control': 'max-age=5' }
      if (request.url === '/nothing')
        response.writeHead(403, { 'content-type': 'application/xml' }).end('<Error/>')
      else response.writeHead(200, headers).end(`page ${asked.length}`)
    })
    const own = await stackWith({ site: site.url })
    const pages = async (...paths: string[]) => {
      const texts = []
      for (const path of paths) texts.push((await own.ask(path)).text)
      return texts
    }
    expect(await pages('/', '/', '/?a', '/about?id=0x1')).toEqual(['page 1', 'page 1', 'page 1', 'page 2'])
    // A bucket takes no query, and `/` is an object like any other.
    expect(asked).toEqual(['/index.html', '/about'])
    own.state.nowMs += 6_000
    expect(await pages('/')).toEqual(['page 3'])
    const { headers } = await own.ask('/')
    expect(headers['content-security-policy']).toMatch(
      /default-src 'none'.*require-trusted-types-for 'script'/,
    )
    const framed = (await own.ask('/embed/index')).headers
    expect(framed['content-security-policy']).toBe(
      String(headers['content-security-policy']).replace("frame-ancestors 'none'", 'frame-ancestors *'),
    )
    expect([headers['x-frame-options'], framed['x-frame-options']]).toEqual(['DENY', undefined])
    expect((await own.ask('/v1/status')).headers).not.toHaveProperty('content-security-policy')
    const nothing = await own.ask('/nothing')
    expect([nothing.status, own.seen.api.map(({ url }) => url)]).toEqual([404, ['/-/nothing']])
    expect(nothing.headers).toHaveProperty('content-security-policy')
    expect(errorOf(await own.ask('/', { method: 'POST' }))).toMatchObject({ status: 405 })
    await own.stop()
    await site.stop()
  })
})

describe('behind a proxy', () => {
  /** What the listener gets of a request with these headers; null: it was refused. */
  async function passed(headers: Record<string, string>, publicHost?: string) {
    const seen: string[] = []
    const listener: RequestListener = (request, response) => {
      seen.push(viewerAddressOf(request).address)
      response.end()
    }
    const server = await listen('public', createServer(listener), { isForPages: true, publicHost })
    const [response] = (await once(httpGet(server.url, { headers }), 'response')) as [IncomingMessage]
    response.resume()
    await server.stop()
    return response.statusCode === 200 ? seen : response.statusCode
  }

  it('the public name is served, and the reader is who the proxy says; any other name is refused', async () => {
    const headers = { host: 'z100.example', 'x-forwarded-for': '10.9.9.9, 192.0.2.7' }
    expect(await passed(headers, 'z100.example')).toEqual(['192.0.2.7'])
    expect(await passed(headers)).toBe(403)
    expect(await passed({ ...headers, host: 'other.example' }, 'z100.example')).toBe(403)
    // Whoever comes by this machine's own name tells nothing.
    expect(await passed({ ...headers, host: 'localhost' }, 'z100.example')).toEqual(['127.0.0.1'])
  })
})
