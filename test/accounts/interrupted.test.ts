// Whole form only.
/** A process that dies at any write of any change: what it leaves is mended by reconcile, and the change can be made again. */
import { afterAll, describe, expect, it } from 'vitest'
import { createAccount, removeAccount, setState, setTier } from '../../accounts/accounts.ts'
import { createKey, keyById, revokeKey, rotateKey } from '../../accounts/keys.ts'
import { reconcile } from '../../accounts/reconcile.ts'
import type { AccessService } from '../../accounts/service.ts'
import { sessionOf } from '../../accounts/sessions.ts'
import { signInByWallet } from '../../accounts/wallets.ts'
import { edgeKeys, edgeKeyText, keyDigest } from '../../schemas/api/access.ts'
import { isValidAt } from '../../store/accounts/access.ts'
import { startAccess } from '../support/aws/access.ts'
import { useDynalite } from '../support/aws/dynalite.ts'

await useDynalite()
let now = 1_800_000_000
const access = await startAccess(() => now)
afterAll(() => access.stop())

const writes = {
  access: ['putAccount', 'removeAccount', 'putKey', 'record'],
  gateway: ['put'],
  edge: ['write'],
  signIns: ['putTicket', 'useTicket', 'putWallet', 'takeOne'],
} as const

/** The service of a process that makes `left` writes and dies before the next. */
function dyingAfter(left: number): AccessService {
  let isDead = false
  const dying =
    (write: (...sent: unknown[]) => Promise<unknown>) =>
    async (...sent: unknown[]) => {
      isDead ||= left-- <= 0
      if (isDead) throw new Error('killed')
      return write(...sent)
    }
  const service = { ...access.service } as Record<string, unknown>
  for (const [store, names] of Object.entries(writes)) {
    const whole = service[store] as Record<string, (...sent: unknown[]) => Promise<unknown>>
    service[store] = { ...whole, ...Object.fromEntries(names.map((name) => [name, dying(whole[name]!)])) }
  }
  return service as unknown as AccessService
}

async function repairs(): Promise<readonly string[]> {
  const made: string[] = []
  await reconcile(access.service, ({ description }) => made.push(description))
  return made
}

/** Mends, once nothing can be under way any more; then the edge says what the table says. */
async function expectMended(account: string): Promise<void> {
  now += 61
  await repairs()
  const { service, keyValueStore } = access
  const owner = await service.access.account(account)
  const keys = await service.access.keysOf(account)
  for (const { digest, isComplete, endsAt, ...rest } of keys) {
    const isValid = owner && isComplete && isValidAt({ digest, isComplete, endsAt, ...rest }, now)
    const told = isValid ? edgeKeyText({ account, ...owner, endsAt }) : undefined
    expect(keyValueStore.get(edgeKeys.key(digest))).toBe(told)
  }
}

/** Runs a change that dies after 0, 1, 2 … writes, each time on an account with a key of its own, until it dies no more. */
async function dyingAnywhere(
  change: (service: AccessService, made: { account: string; key: string }) => Promise<unknown>,
): Promise<number> {
  let deaths = 0
  for (let left = 0; ; left++) {
    const made = await access.keyOf('professional')
    const outcome = await change(dyingAfter(left), made).catch((error: Error) => error.message)
    await expectMended(made.account)
    if (outcome !== 'killed') break
    await change(access.service, made)
    await expectMended(made.account)
    // The next round mends fewer accounts.
    const owner = await access.service.access.account(made.account)
    if (owner) await access.service.access.removeAccount(owner)
    deaths += 1
  }
  await repairs()
  expect(await repairs()).toEqual([])
  return deaths
}

const kind = 'test'
const ownerOf = async (service: AccessService, id: string) => (await service.access.account(id))!

describe('a process that dies at any write', () => {
  it('of a creation of a key leaves no key that works and that nobody has seen', async () => {
    const seen = new Set<string>()
    const deaths = await dyingAnywhere(async (service, { account, key }) => {
      seen.add(keyDigest(key))
      const { text } = await createKey(service, await ownerOf(service, account), { kind })
      seen.add(keyDigest(text))
      const working = (await access.service.access.keysOf(account)).filter(
        (each) => each.isComplete && isValidAt(each, now),
      )
      expect(working.map(({ digest }) => digest).filter((digest) => !seen.has(digest))).toEqual([])
    })
    expect(deaths).toBeGreaterThan(3)
  })

  it.each<[string, Parameters<typeof dyingAnywhere>[0]]>([
    [
      'rotation',
      async (service, { key }) =>
        rotateKey(service, await keyById(service, key), { overlapSeconds: 600, kind }),
    ],
    ['revocation', async (service, { key }) => revokeKey(service, await keyById(service, key))],
    ['change of tier', (service, { account }) => setTier(service, account, 'enterprise')],
    ['suspension', (service, { account }) => setState(service, account, 'suspended')],
    [
      'deletion',
      async (service, { account }) => {
        const owner = await service.access.account(account)
        if (owner) await removeAccount(service, owner)
      },
    ],
  ])('of a %s leaves what reconcile mends, and it can be made again', async (_, change) => {
    expect(await dyingAnywhere(change)).toBeGreaterThan(1)
  })

  it('of a first sign-in leaves an account that the next sign-in completes, and one wallet has one account', async () => {
    const most = { ofNetwork: 1_000, inAll: 1_000 }
    for (let left = 0; ; left++) {
      const wallet = `0x${String(left).padStart(40, 'a')}` as const
      const outcome = await signInByWallet(dyingAfter(left), wallet, most).catch(
        (error: Error) => error.message,
      )
      const { text } = await signInByWallet(access.service, wallet, most)
      const { account } = await sessionOf(access.service, text)
      expect(account.name).toBe(wallet)
      const again = await sessionOf(access.service, (await signInByWallet(access.service, wallet, most)).text)
      expect(again.account.id).toBe(account.id)
      if (outcome !== 'killed') break
    }
    const names: string[] = []
    for await (const { name } of access.service.access.accounts()) names.push(name)
    expect(new Set(names).size).toBe(names.length)
  })

  it('of an account’s creation by the operator leaves nothing, or all of it', async () => {
    for (let left = 0; ; left++) {
      const wanted = { name: `cut ${left}`, tier: 'basic' } as const
      const outcome = await createAccount(dyingAfter(left), wanted).catch((error: Error) => error.message)
      expect(await repairs()).toEqual([])
      if (outcome !== 'killed') break
      await createAccount(access.service, wanted)
    }
  })
})
