/** A copy of a log: the start of a log that other rules continue. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Minute } from '../../market/segment.ts'
import type { Bucket } from '../aws/bucket.ts'
import { mapParallel } from '../aws/parallel.ts'
import type { Item, ScannedTable } from '../aws/table.ts'
import { holdingOf, objectPrefixes } from '../aws/tables.ts'
import { type LogStore, openLog } from './log.ts'
import { bucketOfLog, FIRST_LOG, inLog, LOG_MARK } from './logs.ts'

/** Partitions that are not copied: of the register, the feed, what was published, and what a publisher makes. */
const shared = ['SYS', 'LOGS', 'PUBLISHERS', 'F#', 'FP#', 'Z#', 'DOC#'] as const
const PARALLEL_PUTS = 64
/** Items put together. */
const BATCH = 2_048
/** Before a lowered APPLIED is read again. */
const LOWERED_MS = 500

/** What is copied, and where to. */
export type Copying = {
  readonly table: ScannedTable
  readonly segments: Bucket
  readonly from: string
  /** Rows and hours after this minute are left out: they are rolled back, and folded again. */
  readonly keptTo: Minute
  /** A name that no other process uses: a copy that was interrupted is never continued. */
  readonly to: string
  /** Called now and then with the number of items put so far. */
  readonly onItems?: (count: number) => void
}

/** What a log has of a minute or an hour, by the beginnings of its partition and its sort key: that is most of its items. */
const ofTimes = [
  { pk: 'T#', sk: /^[CS]#(\d+)/, minutes: 1 },
  { pk: 'R#', sk: /^(\d{8})$/, minutes: 1 },
  { pk: 'T#', sk: /^[HQKV]\d+#(\d+)/, minutes: 60 },
  { pk: 'R#', sk: /^H\d+#(\d+)/, minutes: 60 },
  { pk: 'W#', sk: /^(\d{6})#/, minutes: 60 },
] as const

/** Whether rolling a log back to a minute voids an item, whose value before it is then of no use. */
function isRefolded({ pk, sk }: Item, keptTo: Minute): boolean {
  return ofTimes.some((kind) => {
    const at = pk.startsWith(kind.pk) ? kind.sk.exec(sk)?.[1] : undefined
    return at !== undefined && Number(at) * kind.minutes > keptTo
  })
}

/**
 * Copies a log and its items while its own writer goes on. The copy is left as by a writer that ended while it
 * materialized: each item is of APPLIED or of a later entry, and all those entries are there, so whoever opens the copy
 * materializes them again. Returns the copy.
 */
export async function copyLog({
  table,
  segments,
  from,
  keptTo,
  to,
  onItems = () => {},
}: Copying): Promise<LogStore> {
  const source = openLog(inLog(table, from), segments)
  const copy = openLog(inLog(table, to), segments)
  // Before the items: all entries up to it are in them.
  const applied = await settledApplied(source)
  if (applied) await copy.putApplied(applied)
  let count = 0
  let batch: Item[] = []
  const flush = async () => {
    await mapParallel(batch, PARALLEL_PUTS, (item) => inLog(table, to).put(item, 'absent'))
    count += batch.length
    batch = []
    onItems(count)
  }
  for await (const item of table.scan()) {
    const inner = innerItem(item, from)
    if (!inner || shared.some((partition) => inner.pk.startsWith(partition))) continue
    if (isRefolded(inner, keptTo)) continue
    batch.push(inner)
    // Logs of rules from before have balances by token only; of two equal puts one counts.
    if (inner.pk.startsWith('B#')) batch.push(holdingOf(inner))
    if (batch.length >= BATCH) await flush()
  }
  await flush()
  // After the items: no item is of a later entry than the last one.
  for await (const entry of source.entriesAfter(Math.max(0, (applied?.n ?? 0) - 1))) await copy.append(entry)
  await copyRecords(bucketOfLog(segments, from), bucketOfLog(segments, to))
  return copy
}

/** APPLIED, once no rollback is in progress: a lowered one names a minute whose items may be half rolled back. */
async function settledApplied(log: LogStore) {
  for (;;) {
    const applied = await log.applied()
    if (!applied?.isLowered) return applied
    await sleep(LOWERED_MS)
  }
}

/** An item of a log without its name; undefined: it is another log's. */
function innerItem(item: Item, log: string): Item | undefined {
  if (log === FIRST_LOG) return item.pk.startsWith(LOG_MARK) ? undefined : item
  const prefix = `${log}#`
  return item.pk.startsWith(prefix) ? { ...item, pk: item.pk.slice(prefix.length) } : undefined
}

/** Copies the records of the index, from which an engine starts. */
async function copyRecords(from: Bucket, to: Bucket): Promise<void> {
  const keys: string[] = []
  for await (const { key } of from.list(objectPrefixes.index)) keys.push(key)
  await mapParallel(keys, PARALLEL_PUTS, async (key) => {
    const object = await from.read(key)
    if (object) await to.put(key, object.bytes, { contentType: 'application/octet-stream' })
  })
}
