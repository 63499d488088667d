import type { SealedEntry } from '../market/log.ts'
import { FOLD_VERSION } from '../market/rules.ts'
import type { Block, LogEntry, Minute, Segment, SegmentReference } from '../market/segment.ts'
import { effectiveBackwards, type LogStore } from '../store/log.ts'
import { kindOf } from './faults.ts'

/** Minutes that one entry rolls back: their references fit an item, their contents memory. */
const REWIND_MINUTES = 500

/**
 * Commits a minute whose segment has been stored: puts the entry after `tail`, if absent. That one put is the commit.
 * 'lost': another writer has taken the entry; whatever was known of the log is stale.
 */
export async function append(
  log: LogStore,
  tail: LogEntry | undefined,
  segment: Segment,
  reference: SegmentReference,
): Promise<SealedEntry | 'lost'> {
  const { minute, firstBlock, last } = segment
  const entry: SealedEntry = {
    n: (tail?.n ?? 0) + 1,
    is: 'sealed',
    minute,
    firstBlock,
    last,
    segment: reference,
    rules: segment.rules,
  }
  return (await log.append(entry)) ? entry : 'lost'
}

/**
 * Takes back every minute at the end of the log whose last block the chain no longer has as such, in one entry, from the
 * log alone. undefined: the tail is kept and there is nothing to roll back.
 */
export function appendRewind(
  log: LogStore,
  tail: LogEntry,
  isKept: (last: Block) => Promise<boolean>,
): Promise<LogEntry | 'lost' | undefined> {
  return rollBack(log, tail, { isKept: ({ last }) => isKept(last) })
}

/** Takes back every minute from block `firstBlock` on, although the chain still has them: logs of theirs had been left out. */
export function appendCorrection(
  log: LogStore,
  tail: LogEntry,
  firstBlock: number,
): Promise<LogEntry | 'lost' | undefined> {
  return rollBack(log, tail, { isKept: async ({ last }) => last.number < firstBlock, cause: 'omission' })
}

/**
 * Takes back every minute that other rules folded: they lie at the end of the log, for nobody seals over one. The chain is
 * then read again from there. Throws NewerRulesError where newer rules folded the last minute, unless those are to be rolled back:
 * after a release whose processes have ended, for two releases would do and undo each other's minutes.
 */
export async function appendRefold(
  log: LogStore,
  tail: LogEntry,
  { isNewerTaken = false } = {},
): Promise<LogEntry | 'lost' | undefined> {
  for await (const { minute, rules = 1 } of effectiveBackwards(log, tail.n + 1)) {
    if (rules > FOLD_VERSION && !isNewerTaken) throw new NewerRulesError(minute, rules)
    if (rules === FOLD_VERSION) return undefined
    break
  }
  return rollBack(log, tail, { isKept: async ({ rules = 1 }) => rules === FOLD_VERSION, cause: 'rules' })
}

/** The log was written by a newer release; this one can neither read on nor go on from it. */
export const NewerRulesError = kindOf(
  'NewerRulesError',
  (minute: Minute, rules: number) =>
    `minute ${minute} was folded by version ${rules} of the rules, and this release has ${FOLD_VERSION}`,
  false,
)

type Why = {
  readonly isKept: (entry: SealedEntry) => Promise<boolean>
  readonly cause?: 'omission' | 'rules'
}

/**
 * Takes back the minutes at the end of the log, newest first, down to one that is kept: in entries of at most REWIND_MINUTES,
 * each of which leaves a log that holds. Gives the last of them; none has been materialized.
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
    orphaned.push(sealed.segment)
  }
  if (orphaned.length > 0 && !(await rewindTo(null))) return 'lost'
  return written
}
