import type { FeedEntry, Hash, Swap } from '../market/segment.ts'
import type { Feed } from './feed.ts'

/** Swaps of the live feed that are kept at hand: the horizon of what recent swaps are. */
export const RECENT_SWAPS = 10_000

/** The newest swaps of the live feed, retracted ones left out, newest first. */
export type RecentSwaps = { read(): Promise<readonly Swap[]> }

/**
 * Follows the feed from one read to the next: the first read goes back over the horizon, each later one reads what is new.
 * Two reads at once share one.
 */
export function openRecentSwaps(feed: Pick<Feed, 'tail' | 'after' | 'before'>): RecentSwaps {
  let seq: number | null = null
  let blocks = new Map<Hash, readonly Swap[]>()
  let pending: Promise<readonly Swap[]> | null = null

  const apply = (entry: FeedEntry) => {
    seq = entry.seq
    if (entry.is === 'retract') blocks.delete(entry.block.hash)
    else blocks.set(entry.block.hash, entry.swaps)
  }

  const advance = async (): Promise<readonly Swap[]> => {
    if (seq === null) {
      const tail = await feed.tail()
      for (const entry of await newestEntries(feed, tail)) apply(entry)
      seq = tail
    }
    for await (const entry of feed.after(seq)) apply(entry)
    const swaps = [...blocks.values()].flat().sort(byPlace)
    const oldest = swaps[RECENT_SWAPS - 1]?.blockNumber
    if (oldest !== undefined) {
      blocks = new Map([...blocks].filter(([, [swap]]) => swap !== undefined && swap.blockNumber >= oldest))
    }
    return swaps.slice(0, RECENT_SWAPS)
  }

  return {
    read() {
      pending ??= advance().finally(() => {
        pending = null
      })
      return pending
    },
  }
}

/** The newest entries that hold RECENT_SWAPS swaps, oldest first. */
async function newestEntries(feed: Pick<Feed, 'before'>, tail: number): Promise<readonly FeedEntry[]> {
  const entries: FeedEntry[] = []
  let count = 0
  for await (const entry of feed.before(tail + 1)) {
    entries.push(entry)
    if (entry.is === 'block') count += entry.swaps.length
    if (count >= RECENT_SWAPS) break
  }
  return entries.reverse()
}

/** Newest first: descending place in the chain. */
const byPlace = (a: Swap, b: Swap): number => b.blockNumber - a.blockNumber || b.logIndex - a.logIndex
