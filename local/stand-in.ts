import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { StandIn as AwsStandIn } from './aws/listening.ts'

/** Something started on this machine in place of a service: `url` has no slash at its end, `stop` resolves once its port is free. */
export type StandIn = AwsStandIn

/** Ports that systems give to nobody who does not name one; those above go to connections and to servers on port 0. */
const NAMED_PORTS = { from: 12_000, to: 32_000 } as const

/** A TCP port of 127.0.0.1 that is free now, and that nothing takes by chance until it is used. For children that must be told their port; a server of our own listens on 0. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(NAMED_PORTS.from, NAMED_PORTS.to)
    if (await isFree(port)) return port
  }
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
export async function stopAll(standIns: readonly Pick<StandIn, 'stop'>[]): Promise<void> {
  const failures: unknown[] = []
  for (const standIn of [...standIns].reverse()) {
    await standIn.stop().catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Not every stand-in stopped')
}
