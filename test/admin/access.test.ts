import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type AccessService,
  createAccount,
  createKey,
  createSiteKey,
  revokeKey,
  rotateKey,
  setState,
  setTier,
} from '../../admin/accounts.ts'
import { reconcile } from '../../admin/reconcile.ts'
import { edgeKeys, keyDigest, type Tier, usageHourOf } from '../../schemas/access.ts'
import { keyId } from '../../store/access.ts'
import { type StartedAccess, startAccess } from '../support/access.ts'
import { collect } from '../support/collect.ts'
import { useDynalite } from '../support/dynalite.ts'

useDynalite()
let access: StartedAccess
let now = 1_800_000_000
beforeAll(async () => {
  access = await startAccess(() => now)
})
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
const plansOf = async (account: string): Promise<Tier[]> =>
  (await access.service.gateway.list()).filter((each) => each.account === account).map(({ tier }) => tier)
async function repairs() {
  const made: string[] = []
  await reconcile(access.service, ({ description }) => made.push(description))
  return made
}

describe('an account and its keys', () => {
  it('reach the table, the gateway and the edge; the gateway has one key for all of an account’s', async () => {
    const { service, usagePlans } = access
    const account = await createAccount(service, { name: 'Ada', tier: 'basic' })
    const [one, two] = [
      await createKey(service, account.id, 'live'),
      await createKey(service, account.id, 'test'),
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
    const { service } = access
    let isSuspended = false
    const write: AccessService['edge']['write'] = async (changes) => {
      if (!isSuspended) await setState(service, account, 'suspended')
      isSuspended = true
      return service.edge.write(changes)
    }
    const { text } = await createKey({ ...service, edge: { ...service.edge, write } }, account, 'live')
    expect(atEdge(text)).toBe(`${account}|professional|suspended`)
  })

  it('a rotated key is valid for the overlap, at the API and at the edge, and not longer', async () => {
    const { account, key } = await access.keyOf('professional')
    const [old] = await access.service.access.keysOf(account)
    const made = await rotateKey(access.service, keyId(old!), { overlapSeconds: 600, kind: 'live' })
    expect(await verdictOn(made.text)).toBe(`${account}|professional|active`)
    expect(await verdictOn(key)).toBe(`${account}|professional|active`)
    expect(atEdge(key)).toBe(`${account}|professional|active|${now + 600}`)
    now += 600
    expect(await verdictOn(key)).toBe('expired_api_key')
    expect(await verdictOn(made.text)).toBe(`${account}|professional|active`)
    const again = rotateKey(access.service, keyId(old!), { overlapSeconds: 60, kind: 'live' })
    await expect(again).rejects.toMatchObject({ name: 'KeyEnded' })
    expect(await repairs()).toEqual(['the edge knew a key that is not valid'])
    expect(atEdge(key)).toBeUndefined()
  })

  it('a revoked key is refused; a key can be revoked by its text, and twice', async () => {
    const { account, key } = await access.keyOf('basic')
    await revokeKey(access.service, key)
    expect(await verdictOn(key)).toBe('expired_api_key')
    expect(atEdge(key)).toBeUndefined()
    const [kept] = await access.service.access.keysOf(account)
    const endsAt = kept!.endsAt
    now += 100
    expect((await revokeKey(access.service, keyId(kept!))).endsAt).toBe(endsAt)
    await expect(revokeKey(access.service, `${account}-00000000`)).rejects.toMatchObject({
      name: 'UnknownKey',
    })
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
    await rotateKey(access.service, key, { overlapSeconds: 60, kind: 'live' })
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

describe('reconcile', () => {
  /** The n-th write from now on is the last one that is made. */
  function killedAt(n: number): AccessService {
    let left = n
    const dying = <F extends (...args: never[]) => Promise<unknown>>(write: F): F =>
      (async (...args: never[]) => {
        if (left-- <= 0) throw new Error('killed')
        return write(...args)
      }) as F
    const { service } = access
    return {
      ...service,
      access: {
        ...service.access,
        putAccount: dying(service.access.putAccount),
        putKey: dying(service.access.putKey),
      },
      gateway: { ...service.gateway, put: dying(service.gateway.put) },
      edge: { ...service.edge, write: dying(service.edge.write) },
    }
  }

  /** What it finds once nothing can be under way any more, and that it then finds nothing. */
  async function settled(): Promise<string[]> {
    now += 61
    const found = await repairs()
    expect(await repairs()).toEqual([])
    return found
  }

  it('reports nothing if all agree', async () => {
    await settled()
    expect(await repairs()).toEqual([])
  })

  it.each([1, 2])('completes an account whose creation was interrupted after %i writes', async (writes) => {
    const creation = createAccount(killedAt(writes), { name: `cut ${writes}`, tier: 'professional' })
    await expect(creation).rejects.toThrow('killed')
    expect(await repairs()).toEqual([])
    expect(await settled()).toEqual(['its creation is finished'])
    const [account] = (await collect(access.service.access.accounts())).filter(
      ({ name }) => name === `cut ${writes}`,
    )
    expect(account?.isComplete).toBe(true)
    expect(await plansOf(account!.id)).toEqual(['professional'])
    const { text } = await createKey(access.service, account!.id, 'live')
    expect(await verdictOn(text)).toBe(`${account!.id}|professional|active`)
  })

  it('creating a key completes such an account', async () => {
    const creation = createAccount(killedAt(1), { name: 'cut', tier: 'professional' })
    await expect(creation).rejects.toThrow('killed')
    const { key } = await createKey(access.service, 'cut', 'live')
    expect(await plansOf(key.account)).toEqual(['professional'])
    expect(await settled()).toEqual([])
  })

  it.each([1, 2])(
    'ends a key whose creation was interrupted after %i writes: its text was never shown',
    async (writes) => {
      const { account } = await access.keyOf('basic')
      await expect(createKey(killedAt(writes), account, 'live')).rejects.toThrow('killed')
      const cut = (await access.service.access.keysOf(account)).find((key) => !key.isComplete)!
      expect(await settled()).toContain('its creation was cut before anybody saw it: it is ended')
      expect(access.keyValueStore.get(edgeKeys.key(cut.digest))).toBeUndefined()
    },
  )

  it.each([1, 2])('completes a change of tier that was interrupted after %i writes', async (writes) => {
    const { account, key } = await access.keyOf('basic')
    await expect(setTier(killedAt(writes), account, 'enterprise')).rejects.toThrow('killed')
    expect(await verdictOn(key)).toBe(`${account}|enterprise|active`)
    expect((await settled()).length).toBeGreaterThan(0)
    expect(atEdge(key)).toBe(`${account}|enterprise|active`)
    expect(await plansOf(account)).toEqual(['enterprise'])
  })

  it('completes a revocation that was interrupted before the edge knew', async () => {
    const { key } = await access.keyOf('professional')
    await expect(revokeKey(killedAt(1), key)).rejects.toThrow('killed')
    expect(atEdge(key)).toBeDefined()
    expect(await settled()).toEqual(['the edge knew a key that is not valid'])
    expect(atEdge(key)).toBeUndefined()
  })

  it('removes keys of no account, and past hours', async () => {
    const hour = usageHourOf(now)
    await access.service.gateway.put({ id: 'nobody', tier: 'basic', gatewayKey: 'x'.repeat(40) })
    const entries = {
      'k:stray': 'nobody|basic|active',
      'x:past': String(hour - 1),
      'x:now': String(hour + 1),
    }
    await access.service.edge.write({ puts: entries })
    expect((await settled()).sort()).toEqual([
      'the edge knew a key that is not valid',
      'the gateway had a key of no account',
    ])
    expect(Object.keys(entries).map((key) => access.keyValueStore.get(key) !== undefined)).toEqual([
      false,
      false,
      true,
    ])
    expect(await plansOf('nobody')).toEqual([])
  })

  it('restores an entry that the edge has lost', async () => {
    const { account, key } = await access.keyOf('enterprise')
    await access.service.edge.write({ deletes: [edgeKeys.key(keyDigest(key))] })
    expect(await settled()).toEqual(['the edge knows a key anew'])
    expect(atEdge(key)).toBe(`${account}|enterprise|active`)
  })
})
