import { DAY_SECONDS } from '../market/calendar.ts'
import { type AccountRefusal, accountLimits } from '../schemas/account.ts'
import { RefusedError } from './refusal.ts'
import type { AccessService } from './service.ts'

/** A bound of a UTC day. `isShared`: everybody counts against it, so operators hear of it early. */
type DayBound = {
  readonly most: number
  readonly refusal: AccountRefusal
  /** @default one account or network counts against it */
  readonly isShared?: true
}

/** Counts one of something against the day's bound. Throws RefusedError with the bound's refusal once it is reached. */
export async function takeOfDay(
  { signIns, now, onShared }: AccessService,
  what: string,
  { most, refusal, isShared }: DayBound,
): Promise<void> {
  const taken = await signIns.takeOne(what, Math.floor(now() / DAY_SECONDS), most)
  if (isShared) onShared?.(taken === null ? 100 : (100 * taken) / most)
  if (taken === null) throw new RefusedError(refusal)
}

/**
 * Counts a question to the chain whether a contract signed: first against the network's bound, which uses up nothing of the
 * others. Throws RefusedError: TOO_MANY_CONTRACTS.
 */
export async function takeChainCall(service: AccessService): Promise<void> {
  const refusal = 'TOO_MANY_CONTRACTS'
  const { chainCallsOfNetwork, chainCallsInAll } = accountLimits
  await takeOfDay(service, `chain calls ${service.network}`, { most: chainCallsOfNetwork, refusal })
  await takeOfDay(service, 'chain calls', { most: chainCallsInAll, refusal, isShared: true })
}
