import type { LogEntry, SealedEntry, SegmentReference } from '../../market/log.ts'
import { CONTINUES_FOLD } from '../../market/rules.ts'
import type { Block, Minute, Segment } from '../../market/segment.ts'
import { effectiveBackwards, type LogStore } from '../../store/log/log.ts'

/** Maximum minutes that one entry rolls back: their references must fit an item, their contents memory. */
const REWIND_MINUTES = 500

/**
 * Commits a minute whose segment is stored: puts the entry after `tail` if absent. That put is the commit. 'lost':
 * another writer has taken the entry, and the caller's view of the log is stale.
 */
export async function append(
  log: LogStore,
  tail: LogEntry | undefined,
  segment: Segment,
  reference: SegmentReference,
): Promise<SealedEntry | 'lost'> {
  const entry = sealedEntry((tail?.n ?? 0) + 1, segment, reference)
  return (await log.append(entry)) ? entry : 'lost'
}

/** The n-th entry of a log, of a minute whose segment is stored. */
export const sealedEntry = (
  n: number,
  { minute, firstBlock, last, rules }: Segment,
  segment: SegmentReference,
): SealedEntry => ({ n, is: 'sealed', minute, firstBlock, last, segment, rules })

/**
 * Rolls back the minutes at the end of the log whose last block is no longer canonical, in one entry, from the log
 * alone. undefined: the tail is canonical.
 */
export function appendRewind(
  log: LogStore,
  tail: LogEntry,
  isKept: (last: Block) => Promise<boolean>,
): Promise<LogEntry | 'lost' | undefined> {
  return rollBack(log, tail, { isKept: ({ last }) => isKept(last) })
}

/** Rolls back every minute from block `firstBlock` on: the chain still has them, but logs had been omitted. */
export function appendCorrection(
  log: LogStore,
  tail: LogEntry,
  firstBlock: number,
): Promise<LogEntry | 'lost' | undefined> {
  return rollBack(log, tail, { isKept: async ({ last }) => last.number < firstBlock, cause: 'omission' })
}

/**
 * In a copy of a log that older rules folded: rolls back the minutes after `keptTo`, and those that this release cannot
 * continue from. They are folded again.
 */
export function appendRefold(
  log: LogStore,
  tail: LogEntry,
  keptTo: Minute,
): Promise<LogEntry | 'lost' | undefined> {
  return rollBack(log, tail, {
    isKept: async ({ minute, rules = 1 }) => minute <= keptTo && rules >= CONTINUES_FOLD,
    cause: 'rules',
  })
}

type Why = {
  readonly isKept: (entry: SealedEntry) => Promise<boolean>
  readonly cause?: 'omission' | 'rules'
}

/**
 * Rolls back the minutes at the end of the log, newest first, down to one that is kept, in entries of at most
 * REWIND_MINUTES, each of which leaves a valid log. Returns the last entry; none is materialized yet.
 */
async function rollBack(log: LogStore, tail: LogEntry, why: Why): Promise<LogEntry | 'lost' | undefined> {
  let { n } = tail
  let written: LogEntry | undefined
  let orphaned: SegmentReference[] = []
  const rewindTo = async (kept: SealedEntry | null): Promise<boolean> => {
    n += 1
    const entry: LogEntry = {
      n,
      is: 'rewound',
      minute: kept?.minute ?? null,
      last: kept?.last ?? null,
      orphaned,
      ...(why.cause ? { cause: why.cause } : {}),
    }
    written = entry
    orphaned = []
    return log.append(entry)
  }
  for await (const sealed of effectiveBackwards(log, tail.n + 1)) {
    const isKept = await why.isKept(sealed)
    if (orphaned.length > 0 && (isKept || orphaned.length === REWIND_MINUTES)) {
      if (!(await rewindTo(sealed))) return 'lost'
    }
    if (isKept) return written
    // L4
    orphaned.push(sealed.segment)
  }
  if (orphaned.length > 0 && !(await rewindTo(null))) return 'lost'
  return written
}
