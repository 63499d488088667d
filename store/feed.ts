import type { FeedEntry } from '../market/segment.ts'
import { feedEntryBytes, feedEntryFrom } from './codec.ts'
import type { Item, Table } from './table.ts'
import { FEED_PARTITION, keptSeconds, marketKeys } from './tables.ts'

/** The live feed: entries in one order for all readers, dense from 1, kept for 25 h. */
export type Feed = {
  /** The newest entry's seq; 0: there was never one. */
  tail(): Promise<number>
  /** Puts the entry if its seq is free. true: this very entry stands there now, whoever put it. */
  append(entry: FeedEntry): Promise<boolean>
  /** Entries after seq, oldest first, up to the newest. Entries older than 25 h are passed over. */
  after(seq: number): AsyncGenerator<FeedEntry>
  /** Entries before seq, newest first, back to the oldest that is kept. */
  before(seq: number): AsyncGenerator<FeedEntry>
}

/** Opens the feed of the Market table. `clock` gives Unix seconds. */
export function openFeed(table: Table, clock: () => number = () => Date.now() / 1_000): Feed {
  const entriesFrom = (seq: number) =>
    table.query({ pk: marketKeys.feedEntry(seq).pk, from: marketKeys.feedEntry(seq).sk })

  /** Where the newest entry was last said to be; it outlives the entry, so that a feed at rest goes on where it was. */
  const hint = async (): Promise<number> => Number((await table.read(marketKeys.feedTail))?.['pos'] ?? 0)

  async function* after(seq: number): AsyncGenerator<FeedEntry> {
    let last = seq
    for (;;) {
      const before = last
      for await (const item of entriesFrom(last + 1)) {
        const entry = entryFrom(item)
        last = entry.seq
        yield entry
      }
      if (last > before && isEndOfPartition(last)) continue
      // Nothing more here: it is the end, unless all that stood here has expired.
      if (last > before || (await hint()) <= last) return
      last = endOfPartition(last + 1)
    }
  }

  return {
    after,
    async tail() {
      let newest = await hint()
      for await (const item of entriesFrom(newest + 1)) newest = entryFrom(item).seq
      return newest
    },
    async append(entry) {
      const item = itemOf(entry, clock())
      const isOurs = (await table.put(item, 'absent')) || isSame(await table.read(item), item)
      if (isOurs) await table.put({ ...marketKeys.feedTail, pos: entry.seq }, { olderThan: entry.seq })
      return isOurs
    },
    async *before(seq) {
      for (let end = seq - 1; end > 0; end = startOfPartition(end) - 1) {
        let oldest = end + 1
        const { pk, sk: to } = marketKeys.feedEntry(end)
        for await (const item of table.query({ pk, to, isDescending: true })) {
          const entry = entryFrom(item)
          oldest = entry.seq
          yield entry
        }
        // The older part of the partition has expired, and so has all before it.
        if (oldest > Math.max(1, startOfPartition(end))) return
      }
    },
  }
}

const startOfPartition = (seq: number): number => seq - (seq % FEED_PARTITION)
const endOfPartition = (seq: number): number => startOfPartition(seq) + FEED_PARTITION - 1
const isEndOfPartition = (seq: number): boolean => seq === endOfPartition(seq)

/** Kept from when it was put, not from its block's time: a feed that replays an old chain can be read as well. */
const itemOf = (entry: FeedEntry, nowSeconds: number): Item => ({
  ...marketKeys.feedEntry(entry.seq),
  entry: feedEntryBytes(entry),
  ttl: Math.floor(nowSeconds) + keptSeconds.feed,
})

const entryFrom = (item: Item): FeedEntry => feedEntryFrom(item['entry'] as Uint8Array)

const isSame = (standing: Item | undefined, item: Item): boolean =>
  standing !== undefined && Buffer.compare(standing['entry'] as Uint8Array, item['entry'] as Uint8Array) === 0
