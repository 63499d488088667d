import type { FeedEntry, TokenName } from '../../market/feed-entry.ts'
import type { Address, Hash, Swap } from '../../market/segment.ts'
import { RECENT_SWAPS, REPLAY_SECONDS } from '../../schemas/values/stream-times.ts'
import type { Item, ItemSpan, Table } from '../aws/table.ts'
import { FEED_PARTITION, FORMAT_VERSION, keptSeconds, marketKeys, sha256Of } from '../aws/tables.ts'
import { feedEntryBytes } from '../bytes/codec.ts'
import { assertReadableItem } from '../bytes/format.ts'

/**
 * The live feed: entries in one order for all readers, kept for `keptSeconds.feed`. Numbers are dense from 1, except that a few are
 * skipped after a pause of that length.
 */
export type Feed = {
  /** The newest entry's seq; 0: none yet. */
  tail(): Promise<number>
  /** Puts the entry if its seq is free. True: this very entry is stored there now, whoever put it. */
  append(entry: FeedEntry): Promise<boolean>
  /** The entry of a seq; undefined: none, or expired. */
  read(seq: number): Promise<FeedEntry | undefined>
  /** Entries after seq, oldest first, up to `limit` or the newest. Skips entries older than `keptSeconds.feed`. */
  after(seq: number, limit?: number): AsyncGenerator<FeedEntry>
  /** Entries before seq, newest first, back to the oldest kept. */
  before(seq: number): AsyncGenerator<FeedEntry>
}

/** A writer moves the hint of the feed's end with its first entry, and after so many more; a search for the newest starts there. */
const TAIL_EVERY = 10

/** Opens the feed of the Market table. `clock` gives Unix seconds. */
export function openFeed(table: Table, clock: () => number = () => Date.now() / 1_000): Feed {
  /** The newest entry that updated the hint. It outlives the entry, so that the numbering continues after a pause. */
  const hint = async (): Promise<number> => Number((await table.read(marketKeys.feedTail))?.['pos'] ?? 0)
  /** Where this writer has put the hint. */
  let hinted = -TAIL_EVERY

  async function* after(seq: number, limit = Number.POSITIVE_INFINITY): AsyncGenerator<FeedEntry> {
    let [last, left] = [seq, limit]
    for (;;) {
      const before = last
      const { pk, sk: from } = marketKeys.feedEntry(last + 1)
      for await (const entry of entriesIn(table, { pk, from, limit: left })) {
        last = entry.seq
        left -= 1
        yield entry
      }
      if (left <= 0) return
      if (last > before && isEndOfPartition(last)) continue
      // No more entries: the end, unless all entries here have expired.
      if (last > before || (await hint()) <= last) return
      last = endOfPartition(last + 1)
    }
  }

  return {
    after,
    async read(seq) {
      const { pk, sk } = marketKeys.feedEntry(seq)
      for await (const entry of entriesIn(table, { pk, from: sk, to: sk })) return entry
      return undefined
    },
    async tail() {
      const last = await hint()
      // If all have expired, skip the numbers that the next few entries may have had.
      let newest = last === 0 ? 0 : last + TAIL_EVERY - 1
      for await (const entry of after(Math.max(0, last - 1))) newest = entry.seq
      return newest
    },
    async append(entry) {
      const { item, rest } = itemsOfEntry(entry, Math.floor(clock()) + keptSeconds.feed)
      for (const part of rest) await table.put(part, 'absent')
      // F1
      const isOurs = (await table.put(item, 'absent')) || isSame(await table.read(item), item)
      if (isOurs && entry.seq >= hinted + TAIL_EVERY) {
        await table.put({ ...marketKeys.feedTail, pos: entry.seq }, { olderThan: entry.seq })
        hinted = entry.seq
      }
      return isOurs
    },
    async *before(seq) {
      for (let end = seq - 1; end > 0; end = startOfPartition(end) - 1) {
        let oldest = end + 1
        const { pk, sk: to } = marketKeys.feedEntry(end)
        for await (const entry of entriesIn(table, { pk, to, isDescending: true })) {
          oldest = entry.seq
          yield entry
        }
        // The older part of the partition has expired, and so has everything before it.
        if (oldest > Math.max(1, startOfPartition(end))) return
      }
    },
  }
}

const startOfPartition = (seq: number): number => seq - (seq % FEED_PARTITION)
const endOfPartition = (seq: number): number => startOfPartition(seq) + FEED_PARTITION - 1
const isEndOfPartition = (seq: number): boolean => seq === endOfPartition(seq)

/** DynamoDB's limit of 400 KB is about 3,000 swaps: more than today's blocks hold. */
const ENTRY_BYTES = 380_000

/**
 * The item of an entry and, if it is too large, the items with the rest. The rest is stored under the digest of its
 * bytes and put first: different entries never share it, and a stored entry is always complete. Expiry counts from the
 * put, not from the block's time, so that a feed replaying an old chain can be read.
 */
function itemsOfEntry(entry: FeedEntry, ttl: number): { item: Item; rest: readonly Item[] } {
  const bytes = feedEntryBytes.write(entry)
  const item = {
    ...marketKeys.feedEntry(entry.seq),
    v: FORMAT_VERSION,
    entry: bytes.subarray(0, ENTRY_BYTES),
    ttl,
  }
  if (bytes.length <= ENTRY_BYTES) return { item, rest: [] }
  const digest = sha256Of(bytes)
  const rest = Array.from({ length: Math.ceil(bytes.length / ENTRY_BYTES) - 1 }, (_, at) => ({
    ...marketKeys.feedPart(digest, at),
    part: bytes.subarray((at + 1) * ENTRY_BYTES, (at + 2) * ENTRY_BYTES),
    ttl,
  }))
  return { item: { ...item, rest: digest }, rest }
}

async function* entriesIn(table: Table, span: ItemSpan): AsyncGenerator<FeedEntry> {
  for await (const item of table.query(span)) {
    assertReadableItem(item)
    const parts = [item['entry'] as Uint8Array]
    if (item['rest']) {
      const { pk } = marketKeys.feedPart(String(item['rest']), 0)
      for await (const { part } of table.query({ pk })) parts.push(part as Uint8Array)
    }
    yield feedEntryBytes.read(Buffer.concat(parts))
  }
}

const isSame = (current: Item | undefined, item: Item): boolean =>
  current !== undefined &&
  current['rest'] === item['rest'] &&
  Buffer.compare(current['entry'] as Uint8Array, item['entry'] as Uint8Array) === 0

/** Extra swaps in memory, so that older ones can take the place of retracted ones. */
const KEPT_SWAPS = 2 * RECENT_SWAPS

/** The newest swaps of the live feed without retracted ones, newest first. */
export type RecentSwaps = { read(): Promise<NewestSwaps> }

/** `names`: names of tokens that may not be stored yet, from the feed's entries. */
type NewestSwaps = { readonly swaps: readonly Swap[]; readonly names: ReadonlyMap<Address, TokenName> }

type BlockSwaps = { readonly swaps: readonly Swap[]; readonly names: readonly TokenName[] }

/**
 * Follows the feed between reads: the first read goes back as far as recent swaps do, later ones read what is new; the
 * result is the same. Concurrent reads share one. `clock` gives Unix seconds.
 */
export function openRecentSwaps(
  feed: Pick<Feed, 'tail' | 'after' | 'before'>,
  clock: () => number = () => Date.now() / 1_000,
): RecentSwaps {
  let seq: number | null = null
  const blocks = new Map<Hash, BlockSwaps>()
  let pending: Promise<NewestSwaps> | null = null

  const apply = (entry: FeedEntry) => {
    seq = entry.seq
    if (entry.is === 'retract') blocks.delete(entry.block.hash)
    else blocks.set(entry.block.hash, { swaps: entry.swaps, names: entry.names ?? [] })
  }

  const advance = async (): Promise<NewestSwaps> => {
    const from = clock() - REPLAY_SECONDS
    if (seq === null) {
      const tail = await feed.tail()
      for (const entry of await newestEntries(feed, { tail, from })) apply(entry)
      seq = tail
    }
    for await (const entry of feed.after(seq)) apply(entry)
    const newest = [...blocks.values()].flatMap(({ swaps }) => swaps).sort(byPlace)
    const oldestKept = newest[KEPT_SWAPS]?.blockNumber ?? 0
    for (const [hash, { swaps }] of blocks) {
      if (swaps.every(({ blockNumber }) => blockNumber < oldestKept)) blocks.delete(hash)
    }
    const swaps = newest.filter(({ timestamp }) => timestamp >= from).slice(0, RECENT_SWAPS)
    const names = [...blocks.values()].flatMap((block) => block.names)
    return { swaps, names: new Map(names.map((token) => [token.address, token])) }
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

/** The newest entries with RECENT_SWAPS unretracted swaps, or all entries since `from`, oldest first. */
async function newestEntries(
  feed: Pick<Feed, 'before'>,
  { tail, from }: { readonly tail: number; readonly from: number },
): Promise<readonly FeedEntry[]> {
  const entries: FeedEntry[] = []
  const retracted = new Set<Hash>()
  let count = 0
  for await (const entry of feed.before(tail + 1)) {
    entries.push(entry)
    if (entry.is === 'retract') retracted.add(entry.block.hash)
    else if (!retracted.has(entry.block.hash)) count += entry.swaps.length
    if (count >= RECENT_SWAPS || entry.block.timestamp < from) break
  }
  return entries.reverse()
}

/** Newest first. */
const byPlace = (a: Swap, b: Swap): number => b.blockNumber - a.blockNumber || b.logIndex - a.logIndex
