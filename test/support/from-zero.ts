/** Stores that went through something, against stores that read the same chain from its first block in one go. */
import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import type { FeedEntry } from '../../market/feed-entry.ts'
import type { Swap } from '../../market/segment.ts'
import type { Warm } from '../../snapshot/rebuild.ts'
import { spanAt } from '../../store/items/price-grains.ts'
import { spanOf } from '../protocol/stores.ts'
import {
  documentsOf,
  feedOf,
  type IngestStores,
  memoryStores,
  startWriter,
  untilIdle,
  visible,
} from './aws/ingest-stores.ts'
import type { DevnetMarket } from './chain/devnet-market.ts'

/**
 * Everything that readers find is as from zero: documents byte by byte, items, the place of APPLIED, and the feed after its
 * retractions, which moreover has exactly the trades that the chain's own logs tell. `warm` goes on from rebuild to rebuild.
 */
export async function expectAsFromZero(
  stores: IngestStores,
  market: Pick<DevnetMarket, 'rpcUrl' | 'begin' | 'trades'>,
  warm?: Warm,
): Promise<void> {
  const anew = memoryStores()
  await untilIdle(startWriter(anew, market.rpcUrl))
  const { minute, last } = (await anew.log.applied())!
  expect(await stores.log.applied()).toMatchObject({ minute, last, isLowered: false })
  const documents = await documentsOf(anew)
  expect(Object.keys(documents).length).toBeGreaterThan(20)
  expect(await documentsOf(stores, warm)).toEqual(documents)
  expect(await readSpans(stores)).toEqual(await readSpans(anew))
  const swaps = currentSwaps(await feedOf(stores))
  const ours = swaps.filter(({ blockNumber }) => blockNumber >= market.begin)
  expect(ours.map(({ blockNumber, logIndex }) => ({ blockNumber, logIndex }))).toEqual(await market.trades())
  const expected = currentSwaps(await feedOf(anew))
  // The differing ones alone: a difference of thousands is cut where it is printed.
  const differs = (swap: Swap, at: number) =>
    !isDeepStrictEqual(swap, (swap === swaps[at] ? expected : swaps)[at])
  expect(swaps.filter(differs)).toEqual(expected.filter(differs))
  const launches = currentLaunches(await feedOf(anew))
  expect(launches.length).toBeGreaterThan(0)
  expect(currentLaunches(await feedOf(stores))).toEqual(launches)
}

type FeedBlock = Extract<FeedEntry, { readonly is: 'block' }>

/** Blocks in force at the end of the feed, in its order. Checks that they ascend, and that each retraction is of a block in force. */
function currentBlocks(entries: readonly FeedEntry[]): readonly FeedBlock[] {
  const blocks = new Map<string, FeedBlock>()
  for (const [index, entry] of entries.entries()) {
    expect(entry.seq).toBe(index + 1)
    expect(blocks.has(entry.block.hash)).toBe(entry.is === 'retract')
    const newest = [...blocks.values()].at(-1)?.block.number ?? -1
    if (entry.is === 'block') expect(entry.block.number).toBeGreaterThan(newest)
    if (entry.is === 'block') blocks.set(entry.block.hash, entry)
    else blocks.delete(entry.block.hash)
  }
  return [...blocks.values()]
}

/** Swaps in force at the end of the feed. */
export const currentSwaps = (entries: readonly FeedEntry[]): readonly Swap[] =>
  currentBlocks(entries).flatMap(({ swaps }) => swaps)

/** Launches in force at the end of the feed, each by its block and token. */
const currentLaunches = (entries: readonly FeedEntry[]): readonly string[] =>
  currentBlocks(entries).flatMap(({ block, launches = [] }) =>
    launches.map(({ address }) => `${block.number} ${block.hash} ${address}`),
  )

/** Of hours and days only those that are over are read. */
async function readSpans(stores: IngestStores): Promise<Record<string, string>> {
  const { minute } = (await stores.log.applied())!
  return visible(stores, (item) => {
    const span = spanOf(item)
    return span === null || span.at < spanAt(span.name, minute ?? 0)
  })
}

/** Places of the swaps that stand, in the order of the feed. */
export const standingPlaces = async (stores: IngestStores): Promise<readonly string[]> =>
  currentSwaps(await feedOf(stores)).map(({ blockNumber, logIndex }) => `${blockNumber}.${logIndex}`)
