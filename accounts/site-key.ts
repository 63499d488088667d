import { SITE_TIER } from '../schemas/api/access.ts'
import { accountNamed } from './accounts.ts'
import { AccountFault } from './fault.ts'
import { createKey, type NewKey } from './keys.ts'
import type { AccessService } from './service.ts'

/** The account of the pages' key. */
const SITE_ACCOUNT = 'pages'

/** Makes a key for the pages. Throws WrongTier: without the limits of the pages' tier one visitor could use it up. */
export async function createSiteKey(service: AccessService): Promise<NewKey> {
  const account = await accountNamed(service, { name: SITE_ACCOUNT, tier: SITE_TIER })
  const { id, name, tier } = account
  if (tier === SITE_TIER) return createKey(service, account, { kind: 'site' })
  throw new AccountFault('WrongTier', `account ${name} has the tier ${tier}: account tier ${id} ${SITE_TIER}`)
}
