import { DAY_SECONDS } from '../market/calendar.ts'
import type { AccountRefusal } from '../schemas/api/account.ts'
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
