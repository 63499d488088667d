import { describe, expect, it } from 'vitest'
import { openRanges, type RangeReader } from '../../ingest/range.ts'
import { openRegistry } from '../../ingest/registry.ts'
import { followChain, type Progress } from '../../ingest/writer.ts'
import type { FeedEntry } from '../../market/segment.ts'
import { openFeed } from '../../store/feed.ts'
import { openLog } from '../../store/log.ts'
import { openMemoryTable } from '../../store/memory.ts'
import { openTokens } from '../../store/tokens.ts'
import { collect } from '../support/collect.ts'
import { address, hash } from '../support/facts.ts'
import { memoryBucket } from '../support/memory-stores.ts'
import { type MockChain, mockChain, openMockChain } from '../support/mock-chain.ts'
import { created, initialized, type Sketch, swapped, transferred, zora } from '../support/mock-market.ts'

const sketch = (n: number): Sketch => ({
  coin: address(0xa0 + n),
  quote: zora,
  poolId: hash(0xb0 + n),
  hook: address(0x40),
})
const [first, second] = [sketch(1), sketch(2)]

/** A chain whose head the test moves; blocks are two seconds apart, so minute 100 begins at block 0, 101 at block 30. */
function openWorld() {
  const chain = openMockChain(1_000_000)
  const world = { head: 0, chain }
  chain.distort = ({ method, params }, answer) => {
    if (method !== 'eth_getBlockByNumber') return answer
    if (params[0] === 'latest') return { ...(answer as object), ...headerOf(chain, world.head) }
    return Number(params[0]) > world.head ? null : answer
  }
  return world
}

const headerOf = (chain: MockChain, number: number) => {
  const { hash, timestamp } = chain.block(number)
  return { number: `0x${number.toString(16)}`, hash, timestamp: `0x${timestamp.toString(16)}` }
}

function openStores(clock: () => number = () => 0) {
  const table = openMemoryTable(clock)
  const bucket = memoryBucket()
  return {
    table,
    tokens: openTokens(table),
    log: openLog(table, bucket),
    feed: openFeed(table, () => Math.max(6_000, clock())),
  }
}

type World = ReturnType<typeof openWorld>
type Stores = ReturnType<typeof openStores>

/** A writer as after a start of its process: nothing in memory but what the stores have. */
function startWriter({ chain }: World, { tokens, log, feed }: Stores) {
  const registry = openRegistry(tokens, mockChain)
  const ranges = openRanges({ rpc: chain.rpc, chain: mockChain, registry })
  return followChain({ rpc: chain.rpc, chain: mockChain, registry, ranges, log, tokens, feed, start: null })
}

/** One that is far from the head until it has read all, and reads a minute at a time. */
function startFarWriter({ chain }: World, { tokens, log, feed }: Stores) {
  const registry = openRegistry(tokens, mockChain)
  const source = { rpc: chain.rpc, chain: mockChain, registry }
  const { read } = openRanges(source)
  const ranges: RangeReader = {
    read: (after, head) => read(after, Math.min(head, (after?.number ?? -1) + 30)),
  }
  return followChain({ ...source, ranges, log, tokens, feed, start: null, farBlocks: 0 })
}

async function untilIdle(writer: AsyncGenerator<Progress>): Promise<Progress['is'][]> {
  const seen: Progress['is'][] = []
  for (;;) {
    const { value, done } = await writer.next()
    if (done || value.is === 'idle') return seen
    seen.push(value.is)
  }
}

const feedOf = ({ feed }: Stores): Promise<FeedEntry[]> => collect(feed.after(0))

/** Swaps that a reader of the feed holds after applying every retraction. */
function standing(entries: readonly FeedEntry[]): string[] {
  const blocks = new Map<string, string[]>()
  for (const entry of entries) {
    if (entry.is === 'retract') expect(blocks.delete(entry.block.hash)).toBe(true)
    else
      blocks.set(
        entry.block.hash,
        entry.swaps.map((swap) => `${swap.blockNumber}.${swap.logIndex}`),
      )
  }
  return [...blocks.values()].flat()
}

/** Everything readers of the table can see of tokens, without the log itself and without guards. After a rewind NOW does not name its minute. */
function visible({ table }: Stores): Record<string, unknown> {
  const shown = [...table.items.values()]
    .filter((item) => !/^(LOG|SYS|F#)/.test(item.pk) && item['tomb'] !== true)
    .map(
      ({ pos: _pos, ttl: _ttl, ...item }) =>
        [`${item.pk}/${item.sk}`, { ...item, minute: undefined }] as const,
    )
  return Object.fromEntries(shown.sort(([a], [b]) => (a < b ? -1 : 1)))
}

const launch = (token: Sketch) => [
  transferred(token.coin, address(0x77)),
  initialized(token, 2n ** 96n),
  { ...created(token), transaction: hash(0xfeed + Number(BigInt(token.coin))) },
]

function tradedChain(): World {
  const world = openWorld()
  world.chain.emit(3, launch(first))
  world.chain.emit(40, [swapped(first, { swapSender: address(0x51) })])
  world.chain.emit(70, [...launch(second), swapped(second), swapped(first)])
  return world
}

describe('follow', () => {
  it('seals a minute once a later block exists and its last block is deep enough, and feeds swaps at once', async () => {
    const world = tradedChain()
    const stores = openStores()
    const writer = startWriter(world, stores)
    world.head = 59 // the last block of minute 101: minute 100 is over and deep, 101 is not over
    await untilIdle(writer)
    expect(await stores.log.tail()).toMatchObject({ n: 1, is: 'sealed', minute: 100, last: { number: 29 } })
    expect(standing(await feedOf(stores))).toEqual(['40.0'])
    world.head = 60
    await untilIdle(writer)
    expect(await stores.log.tail()).toMatchObject({ n: 2, minute: 101, firstBlock: 30, last: { number: 59 } })
    expect(await stores.log.applied()).toMatchObject({ n: 2, minute: 101, isLowered: false })
  })

  it('says the same of the chain however often its process starts anew', async () => {
    const world = tradedChain()
    const [once, often] = [openStores(), openStores()]
    for (const head of [10, 35, 40, 61, 70, 75, 121]) {
      world.head = head
      await untilIdle(startWriter(world, often))
    }
    await untilIdle(startWriter(world, once))
    expect(visible(often)).toEqual(visible(once))
    expect(standing(await feedOf(often))).toEqual(standing(await feedOf(once)))
    expect(standing(await feedOf(once))).toEqual(['40.0', '70.3', '70.4'])
  })

  it('says the same of minutes whose rows have expired, however often its process starts anew', async () => {
    const world = tradedChain()
    // One wallet, three times in an hour: what it came to before counts.
    for (const block of [77, 99, 135]) world.chain.emit(block, [swapped(first)])
    const [once, often] = [openStores(), openStores(() => 1e10)]
    for (const head of [35, 61, 75, 91, 121, 151]) {
      world.head = head
      await untilIdle(startWriter(world, often))
    }
    await untilIdle(startWriter(world, once))
    expect(visible(often)).toEqual(visible(once))
  })

  it('takes back a reorg in the open minute without touching the log', async () => {
    const world = tradedChain()
    const stores = openStores()
    const writer = startWriter(world, stores)
    world.head = 75
    await untilIdle(writer)
    world.chain.fork(65)
    world.chain.emit(71, [swapped(first)])
    world.head = 76
    expect(await untilIdle(writer)).toContain('retracted')
    expect(await stores.log.tail()).toMatchObject({ n: 2, is: 'sealed' })
    expect(standing(await feedOf(stores))).toEqual(['40.0', '71.0'])
  })

  for (const isRestarted of [false, true]) {
    it(`rewinds sealed minutes that the chain no longer has${isRestarted ? ', also after a start' : ''}`, async () => {
      const world = tradedChain()
      const stores = openStores()
      const writer = startWriter(world, stores)
      world.head = 130
      await untilIdle(writer)
      world.chain.fork(35)
      world.chain.emit(50, launch(second))
      world.chain.emit(95, [swapped(second)])
      world.head = 131
      const seen = await untilIdle(isRestarted ? startWriter(world, stores) : writer)
      expect(seen).toContain('rewound')
      const anew = openStores()
      await untilIdle(startWriter(world, anew))
      expect(visible(stores)).toEqual(visible(anew))
      expect(standing(await feedOf(stores))).toEqual(standing(await feedOf(anew)))
      expect((await stores.log.applied())?.minute).toBe((await anew.log.applied())?.minute)
    })
  }

  it('waits, and takes nothing back, while an endpoint lags behind what was read', async () => {
    const world = tradedChain()
    const stores = openStores()
    const writer = startWriter(world, stores)
    world.head = 80
    await untilIdle(writer)
    const before = await feedOf(stores)
    world.head = 72
    expect(await untilIdle(writer)).toEqual([])
    expect(await feedOf(stores)).toEqual(before)
  })

  it('two writers of one log end with one log', async () => {
    const world = tradedChain()
    const stores = openStores()
    const writers = [startWriter(world, stores), startWriter(world, stores)]
    for (const head of [35, 65, 75, 95, 121]) {
      world.head = head
      await Promise.all(writers.map(untilIdle))
    }
    const alone = openStores()
    await untilIdle(startWriter(world, alone))
    expect(visible(stores)).toEqual(visible(alone))
    expect(standing(await feedOf(stores))).toEqual(standing(await feedOf(alone)))
    expect((await stores.log.tail())?.n).toBe((await alone.log.tail())?.n)
  })

  it('ends soon where the log takes no entry, however far the head is', async () => {
    const world = tradedChain()
    const stores = openStores()
    world.head = 30 * 400
    let read = 0
    const append = async () => {
      throw new Error('the log takes no entry')
    }
    const writer = startFarWriter(world, { ...stores, log: { ...stores.log, append } })
    const ended = (async () => {
      for await (const { is } of writer) if (is === 'read') read += 1
    })()
    await expect(ended).rejects.toThrow('the log takes no entry')
    expect(read).toBeLessThan(200)
  })

  it('goes on where another writer was there first, far from the head', async () => {
    const world = tradedChain()
    const stores = openStores()
    world.head = 30 * 20
    let isFirst = true
    const append: typeof stores.log.append = async (entry) => {
      const wasThere = isFirst
      isFirst = false
      return (await stores.log.append(entry)) && !wasThere
    }
    const writer = startFarWriter(world, { ...stores, log: { ...stores.log, append } })
    expect(await untilIdle(writer)).toContain('lost')
    const alone = openStores()
    await untilIdle(startWriter(world, alone))
    expect(visible(stores)).toEqual(visible(alone))
  })
})
