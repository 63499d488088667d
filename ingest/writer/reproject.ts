/** Rewrites the tables from the log: after a loss, a manual mistake or a change of format. */

import type { LogEntry } from '../../market/log.ts'
import type { Minute } from '../../market/segment.ts'
import { mapParallel } from '../../store/aws/parallel.ts'
import { type Item, isExpired, type Ledger } from '../../store/aws/table.ts'
import type { LogStore } from '../../store/log/log.ts'
import { itemsOfEntry } from './materialize.ts'

const PARALLEL_PUTS = 64

export type Reprojection = {
  readonly log: LogStore
  /** Unix seconds: items expired by then are not put. */
  readonly now: number
  /** Called after each entry with the numbers of entries done and in all. */
  readonly onEntry: (done: number, total: number) => void
}

/**
 * Puts all items of the applied entries, newest entry first: each item is written once, by the last entry that changes
 * it, and skipped for older entries by its `pos`. An existing item with the same `pos` is overwritten. Works entry by
 * entry, so memory is bounded. May be interrupted, repeated, and run beside the service. Returns the number of items
 * put.
 */
export async function reproject({ log, now, onEntry }: Reprojection): Promise<number> {
  const applied = await log.applied()
  const last = applied ? applied.n - (applied.isLowered ? 1 : 0) : 0
  let put = 0
  const putItemsOf = async (entry: LogEntry, previous: Minute | null) => {
    const items = (await itemsOfEntry(log, entry, previous, now)).filter((item) => !isExpired(item, now))
    put += await putAgain(log.ledger, items, entry.n)
    onEntry(last - entry.n + 1, last)
  }
  let newer: LogEntry | undefined
  for await (const entry of log.entriesBefore(last + 1)) {
    if (newer) await putItemsOf(newer, entry.minute)
    newer = entry
  }
  if (newer) await putItemsOf(newer, null)
  return put
}

/** Puts items that no later entry has put. */
async function putAgain(ledger: Ledger, items: readonly Item[], n: number): Promise<number> {
  // Positions are integers: below n + ½ means up to n.
  const done = await mapParallel(items, PARALLEL_PUTS, (item) =>
    ledger.put({ ...item, pos: n }, { olderThan: n + 0.5 }),
  )
  return done.filter(Boolean).length
}
