import { readEnv } from '../schemas/deployment/env.ts'
import { isoTime } from '../schemas/values/kinds.ts'
import { type AccessStore, openAccess } from '../store/accounts/access.ts'
import { openSignIns, type SignInStore } from '../store/accounts/sign-ins.ts'
import { openUsage, type Usage } from '../store/accounts/usage.ts'
import { type EdgeStore, openEdgeStore } from '../store/aws/edge.ts'
import { type GatewayKeys, openGatewayKeys, usagePlansFrom } from '../store/aws/gateway-keys.ts'

/**
 * The stores of accounts and keys, and who changes them. The gateway gets what it needs first, which does no harm; then the
 * change is written to the table, which decides, then to the edge.
 */
export type AccessService = {
  readonly access: AccessStore
  readonly gateway: GatewayKeys
  readonly edge: EdgeStore
  readonly signIns: SignInStore
  readonly usage: Pick<Usage, 'hours' | 'lastUse'>
  /** Unix seconds. */
  readonly now: () => number
  /** Who acts, for the audit log: the operator's user name, or who signed in. */
  readonly actor: string
  /** The network that the actor comes from; empty: the operator's command line. */
  readonly network: string
  /** Called with the used percent of a day's bound that everybody shares. @default nothing */
  readonly onShared?: (percent: number) => void
}

/** Opens the stores that the environment names. Throws InvalidEnvError, UsagePlansError. */
export function openAccessService(
  environment: Readonly<Record<string, string | undefined>>,
  actor: string,
): AccessService {
  const env = readEnv('adminAccess', environment)
  return {
    access: openAccess(env.ACCESS_TABLE),
    signIns: openSignIns(env.ACCESS_TABLE),
    gateway: openGatewayKeys(usagePlansFrom(env.USAGE_PLANS)),
    edge: openEdgeStore(env.KEY_VALUE_STORE),
    usage: openUsage(env.USAGE_TABLE),
    now: () => Math.floor(Date.now() / 1_000),
    actor,
    network: '',
  }
}

/** A change for the audit log; `account` is empty where it is of all. */
type Change = {
  readonly action: string
  readonly account: string
  /** @default the account */
  readonly subject?: string
  readonly details?: string
}

/** Adds an entry to the audit log. Called before the change, so that an interrupted change is in it too. */
export const recordAction = ({ access, now, actor, network }: AccessService, change: Change): Promise<void> =>
  access.record({
    at: isoTime(now()),
    actor,
    network,
    details: '',
    subject: change.account === '' ? 'all' : change.account,
    ...change,
  })

/** A creation that is younger may still be in progress. */
export const IN_PROGRESS_SECONDS = 60
