import { takeOfDay } from '../../accounts/day-bounds.ts'
import { RefusedError } from '../../accounts/refusal.ts'
import type { AccessService } from '../../accounts/service.ts'
import type { Session } from '../../accounts/sessions.ts'
import { DAY_SECONDS } from '../../market/calendar.ts'
import { FIRST_TIER, tierAt } from '../../schemas/api/access.ts'
import { accountLimits } from '../../schemas/api/account.ts'

/** A change of an account: of a kind that makes no key, that makes one, or that makes one in place of another. */
export type ChangeKind = 'change' | 'key' | 'replacement'

/**
 * Counts a change before it is made, since it costs the same however it ends. Throws RefusedError: ACCOUNT_SUSPENDED,
 * TOO_MANY_CHANGES, TOO_MANY_CHANGES_HERE, TOO_MANY_NEW_KEYS.
 */
export async function countChange(
  service: AccessService,
  { account }: Session,
  kind: ChangeKind,
): Promise<void> {
  if (account.state === 'suspended') throw new RefusedError('ACCOUNT_SUSPENDED')
  const { changes, changesOfNetwork, keysOfNewInAll, keysOfOlderInAll } = accountLimits
  await takeOfDay(service, `changes ${account.id}`, { most: changes, refusal: 'TOO_MANY_CHANGES' })
  await takeOfDay(service, `changes from ${service.network}`, {
    most: changesOfNetwork,
    refusal: 'TOO_MANY_CHANGES_HERE',
  })
  if (kind === 'change' || tierAt(account, service.now()) !== FIRST_TIER) return
  const isNew = kind === 'key' && account.createdAt > service.now() - DAY_SECONDS
  const common = { refusal: 'TOO_MANY_NEW_KEYS', isShared: true } as const
  if (isNew) await takeOfDay(service, 'keys of new accounts', { most: keysOfNewInAll, ...common })
  else await takeOfDay(service, 'keys of older accounts', { most: keysOfOlderInAll, ...common })
}
