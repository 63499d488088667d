import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { OperatorFault, type Terminal } from '../admin/terminal.ts'

/** Ports that systems give to nobody who does not name one; those above go to connections and to servers on port 0. */
const NAMED_PORTS = { from: 12_000, to: 32_000 } as const

/** A TCP port of 127.0.0.1 that is free now, and that nothing takes by chance until it is used. For children that must be told their port; a server of our own listens on 0. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(NAMED_PORTS.from, NAMED_PORTS.to)
    if (await isFree(port)) return port
  }
}

/** Before anything is made for a run. Rejects with PortInUse. */
export async function assertFree(port: number): Promise<void> {
  if (!(await isFree(port)))
    throw new OperatorFault('PortInUse', `port ${port} of this machine is taken; choose another --port`)
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  try {
    await once(probe.listen(port, '127.0.0.1'), 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false
    throw error
  }
  probe.close()
  await once(probe, 'close')
  return true
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
