/** Two releases beside each other, on the wire of DynamoDB and S3: what one of them leaves the other reads, or refuses and leaves alone. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { appendRefold, NewerRulesError } from '../../ingest/writer/commit.ts'
import { catchUp } from '../../ingest/writer/materialize.ts'
import type { LogEntry } from '../../market/log.ts'
import { FOLD_VERSION } from '../../market/rules.ts'
import { type LogStore, openLog } from '../../store/log.ts'
import type { Item, Table } from '../../store/table.ts'
import { FORMAT_VERSION } from '../../store/tables.ts'
import { openTokens } from '../../store/tokens.ts'
import { address, hash } from '../support/facts.ts'
import { type IngestStores, memoryStores, startStores, untilIdle, visible } from '../support/ingest-stores.ts'
import { type MockChain, openMockChain } from '../support/mock-chain.ts'
import { created, initialized, type Sketch, swapLog, transferLog, zora } from '../support/mock-market.ts'
import { startMockWriter } from '../support/mock-reading.ts'

const token: Sketch = { coin: address(0xa1), quote: zora, poolId: hash(0xb1), hook: address(0x40) }
/** Blocks are two seconds apart, so that a minute has 30. */
const HEADS = [95, 155, 215] as const

/** A chain with a trade in each minute, whose head the test moves. */
function openTraded(): MockChain {
  const chain = openMockChain(0)
  chain.emit(3, [
    transferLog(token.coin, address(0x77)),
    initialized(token, 2n ** 96n),
    { ...created(token), transaction: hash(0xfeed) },
  ])
  for (let block = 10; block < 210; block += 20)
    chain.emit(block, [swapLog(token, { swapSender: address(0x51) })])
  return chain
}

type Stores = Pick<IngestStores, 'table' | 'log' | 'tokens' | 'feed'>

/** The stores as a release with the next version of the rules has them: its own minutes are of that version, those of now of the one before. */
function ofNewerRules(stores: IngestStores): Stores {
  const shifted = (entry: LogEntry, by: number): LogEntry =>
    entry.is === 'sealed' ? { ...entry, rules: (entry.rules ?? 1) + by } : entry
  const { log } = stores
  async function* read(entries: AsyncGenerator<LogEntry>) {
    for await (const entry of entries) yield shifted(entry, -1)
  }
  const newer: LogStore = {
    ...log,
    append: (entry) => log.append(shifted(entry, 1)),
    async tail() {
      const entry = await log.tail()
      return entry && shifted(entry, -1)
    },
    entriesAfter: (n) => read(log.entriesAfter(n)),
    entriesBefore: (n) => read(log.entriesBefore(n)),
  }
  return { ...stores, log: newer }
}

/** The table as a release has it that writes the next form of items, and reads it. */
function ofNewerForm({ table, segments, feed }: IngestStores): Stores {
  /** It reads the form before, too. */
  const read = (item: Item): Item =>
    item['v'] === FORMAT_VERSION + 1 ? { ...item, v: FORMAT_VERSION } : item
  const newer: Table = {
    ...table,
    put: (item, condition) => table.put('v' in item ? { ...item, v: FORMAT_VERSION + 1 } : item, condition),
    async read(key) {
      const item = await table.read(key)
      return item && read(item)
    },
    readMany: async (keys) => (await table.readMany(keys)).map(read),
    async *query(span) {
      for await (const item of table.query(span)) yield read(item)
    },
  }
  return { table: newer, log: openLog(newer, segments), tokens: openTokens(newer), feed }
}

/** What a log has that one release alone wrote. */
async function written(head: number) {
  const [chain, stores] = [openTraded(), memoryStores()]
  chain.head = head
  await untilIdle(startMockWriter(chain, stores))
  return visible(stores)
}

describe('two releases', () => {
  let stores: Awaited<ReturnType<typeof startStores>>
  beforeAll(async () => {
    stores = await startStores()
  })
  afterAll(() => stores.stop())

  it('write one log side by side without losing anything', async () => {
    const chain = openTraded()
    const [old, young] = [startMockWriter(chain, stores), startMockWriter(chain, stores)]
    for (const head of HEADS) {
      chain.head = head
      await Promise.all([untilIdle(old), untilIdle(young)])
    }
    // The new one ends as a task does that is rolled back: at once, in the midst of whatever it does.
    chain.head = 250
    await untilIdle(old)
    expect(await visible(stores)).toEqual(await written(250))
  })
})

describe('rules that are newer', () => {
  let stores: Awaited<ReturnType<typeof startStores>>
  const chain = openTraded()
  beforeAll(async () => {
    stores = await startStores()
  })
  afterAll(() => stores.stop())
  const numbers = async () => {
    const found: (number | undefined)[] = []
    for await (const entry of stores.log.entriesAfter(0)) if (entry.is === 'sealed') found.push(entry.rules)
    return found
  }

  it('roll back minutes folded by older rules; the previous release stops and changes nothing', async () => {
    chain.head = HEADS[0]
    const old = startMockWriter(chain, stores)
    await untilIdle(old)
    chain.head = HEADS[1]
    await untilIdle(startMockWriter(chain, ofNewerRules(stores)))
    expect(new Set(await numbers())).toEqual(new Set([FOLD_VERSION, FOLD_VERSION + 1]))
    const before = [await visible(stores), await numbers()]
    chain.head = HEADS[2]
    // It may tell readers of swaps, as both do, but seals nothing.
    await expect(untilIdle(old)).rejects.toThrow(NewerRulesError)
    await expect(untilIdle(startMockWriter(chain, stores))).rejects.toThrow(NewerRulesError)
    expect([await visible(stores), await numbers()]).toEqual(before)
  })

  it('can be abandoned: the previous release rolls back their minutes and reads the chain again', async () => {
    const tail = await stores.log.tail()
    const entry = tail && (await appendRefold(stores.log, tail, { isNewerTaken: true }))
    expect(entry).toMatchObject({ is: 'rewound', cause: 'rules' })
    await catchUp(stores.log)
    await untilIdle(startMockWriter(chain, stores))
    expect((await numbers()).at(-1)).toBe(FOLD_VERSION)
    expect(await visible(stores)).toEqual(await written(HEADS[2]))
  })
})

describe('a newer stored format', () => {
  it('is refused by a release that does not know it and changes nothing; the next release continues', async () => {
    const stores = await startStores()
    try {
      const chain = openTraded()
      chain.head = HEADS[0]
      await untilIdle(startMockWriter(chain, stores))
      chain.head = HEADS[1]
      await untilIdle(startMockWriter(chain, ofNewerForm(stores)))
      const before = await stores.items()
      expect(before.map(({ v }) => v)).toEqual(expect.arrayContaining([FORMAT_VERSION, FORMAT_VERSION + 1]))
      chain.head = HEADS[2]
      await expect(untilIdle(startMockWriter(chain, stores))).rejects.toThrow('this release reads format')
      expect(await stores.items()).toEqual(before)
      await untilIdle(startMockWriter(chain, ofNewerForm(stores)))
      expect((await stores.items()).length).toBeGreaterThan(before.length)
    } finally {
      await stores.stop()
    }
  })
})
