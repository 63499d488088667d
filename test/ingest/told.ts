/** What a run of ingest left in its stores: the log, what it means for the tables, and the feed. */
import type { FeedEntry } from '../../market/feed-entry.ts'
import type { Block, Hash, Swap } from '../../market/segment.ts'
import { allOf } from '../../store/aws/parallel.ts'
import type { Item } from '../../store/aws/table.ts'
import { swapsBytes } from '../../store/bytes/codec.ts'
import type { IngestStores } from '../support/aws/ingest-stores.ts'
import type { GeneratedChain } from '../support/chain/generated-chain.ts'

/** A block of a generated chain. */
export const blockAt = (chain: GeneratedChain, number: number): Block => ({
  number,
  hash: chain.hashOf(number) as Hash,
  timestamp: chain.timestampOf(number),
})

/** The stores' content without the feed's names, which are those of the minutes at hand; `swapOf` changes each swap before it is compared. */
export async function told(stores: IngestStores, swapOf: (swap: Swap) => Swap = (swap) => swap) {
  const log = await allOf(stores.log.entriesAfter(0))
  const entries = await Promise.all(
    log.map(async (entry) => {
      if (entry.is === 'rewound') return entry
      const segment = await stores.log.readSegment(entry.segment)
      return { ...entry, segment: { ...segment, swaps: segment.swaps.map(swapOf) } }
    }),
  )
  const items = (await stores.items()).filter(({ pk, sk }) => !/^(LOG|FP?#)/.test(pk) && sk !== 'FEED')
  const rows = new Map(items.map((item) => [`${item.pk} ${item.sk}`, itemWith(swapOf)(item)]))
  const published = await allOf(stores.feed.after(0))
  const feed = published.map(({ names: _, ...entry }: FeedEntry & { names?: unknown }) =>
    entry.is === 'block' ? { ...entry, swaps: entry.swaps.map(swapOf) } : entry,
  )
  return { entries, rows, feed }
}

/** An item whose swaps are changed. */
export const itemWith =
  (swapOf: (swap: Swap) => Swap) =>
  ({ swaps, ...item }: Item): Item =>
    swaps instanceof Uint8Array
      ? { ...item, swaps: swapsBytes.write(swapsBytes.read(swaps).map(swapOf)) }
      : { ...item, ...(swaps !== undefined && { swaps }) }
