import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, describe, expect, it } from 'vitest'
import { responseHeaders } from '../../schemas/api/headers.ts'
import type { RunningStream } from '../../stream/main.ts'
import { memoryStores } from '../support/aws/ingest-stores.ts'
import { openFeedChain, TOKENS } from '../support/market/swap-feed.ts'
import { type RawReader, readSocket, sentSwaps, startTask, until } from '../support/stream-clients.ts'

setFlagsFromString('--expose_gc')
const collectGarbage = runInNewContext('gc') as () => void

const stores = memoryStores()
const chain = await openFeedChain(stores.feed)
const task = await startTask(stores)
afterAll(() => task.stop())

const health = async ({ url }: RunningStream) =>
  (await (await fetch(`${url}/health`)).json()) as { readonly readers: number; readonly head: string }
const ask = (path: string, init?: RequestInit) => fetch(`${task.url}${path}`, init)

describe('requests', () => {
  it('HEAD has the headers of the stream, at both of its addresses', async () => {
    for (const path of [
      '/stream/swaps',
      '/v1/stream/swaps',
      '/stream/swaps/',
      '/stream/swaps?type=buy&foo=1',
    ]) {
      const { status, headers } = await ask(path, { method: 'HEAD' })
      expect(status).toBe(200)
      expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
      expect(headers.get('cache-control')).toBe('no-store, no-transform')
      expect(headers.get('x-accel-buffering')).toBe('no')
      expect(headers.get('x-ignored-parameters')).toBe(path.includes('foo') ? 'foo' : null)
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    }
  })

  it('the stream has the common headers, for pages of any origin', async () => {
    const raw = readSocket(task.url)
    await until(() => raw.events().length > 0)
    raw.socket.destroy()
    const head = raw.text().split('\r\n\r\n')[0]!.toLowerCase()
    expect(head).toMatch(/^http\/1\.1 200 ok\r\n/)
    for (const [name, value] of Object.entries(responseHeaders)) {
      expect(head).toContain(`${name}: ${value}`.toLowerCase())
    }
    expect(raw.text()).toContain('\r\n\r\nretry: 10\nevent: ready\n')
  })

  it('`ready` says how often something is sent', async () => {
    const own = await startTask(stores, { heartbeatMs: 60_000 })
    const raw = readSocket(own.url)
    await until(() => raw.events().length > 0)
    raw.socket.destroy()
    await own.stop()
    expect(JSON.parse(raw.events()[0]!.data!)).toMatchObject({ heartbeat_seconds: 60 })
  })

  it('OPTIONS is answered with CORS headers', async () => {
    const { status, headers } = await ask('/stream/swaps', { method: 'OPTIONS' })
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS')
    expect(headers.get('access-control-allow-headers')).toBe('*, Authorization')
  })

  it.each([
    ['/stream', 'GET', 404, 'RESOURCE_NOT_FOUND'],
    ['/stream/swaps', 'POST', 405, 'METHOD_NOT_ALLOWED'],
    ['/health', 'DELETE', 405, 'METHOD_NOT_ALLOWED'],
    ['/stream/swaps?type=hold', 'GET', 400, 'INVALID_PARAMETER'],
    ['/stream/swaps?token=0x1234', 'GET', 400, 'INVALID_PARAMETER'],
    ['/stream/swaps?foo=1&strict=true', 'GET', 400, 'INVALID_PARAMETER'],
    [`/stream/swaps?last_event_id=${'1'.repeat(200)}`, 'GET', 400, 'INVALID_PARAMETER'],
  ])('%s by %s is %i %s', async (path, method, status, code) => {
    const response = await ask(path, { method })
    expect(response.status).toBe(status)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('allow')).toBe(status === 405 ? 'GET, HEAD, OPTIONS' : null)
    const { error } = (await response.json()) as { error: Record<string, unknown> }
    expect(Object.keys(error)).toEqual(['code', 'message', 'details', 'request_id'])
    expect(error['code']).toBe(code)
    expect(error['request_id']).toBe(response.headers.get('x-request-id'))
  })

  it('a second request on a streaming connection ends it', async () => {
    const raw = readSocket(task.url)
    await until(() => raw.events().length > 0)
    raw.socket.write('GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n')
    await raw.ended
    expect(raw.text()).not.toContain('"status"')
  })

  it('/health knows the head and its readers', async () => {
    await until(async () => (await health(task)).readers === 0)
    const raw = readSocket(task.url)
    await until(() => raw.events().length > 0)
    expect(await health(task)).toMatchObject({ status: 'ok', readers: 1, is_draining: false })
    raw.socket.destroy()
  })
})

describe('filters', () => {
  const [first = '', second = ''] = TOKENS
  type Row = Readonly<Record<string, unknown>>
  const isOf = (swap: Row, token: string) => String(swap['token_address']).toLowerCase() === token
  const wishes: [string, (swap: Row) => boolean][] = [
    ['', () => true],
    ['type=all&min_value=0&token=', () => true],
    ['type=BUY', (swap) => swap['is_buy'] === true],
    ['type=sell&min_value=6', (swap) => swap['is_buy'] === false && Number(swap['volume_usd']) >= 6],
    [`token=${first.toUpperCase().replace('0X', '0x')}`, (swap) => isOf(swap, first)],
    [`token=${second}&type=buy`, (swap) => isOf(swap, second) && swap['is_buy'] === true],
    ['token=$Ann', (swap) => swap['token_symbol'] === 'ANN'],
    ['token=nobody', () => false],
  ]

  it('choose among swaps, live and replayed; retractions are for everybody', async () => {
    const before = (await health(task)).head
    const follow = (query: string) =>
      readSocket(task.url, `/stream/swaps?${query}`, { headers: { 'last-event-id': before } })
    const live = wishes.map(([query]) => follow(query))
    await until(() => live.every((raw) => raw.events().length > 0))
    await chain.trade(9)
    await chain.fork(1)
    await chain.trade(9)
    await chain.fork(1)
    const isWhole = (raw: RawReader) => raw.events().filter(({ event }) => event === 'retract').length === 2
    await until(() => live.every(isWhole))
    const replayed = wishes.map(([query]) => follow(query))
    await until(() => replayed.every(isWhole))
    const all = sentSwaps(live[0]!.events())
    expect(all).toHaveLength(18)
    for (const [at, [, admits]] of wishes.entries()) {
      const wanted = all.filter(({ data }) => admits(JSON.parse(data)))
      expect(sentSwaps(live[at]!.events())).toEqual(wanted)
      expect(sentSwaps(replayed[at]!.events())).toEqual(wanted)
    }
    expect(new Set(wishes.map((_, at) => sentSwaps(live[at]!.events()).length)).size).toBeGreaterThan(3)
    for (const { socket } of [...live, ...replayed]) socket.destroy()
  })

  it('a swap is confirmed once its minute is applied', async () => {
    const own = memoryStores()
    const trades = await openFeedChain(own.feed, () => 6_000_030)
    await trades.trade(1)
    const early = await startTask(own)
    const confirmed = async () => {
      const raw = readSocket(early.url, '/stream/swaps?last_event_id=0.0')
      await until(() => sentSwaps(raw.events()).length === 1)
      raw.socket.destroy()
      return (JSON.parse(sentSwaps(raw.events())[0]!.data) as Row)['confirmed']
    }
    expect(await confirmed()).toBe(false)
    const last = { number: 9, hash: TOKENS[0]!, timestamp: 6_000_059 }
    await own.log.putApplied({ n: 1, minute: 100_000, last, isLowered: false })
    await until(async () => (await confirmed()) === true)
    await early.stop()
  })
})

describe('bounds', () => {
  it('a reader that stops reading is disconnected alone, and its memory is freed', async () => {
    const own = memoryStores()
    const trades = await openFeedChain(own.feed)
    const lines: string[] = []
    const few = await startTask(own, { onMetrics: (line) => lines.push(line) })
    const readers = [1, 2, 3].map(() => readSocket(few.url))
    const stuck = readSocket(few.url, '/stream/swaps', { isReading: false })
    stuck.socket.pause()
    await until(async () => (await health(few)).readers === 4)
    const heldBefore = held()
    let [swaps, count] = [0, 4]
    // Sockets of the system hold some megabytes themselves.
    while (count === 4 && swaps < 60_000) {
      await trades.trade(1_000)
      swaps += 1_000
      const expected = `${await own.feed.tail()}.999`
      await until(() => readers.every((raw) => raw.last() === expected), expected)
      count = (await health(few)).readers
    }
    expect(count).toBe(3)
    const received = readers.map((raw) => sentSwaps(raw.events()).length)
    expect(received).toEqual([swaps, swaps, swaps])
    for (const raw of [...readers, stuck]) raw.forget()
    // What is at hand for those who come back is bounded by itself.
    await until(() => held() - heldBefore < 24_000_000)
    await few.stop()
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({ Dropped: 1, Sent: expect.any(Number) })
  })

  it('caps are per address, as the edge saw it, and per task; no address is logged', async () => {
    const caps = { perAddress: 2, perSite: 2, perTask: 3 }
    const said: string[] = []
    const own = await startTask(stores, {
      caps,
      proxies: 1,
      onMetrics: (line) => said.push(line),
      report: (event, facts) => said.push(JSON.stringify({ event, ...facts })),
    })
    const from = (address: string) =>
      readSocket(own.url, '/stream/swaps', { headers: { 'x-forwarded-for': `6.6.6.6, ${address}` } })
    const isIn = (raw: RawReader) => raw.text().startsWith('HTTP/1.1 200')
    const isRefused = (raw: RawReader) => raw.text().startsWith('HTTP/1.1 503')
    const [one, two] = [from('1.1.1.1'), from('1.1.1.1')]
    await until(() => isIn(one) && isIn(two))
    const three = from('1.1.1.1')
    await until(() => isRefused(three))
    expect(three.text()).toContain('Retry-After: 60')
    expect(three.text()).toContain('"code":"SERVICE_UNAVAILABLE"')
    const other = from('2.2.2.2')
    await until(() => isIn(other))
    const full = from('3.3.3.3')
    await until(() => isRefused(full))
    expect(full.text()).toContain('Retry-After: 10')
    one.socket.destroy()
    await until(async () => {
      const again = from('1.1.1.1')
      await until(() => again.text() !== '')
      return isIn(again)
    })
    await own.stop()
    expect(said.map((line) => (JSON.parse(line) as { event?: string }).event)).toContain('stream.ended')
    expect(said.join()).not.toMatch(/\d+\.\d+\.\d+\.\d+/)
  })

  it('a connection ends after its lifetime, with a retry time', async () => {
    const own = await startTask(stores, { connectionMs: 100 })
    const raw = readSocket(own.url)
    await raw.ended
    expect(raw.text()).toMatch(/event: ready\n(.*\n)+\nretry: 10\n$/)
    await own.stop()
  })

  it('a stopping task ends its readers in batches; none loses an event', async () => {
    const next = await startTask(stores)
    const leaving = await startTask(stores, {
      drainMs: 600,
      caps: { perTask: 100, perAddress: 100, perSite: 100 },
    })
    const before = (await health(leaving)).head
    const readers = Array.from({ length: 60 }, () =>
      readSocket(leaving.url, '/stream/swaps', { headers: { 'last-event-id': before } }),
    )
    await until(() => readers.every((raw) => raw.events().length > 0))
    const stopped = leaving.stop()
    let isStopped = false
    stopped.then(() => {
      isStopped = true
    })
    while (!isStopped) await chain.trade(9).then(() => new Promise((resolve) => setTimeout(resolve, 20)))
    await Promise.all(readers.map((raw) => raw.ended))
    const head = `${await stores.feed.tail()}.8`
    const whole = readSocket(next.url, '/stream/swaps', { headers: { 'last-event-id': before } })
    await until(() => whole.events().at(-1)?.id === head)
    const all = sentSwaps(whole.events()).map(({ id }) => id)
    const left = readers.map((raw) => sentSwaps(raw.events()).map(({ id }) => id))
    for (const [at, ids] of left.entries()) {
      expect(readers[at]!.text()).toMatch(/\n\nretry: \d+\n$/)
      expect(ids).toEqual(all.slice(0, ids.length))
      const rest = readSocket(next.url, '/stream/swaps', {
        headers: { 'last-event-id': ids.at(-1) ?? before },
      })
      await until(() => rest.events().at(-1)?.id === head)
      expect([...ids, ...sentSwaps(rest.events()).map(({ id }) => id)]).toEqual(all)
      rest.socket.destroy()
    }
    // In slices: some were still told what others had left before.
    expect(new Set(left.map((ids) => ids.length)).size).toBeGreaterThan(2)
    await expect(fetch(`${leaving.url}/health`)).rejects.toThrow()
    whole.socket.destroy()
    await next.stop()
  })
})

/** Bytes of buffers that are in use. */
function held(): number {
  collectGarbage()
  return process.memoryUsage().arrayBuffers
}
