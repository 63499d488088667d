import { SITE_TIER } from '../schemas/access.ts'
import { readEnv } from '../schemas/env.ts'
import { SITE_CONFIG_OBJECT, siteFiles } from '../schemas/site.ts'
import type { Account } from '../store/access.ts'
import { openBucket } from '../store/bucket.ts'
import type { AccessDesk } from './access-desk.ts'
import { deskOf } from './account-commands.ts'
import { createAccount } from './accounts.ts'
import { commandOf } from './command.ts'
import { createKey } from './keys.ts'

const NAME = 'pages'

/** Makes the key of the pages and publishes it to them; the one before stays valid for pages that are open. */
export const siteKeyCommand = commandOf<object>({
  usage: 'site-key',
  says: 'Gives the pages a key of their own, bounded for each visitor.',
  run: async (call) => {
    const { env } = await call.deployment()
    const { PAGES_BUCKET } = readEnv('adminSite', env)
    const desk = await deskOf(call)
    const account = (await pagesAccount(desk)) ?? (await createAccount(desk, { name: NAME, tier: SITE_TIER }))
    const { text } = await createKey(desk, account.id, 'site')
    const file = siteFiles.find(({ prefix }) => prefix === SITE_CONFIG_OBJECT)
    await openBucket(PAGES_BUCKET).put(SITE_CONFIG_OBJECT, Buffer.from(JSON.stringify({ key: text })), {
      contentType: file?.contentType ?? 'application/json',
      cacheControl: file?.cacheControl ?? 'no-cache',
    })
    call.say(
      call.isJson ? JSON.stringify({ account: account.id }) : `the pages have a key of account ${account.id}`,
    )
    return 0
  },
})

async function pagesAccount({ access }: AccessDesk): Promise<Account | undefined> {
  for await (const account of access.accounts()) if (account.tier === SITE_TIER) return account
  return undefined
}
