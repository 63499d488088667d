/** Writes the log's entries into the tables: by any process, in log order or not. */

import type { LogEntry, SealedEntry } from '../../market/log.ts'
import type { Minute, Segment } from '../../market/segment.ts'
import { mapParallel } from '../../store/aws/parallel.ts'
import { tellProgress } from '../../store/aws/progress.ts'
import { type Item, isExpired, type Ledger } from '../../store/aws/table.ts'
import { itemsOf, itemsOfRewind } from '../../store/items/projection.ts'
import type { LogStore } from '../../store/log/log.ts'
import { itemsOfPastSpans } from './past-spans.ts'

const PARALLEL_READS = 16
/** Parallel puts. */
const PARALLEL_PUTS = 64

/** A committed minute; `previous` is the last minute before it. */
export type Committed = {
  readonly entry: SealedEntry
  readonly segment: Segment
  readonly previous: Minute | null
}

/**
 * Writes an entry's items, each guarded by the entry's number, then moves APPLIED to it. For a rewind APPLIED is lowered
 * first, so that no reader sees a minute while it is rolled back. Any process may materialize any entry at any time,
 * repeatedly or late: a put that lost to a newer entry is skipped. `previous` is the last minute before the entry.
 */
export async function materializeEntry(
  log: LogStore,
  entry: LogEntry,
  previous: Minute | null,
): Promise<void> {
  const { n, minute, last } = entry
  if (entry.is === 'rewound') {
    // A6
    await log.putApplied({ n, minute, last, isLowered: true })
    await log.readersGone()
  }
  // A3: each put is guarded by the entry's number.
  await putAll(log.ledger, positioned(entry, await itemsOfEntry(log, entry, previous)))
  // A2
  await log.putApplied({ n, minute, last, isLowered: false })
}

/** All items of an entry, `previous` as in `materializeEntry`; without rows and items of past spans that have expired by `now`. */
export async function itemsOfEntry(
  log: LogStore,
  entry: LogEntry,
  previous: Minute | null,
  now = 0,
): Promise<readonly Item[]> {
  if (entry.is === 'sealed') {
    const items = itemsOf(await log.readSegment(entry.segment), now)
    return [...items, ...(await itemsOfPastSpans(log, entry, previous, { now }))]
  }
  return itemsOfRewind(await mapParallel(entry.orphaned, PARALLEL_READS, log.readSegment))
}

/**
 * Materializes every entry of the log that is not applied yet and returns the last one, the tail to continue from.
 * Entries added meanwhile are not included, since their rows may be incomplete; a caller that continues from here loses
 * to them.
 */
export async function catchUp(log: LogStore): Promise<LogEntry | undefined> {
  // A8
  const applied = await log.applied()
  const done = applied ? applied.n - (applied.isLowered ? 1 : 0) : 0
  let last: LogEntry | undefined
  for await (const entry of log.entriesAfter(Math.max(0, done - 1))) {
    if (entry.n > done) await materializeEntry(log, entry, last?.minute ?? null)
    last = entry
  }
  return last
}

/** Rows and balances materialized together: an item changed by several minutes is put once. */
const ROWS_AT_ONCE = 10_000
/** Rows that may wait in memory; after a crash another writer has to materialize them. */
const WAITING_MAX = 2 * ROWS_AT_ONCE
/** Minutes older than this many seconds are batched, but for at most this many ms, so that progress stays visible. */
const OLD_SECONDS = 3_600
const WAITING_MS = 30_000

const rowsOf = ({ segment: { rows, balances } }: Committed): number => 1 + rows.length + balances.length

/** Materializes committed minutes in the background, in order, batching them when they accumulate. */
export type Materializer = {
  /**
   * Adds a minute; waits if too many are queued. `now`: Unix seconds; items expired by then are not put. Throws the
   * failure of earlier ones.
   */
  add(committed: Committed, now: number): Promise<void>
  /** Waits until all are applied. Throws their failure. */
  drain(): Promise<void>
}

/** `onDone` is called with applied minutes, oldest first. */
export function openMaterializer(
  log: LogStore,
  onDone: (minutes: readonly Committed[]) => void,
): Materializer {
  const waiting: Committed[] = []
  let [rows, seconds] = [0, 0]
  let startedAt = performance.now()
  let running: Promise<void> | undefined
  let failed: { readonly error: unknown } | undefined

  const materialize = async (minutes: readonly Committed[]): Promise<void> => {
    const { entry } = minutes.at(-1) ?? {}
    await putAll(log.ledger, await itemsOfMinutes(log, minutes, seconds))
    if (entry) await log.putApplied({ n: entry.n, minute: entry.minute, last: entry.last, isLowered: false })
    onDone(minutes)
  }
  const run = async (): Promise<void> => {
    try {
      while (waiting.length > 0) await materialize(take())
    } catch (error) {
      failed = { error }
    }
    // Set here, since minutes added from now on need another run.
    running = undefined
  }
  const take = (): readonly Committed[] => {
    let taken = 0
    const last = waiting.findIndex((each) => {
      taken += rowsOf(each)
      return taken >= ROWS_AT_ONCE
    })
    rows -= taken
    return waiting.splice(0, last < 0 ? waiting.length : last + 1)
  }
  const start = (): void => {
    if (running || failed || waiting.length === 0) return
    startedAt = performance.now()
    running = run()
  }
  const drain = async (): Promise<void> => {
    start()
    await running
    if (failed) throw failed.error
  }
  return {
    async add(committed, now) {
      waiting.push(committed)
      rows += rowsOf(committed)
      seconds = now
      const isOld = now - committed.segment.minute * 60 > OLD_SECONDS
      const isLate = performance.now() - startedAt >= WAITING_MS
      if (!isOld || isLate || rows >= ROWS_AT_ONCE) start()
      if (failed || rows > WAITING_MAX) await drain()
    },
    drain,
  }
}

/** Each item once, as after the last of the minutes that change it, without expired items. */
async function itemsOfMinutes(
  log: LogStore,
  minutes: readonly Committed[],
  now: number,
): Promise<readonly Positioned[]> {
  const items = new Map<string, Positioned>()
  for (const { entry, segment, previous } of minutes) {
    const ofPast = await itemsOfPastSpans(log, entry, previous, { now, minutes })
    for (const item of positioned(entry, [...itemsOf(segment, now), ...ofPast])) {
      if (!isExpired(item, now)) items.set(`${item.pk} ${item.sk}`, item)
    }
  }
  return [...items.values()]
}

/** An item with its entry's number, put unless a newer entry has put its own. */
type Positioned = Item & { readonly pos: number }

const positioned = ({ n }: LogEntry, items: readonly Item[]): readonly Positioned[] =>
  items.map((item) => ({ ...item, pos: n }))

async function putAll(ledger: Ledger, items: readonly Positioned[]): Promise<void> {
  let done = 0
  await mapParallel(items, PARALLEL_PUTS, async (item) => {
    await ledger.put(item, { olderThan: item.pos })
    done += 1
    tellProgress('writing the tables', done, items.length)
  })
}
