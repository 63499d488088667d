import { constants, crc32, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { startCloudfront } from '../../dev/emulators/cloudfront.ts'
import { distribution } from '../../lambdas/edge/distribution.ts'
import { acceptsGzip, GzipBody, SharedGzip } from '../../stream/gzip.ts'
import { memoryStores } from '../support/aws/ingest-stores.ts'
import { openFeedChain } from '../support/market/swap-feed.ts'
import {
  eventsIn,
  type RawReader,
  readSocket,
  sentSwaps,
  startTask,
  until,
} from '../support/stream-clients.ts'
import { follow } from './follower.ts'

/** What a body says so far; throws where it is no gzip. */
const soFar = (body: Buffer) => gunzipSync(body, { finishFlush: constants.Z_SYNC_FLUSH })

it.each([
  [undefined, false],
  ['', false],
  ['gzip', true],
  ['GZIP', true],
  ['x-gzip', true],
  ['deflate, gzip;q=0.5, br', true],
  ['br;q=1.0, gzip ; q=0.001', true],
  ['*', true],
  ['*;q=0.1', true],
  ['identity, *;q=0', false],
  ['gzip;q=0', false],
  ['gzip;q=0.000, *', false],
  ['*;q=0, gzip', true],
  ['gzip;q=0.5, identity', false],
  ['gzip;q=0.5, identity;q=0.5', true],
  ['br, deflate', false],
  ['gzipped', false],
  ['gzip;q=', false],
  ['gzip;q=many', false],
  ['gzip;q=-1', false],
  ['gzip;q=1e9', false],
  [';,;q=1,,', false],
])('Accept-Encoding %s: %s', (header, isAccepted) => expect(acceptsGzip(header)).toBe(isAccepted))

describe('bodies with shared blocks', () => {
  const READERS = 5
  type Step = { readonly is: 'shared' | 'own' | 'join' | 'end'; readonly who: number; readonly bytes: Buffer }
  const text = fc.oneof(
    fc.constant(Buffer.from(':\n\n')),
    fc.string({ maxLength: 300 }).map((part) => Buffer.from(part)),
    fc.integer({ min: 1, max: 90_000 }).map((size) => Buffer.alloc(size, 'data: {"block_hash":"0x')),
    fc.uint8Array({ minLength: 250, maxLength: 70_000 }).map((bytes) => Buffer.from(bytes)),
  )
  const step: fc.Arbitrary<Step> = fc.record({
    is: fc.constantFrom('shared', 'shared', 'shared', 'own', 'join', 'end'),
    who: fc.integer({ min: 0, max: READERS - 1 }),
    bytes: text,
  })

  /** A reader's body, beside what it should say. */
  class Body {
    readonly #gzip = new GzipBody()
    readonly #plain: Buffer[] = []
    readonly #sent: Buffer[] = []
    isIn = false
    isOver = false

    constructor() {
      const first = Buffer.from('retry: 3000\n\n')
      this.tell(first, this.#gzip.begin(first))
    }

    tell(plain: Buffer, sent: Buffer): void {
      this.#plain.push(plain)
      this.#sent.push(sent)
    }

    readonly steps = {
      own: (bytes: Buffer) => this.tell(bytes, this.#gzip.block(bytes)),
      join: (_: Buffer, shared: SharedGzip) => {
        if (!this.isIn) this.#gzip.follow(shared)
        this.isIn = true
      },
      end: (bytes: Buffer) => {
        this.#says(soFar)
        this.tell(bytes, this.#gzip.end(bytes))
        this.#says(gunzipSync)
        this.isOver = true
      },
    }

    #says(decode: (body: Buffer) => Buffer): void {
      expect(decode(Buffer.concat(this.#sent)).equals(Buffer.concat(this.#plain))).toBe(true)
    }
  }

  it('reuse a deflated replay, but not for other bytes of the same checksum', () => {
    const slice = Buffer.from(Array.from({ length: 5_000 }, (_, at) => `data: ${at}\n\n`).join(''))
    const [one, other] = [new GzipBody(), new GzipBody()].map((gzip) => gzip.block(Buffer.from(slice)))
    expect(one).toBe(other)
    // What is remembered is counted by its length: no more than that stays.
    expect(new GzipBody().block(Buffer.alloc(400, 'data: ')).buffer.byteLength).toBeLessThan(100)
    // Two words with one CRC-32; longer by the same end they still have one.
    const end = 'x'.repeat(300)
    const [first, second] = ['plumless', 'buckeroo'].map((text) => Buffer.from(text + end))
    expect(crc32(first!)).toBe(crc32(second!))
    const bodies = [first!, second!].map((bytes) => {
      const gzip = new GzipBody()
      return Buffer.concat([gzip.begin(bytes), gzip.end(Buffer.from('.'))])
    })
    expect(bodies.map((body) => String(gunzipSync(body)))).toEqual([`${first}.`, `${second}.`])
  })

  it('decode to the plain bytes after any block and at their end, whenever readers join and end', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const shared = new SharedGzip()
        const bodies = Array.from({ length: READERS }, () => new Body())
        for (const { is, who, bytes } of steps) {
          if (is === 'shared') {
            const block = shared.block(bytes)
            for (const body of bodies) if (body.isIn && !body.isOver) body.tell(bytes, block)
          } else if (!bodies[who]!.isOver) bodies[who]!.steps[is](bytes, shared)
        }
        for (const body of bodies) if (!body.isOver) body.steps.end(Buffer.from('retry: 1\n\n'))
      }),
      { numRuns: 60 },
    )
  })
})

const stores = memoryStores()
const chain = await openFeedChain(stores.feed)
const task = await startTask(stores, { proxies: 1 })
const edge = await startCloudfront({ ...distribution(), origins: { stream: task.url } })
afterAll(() => Promise.all([edge.stop(), task.stop()]))

describe('readers', () => {
  const zipped = { headers: { 'accept-encoding': 'gzip' } }
  const bodyOf = (raw: RawReader) => raw.bytes().subarray(raw.bytes().indexOf('\r\n\r\n') + 4)
  const headOf = (raw: RawReader) => raw.text().split('\r\n\r\n')[0]!.toLowerCase()
  const isZipped = (raw: RawReader) => headOf(raw).includes('\r\ncontent-encoding: gzip')
  /** What any reader was told, whatever its coding. */
  const told = (raw: RawReader) => {
    const body = bodyOf(raw)
    if (body.length < 20) return []
    return eventsIn(`\r\n\r\n${isZipped(raw) ? soFar(body) : body}`)
  }
  const head = async () => `${await stores.feed.tail()}.`
  const areAt = async (raws: readonly RawReader[]) => {
    const id = await head()
    await until(() => raws.every((raw) => told(raw).at(-1)?.id.startsWith(id)))
  }

  it('of both codings get the same events, live and replayed; filtered streams are not compressed', async () => {
    const plain = readSocket(task.url, '/stream/swaps?last_event_id=0.0')
    const early = readSocket(task.url, '/stream/swaps?last_event_id=0.0', zipped)
    const filtered = readSocket(task.url, '/stream/swaps?type=buy', zipped)
    await until(() => [plain, early, filtered].every((raw) => told(raw).length > 0))
    const late: RawReader[] = []
    for (let block = 0; block < 12; block++) {
      await chain.trade(1 + (block % 4) * 30)
      if (block % 5 === 4) await chain.fork(1)
      await areAt([plain, early])
      late.push(readSocket(task.url, block % 2 ? '/stream/swaps' : '/stream/swaps?last_event_id=0.0', zipped))
      await until(() => told(late.at(-1)!).length > 0)
    }
    await chain.trade(5)
    await areAt([plain, early, ...late])
    const all = told(plain).slice(1)
    expect(told(early).slice(1)).toEqual(all)
    for (const [at, raw] of late.entries()) {
      const [ready, ...events] = told(raw)
      const after = at % 2 ? all.findIndex(({ id }) => id === ready!.id) + 1 : 0
      expect(events).toEqual(all.slice(after))
    }
    expect([plain, early, filtered].map(isZipped)).toEqual([false, true, false])
    expect(told(filtered).slice(1).length).toBeLessThan(all.length)
    for (const raw of [plain, early, filtered]) expect(headOf(raw)).toContain('\r\nvary: accept-encoding')
    expect(bodyOf(early).length).toBeLessThan(bodyOf(plain).length / 3)
    for (const { socket } of [plain, early, filtered, ...late]) socket.destroy()
  })

  it('get keep-alives, and a body with a gzip trailer', async () => {
    const own = await startTask(stores, { heartbeatMs: 0 })
    const raw = readSocket(own.url, '/stream/swaps', zipped)
    await until(() => told(raw).length > 0)
    await until(() => soFar(bodyOf(raw)).includes('\n\n:\n'))
    await chain.trade(3)
    await areAt([raw])
    await own.stop()
    await raw.ended
    const body = gunzipSync(bodyOf(raw)).toString()
    expect(body).toMatch(/^retry: 10\nevent: ready\n(.*\n)+:\n(.*\n)+\nretry: \d+\n$/)
    expect(sentSwaps(told(raw))).toHaveLength(3)
  })

  it('HEAD has the coding of GET', async () => {
    const asked = async (path: string, coding: string) => {
      const init = { method: 'HEAD', headers: { 'accept-encoding': coding } }
      const { headers } = await fetch(`${task.url}${path}`, init)
      return [headers.get('content-encoding'), headers.get('vary')]
    }
    expect(await asked('/stream/swaps', 'gzip, deflate')).toEqual(['gzip', 'Accept-Encoding'])
    expect(await asked('/stream/swaps', 'gzip;q=0')).toEqual([null, 'Accept-Encoding'])
    expect(await asked('/v1/stream/swaps?type=buy', 'gzip')).toEqual([null, 'Accept-Encoding'])
  })

  it('behind the edge get each event at once, as gzip', async () => {
    const { headers, body } = await fetch(`${edge.url}/stream/swaps`)
    expect(headers.get('content-encoding')).toBe('gzip')
    expect(headers.get('content-length')).toBeNull()
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    const say = async (until: string) => {
      while (!text.includes(until)) text += (await reader.read()).value ?? ''
    }
    await say('event: ready')
    const client = follow(`${edge.url}/stream/swaps?last_event_id=0.0`)
    for (let block = 0; block < 5; block++) {
      await chain.trade(2)
      const last = `id: ${await head()}1\n`
      // No event but this one is on its way: what would gather them would wait for ever.
      await say(last)
    }
    await until(async () => client.lastId() === `${await head()}1`)
    expect([...client.swaps()].sort()).toEqual([...chain.canonical()].sort())
    client.close()
    await reader.cancel()
  })
})
