import { afterAll, describe, expect, it } from 'vitest'
import { createAccount, removeAccount, setState, setTier } from '../../accounts/accounts.ts'
import { createKey, keyById, revokeKey, rotateKey } from '../../accounts/keys.ts'
import { reconcile } from '../../accounts/reconcile.ts'
import type { AccessService } from '../../accounts/service.ts'
import { createSiteKey } from '../../accounts/site-key.ts'
import { edgeKeys, keyDigest, type Tier, usageHourOf } from '../../schemas/api/access.ts'
import { type Account, keyId } from '../../store/accounts/access.ts'
import { startAccess } from '../support/aws/access.ts'
import { useDynalite } from '../support/aws/dynalite.ts'

await useDynalite()
let now = 1_800_000_000
const access = await startAccess(() => now)
afterAll(() => access.stop())

/** What the authorizer says of a key: the account and its standing, or why not. */
async function verdictOn(key: string): Promise<string> {
  const multiValueHeaders = { Authorization: [`Bearer ${key}`] }
  const methodArn = 'arn:aws:execute-api:us-east-1:0:api/prod/GET/v1/x'
  const { context, policyDocument } = await access.authorizer.handler({
    multiValueHeaders,
    methodArn,
  } as never)
  const [statement] = policyDocument.Statement
  expect(statement).toMatchObject({ Resource: 'arn:aws:execute-api:us-east-1:0:api/prod/*' })
  return statement?.Effect === 'Allow'
    ? `${context?.['account']}|${context?.['tier']}|${context?.['state']}`
    : String(context?.['reason'])
}
const atEdge = (key: string) => access.keyValueStore.get(edgeKeys.key(keyDigest(key)))
/** The tiers that an account's key at the gateway is on the plan of. */
async function plansOf(id: string): Promise<Tier[]> {
  const account = await access.service.access.account(id)
  const all = await access.service.gateway.list()
  return all.filter(({ name }) => name === account?.gatewayKey).map(({ tier }) => tier)
}
/** The service, which another change comes before at its first write to the edge. */
function metBy(meanwhile: () => Promise<unknown>): AccessService {
  const { service } = access
  let isMet = false
  const write: AccessService['edge']['write'] = async (changes) => {
    if (!isMet) {
      isMet = true
      await meanwhile()
    }
    return service.edge.write(changes)
  }
  return { ...service, edge: { ...service.edge, write } }
}
const accountNow = async (id: string): Promise<Account> => (await access.service.access.account(id))!
async function repairs() {
  const made: string[] = []
  await reconcile(access.service, ({ description }) => made.push(description))
  return made
}

describe('an account and its keys', () => {
  it('reach the table, the gateway and the edge; the gateway has one key for all of an account’s, and of others', async () => {
    const { service, usagePlans } = access
    const account = await createAccount(service, { name: 'Ada', tier: 'basic' })
    const [one, two] = [
      await createKey(service, account, { kind: 'live' }),
      await createKey(service, account, { kind: 'test' }),
    ]
    for (const { text } of [one, two]) {
      expect(await verdictOn(text)).toBe(`${account.id}|basic|active`)
      expect(atEdge(text)).toBe(`${account.id}|basic|active`)
    }
    expect(await plansOf(account.id)).toEqual(['basic'])
    expect(usagePlans.knows(account.gatewayKey)).toBe(true)
    expect(usagePlans.knows('a'.repeat(40))).toBe(false)
    const listed = await service.access.keysOf(account.id)
    expect(listed.map((key) => key.prefix).sort()).toEqual(
      [one, two].map(({ text }) => text.slice(0, 14)).sort(),
    )
    expect(JSON.stringify(listed)).not.toContain(one.text.slice(15))
  })

  it('a tier and a suspension reach all of an account’s keys', async () => {
    const { account, key } = await access.keyOf('basic')
    await setTier(access.service, account, 'enterprise')
    expect(await verdictOn(key)).toBe(`${account}|enterprise|active`)
    expect(atEdge(key)).toBe(`${account}|enterprise|active`)
    expect(await plansOf(account)).toEqual(['enterprise'])
    await setState(access.service, account, 'suspended')
    expect(await verdictOn(key)).toBe(`${account}|enterprise|suspended`)
    expect(atEdge(key)).toBe(`${account}|enterprise|suspended`)
    await setState(access.service, account, 'active')
    expect(atEdge(key)).toBe(`${account}|enterprise|active`)
  })

  it('a key that is created while its account is being suspended is suspended at the edge', async () => {
    const { account } = await access.keyOf('professional')
    const service = metBy(() => setState(access.service, account, 'suspended'))
    const { text } = await createKey(service, await accountNow(account), { kind: 'live' })
    expect(atEdge(text)).toBe(`${account}|professional|suspended`)
  })

  it('a rotated key is valid for the overlap, at the API and at the edge, and not longer', async () => {
    const { account, key } = await access.keyOf('professional')
    const [old] = await access.service.access.keysOf(account)
    const made = await rotateKey(access.service, old!, { overlapSeconds: 600, kind: 'live' })
    expect(await verdictOn(made.text)).toBe(`${account}|professional|active`)
    expect(await verdictOn(key)).toBe(`${account}|professional|active`)
    expect(atEdge(key)).toBe(`${account}|professional|active|${now + 600}`)
    now += 600
    expect(await verdictOn(key)).toBe('expired_api_key')
    expect(await verdictOn(made.text)).toBe(`${account}|professional|active`)
    const again = rotateKey(access.service, made.before, { overlapSeconds: 60, kind: 'live' })
    await expect(again).rejects.toMatchObject({ name: 'KeyEnded' })
    expect(await repairs()).toEqual(['the edge knew a key that is not valid'])
    expect(atEdge(key)).toBeUndefined()
  })

  it('a revoked key is refused; a key can be revoked by its text, and twice', async () => {
    const { account, key } = await access.keyOf('basic')
    await revokeKey(access.service, await keyById(access.service, key))
    expect(await verdictOn(key)).toBe('expired_api_key')
    expect(atEdge(key)).toBeUndefined()
    const [kept] = await access.service.access.keysOf(account)
    const endsAt = kept!.endsAt
    now += 100
    expect((await revokeKey(access.service, await keyById(access.service, keyId(kept!)))).endsAt).toBe(endsAt)
    await expect(keyById(access.service, `${account}-00000000`)).rejects.toMatchObject({ name: 'UnknownKey' })
  })

  it('the pages get no key of an account in another tier than theirs', async () => {
    const { id } = await createAccount(access.service, { name: 'pages', tier: 'basic' })
    await expect(createSiteKey(access.service)).rejects.toMatchObject({ name: 'WrongTier' })
    expect(await access.service.access.keysOf(id)).toEqual([])
    await setTier(access.service, id, 'site')
    const { text } = await createSiteKey(access.service)
    expect(await verdictOn(text)).toBe(`${id}|site|active`)
  })

  it('every change is in the audit log, newest first, and no key’s text is', async () => {
    const { account, key } = await access.keyOf('basic')
    await rotateKey(access.service, await keyById(access.service, key), { overlapSeconds: 60, kind: 'live' })
    now += 1
    await setState(access.service, account, 'suspended')
    const entries = []
    for await (const entry of access.service.access.audit(200)) entries.push(entry)
    expect(entries[0]).toMatchObject({ actor: 'test', action: 'account suspend', subject: account })
    expect(entries.filter(({ subject }) => subject.startsWith(account)).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['account create', 'key create', 'key rotate', 'account suspend']),
    )
    expect(JSON.stringify(entries)).not.toContain(key.slice(15))
  })
})

describe('keys at the gateway', () => {
  it('are shared: many accounts take a few hundred, which is far from the quota of a region', async () => {
    const { service } = access
    const names = new Set<string>()
    for (let n = 0; n < 5_000; n++) names.add(service.gateway.keyOf({ id: `account${n}`, tier: 'basic' }))
    expect(names.size).toBe(256)
    for (const name of names) expect(name).toMatch(/^[\w-]{20,128}$/)
    const [one, two] = ['a', 'b'].map((id) => service.gateway.keyOf({ id, tier: 'site' }))
    expect(one).not.toBe(two)
  })

  it('of a single account, as there were, are replaced by reconcile', async () => {
    const { account, key } = await access.keyOf('professional')
    const stored = await accountNow(account)
    await access.service.access.putAccount({ ...stored, gatewayKey: 'its own' })
    expect(await repairs()).toEqual(['the gateway has it on the plan professional'])
    expect((await accountNow(account)).gatewayKey).toBe(stored.gatewayKey)
    expect(await verdictOn(key)).toBe(`${account}|professional|active`)
  })
})

describe('reconcile', () => {
  it('reports nothing if all agree', async () => {
    now += 61
    await repairs()
    expect(await repairs()).toEqual([])
  })

  it('removes keys of no account, and past hours', async () => {
    const hour = usageHourOf(now)
    const entries = {
      'k:stray': 'nobody|basic|active',
      'x:past': String(hour - 1),
      'x:now': String(hour + 1),
    }
    await access.service.edge.write({ puts: entries })
    expect(await repairs()).toEqual(['the edge knew a key that is not valid'])
    expect(Object.keys(entries).map((key) => access.keyValueStore.get(key) !== undefined)).toEqual([
      false,
      false,
      true,
    ])
  })

  it('leaves the edge a key that was made after its account was read, however long it takes', async () => {
    const { service } = access
    const owner = await createAccount(service, { name: 'late', tier: 'professional' })
    let text = ''
    async function* entries() {
      text = (await createKey(service, owner, { kind: 'live' })).text
      now += 61
      yield* service.edge.entries()
    }
    await reconcile({ ...service, edge: { ...service.edge, entries } }, () => undefined)
    expect(atEdge(text)).toBe(`${owner.id}|professional|active`)
  })

  it('restores an entry that the edge has lost', async () => {
    const { account, key } = await access.keyOf('enterprise')
    await access.service.edge.write({ deletes: [edgeKeys.key(keyDigest(key))] })
    expect(await repairs()).toEqual(['the edge knows a key anew'])
    expect(atEdge(key)).toBe(`${account}|enterprise|active`)
  })
})

describe('keys of an account', () => {
  const kind = 'test'

  it('are ten at most, also if they are made at the same time, and as many that are being replaced', async () => {
    const { service } = access
    const owner = await createAccount(service, { name: 'many', tier: 'basic' })
    const many = await Promise.allSettled(
      Array.from({ length: 12 }, () => createKey(service, owner, { kind })),
    )
    const made = many.filter(({ status }) => status === 'fulfilled').length
    expect(made).toBeLessThanOrEqual(10)
    for (let n = made; n < 10; n++) await createKey(service, owner, { kind })
    await expect(createKey(service, owner, { kind })).rejects.toMatchObject({ name: 'TooManyKeys' })
    const valid = async () =>
      (await service.access.keysOf(owner.id)).filter(
        ({ isComplete, endsAt }) => isComplete && endsAt === null,
      )
    expect(await valid()).toHaveLength(10)
    for (const key of await valid()) await rotateKey(service, key, { overlapSeconds: 600, kind })
    expect(await valid()).toHaveLength(10)
    const [next] = await valid()
    const again = rotateKey(service, next!, { overlapSeconds: 600, kind })
    await expect(again).rejects.toMatchObject({ name: 'TooManyKeys' })
    await rotateKey(service, next!, { overlapSeconds: 0, kind })
    expect(await valid()).toHaveLength(10)
  })
})

describe('an account', () => {
  const revoked = async (key: string) => revokeKey(access.service, await keyById(access.service, key))
  const suspended = (account: string) => setState(access.service, account, 'suspended')
  type Change = (service: AccessService, account: string, key: string) => Promise<unknown>
  const changes: Record<string, Change> = {
    'a change of tier': (service, account) => setTier(service, account, 'enterprise'),
    'a resumption': async (service, account) => {
      await suspended(account)
      await setState(service, account, 'active')
    },
    'a replacement': async (service, _, key) =>
      rotateKey(service, await keyById(service, key), { overlapSeconds: 600, kind: 'live' }),
    'a reconciliation': async (service, _, key) => {
      await access.service.edge.write({ deletes: [edgeKeys.key(keyDigest(key))] })
      await reconcile(service, () => undefined)
    },
  }

  it.each(Object.entries(changes))(
    'that is suspended, deleted or has a key revoked during %s is so at the edge',
    async (_, change) => {
      const ends: Record<string, (account: string, key: string) => Promise<unknown>> = {
        suspended,
        revoked: (_, key) => revoked(key),
        deleted: async (account) => removeAccount(access.service, await accountNow(account)),
      }
      for (const [end, meanwhile] of Object.entries(ends)) {
        const { account, key } = await access.keyOf('professional')
        await change(
          metBy(() => meanwhile(account, key)),
          account,
          key,
        ).catch(() => undefined)
        const [, , state] = atEdge(key)?.split('|') ?? []
        expect([end, state]).toEqual([end, end === 'suspended' ? 'suspended' : undefined])
      }
    },
  )
})
