import type { Address, Block, Minute } from '../../market/segment.ts'
import type { Applied, LogStore } from './log.ts'

/** The last readable minute, its last block, and the log entry that applied it. */
export type ReadableMinute = { readonly n: number; readonly minute: Minute; readonly last: Block }

/** A minute to read rows of: the last applied one or an earlier one. */
export type PastMinute = { readonly minute: Minute; readonly last: Pick<Block, 'number'> }

/** Nothing is readable now: no minute is applied yet, or minutes are being rolled back. */
export class NothingReadableError extends Error {
  override readonly name = 'NothingReadableError'
}

/** The data changed during the read. Thrown inside a read, it restarts the read. */
export class MovedOnError extends Error {
  override readonly name: string = 'MovedOnError'
}

/**
 * A token is described, but has no state: another process is writing or rolling back the minute that described it, or the
 * tables are damaged, since every description is stored with a state.
 */
export class MissingStateError extends MovedOnError {
  override readonly name = 'MissingStateError'
  constructor(token: Address) {
    super(`${token} is described, but the tables have no state of it`)
  }
}

/** Milliseconds for which APPLIED, once read, is reused for new answers. */
const SERVES_MS = 250
/**
 * For so many milliseconds after a read of APPLIED, no row it made readable can have been rolled back: a rollback waits
 * longer.
 */
const HOLDS_MS = 1_000
/**
 * Milliseconds between lowering APPLIED and the first rolled-back row: reads that began before have ended by then, or
 * check again.
 */
export const REWIND_WAIT_MS = 2_000

/** APPLIED as used by answers. */
export type AppliedReads = Pick<LogStore, 'applied'> & {
  /** APPLIED as last read; many answers share one read. */
  cached(): Promise<{
    readonly applied: Applied | undefined
    /** Whether rows read since then need no second check. */
    readonly holds: () => boolean
  }>
}

/** Reads APPLIED at most once in 250 ms for any number of answers; `clock` in milliseconds. */
export function keepApplied(applied: LogStore['applied'], clock: () => number = Date.now): AppliedReads {
  let last: { readonly asked: number; readonly found: Promise<Applied | undefined> } | undefined
  // Ignore a clock that was set back.
  const isWithin = (asked: number, ms: number) => clock() >= asked && clock() - asked < ms
  return {
    applied,
    async cached() {
      if (!last || !isWithin(last.asked, SERVES_MS)) last = { asked: clock(), found: applied() }
      const { asked, found } = last
      found.catch(() => {
        last = undefined
      })
      return { applied: await found, holds: () => isWithin(asked, HOLDS_MS) }
    },
  }
}

const PAUSE_MS = 250
/** Materializing a minute takes milliseconds; a rollback takes a second or two more than its wait for readers. */
const ATTEMPTS = 1 + (REWIND_WAIT_MS + 2_000) / PAUSE_MS

/**
 * Runs `read` as of the last applied minute, and again if minutes were rolled back meanwhile, since its rows may then
 * come from two histories. Throws NothingReadableError, and MissingStateError if the last attempt did.
 */
export async function readApplied<T>(
  log: AppliedReads,
  read: (at: ReadableMinute) => Promise<T>,
): Promise<{ readonly at: ReadableMinute; readonly value: T }> {
  let moved: MovedOnError | undefined
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    // Waiting answers share reads of APPLIED, too: hundreds may wait together.
    const { applied, holds } = await log.cached()
    const at = readable(applied)
    // Before the first minute, waiting does not help.
    if (!applied && attempt > 0) break
    if (!at) continue
    const value = await read(at).catch((error: unknown) => {
      if (error instanceof MovedOnError) return error
      throw error
    })
    moved = value instanceof MovedOnError ? value : undefined
    if (value instanceof MovedOnError) continue
    if (holds() || isSameHistory(at, readable(await log.applied()))) return { at, value }
  }
  throw moved instanceof MissingStateError ? moved : new NothingReadableError()
}

function readable(applied: Applied | undefined): ReadableMinute | null {
  // A7: while APPLIED is lowered, minutes are being rolled back.
  if (!applied || applied.isLowered || applied.minute === null || !applied.last) return null
  return { n: applied.n, minute: applied.minute, last: applied.last }
}

/**
 * Whether no minute was rolled back between two entries of the log. Each sealed entry is at least one minute later than
 * the one before; if a rewind lies between, fewer minutes than entries have passed.
 */
export const isSameHistory = (
  before: Pick<ReadableMinute, 'n' | 'minute'>,
  after: Pick<ReadableMinute, 'n' | 'minute'> | null,
): boolean => after !== null && after.n >= before.n && after.minute - before.minute >= after.n - before.n
