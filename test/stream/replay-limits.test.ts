// Whole form only.
import { describe, expect, it } from 'vitest'
import { type ReplayLimits, replayLimits, StreamAdmission } from '../../stream/admission.ts'
import { cutLargest } from '../../stream/server.ts'
import { memoryStores } from '../support/aws/ingest-stores.ts'
import { openFeedChain } from '../support/market/swap-feed.ts'
import { rounds } from '../support/rounds.ts'
import { type RawReader, readSocket, sentSwaps, startTask, until } from '../support/stream-clients.ts'

/** What one reader may take from the others. Each case once starved honest readers, or ran up the bill. */

const SWAPS = 7_200
/** Readers that read nothing, two of an address. */
const IDLE = rounds(8, 20)
const stores = memoryStores()
const chain = await openFeedChain(stores.feed, () => Math.floor(Date.now() / 1_000))
for (let block = 0; block < 120; block++) await chain.trade(60)

const startLimited = (limits: Partial<ReplayLimits> = {}) =>
  startTask(stores, { proxies: 1, replayLimits: { ...replayLimits, ...limits } })
type Task = Awaited<ReturnType<typeof startTask>>
const fromStart = ({ url }: Task, address: string, isReading = true): RawReader =>
  readSocket(url, '/stream/swaps?last_event_id=0.0', { isReading, headers: { 'x-forwarded-for': address } })
const resyncsIn = (raw: RawReader) =>
  raw
    .events()
    .filter(({ event }) => event === 'resync')
    .map(({ id, data }) => [id, JSON.parse(data).reason])

describe('a replay from the table', () => {
  it('reaches a reader while others request everything and read nothing', async () => {
    const task = await startLimited()
    const idle = Array.from({ length: IDLE }, (_, n) => fromStart(task, `9.9.9.${n >> 1}`, false))
    const honest = fromStart(task, '1.1.1.1')
    await until(() => honest.last() === '120.59', 'the last swap')
    const ids = sentSwaps(honest.events()).map(({ id }) => id)
    expect(ids).toEqual(Array.from({ length: SWAPS }, (_, at) => `${1 + Math.floor(at / 60)}.${at % 60}`))
    for (const { socket } of [honest, ...idle]) socket.destroy()
    await task.stop()
  })

  it('runs for two readers of an address at a time; the next one gets a resync', async () => {
    const task = await startLimited()
    const running = [1, 2].map(() => fromStart(task, '9.9.9.9', false))
    await until(
      async () => ((await (await fetch(`${task.url}/health`)).json()) as { readers: number }).readers === 2,
    )
    const third = fromStart(task, '9.9.9.9')
    await until(() => resyncsIn(third).length > 0)
    expect(resyncsIn(third)).toEqual([['120.59', 'limited']])
    expect(sentSwaps(third.events())).toEqual([])
    for (const { socket } of running) socket.destroy()
    await until(async () => {
      const next = fromStart(task, '9.9.9.9')
      await until(() => next.events().length > 1)
      next.socket.destroy()
      return resyncsIn(next).length === 0
    })
    third.socket.destroy()
    await task.stop()
  })

  it('ends after a number of events or bytes per hour, with a resync', async () => {
    const task = await startLimited({ tableEvents: 1_000 })
    const raw = fromStart(task, '9.9.9.9')
    await until(() => resyncsIn(raw).length > 0)
    const sent = sentSwaps(raw.events()).length
    expect(sent).toBeGreaterThanOrEqual(1_000)
    expect(sent).toBeLessThan(5_000)
    raw.socket.destroy()
    await task.stop()

    const stingy = await startLimited({ hourlyBytes: 1_000_000 })
    const greedy = fromStart(stingy, '9.9.9.9')
    await until(() => resyncsIn(greedy).length > 0)
    expect(greedy.bytes().length).toBeLessThan(1_100_000)
    const again = fromStart(stingy, '9.9.9.9')
    await until(() => resyncsIn(again).length > 0)
    expect(sentSwaps(again.events())).toEqual([])
    const other = fromStart(stingy, '8.8.8.8')
    await until(() => sentSwaps(other.events()).length > 100)
    for (const { socket } of [greedy, again, other]) socket.destroy()
    await stingy.stop()
  })

  it('is read and encoded once for sixty readers of thirty addresses, and live swaps come meanwhile', async () => {
    let entries = 0
    const feed: typeof stores.feed = {
      ...stores.feed,
      async *after(seq, limit) {
        for await (const entry of stores.feed.after(seq, limit)) {
          entries += 1
          yield entry
        }
      },
    }
    const task = await startTask({ ...stores, feed }, { proxies: 1 })
    const live = readSocket(task.url, '/stream/swaps', { headers: { 'x-forwarded-for': '1.1.1.1' } })
    await until(() => live.events().length > 0)
    const begun = entries
    const readers = Array.from({ length: 60 }, (_, n) => {
      const headers = { 'x-forwarded-for': `9.9.${n >> 1}.1`, 'last-event-id': `${1 + (n % 5)}.0` }
      return readSocket(task.url, '/stream/swaps', { headers })
    })
    await until(() => readers.some((reader) => sentSwaps(reader.events()).length > 100))
    const before = sentSwaps(live.events()).length
    await chain.trade(3)
    await until(() => sentSwaps(live.events()).length === before + 3)
    const head = `${await stores.feed.tail()}.2`
    await until(() => readers.every((reader) => reader.last() === head), `id ${head}`)
    // Each position is looked at once for each reader; the pages are read once for all of them.
    expect(entries - begun).toBeLessThan(60 + 3 * 50 + 10)
    for (const { socket } of [live, ...readers]) socket.destroy()
    await task.stop()
  })
})

it('an IPv6 /48 has its own cap, however many /64 it is split into', () => {
  const admission = new StreamAdmission({ perTask: 10_000, perAddress: 50, perSite: 200 })
  const networks = Array.from({ length: 10_000 }, (_, n) => `2001:db8:1:${n.toString(16)}`)
  const leaves = networks.slice(0, 200).map((network) => admission.enter(network))
  expect(() => admission.enter(networks[200]!)).toThrow('too many connections')
  expect(() => admission.enter('2001:db8:2:1')).not.toThrow()
  leaves[0]?.()
  expect(() => admission.enter(networks[200]!)).not.toThrow()
})

it('the bytes waiting for all readers are bounded: those with the most are disconnected', () => {
  const cut: number[] = []
  const readers = [5, 40, 10, 30].map((unsentBytes) => ({
    unsentBytes,
    cut: () => void cut.push(unsentBytes),
  }))
  cutLargest(readers, 100)
  expect(cut).toEqual([])
  cutLargest(readers, 20)
  expect(cut).toEqual([40, 30])
})
