import type { Block, Minute } from '../market/segment.ts'
import type { Applied, LogStore } from './log.ts'

/** The last minute that readers may see, its last block, and the log entry that applied it. */
export type ReadableMinute = { readonly n: number; readonly minute: Minute; readonly last: Block }

/** A minute whose rows are read; it is the last applied one, or one before it. */
export type PastMinute = { readonly minute: Minute; readonly last: Pick<Block, 'number'> }

/** Nothing may be read now: no minute is applied, or minutes are being taken back. */
export class NothingReadableError extends Error {
  override readonly name = 'NothingReadableError'
}

/** What was read changed under the reader's hands. Thrown inside a read, it is begun again. */
export class MovedOnError extends Error {
  override readonly name = 'MovedOnError'
}

/** Projecting a minute takes milliseconds, taking some back less than a second. */
const ATTEMPTS = 10
const PAUSE_MS = 100

/**
 * Runs `read` as of the last applied minute, again if minutes were taken back meanwhile: then rows of two histories may
 * have been read. Throws NothingReadableError.
 */
export async function readApplied<T>(
  log: Pick<LogStore, 'applied'>,
  read: (at: ReadableMinute) => Promise<T>,
): Promise<{ readonly at: ReadableMinute; readonly value: T }> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    const at = readable(await log.applied())
    if (!at) continue
    const value = await read(at).catch((error: unknown) => {
      if (error instanceof MovedOnError) return error
      throw error
    })
    if (value instanceof MovedOnError) continue
    if (isSameHistory(at, readable(await log.applied()))) return { at, value }
  }
  throw new NothingReadableError()
}

function readable(applied: Applied | undefined): ReadableMinute | null {
  if (!applied || applied.isLowered || applied.minute === null || !applied.last) return null
  return { n: applied.n, minute: applied.minute, last: applied.last }
}

/** Whether no minute was taken back between two entries of the log. Every sealed entry is at least a minute further on; with a rewind among them, fewer minutes than entries have passed. */
export const isSameHistory = (
  before: Pick<ReadableMinute, 'n' | 'minute'>,
  after: Pick<ReadableMinute, 'n' | 'minute'> | null,
): boolean => after !== null && after.n >= before.n && after.minute - before.minute >= after.n - before.n
