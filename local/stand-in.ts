import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import type { StandIn as AwsStandIn } from './aws/listening.ts'

/** Something started on this machine in place of a service: `url` has no slash at its end, `stop` resolves once its port is free. */
export type StandIn = AwsStandIn

/** A TCP port of 127.0.0.1 that is free now. For children that must be told their port; a server of our own listens on 0. */
export async function freePort(): Promise<number> {
  const probe = createServer()
  probe.listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

/** Stops all, the last started first, each even if another one fails; then throws an AggregateError of what failed. */
export async function stopAll(standIns: readonly Pick<StandIn, 'stop'>[]): Promise<void> {
  const failures: unknown[] = []
  for (const standIn of [...standIns].reverse()) {
    await standIn.stop().catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Not every stand-in stopped')
}
