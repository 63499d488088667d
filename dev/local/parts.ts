import { OperatorFault, type Terminal } from '../../admin/base/terminal.ts'
import { isFree } from '../emulators/free-port.ts'

/** Checks the port before a run creates anything. Rejects with PortInUse. */
export async function assertFree(port: number): Promise<void> {
  if (!(await isFree(port)))
    throw new OperatorFault('PortInUse', `port ${port} of this machine is taken; choose another --port`)
}

/** Stops all, the last started first, each even if another one fails; then throws an AggregateError of what failed. */
export async function stopAll(parts: readonly Part[]): Promise<void> {
  const failures: unknown[] = []
  for (const part of [...parts].reverse()) {
    await part.stop().catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Not every part stopped')
}

/** Something that runs until it is stopped. */
export type Part = { stop(): Promise<void> }

/** The started parts, and the signal that ends them. */
export type Parts = {
  readonly running: Part[]
  readonly stopping: AbortController
  readonly terminal: Terminal
}

/** A part of the run has ended unexpectedly; `cause` is the reason. */
export class PartFailedError extends Error {
  override readonly name = 'PartFailedError'
  constructor(part: string, cause: unknown) {
    super(`${part}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

/** Waits for a part to start; one that starts after the end was requested is stopped with the rest. */
export async function started<P extends Part>(parts: Parts, start: Promise<P>): Promise<P> {
  const part = await start
  parts.running.push(part)
  parts.stopping.signal.throwIfAborted()
  return part
}

/** As `started`, for a part that ends with the run at once, so that its port is free however long the others take to stop. */
export async function startedInFront<P extends Part>(parts: Parts, start: Promise<P>): Promise<P> {
  const part = await started(parts, start)
  // What fails is reported when all parts are stopped.
  parts.stopping.signal.addEventListener('abort', () => part.stop().catch(() => undefined))
  return part
}

/** A loop that ends when the signal aborts; stopping it waits for that. */
export const keep = (parts: Parts, loop: Promise<void>): number => parts.running.push({ stop: () => loop })

/** Ends the run with the reason of a part that failed. */
export const failing = (parts: Parts, part: string) => (error: unknown) =>
  parts.stopping.abort(new PartFailedError(part, error))
