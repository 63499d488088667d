import type { Socket } from 'node:net'
import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { randomFrom } from '../../dev/devnet/random.ts'
import { Channel, GATHER_MS } from '../../stream/channel.ts'
import { encodeEntries, type StreamEvent } from '../../stream/events.ts'
import { askedOf } from '../../stream/http.ts'
import { Reader, WAITING_BYTES } from '../../stream/reader.ts'
import { hash, type ZORA } from '../support/market/facts.ts'
import { swapIn } from '../support/market/swap-feed.ts'
import { until } from '../support/stream-clients.ts'

/** What a reader asks for by its query and its Accept-Encoding. */
const wishOf = (query: string, coding?: string) =>
  askedOf({ headers: coding === undefined ? {} : { 'accept-encoding': coding } }, new URLSearchParams(query))
    .wish

/** A reader over a stream that keeps what is written to it, the buffers themselves; `isStuck`: it takes nothing. */
function readerOf(query: string, coding?: string, isStuck = false) {
  const written: Buffer[] = []
  const to = new Writable({
    write: (chunk: Buffer, _, done) => {
      written.push(chunk)
      if (!isStuck) done()
    },
  })
  let cuts = 0
  const options = { wish: wishOf(query, coding), endsAt: Number.POSITIVE_INFINITY, onCut: () => cuts++ }
  return { written, reader: new Reader(to as Socket, options), cuts: () => cuts }
}

/** Events of so many swaps, one a block. */
async function eventsOf(count: number): Promise<readonly StreamEvent[]> {
  const entries = Array.from({ length: count }, (_, at) => {
    const block = { number: at + 1, hash: hash(0xb10c_0000 + at), timestamp: 6_000_000 }
    return { is: 'block' as const, seq: at + 1, block, swaps: [swapIn(block, 0)] }
  })
  const named = (address: typeof ZORA) => ({ address, symbol: 'ANN', name: 'Ann', decimals: 18 })
  const encoded = await encodeEntries(entries, { read: async () => named }, -1)
  return encoded.flatMap(({ events }) => events)
}

describe('the channel', () => {
  it('writes a lone event at once, and batches those that follow within some ms', async () => {
    const writes: number[] = []
    let now = 1_000
    const channel = new Channel(
      ({ events }) => writes.push(events),
      () => now,
    )
    const { reader, written } = readerOf('')
    channel.join(reader)
    const [first, ...others] = await eventsOf(12)
    channel.publish([first!])
    expect(writes).toEqual([1])
    for (const event of others.slice(0, 10)) channel.publish([event])
    expect(writes).toEqual([1])
    await until(() => writes.length === 2)
    expect(writes).toEqual([1, 10])
    now += GATHER_MS
    channel.publish([others[10]!])
    expect(writes).toEqual([1, 10, 1])
    expect(Buffer.concat(written)).toEqual(Buffer.concat([first!, ...others].map(({ bytes }) => bytes)))
    await sleep(2 * GATHER_MS)
    expect(writes).toEqual([1, 10, 1])
  })

  it('counts the batching time from the end of a write', async () => {
    const writes: number[] = []
    let now = 1_000
    const WRITE_MS = 15
    const channel = new Channel(
      ({ events }) => {
        writes.push(events)
        now += WRITE_MS
      },
      () => now,
    )
    channel.join(readerOf('').reader)
    const events = await eventsOf(3)
    channel.publish(events.slice(0, 1))
    now += GATHER_MS - 1
    channel.publish(events.slice(1, 2))
    expect(writes).toEqual([1])
    now += 1
    channel.publish(events.slice(2))
    expect(writes).toEqual([1, 2])
  })

  it('encodes an event once, and deflates a write once, for all readers with the same request', async () => {
    const sent: { readonly readers: number }[] = []
    const channel = new Channel((one) => sent.push(one))
    const plain = ['', 'type=all'].map((query) => readerOf(query))
    const zipped = ['gzip', 'br, gzip;q=0.5'].map((coding) => readerOf('', coding))
    const filtered = ['identity', 'gzip'].map((coding) => readerOf('type=buy', coding))
    for (const { reader } of [...plain, ...zipped, ...filtered]) channel.join(reader)
    const events = await eventsOf(3)
    channel.publish(events.slice(0, 1))
    for (const { written } of [...plain, ...filtered]) expect(written[0]).toBe(events[0]!.bytes)
    expect(zipped[0]!.written[0]).toBe(zipped[1]!.written[0])
    expect(zipped[0]!.written[0]!.length).toBeLessThan(events[0]!.bytes.length)
    expect(sent.map(({ readers }) => readers)).toEqual([2, 2, 2])
  })

  it('sends nothing after the end of a connection, and only later events to a new reader', async () => {
    let now = 0
    const clock = () => (now += GATHER_MS)
    const channel = new Channel(() => {}, clock)
    const [one, other] = [readerOf('', 'gzip'), readerOf('', 'gzip')]
    const events = await eventsOf(4)
    for (const { reader } of [one, other]) reader.open('', '')
    channel.join(one.reader)
    channel.publish(events.slice(0, 2))
    channel.join(other.reader)
    channel.publish(events.slice(2, 3))
    one.reader.end(1)
    channel.publish(events.slice(3))
    other.reader.end(1)
    const said = [one, other].map(({ written }) => gunzipSync(Buffer.concat(written)).toString())
    const text = (...range: readonly [number, number]) =>
      events.slice(...range).map(({ bytes }) => String(bytes))
    expect(said[0]).toBe(`${text(0, 3).join('')}retry: 1\n`)
    expect(said[1]).toBe(`${text(2, 4).join('')}retry: 1\n`)
  })

  it.each(['identity', 'gzip'])(
    'cuts a reader whose %s bytes wait, counted as they are sent',
    async (coding) => {
      let now = 0
      const channel = new Channel(
        () => {},
        () => (now += GATHER_MS),
      )
      const [stuck, other] = [readerOf('', coding, true), readerOf('', coding)]
      for (const { reader } of [stuck, other]) channel.join(reader)
      const random = randomFrom(3)
      const [event] = await eventsOf(1)
      const size = () => other.written.reduce((sum, { length }) => sum + length, 0)
      // What is random does not get smaller by more than a quarter: some kilobytes are told in both codings.
      const text = Buffer.from(Array.from({ length: 40_000 }, () => 32 + random.below(64)))
      while (stuck.cuts() === 0) {
        expect(size()).toBeLessThan(WAITING_BYTES + 2 * text.length)
        channel.publish([{ ...event!, bytes: text }])
      }
      expect(size()).toBeGreaterThan(WAITING_BYTES)
      expect([stuck.reader.isClosed, other.reader.isClosed, other.cuts()]).toEqual([true, false, 0])
    },
  )
})
