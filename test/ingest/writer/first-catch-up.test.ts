/** The first log of a table is written in bulk, before anybody knows it, by processes that end at any moment. */
import { expect, it } from 'vitest'
import { type Random, randomFrom } from '../../../dev/devnet/random.ts'
import { openRanges } from '../../../ingest/read/range.ts'
import { openNewLog } from '../../../ingest/writer/own-log.ts'
import { followChain } from '../../../ingest/writer/writer.ts'
import { openMemoryTable } from '../../../store/aws/memory.ts'
import type { Table } from '../../../store/aws/table.ts'
import { openTokens } from '../../../store/items/tokens.ts'
import { openFeed } from '../../../store/log/feed.ts'
import { openLog } from '../../../store/log/log.ts'
import { inLog, openLogs } from '../../../store/log/logs.ts'
import {
  depsOver,
  digestsOf,
  documentsOf,
  feedOf,
  memoryStores,
  untilIdle,
  visible,
} from '../../support/aws/ingest-stores.ts'
import { memoryBucket } from '../../support/aws/memory-stores.ts'
import { type GeneratedChain, generateChain } from '../../support/chain/generated-chain.ts'
import { openGeneratedNode } from '../../support/chain/generated-node.ts'
import { loneRpc } from '../../support/chain/json-rpc.ts'
import { casesOf } from '../../support/rounds.ts'

const SEEDS = [3, 17, 40]
const KILLS = 20
const MINUTES = 40

const chainOf = (seed: number): GeneratedChain =>
  generateChain({ seed, minutes: MINUTES, creations: 60, swapsAMinute: 6 })

type Shared = ReturnType<typeof openShared>

function openShared(chain: GeneratedChain) {
  const table = openMemoryTable(() => 0)
  return { table, segments: memoryBucket(), node: openGeneratedNode(chain), chain }
}

/** A process's view of the table: it ends at its n-th put, and of the puts that were under way then some are done. */
function mortal(table: Table, random: Random, puts: number) {
  let left = puts
  const dead = new Error('the process has ended')
  const alive = () => {
    if (left <= 0) throw dead
  }
  const guarded: Table = {
    ...table,
    async put(item, condition) {
      left -= 1
      alive()
      return table.put(item, condition)
    },
    async read(key) {
      alive()
      return table.read(key)
    },
  }
  const bulk: Table = {
    ...guarded,
    async put(item) {
      left -= 1
      // Under way: others are done before it.
      for (let turns = random.below(4); turns > 0; turns -= 1) await Promise.resolve()
      if (left > 0 || random.chance(0.5)) await table.put(item, { olderThan: Number.POSITIVE_INFINITY })
      alive()
      return true
    },
  }
  return { guarded, bulk, dead }
}

/** One process: it follows the chain, and makes its log known when that is whole. False: it has ended before. */
async function runProcess(shared: Shared, random: Random, puts: number): Promise<boolean> {
  const { segments, chain, node } = shared
  const { guarded, bulk, dead } = mortal(shared.table, random, puts)
  const logs = openLogs(guarded)
  try {
    const fresh = await openNewLog({ table: guarded, bulk, segments, logs, now: () => 0 })
    const table = fresh?.table ?? inLog(guarded, (await logs.live()).log)
    const stores = {
      log: openLog(table, segments),
      tokens: openTokens(table),
      feed: openFeed(guarded, () => 0),
    }
    const rpc = loneRpc(async (call) => node.ask(call))
    const readWith = (source: Parameters<typeof openRanges>[0]) => {
      const ranges = openRanges(source)
      // Several ranges, as of a long chain.
      const read: typeof ranges.read = (after, head) =>
        ranges.read(after, Math.min(head, (after?.number ?? chain.first) + 150))
      return { ...ranges, read }
    }
    await untilIdle(followChain(depsOver(stores, { rpc, chain: chain.rules, readWith, farSeconds: 300 })))
    return fresh ? await fresh.register() : true
  } catch (error) {
    if (error !== dead) throw error
    return false
  }
}

/** What readers find: the live log's. */
async function storesOf({ table, segments }: Shared) {
  const { log: name } = await openLogs(table).live()
  const prefix = `${name}#`
  const own = inLog(table, name)
  const items = async () =>
    [...table.items.values()].flatMap((item) =>
      item.pk.startsWith(prefix) ? [{ ...item, pk: item.pk.slice(prefix.length) }] : [],
    )
  const log = openLog(own, segments)
  const feed = openFeed(table, () => 0)
  return { table: own, log, feed, items, segments, published: memoryBucket(), tokens: openTokens(own) }
}

async function bySinglePuts(chain: GeneratedChain) {
  const stores = memoryStores(() => 0)
  const node = openGeneratedNode(chain)
  const rpc = loneRpc(async (call) => node.ask(call))
  await untilIdle(followChain(depsOver(stores, { rpc, chain: chain.rules })))
  return stores
}

it.each(casesOf(SEEDS, 1))(
  'a first log that processes write in bulk and leave at any moment is that of single puts: items, entries, feed and documents (seed %i)',
  async (seed) => {
    const chain = chainOf(seed)
    const expected = await bySinglePuts(chain)
    const random = randomFrom(seed)
    const shared = openShared(chain)
    for (let kills = 0; kills < KILLS; kills += 1) {
      expect(await openLogs(shared.table).live()).toMatchObject({ switches: 0 })
      expect(await runProcess(shared, random, 1 + random.below(kills % 4 === 0 ? 30 : 500))).toBe(false)
    }
    expect(await runProcess(shared, random, Number.POSITIVE_INFINITY)).toBe(true)
    const stores = await storesOf(shared)
    expect(await digestsOf(stores)).toEqual(await digestsOf(expected))
    expect(await visible(stores)).toEqual(await visible(expected))
    expect(await feedOf(stores)).toEqual(await feedOf(expected))
    expect(await documentsOf(stores)).toEqual(await documentsOf(expected))
  },
)

it('of two processes that write a first log at the same time, one makes its log known, and the other goes on with that', async () => {
  const chain = chainOf(5)
  const shared = openShared(chain)
  const random = randomFrom(5)
  const both = await Promise.all([1, 2].map(() => runProcess(shared, random, Number.POSITIVE_INFINITY)))
  expect([...both].sort()).toEqual([false, true])
  expect(await runProcess(shared, random, Number.POSITIVE_INFINITY)).toBe(true)
  const stores = await storesOf(shared)
  expect(await visible(stores)).toEqual(await visible(await bySinglePuts(chain)))
})

it('the next process goes on where the one before has ended, without reading that part of the chain again', async () => {
  const chain = chainOf(9)
  const shared = openShared(chain)
  const random = randomFrom(9)
  expect(await runProcess(shared, random, 500)).toBe(false)
  const resumed: number[] = []
  const { table, segments } = shared
  const onResumed = (minutes: number) => resumed.push(minutes)
  await openNewLog({ table, bulk: table, segments, logs: openLogs(table), now: () => 0, onResumed })
  expect(resumed).toEqual([expect.any(Number)])
  expect(resumed[0]).toBeGreaterThan(5)
})
