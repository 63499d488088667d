/** Writes what the log says into the tables: items of tokens, by any process, in the order of the log or out of it. */

import type { SealedEntry } from '../market/log.ts'
import type { LogEntry, Minute, Segment, SegmentReference } from '../market/segment.ts'
import { hourOfMinute } from '../market/window.ts'
import { effectiveBackwards, type LogStore } from '../store/log.ts'
import { mapParallel } from '../store/parallel.ts'
import { isHourExpired, itemsOfHour, marksOfHours } from '../store/price-hours.ts'
import { itemsOf, itemsOfRewind } from '../store/projection.ts'
import { type Item, isExpired, type Ledger } from '../store/table.ts'

const PARALLEL_READS = 16
/** Puts that are under way at once. */
const PARALLEL_PUTS = 64

/** A minute that is in the log; `previous` is the one that was last before it. */
export type Committed = {
  readonly entry: SealedEntry
  readonly segment: Segment
  readonly previous: Minute | null
}

/**
 * Writes what an entry means into the per-token items, each guarded by the entry's number, then moves APPLIED to it.
 * A rewind lowers APPLIED first, so that no reader sees a minute while it is rolled back. Any process may materialize any
 * entry at any time, again or too late: a put that lost to a newer entry is passed over. `previous` is the minute that
 * was last before the entry.
 */
export async function materializeEntry(
  log: LogStore,
  entry: LogEntry,
  previous: Minute | null,
): Promise<void> {
  const { n, minute, last } = entry
  if (entry.is === 'rewound') {
    await log.putApplied({ n, minute, last, isLowered: true })
    await log.readersGone()
  }
  await putAll(log.ledger, positioned(entry, await itemsOfEntry(log, entry, previous)))
  await log.putApplied({ n, minute, last, isLowered: false })
}

/** Every item that an entry means, `previous` as of `materializeEntry`; of past hours none that expired by `now`. */
export async function itemsOfEntry(
  log: LogStore,
  entry: LogEntry,
  previous: Minute | null,
  now = 0,
): Promise<readonly Item[]> {
  if (entry.is === 'sealed') {
    const items = itemsOf(await log.readSegment(entry.segment))
    return [...items, ...(await itemsOfPastHours(log, entry, previous, { now }))]
  }
  return itemsOfRewind(await mapParallel(entry.orphaned, PARALLEL_READS, log.readSegment))
}

/**
 * Materializes every entry that is in the log and not yet applied, and gives the last that is: the tail to go on from. An entry
 * that came in meanwhile is not it, for its rows may be half written; who goes on from here loses to it.
 */
export async function catchUp(log: LogStore): Promise<LogEntry | undefined> {
  const applied = await log.applied()
  const done = applied ? applied.n - (applied.isLowered ? 1 : 0) : 0
  let last: LogEntry | undefined
  for await (const entry of log.entriesAfter(Math.max(0, done - 1))) {
    if (entry.n > done) await materializeEntry(log, entry, last?.minute ?? null)
    last = entry
  }
  return last
}

/** Where an entry is the first of an hour: what the tokens of the hour before it did; nothing that expired by `now`. `minutes`: those at hand, one after the other in the log, the entry's among them. */
async function itemsOfPastHours(
  log: LogStore,
  entry: SealedEntry,
  previous: Minute | null,
  { now = 0, minutes = [] }: { readonly now?: number; readonly minutes?: readonly Committed[] } = {},
): Promise<readonly Item[]> {
  if (previous === null || hourOfMinute(previous) === hourOfMinute(entry.minute)) return []
  const hour = hourOfMinute(previous)
  if (isHourExpired(hour, now)) return []
  const [first] = minutes
  const isAtHand = first && hourOfMinute(first.previous ?? -1) < hour
  const ofHour = isAtHand ? minutes.map(({ segment }) => segment) : await segmentsSince(log, hour, entry.n)
  const segments = ofHour.filter(({ minute }) => hourOfMinute(minute) === hour)
  return [...itemsOfHour(hour, segments), ...marksOfHours(previous, entry.minute)]
}

/** Segments in force before entry `n`, from an hour on, oldest first. */
async function segmentsSince(log: LogStore, hour: number, n: number): Promise<readonly Segment[]> {
  const segments: SegmentReference[] = []
  for await (const { minute, segment } of effectiveBackwards(log, n)) {
    if (hourOfMinute(minute) < hour) break
    segments.unshift(segment)
  }
  return mapParallel(segments, PARALLEL_READS, log.readSegment)
}

/** Rows and balances that are materialized together: what several minutes change is put once. */
const ROWS_AT_ONCE = 10_000
/** Rows that may wait: they are in memory, and another writer has to materialize them where this one dies. */
const WAITING_MAX = 2 * ROWS_AT_ONCE
/** Minutes older than so many seconds wait for others, but no longer than so many ms: who watches a long catch-up sees it go on. */
const OLD_SECONDS = 3_600
const WAITING_MS = 30_000

const rowsOf = ({ segment: { rows, balances } }: Committed): number => 1 + rows.length + balances.length

/** Materializes minutes beside the writer that commits them, in order, several at once where they pile up. */
export type Materializer = {
  /** Takes a minute; waits where too many do. `now`: Unix seconds; what is due for deletion by then is not put. Throws what has failed. */
  add(committed: Committed, now: number): Promise<void>
  /** Waits until all of them are applied. Throws what has failed. */
  drain(): Promise<void>
}

/** `onDone` is told of minutes that the tables have, oldest first. */
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
    // At once: what is added from now on needs another run.
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

/** Each item once, as the last of the minutes that name it left it; of an item that is due for deletion nobody would read. */
async function itemsOfMinutes(
  log: LogStore,
  minutes: readonly Committed[],
  now: number,
): Promise<readonly Positioned[]> {
  const items = new Map<string, Positioned>()
  for (const { entry, segment, previous } of minutes) {
    const ofPastHours = await itemsOfPastHours(log, entry, previous, { now, minutes })
    for (const item of positioned(entry, [...itemsOf(segment), ...ofPastHours])) {
      if (!isExpired(item, now)) items.set(`${item.pk} ${item.sk}`, item)
    }
  }
  return [...items.values()]
}

/** An item with the number of the entry that made it; it is put where no newer entry has put its own. */
type Positioned = Item & { readonly pos: number }

const positioned = ({ n }: LogEntry, items: readonly Item[]): readonly Positioned[] =>
  items.map((item) => ({ ...item, pos: n }))

async function putAll(ledger: Ledger, items: readonly Positioned[]): Promise<void> {
  await mapParallel(items, PARALLEL_PUTS, (item) => ledger.put(item, { olderThan: item.pos }))
}
