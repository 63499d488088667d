import type { SealedEntry } from '../market/log.ts'
import type { Block, LogEntry, Segment, SegmentReference } from '../market/segment.ts'
import type { LogStore } from '../store/log.ts'
import { itemsOf, itemsOfRewind } from '../store/projection.ts'
import type { Item, Ledger } from '../store/table.ts'

/** Puts of one minute that are under way at once. */
const PARALLEL_PUTS = 64

/**
 * Commits a minute: the segment object, then the entry after `tail`, put if absent. That one put is the commit.
 * 'lost': another writer has taken the entry; whatever was known of the log is stale.
 */
export async function append(
  log: LogStore,
  tail: LogEntry | undefined,
  segment: Segment,
): Promise<LogEntry | 'lost'> {
  const { minute, firstBlock, last } = segment
  const reference = await log.putSegment(segment)
  const entry: LogEntry = {
    n: (tail?.n ?? 0) + 1,
    is: 'sealed',
    minute,
    firstBlock,
    last,
    segment: reference,
  }
  return (await log.append(entry)) ? entry : 'lost'
}

/**
 * Takes back every minute at the end of the log whose last block the chain no longer has as such, in one entry, from the
 * log alone. undefined: the tail is kept and there is nothing to take back.
 */
export function appendRewind(
  log: LogStore,
  tail: LogEntry,
  isKept: (last: Block) => Promise<boolean>,
): Promise<LogEntry | 'lost' | undefined> {
  return takeBack(log, tail, { isKept })
}

/** Takes back every minute from block `firstBlock` on, although the chain still has them: logs of theirs had been left out. */
export function appendCorrection(
  log: LogStore,
  tail: LogEntry,
  firstBlock: number,
): Promise<LogEntry | 'lost' | undefined> {
  return takeBack(log, tail, { isKept: async ({ number }) => number < firstBlock, cause: 'omission' })
}

/** Takes back the minutes at the end of the log, newest first, down to one whose last block is kept. */
async function takeBack(
  log: LogStore,
  tail: LogEntry,
  why: { readonly isKept: (block: Block) => Promise<boolean>; readonly cause?: 'omission' },
): Promise<LogEntry | 'lost' | undefined> {
  const orphaned: SegmentReference[] = []
  let last: { minute: number; block: Block } | null = null
  for await (const sealed of effectiveBackwards(log, tail.n + 1)) {
    if (await why.isKept(sealed.last)) {
      last = { minute: sealed.minute, block: sealed.last }
      break
    }
    orphaned.push(sealed.segment)
  }
  if (orphaned.length === 0) return undefined
  const n = tail.n + 1
  const entry: LogEntry = {
    n,
    is: 'rewound',
    minute: last?.minute ?? null,
    last: last?.block ?? null,
    orphaned,
    ...(why.cause ? { cause: why.cause } : {}),
  }
  return (await log.append(entry)) ? entry : 'lost'
}

/** Sealed entries that no later entry took back, newest first. */
export async function* effectiveBackwards(log: LogStore, before: number): AsyncGenerator<SealedEntry> {
  let ceiling = Number.POSITIVE_INFINITY
  for await (const entry of log.entriesBefore(before)) {
    if (entry.is === 'rewound') ceiling = Math.min(ceiling, entry.minute ?? -1)
    else if (entry.minute <= ceiling) yield entry
  }
}

/**
 * Writes what an entry means into the per-token items, each guarded by the entry's number, then moves APPLIED to it.
 * A rewind lowers APPLIED first, so that no reader sees a minute while it is taken back. Any process may project any
 * entry at any time, again or too late: a put that lost to a newer entry is passed over.
 */
export async function project(log: LogStore, entry: LogEntry, segment?: Segment): Promise<void> {
  const { n, minute, last } = entry
  if (entry.is === 'sealed') {
    await putAll(log.ledger, itemsOf(segment ?? (await log.readSegment(entry.segment))), n)
  } else {
    await log.putApplied({ n, minute, last, isLowered: true })
    const segments = await Promise.all(entry.orphaned.map((reference) => log.readSegment(reference)))
    await putAll(log.ledger, itemsOfRewind(segments), n)
  }
  await log.putApplied({ n, minute, last, isLowered: false })
}

/**
 * Projects every entry that is in the log and not yet applied, and gives the last that is: the tail to go on from. An entry
 * that came in meanwhile is not it, for its rows may be half written; who goes on from here loses to it.
 */
export async function catchUp(log: LogStore): Promise<LogEntry | undefined> {
  const applied = await log.applied()
  const done = applied ? applied.n - (applied.isLowered ? 1 : 0) : 0
  let last: LogEntry | undefined
  for await (const entry of log.entriesAfter(Math.max(0, done - 1))) {
    if (entry.n > done) await project(log, entry)
    last = entry
  }
  return last
}

async function putAll(ledger: Ledger, items: readonly Item[], n: number): Promise<void> {
  const queue = items.values()
  const worker = async () => {
    for (const item of queue) await ledger.put({ ...item, pos: n }, { olderThan: n })
  }
  await Promise.all(Array.from({ length: PARALLEL_PUTS }, worker))
}
