/** Two releases beside each other, on the wire of DynamoDB and S3: what one of them leaves the other reads, or refuses and leaves alone. */
import { expect, it, onTestFinished } from 'vitest'
import type { Item, Table } from '../../../store/aws/table.ts'
import { FORMAT_VERSION } from '../../../store/aws/tables.ts'
import { openTokens } from '../../../store/items/tokens.ts'
import { openLog } from '../../../store/log/log.ts'
import {
  type IngestStores,
  memoryStores,
  startStores,
  untilIdle,
  visible,
} from '../../support/aws/ingest-stores.ts'
import { type MockChain, openMockChain } from '../../support/chain/mock-chain.ts'
import { swapLog } from '../../support/chain/raw-logs.ts'
import { address } from '../../support/market/facts.ts'
import { alice, launchLogs, startMockWriter } from '../mock-reading.ts'

/** Blocks are two seconds apart, so that a minute has 30. */
const HEADS = [95, 155, 215] as const

/** A chain with a trade in each minute, whose head the test moves. */
function openTraded(): MockChain {
  const chain = openMockChain(0)
  chain.emit(3, launchLogs(alice))
  for (let block = 10; block < 210; block += 20)
    chain.emit(block, [swapLog(alice, { swapSender: address(0x51) })])
  return chain
}

type Stores = Pick<IngestStores, 'table' | 'log' | 'tokens' | 'feed'>

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

it('two releases write one log side by side without losing anything', async () => {
  const stores = await startStores()
  onTestFinished(stores.stop)
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

it('a newer stored format is refused by a release that does not know it and changes nothing; the next release continues', async () => {
  const stores = await startStores()
  onTestFinished(stores.stop)
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
})
