import type { Address, FeedEntry, Hash, Swap, TokenName } from '../market/segment.ts'
import type { Feed } from './feed.ts'

/** Swaps of the live feed that are kept at hand: the horizon of what recent swaps are. */
export const RECENT_SWAPS = 10_000

/** The newest swaps of the live feed, retracted ones left out, newest first. */
export type RecentSwaps = { read(): Promise<NewestSwaps> }

/** `names`: of tokens that may not be stored yet, as the feed told them with their swaps. */
export type NewestSwaps = {
  readonly swaps: readonly Swap[]
  readonly names: ReadonlyMap<Address, TokenName>
}

type Told = { readonly swaps: readonly Swap[]; readonly names: readonly TokenName[] }

/**
 * Follows the feed from one read to the next: the first read goes back over the horizon, each later one reads what is new.
 * Two reads at once share one.
 */
export function openRecentSwaps(feed: Pick<Feed, 'tail' | 'after' | 'before'>): RecentSwaps {
  let seq: number | null = null
  let blocks = new Map<Hash, Told>()
  let pending: Promise<NewestSwaps> | null = null

  const apply = (entry: FeedEntry) => {
    seq = entry.seq
    if (entry.is === 'retract') blocks.delete(entry.block.hash)
    else blocks.set(entry.block.hash, { swaps: entry.swaps, names: entry.names ?? [] })
  }

  const advance = async (): Promise<NewestSwaps> => {
    if (seq === null) {
      const tail = await feed.tail()
      for (const entry of await newestEntries(feed, tail)) apply(entry)
      seq = tail
    }
    for await (const entry of feed.after(seq)) apply(entry)
    const swaps = [...blocks.values()].flatMap((told) => told.swaps).sort(byPlace)
    const oldest = swaps[RECENT_SWAPS - 1]?.blockNumber
    if (oldest !== undefined) {
      blocks = new Map(
        [...blocks].filter(
          ([
            ,
            {
              swaps: [swap],
            },
          ]) => swap && swap.blockNumber >= oldest,
        ),
      )
    }
    const names = [...blocks.values()].flatMap((told) => told.names)
    return {
      swaps: swaps.slice(0, RECENT_SWAPS),
      names: new Map(names.map((token) => [token.address, token])),
    }
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
