import { afterAll, describe, expect, test } from 'vitest'
import { topicOf } from '../../ingest/decode/events.ts'
import type { Warm } from '../../snapshot/rebuild.ts'
import { feedOf, startStores, startWriter, untilIdle } from '../support/aws/ingest-stores.ts'
import { startDevnetMarket } from '../support/chain/devnet-market.ts'
import { expectAsFromZero } from '../support/from-zero.ts'
import { isWhole } from '../support/rounds.ts'

// The whole way over reorgs of a real chain: a devnet, DynamoDB and S3 over their wires, ingest, the feed, the documents.
// One chain and one log through all of it; tests run in this order.
const [market, stores] = await Promise.all([
  startDevnetMarket(11, { blocks: 8, trades: 16, creators: 2, posts: 4 }),
  startStores(),
])
afterAll(() => Promise.all([market.stop(), stores.stop()]))
const writer = startWriter(stores, market.rpcUrl)
/** Kept from rebuild to rebuild, as a Lambda keeps it. */
const warm: Warm = {}

const retracted = async () => (await feedOf(stores)).filter((entry) => entry.is === 'retract').length
const ingested = () => untilIdle(writer)
const asFromZero = () => expectAsFromZero(stores, market, warm)

/** A block at a new minute's begin, so that the blocks that follow stand in an open minute. */
async function beginMinute(): Promise<void> {
  await market.mineMinute()
  await ingested()
}

describe('a reorg', () => {
  test('three deep in the open minute leaves the log alone', async () => {
    await beginMinute()
    const { n } = (await stores.log.tail())!
    const before = await market.snapshot()
    const orphaned = []
    for (const trades of [2, 3, 1]) orphaned.push(await market.mine(4, trades))
    await ingested()
    await market.revert(before)
    for (const trades of [1, 2, 2, 1]) await market.mine(3, trades)
    expect(await ingested()).toContain('retracted')
    expect(await stores.log.tail()).toMatchObject({ n, is: 'sealed' })
    const published = orphaned.filter(({ logs }) => logs.some(({ topics }) => topics[0] === topicOf.swapped))
    expect(published.length).toBeGreaterThan(0)
    expect(await retracted()).toBe(published.length)
    await asFromZero()
  })

  test('across two sealed minutes rewinds them, and comes again', async () => {
    await beginMinute()
    const before = await market.snapshot()
    const { n: first } = (await stores.log.tail())!
    for (let minute = 0; minute < 3; minute += 1) await market.mineMinute()
    await ingested()
    const { n } = (await stores.log.tail())!
    await market.revert(before)
    for (let minute = 0; minute < 4; minute += 1) await market.mineMinute(15)
    expect(await ingested()).toContain('rewound')
    const entries = []
    for await (const entry of stores.log.entriesAfter(n)) entries.push(entry)
    expect(entries[0]).toMatchObject({ is: 'rewound' })
    expect(n - first).toBeGreaterThanOrEqual(2)
    expect(entries[0]).toHaveProperty('orphaned.length', n - first)
    await asFromZero()
    if (!isWhole) return
    // The same depth again, by a writer that starts later.
    await market.rollback(8)
    for (let minute = 0; minute < 4; minute += 1) await market.mineMinute(12)
    expect(await untilIdle(startWriter(stores, market.rpcUrl))).toContain('rewound')
    await asFromZero()
  })

  test.runIf(isWhole)('to empty blocks of equal times rolls back what they no longer hold', async () => {
    await beginMinute()
    await market.mineMinute()
    for (const trades of [2, 1]) await market.mine(5, trades)
    await ingested()
    const swaps = (await market.trades()).length
    await market.reorg(4)
    expect((await market.trades()).length).toBeLessThan(swaps)
    await ingested()
    for (let block = 0; block < 4; block += 1) await market.mine(20)
    await ingested()
    await asFromZero()
  })
})
