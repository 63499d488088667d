import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { type Random, randomFrom } from '../../dev/devnet/random.ts'
import { memoryStores, startStores } from '../support/aws/ingest-stores.ts'
import { type FeedChain, openFeedChain } from '../support/market/swap-feed.ts'
import { rounds } from '../support/rounds.ts'
import { openWay, readSocket, sentSwaps, startTask, until } from '../support/stream-clients.ts'
import { follow } from './follower.ts'

/** Times that a reader's connection is cut. */
const CUTS = rounds(12, 400)

/** Trades, now and then a fork. */
async function goOn(chain: FeedChain, random: Random): Promise<void> {
  if (random.chance(0.25)) await chain.fork(1 + random.below(3))
  else await chain.trade(1 + random.below(4), random.below(2))
}

const stores = await startStores()
afterAll(() => stores.stop())
const chain = await openFeedChain(stores.feed)

describe('readers on one feed in DynamoDB', () => {
  it(`a reader that is cut ${CUTS} times ends with exactly the swaps of the chain`, async () => {
    const random = randomFrom(7)
    const task = await startTask(stores)
    const way = await openWay(task.url)
    const client = follow(`${way.url}/stream/swaps?last_event_id=0.0`)
    let head = ''
    for (let cut = 0; cut < CUTS; cut++) {
      for (let step = random.next() * 3; step > 0; step--) await goOn(chain, random)
      await sleep(random.next() * 40)
      way.cut()
    }
    await chain.trade(1)
    head = `${await stores.feed.tail()}.0`
    await until(() => client.lastId() === head, `id ${head}, is at ${client.lastId()}`)
    client.close()
    await Promise.all([way.stop(), task.stop()])
    expect(client.faults).toEqual([])
    expect(client.resyncs).toEqual([])
    expect([...client.swaps()].sort()).toEqual([...chain.canonical()].sort())
    expect(chain.canonical().length).toBeGreaterThan(CUTS / 2)
  })

  it('two tasks send the same ids and bytes in the same order; if one dies, its readers lose nothing', async () => {
    const random = randomFrom(8)
    const [first, second] = await Promise.all([startTask(stores), startTask(stores)])
    const ways = await Promise.all([first.url, second.url].map(openWay))
    const clients = ways.map(({ url }) => follow(`${url}/stream/swaps?last_event_id=0.0`))
    const raws = [first, second].map(({ url }) => readSocket(url))
    await until(() => raws.every((raw) => raw.events().length > 0))
    const head = async () => `${await stores.feed.tail()}.0`
    for (let step = 0; step < 30; step++) await goOn(chain, random)
    await chain.trade(1)
    const atHead = await head()
    await until(() => clients.every((client) => client.lastId() === atHead))
    await until(() => raws.every((raw) => raw.events().at(-1)?.id === atHead))
    // What each of them sends first, `ready`, tells of the moment.
    expect(raws[0]!.events().slice(1)).toEqual(raws[1]!.events().slice(1))
    for (const raw of raws) raw.socket.destroy()

    // The first one dies: without a word, in the middle of trading.
    for (let step = 0; step < 10; step++) await goOn(chain, random)
    ways[0]!.turnTo(second.url)
    ways[0]!.cut()
    for (let step = 0; step < 10; step++) await goOn(chain, random)
    await chain.trade(1)
    const atEnd = await head()
    await until(() => clients.every((client) => client.lastId() === atEnd))
    for (const client of clients) {
      client.close()
      expect(client.faults).toEqual([])
      expect([...client.swaps()].sort()).toEqual([...chain.canonical()].sort())
    }
    expect(clients[0]!.ids).toEqual(clients[1]!.ids)
    await Promise.all([...ways, first, second].map((each) => each.stop()))
  })
})

describe('places', async () => {
  const DAY = 86_400
  const now = Math.floor(Date.now() / 1_000)
  const stores = memoryStores()
  const old = await openFeedChain(stores.feed, () => now - DAY - 3_600)
  // More than a task takes from the table when it starts.
  for (let block = 0; block < 30; block++) await old.trade(100)
  const recent = await openFeedChain(stores.feed, () => now - 60)
  for (let block = 0; block < 5; block++) await recent.trade(2)
  const task = await startTask(stores)
  afterAll(() => task.stop())

  const begin = async (lastId: string, count: number, header = true) => {
    const path = header ? '/stream/swaps' : `/stream/swaps?last_event_id=${encodeURIComponent(lastId)}`
    const raw = readSocket(task.url, path, header ? { headers: { 'last-event-id': lastId } } : {})
    await until(() => raw.events().length >= count)
    raw.socket.destroy()
    return raw.events()
  }

  it.each([
    ['4.1', 'expired'],
    ['0.0', 'expired'],
    ['0.1', 'unknown'],
    ['36.0', 'unknown'],
    ['999999999999999.0', 'unknown'],
    ['33.2', 'unknown'],
    ['nonsense', 'unknown'],
    ['-1.0', 'unknown'],
    ['33', 'unknown'],
    ['33.0.0', 'unknown'],
    ['1e3.0', 'unknown'],
    [`${'9'.repeat(400)}.0`, 'unknown'],
    ["33.0' OR '1'='1", 'unknown'],
    ['__proto__', 'unknown'],
  ])('%s cannot be continued from: %s', async (lastId, reason) => {
    const events = await begin(lastId, 2)
    expect(events.map(({ event }) => event)).toEqual(['ready', 'resync'])
    expect(events.map(({ id }) => id)).toEqual(['35.1', '35.1'])
    expect(JSON.parse(events[1]!.data)).toEqual({
      reason,
      oldest_id: '31.0',
      backfill: '/v1/market/recent-swaps',
      backfill_launches: '/v1/discover/new-launches',
    })
  })

  it.each([
    ['35.1', 0],
    ['34.0', 3],
    ['31.0', 9],
  ])('after %s come the %i events that follow', async (lastId, count) => {
    for (const header of [true, false]) {
      const events = await begin(lastId, count + 1, header)
      expect(events[0]).toMatchObject({ event: 'ready', id: lastId })
      expect(JSON.parse(events[0]!.data)).toMatchObject({ head: '35.1', oldest_id: '31.0' })
      expect(sentSwaps(events)).toHaveLength(count)
    }
  })

  it('the header takes precedence over the parameter; an empty one counts as absent', async () => {
    const both = readSocket(task.url, '/stream/swaps?last_event_id=31.0', {
      headers: { 'last-event-id': '34.1' },
    })
    const empty = readSocket(task.url, '/stream/swaps?last_event_id=', { headers: { 'last-event-id': '' } })
    await until(() => both.events().length === 3 && empty.events().length === 1)
    expect(both.events().map(({ id }) => id)).toEqual(['34.1', '35.0', '35.1'])
    expect(empty.events().map(({ id }) => id)).toEqual(['35.1'])
    for (const { socket } of [both, empty]) socket.destroy()
  })

  it('a position ahead of the task is waited for, since another task may be ahead', async () => {
    const slow = await startTask(stores, { pollMs: 300 })
    const chain = await openFeedChain(stores.feed, () => now)
    await chain.trade(3)
    const raw = readSocket(slow.url, '/stream/swaps', { headers: { 'last-event-id': '36.1' } })
    await until(() => raw.events().length === 2)
    expect(raw.events().map(({ event, id }) => [event, id])).toEqual([
      ['ready', '36.1'],
      ['', '36.2'],
    ])
    await slow.stop()
  })

  it('numbers skipped after a day without trades are no gap in memory', async () => {
    let seconds = Math.floor(Date.now() / 1_000)
    const now = () => seconds
    const stores = memoryStores(now)
    const before = await openFeedChain(stores.feed, now)
    for (let block = 0; block < 3; block++) await before.trade(1)
    const task = await startTask(stores)
    seconds += 26 * 3_600
    const after = await openFeedChain(stores.feed, now)
    const first = (await stores.feed.tail()) + 1
    for (let block = 0; block < 3; block++) await after.trade(1)
    expect(first).toBeGreaterThan(4)
    const client = follow(`${task.url}/stream/swaps?last_event_id=${first}.0`)
    await until(() => client.lastId() === `${first + 2}.0`)
    expect(client.swaps()).toEqual(after.canonical().slice(1))
    client.close()
    await task.stop()
  })
})
