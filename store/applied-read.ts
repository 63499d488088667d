import type { Block, Minute } from '../market/segment.ts'
import type { Applied, LogStore } from './log.ts'

/** The last minute that readers may see, its last block, and the log entry that applied it. */
export type ReadableMinute = { readonly n: number; readonly minute: Minute; readonly last: Block }

/** A minute whose rows are read; it is the last applied one, or one before it. */
export type PastMinute = { readonly minute: Minute; readonly last: Pick<Block, 'number'> }

/** Nothing may be read now: no minute is applied, or minutes are being rolled back. */
export class NothingReadableError extends Error {
  override readonly name = 'NothingReadableError'
}

/** What was read changed under the reader's hands. Thrown inside a read, it is begun again. */
export class MovedOnError extends Error {
  override readonly name = 'MovedOnError'
}

/** Milliseconds for which an APPLIED that was read serves answers that begin. */
const SERVES_MS = 250
/** Milliseconds after APPLIED was asked for in which no row that it shows can have been rolled back: that waits for longer. */
const HOLDS_MS = 1_000
/** Milliseconds between lowering APPLIED and the first row that is rolled back: who began to read before is done by then, or looks again. */
export const REWIND_WAIT_MS = 2_000

/** APPLIED for answers. */
export type AppliedReads = Pick<LogStore, 'applied'> & {
  /** As it was read last; one read of it serves many. */
  cached(): Promise<{
    readonly applied: Applied | undefined
    /** Whether what has been read since needs no second look. */
    readonly holds: () => boolean
  }>
}

/** Reads APPLIED once in 250 ms, however many answers are asked for; `clock` in milliseconds. */
export function keepApplied(applied: LogStore['applied'], clock: () => number = Date.now): AppliedReads {
  let last: { readonly asked: number; readonly found: Promise<Applied | undefined> } | undefined
  // A clock that was set back says nothing.
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
/** Materializing a minute takes milliseconds, rolling some back a second or two beyond its wait for readers. */
const ATTEMPTS = 1 + (REWIND_WAIT_MS + 2_000) / PAUSE_MS

/**
 * Runs `read` as of the last applied minute, again if minutes were rolled back meanwhile: then rows of two histories may
 * have been read. Throws NothingReadableError.
 */
export async function readApplied<T>(
  log: AppliedReads,
  read: (at: ReadableMinute) => Promise<T>,
): Promise<{ readonly at: ReadableMinute; readonly value: T }> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    // Also those who wait share what one of them asked: hundreds wait together.
    const { applied, holds } = await log.cached()
    const at = readable(applied)
    // Before the first minute nothing comes back by waiting.
    if (!applied && attempt > 0) break
    if (!at) continue
    const value = await read(at).catch((error: unknown) => {
      if (error instanceof MovedOnError) return error
      throw error
    })
    if (value instanceof MovedOnError) continue
    if (holds() || isSameHistory(at, readable(await log.applied()))) return { at, value }
  }
  throw new NothingReadableError()
}

function readable(applied: Applied | undefined): ReadableMinute | null {
  if (!applied || applied.isLowered || applied.minute === null || !applied.last) return null
  return { n: applied.n, minute: applied.minute, last: applied.last }
}

/** Whether no minute was rolled back between two entries of the log. Every sealed entry is at least a minute further on; with a rewind among them, fewer minutes than entries have passed. */
export const isSameHistory = (
  before: Pick<ReadableMinute, 'n' | 'minute'>,
  after: Pick<ReadableMinute, 'n' | 'minute'> | null,
): boolean => after !== null && after.n >= before.n && after.minute - before.minute >= after.n - before.n
