import { readEnv } from '../schemas/env.ts'
import { type AccessStore, openAccess } from '../store/access.ts'
import { type EdgeStore, openEdgeStore } from '../store/edge.ts'
import { type GatewayKeys, openGatewayKeys, usagePlansFrom } from '../store/gateway-keys.ts'
import { openUsage, type Usage } from '../store/usage.ts'

/** All that a change of accounts and keys is written to, in this order: the table first, then the gateway, then the edge. */
export type AccessDesk = {
  readonly access: AccessStore
  readonly gateway: GatewayKeys
  readonly edge: EdgeStore
  readonly usage: Pick<Usage, 'hours'>
  /** Unix seconds. */
  readonly now: () => number
  /** Who is written down as having done it. */
  readonly actor: string
}

/** Opens all of it as the environment names it. Throws InvalidEnvError, UsagePlansError. */
export function openAccessDesk(
  environment: Readonly<Record<string, string | undefined>>,
  actor: string,
): AccessDesk {
  const env = readEnv('adminAccess', environment)
  return {
    access: openAccess(env.ACCESS_TABLE),
    gateway: openGatewayKeys(usagePlansFrom(env.USAGE_PLANS)),
    edge: openEdgeStore(env.KEY_VALUE_STORE),
    usage: openUsage(env.USAGE_TABLE),
    now: () => Math.floor(Date.now() / 1_000),
    actor,
  }
}

/** Writes down what an operator is about to do: before it is done, so that what is cut half way is found here too. */
export const writeDown = (
  { access, now, actor }: AccessDesk,
  done: { readonly action: string; readonly subject: string; readonly details?: string },
): Promise<void> => {
  const at = new Date(now() * 1_000).toISOString().replace('.000Z', 'Z')
  return access.record({ at, actor, details: '', ...done })
}
