/** The tables, written again from the log: after a loss, a mistake by hand, or a format that changed. */

import type { LogEntry, Minute } from '../market/segment.ts'
import type { LogStore } from '../store/log.ts'
import { mapParallel } from '../store/parallel.ts'
import { type Item, isExpired, type Ledger } from '../store/table.ts'
import { itemsOfEntry } from './materialize.ts'

const PARALLEL_PUTS = 64

export type Reprojection = {
  readonly log: LogStore
  /** Unix seconds: items that are due for deletion by then are not put again. */
  readonly now: number
  /** Told after each entry how many are done, of how many. */
  readonly onEntry: (done: number, total: number) => void
}

/**
 * Puts every item that the applied entries of the log mean, newest entry first: so an item is written once, as the last entry
 * that names it left it, and what older entries say of it is passed over by its `pos`. An item that stands with the same
 * `pos` is written over. Entry by entry, so memory is bounded by one entry; may be cut off, and begun again at any time, beside
 * a service that runs. Gives how many items were put.
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

/** Puts what no later entry has put. */
async function putAgain(ledger: Ledger, items: readonly Item[], n: number): Promise<number> {
  // Positions are whole numbers: below n + ½ is up to n.
  const done = await mapParallel(items, PARALLEL_PUTS, (item) =>
    ledger.put({ ...item, pos: n }, { olderThan: n + 0.5 }),
  )
  return done.filter(Boolean).length
}
