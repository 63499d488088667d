import { accountNamed } from '../../accounts/accounts.ts'
import { createKey } from '../../accounts/keys.ts'
import { type AccessService, openAccessService } from '../../accounts/service.ts'
import { createSiteKey } from '../../accounts/site-key.ts'
import { keyBeginning, keyDigest, type ReaderTier, readerTiers } from '../../schemas/api/access.ts'
import { isValidAt } from '../../store/accounts/access.ts'
import { openKept } from '../emulators/kept-json.ts'

/** A key for each tier, each with its own account. */
export type DemoKeys = Readonly<Record<ReaderTier, string>>

/** The demo keys of a run: created as an operator would, and stored in `file`, since a key's text is stored nowhere else. */
export async function demoKeys(file: string): Promise<DemoKeys> {
  const service = openAccessService(process.env, 'npm start')
  const kept = await openKept<Partial<DemoKeys>>(file, {})
  for (const tier of readerTiers) {
    const current = kept.value[tier]
    if (current !== undefined && (await isValid(service, current))) continue
    const account = await accountNamed(service, { name: `demo ${tier}`, tier })
    const { text } = await createKey(service, account, { kind: 'test' })
    await kept.keep({ ...kept.value, [tier]: text })
  }
  return kept.value as DemoKeys
}

/** The key of the pages, with its own account; every visitor uses it. `current` if still valid, else a new one. */
export async function siteKey(current: string | undefined): Promise<string> {
  const service = openAccessService(process.env, 'npm start')
  const isOfPages = current?.startsWith(keyBeginning('site'))
  if (current !== undefined && isOfPages && (await isValid(service, current))) return current
  return (await createSiteKey(service)).text
}

async function isValid(service: AccessService, text: string): Promise<boolean> {
  const key = await service.access.key(keyDigest(text))
  return key !== undefined && isValidAt(key, service.now())
}
