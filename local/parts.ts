import type { Terminal } from './terminal.ts'

/** Something that runs until it is stopped. */
export type Part = { stop(): Promise<void> }

/** What has been started, and the one signal that ends it. */
export type Parts = {
  readonly running: Part[]
  readonly stopping: AbortController
  readonly terminal: Terminal
}

/** A part of the run has ended by itself; `cause` is its reason. */
export class PartFailedError extends Error {
  override readonly name = 'PartFailedError'
  constructor(part: string, cause: unknown) {
    super(`${part}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

/** Waits for a part; one that comes up after the end was called is stopped with the rest. */
export async function started<P extends Part>(parts: Parts, start: Promise<P>): Promise<P> {
  const part = await start
  parts.running.push(part)
  parts.stopping.signal.throwIfAborted()
  return part
}

/** A loop that ends by itself when the signal aborts: stopping it is waiting for that. */
export const keep = (parts: Parts, loop: Promise<void>): number => parts.running.push({ stop: () => loop })

/** Ends the run with the reason of a part that failed. */
export const failing = (parts: Parts, part: string) => (error: unknown) =>
  parts.stopping.abort(new PartFailedError(part, error))
