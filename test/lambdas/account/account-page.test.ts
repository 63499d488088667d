/** The account page's operations, from the edge to the tables: what the page shows, the operator sees, and keys do. */

import { createHmac } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { accountOf, setState, setTier, signOutAll } from '../../../accounts/accounts.ts'
import { createCode } from '../../../accounts/codes.ts'
import { reconcile } from '../../../accounts/reconcile.ts'
import { sessionCookie, sessionIn } from '../../../lambdas/account/answers.ts'
import { edgeKeys, isKey, keyDigest, keyMark, usageHourOf } from '../../../schemas/api/access.ts'
import type { AuditEntry } from '../../../store/accounts/access.ts'
import { allOf } from '../../../store/aws/parallel.ts'
import { newWallet, startAccountPage } from './account-page.ts'

const page = await startAccountPage({ newAccounts: { ofNetwork: 1_000, inAll: 1_000 } })
afterAll(async () => {
  await page.stop()
  expect(page.defects).toEqual([])
})

/** What the authorizer says of a key. */
async function verdictOn(key: string): Promise<string> {
  const { context, policyDocument } = await page.access.authorizer.handler({
    multiValueHeaders: { Authorization: [`Bearer ${key}`] },
    methodArn: 'arn:aws:execute-api:us-east-1:0:api/prod/GET/v1/x',
  } as never)
  return policyDocument.Statement[0]?.Effect === 'Allow'
    ? `${context?.['tier']} ${context?.['state']}`
    : String(context?.['reason'])
}
const atEdge = (key: string) => page.access.keyValueStore.get(edgeKeys.key(keyDigest(key)))
const auditOf = (account: string): Promise<readonly AuditEntry[]> =>
  allOf(page.access.service.access.audit(50, account))

describe('signing in with a wallet', () => {
  it('makes a basic account at the first time, and finds it again', async () => {
    const [visitor, wallet] = [page.visitor(), newWallet()]
    const first = await visitor.signIn(wallet)
    expect([first.status, first.body]).toEqual([200, { is_new: true }])
    expect(String(first.headers['set-cookie'])).toMatch(
      /^z100=\w{32}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/,
    )
    const account = await visitor.account()
    const name = wallet.address.toLowerCase()
    expect(account).toMatchObject({ name, signed_in_by: name, tier: 'basic', state: 'active', limit: 100 })
    const other = page.visitor()
    expect((await other.signIn(wallet)).body).toEqual({ is_new: false })
    expect((await other.account()).id).toBe(account.id)
    expect((await accountOf(page.access.service, name)).id).toBe(account.id)
  })

  it('is asked for in the words of EIP-4361, for this domain, page and chain', async () => {
    const message = await page.visitor().challenge(`0x${'ab'.repeat(20)}`)
    expect(message.replaceAll(new URL(page.url).host, 'host').replace(/Nonce: \w{32}/, 'Nonce: n')).toMatch(
      new RegExp(
        [
          '^host wants you to sign in with your Ethereum account:',
          '0x(?:ab){20}',
          '',
          'Sign in to manage your API keys. This sends no transaction and costs nothing.',
          '',
          'URI: http://host/account',
          'Version: 1',
          'Chain ID: 31337',
          'Nonce: n',
          'Issued At: .*',
          'Expiration Time: .*$',
        ].join('\n'),
        'i',
      ),
    )
  })

  it('lasts twelve hours; it ends by signing out, by the operator, and with the account', async () => {
    const [visitor, wallet] = [page.visitor(), newWallet()]
    const signedIn = async () => {
      const { body } = await visitor.ask('GET', 'session')
      expect((await visitor.ask('GET', 'account')).status).toBe(body['is_signed_in'] ? 200 : 401)
      return body['is_signed_in']
    }
    await visitor.signIn(wallet)
    page.clock.now += 12 * 3_600 - 1
    expect(await signedIn()).toBe(true)
    page.clock.now += 1
    expect((await visitor.ask('GET', 'account')).code).toBe('NOT_SIGNED_IN')
    await visitor.signIn(wallet)
    const cookie = visitor.jar.cookie
    await visitor.ask('DELETE', 'session')
    expect(visitor.jar.cookie).toBe('')
    visitor.jar.cookie = cookie
    expect(await signedIn()).toBe(false)
    await visitor.signIn(wallet)
    await signOutAll(page.access.service, wallet.address.toLowerCase())
    expect(await signedIn()).toBe(false)
    page.clock.now += 1
    await visitor.signIn(wallet)
    const { key } = await visitor.newKey()
    const { id } = await visitor.account()
    expect((await visitor.ask('DELETE', 'account')).status).toBe(200)
    expect([await verdictOn(key), atEdge(key)]).toEqual(['expired_api_key', undefined])
    expect(await signedIn()).toBe(false)
    await visitor.signIn(wallet)
    expect((await visitor.account()).id).not.toBe(id)
  })
})

it('signing in with a code of the operator works once, without a wallet, for the account that it was made for', async () => {
  const { service } = page.access
  const { account } = await page.access.keyOf('professional')
  const { text } = await createCode(service, await accountOf(service, account))
  const visitor = page.visitor()
  expect((await visitor.ask('POST', 'code', { body: { code: ` ${text}\n` } })).status).toBe(200)
  expect(await visitor.account()).toMatchObject({ id: account, signed_in_by: 'code', tier: 'professional' })
  expect((await page.visitor().ask('POST', 'code', { body: { code: text } })).code).toBe('CODE_ENDED')
  const late = await createCode(service, await accountOf(service, account))
  page.clock.now += 7 * 86_400
  expect((await page.visitor().ask('POST', 'code', { body: { code: late.text } })).code).toBe('CODE_ENDED')
})

it.each(['', 'none', 'keys/'])('%j is no operation, and says so in the shape of all errors', async (path) => {
  const { status, code } = await page.visitor().ask('GET', path)
  expect([status, code]).toEqual([404, 'RESOURCE_NOT_FOUND'])
})

describe('keys', () => {
  it('are made, named, replaced and ended; each works as long as the page says', async () => {
    const visitor = page.visitor()
    await visitor.signIn()
    const { key, id } = await visitor.newKey('production')
    expect([isKey(key), await verdictOn(key), atEdge(key)?.split('|')[1]]).toEqual([
      true,
      'basic active',
      'basic',
    ])
    const { account } = (await page.access.service.access.key(keyDigest(key)))!
    await page.access.usage.noteUse({ account, mark: keyMark(keyDigest(key)) }, usageHourOf(page.clock.now))
    const [shown] = (await visitor.account()).keys
    expect(shown).toMatchObject({ id, prefix: key.slice(0, 14), label: 'production', state: 'valid' })
    expect(shown?.last_used_at).toMatch(/:00:00Z$/)
    expect(JSON.stringify(await visitor.account())).not.toContain(key.slice(15))
    await visitor.ask('PATCH', `keys/${id}`, { body: { label: 'staging' } })
    page.clock.now += 1
    const replaced = await visitor.ask('POST', `keys/${id}/replacement`, { body: { overlap_seconds: 600 } })
    expect((await visitor.account()).keys).toMatchObject([
      { id: replaced.body['id'], label: 'staging', state: 'valid' },
      { id, label: 'staging', state: 'ending' },
    ])
    expect(await verdictOn(key)).toBe('basic active')
    page.clock.now += 600
    expect(await verdictOn(key)).toBe('expired_api_key')
    expect((await visitor.ask('POST', `keys/${id}/replacement`, { body: {} })).code).toBe('KEY_ENDED')
    const next = String(replaced.body['id'])
    expect((await visitor.ask('DELETE', `keys/${next}`)).status).toBe(200)
    expect([await verdictOn(String(replaced.body['key'])), atEdge(String(replaced.body['key']))]).toEqual([
      'expired_api_key',
      undefined,
    ])
    expect((await visitor.account()).keys.map(({ state }) => state)).toEqual(['ended', 'ended'])
  })

  it('of another account are none of a visitor’s', async () => {
    const [owner, other] = [page.visitor(), page.visitor()]
    await owner.signIn()
    await other.signIn()
    const { id, key } = await owner.newKey()
    for (const [method, path] of [
      ['DELETE', `keys/${id}`],
      ['PATCH', `keys/${id}`],
      ['POST', `keys/${id}/replacement`],
    ] as const)
      expect((await other.ask(method, path, { body: { label: 'mine' } })).code).toBe('UNKNOWN_KEY')
    expect(await verdictOn(key)).toBe('basic active')
    expect((await owner.account()).keys[0]?.label).toBe('')
  })

  it('are changed at most fifty times a day', async () => {
    const visitor = page.visitor()
    await visitor.signIn()
    const { id } = await visitor.newKey()
    const { signIns, now } = page.access.service
    const changes = `changes ${(await visitor.account()).id}`
    for (let n = 2; n < 50; n++) await signIns.takeOne(changes, Math.floor(now() / 86_400), 50)
    expect((await visitor.ask('PATCH', `keys/${id}`, { body: { label: 'last' } })).status).toBe(200)
    const again = { body: { label: 'once more' } }
    expect((await visitor.ask('PATCH', `keys/${id}`, again)).code).toBe('TOO_MANY_CHANGES')
    // Whoever used them up cannot keep a key alive.
    expect((await visitor.ask('DELETE', `keys/${id}`)).status).toBe(200)
    const ends = page.access.service.access.audit(100, (await visitor.account()).id)
    expect((await allOf(ends)).filter(({ action }) => action === 'key revoke')).toHaveLength(1)
    page.clock.now += 86_400
    await visitor.signIn()
  })
})

describe('an account', () => {
  it('shows the usage of this hour and of seven days', async () => {
    const visitor = page.visitor()
    await visitor.signIn()
    const { id } = await visitor.account()
    const hour = usageHourOf(page.clock.now)
    for (const [ago, answers] of [
      [0, 7],
      [5, 40],
      [167, 3],
      [168, 9],
    ] as const)
      await page.access.usage.add({ account: id, hour: hour - ago }, answers, `${ago}`)
    const { used, limit, hours } = await visitor.account()
    expect([used, limit, hours.map((each) => each.used)]).toEqual([7, 100, [3, 40, 7]])
  })

  it('that the operator changes is seen at once, and every change says who made it and from where', async () => {
    const visitor = page.visitor('127.0.7.9')
    const wallet = newWallet()
    await visitor.signIn(wallet)
    const { key } = await visitor.newKey()
    const { id } = await visitor.account()
    await setTier(page.access.service, id, 'enterprise')
    expect(await visitor.account()).toMatchObject({ tier: 'enterprise', limit: 20_000 })
    expect([await verdictOn(key), atEdge(key)]).toEqual(['enterprise active', `${id}|enterprise|active`])
    await setState(page.access.service, id, 'suspended')
    expect((await visitor.account()).state).toBe('suspended')
    for (const [method, path] of [
      ['POST', 'keys'],
      ['DELETE', 'account'],
    ] as const)
      expect((await visitor.ask(method, path, { body: {} })).code).toBe('ACCOUNT_SUSPENDED')
    const network = '127.0.7.0/24'
    const actor = wallet.address.toLowerCase()
    expect((await auditOf(id)).map((entry) => [entry.action, entry.actor, entry.network]).reverse()).toEqual(
      expect.arrayContaining([
        ['account create', actor, network],
        ['sign in', actor, network],
        ['key create', actor, network],
        ['account tier', 'test', ''],
        ['account suspend', 'test', ''],
      ]),
    )
    const shown = (await visitor.account()).changes
    expect(new Set(shown.map(({ by }) => by))).toEqual(new Set([actor, 'operator']))
  })
})

describe('a payment provider', () => {
  const secret = `whsec_${Buffer.from('a secret of at least 24 bytes').toString('base64')}`
  let n = 0
  function delivery(account: string, more: { tier?: string; at?: number; endsAt?: number } = {}) {
    const { tier = 'professional', at = page.clock.now, endsAt = page.clock.now + 3_600 } = more
    const iso = (seconds: number) => new Date(seconds * 1_000).toISOString()
    const data = { account, tier, ends_at: iso(endsAt) }
    return { type: 'subscription.changed', timestamp: iso(at), data }
  }
  /** Deliveries are signed by the time of this machine, which the page's clock may be ahead of. */
  const now = () => Math.floor(Date.now() / 1_000)
  function signed(event: object, { by = secret, at = now() } = {}) {
    const [id, text] = [`msg_${++n}`, JSON.stringify(event)]
    const key = Buffer.from(by.slice('whsec_'.length), 'base64')
    const signature = createHmac('sha256', key).update(`${id}.${at}.${text}`).digest('base64')
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(at),
      'webhook-signature': `v1,AAAA v1,${signature}`,
      origin: undefined,
      'sec-fetch-site': undefined,
    }
    return { text, headers }
  }
  const send = (asked: ReturnType<typeof signed>) => page.visitor().ask('POST', 'webhook', asked)

  it('has no webhook before the stage has a secret', async () => {
    page.options.webhookSecret = null
    expect((await send(signed(delivery('a')))).status).toBe(404)
  })

  it('sets tier and end; an ended subscription falls back to basic, at the API and at the edge', async () => {
    page.options.webhookSecret = secret
    const visitor = page.visitor()
    await visitor.signIn()
    const { key } = await visitor.newKey()
    const { id } = await visitor.account()
    page.clock.now += 1
    const event = signed(delivery(id))
    expect([(await send(event)).body, (await send(event)).body]).toEqual([
      { applied: true },
      { applied: true },
    ])
    const end = page.clock.now + 3_600
    expect(await visitor.account()).toMatchObject({ tier: 'professional', limit: 2_000, ended_tier: null })
    expect([await verdictOn(key), atEdge(key)]).toEqual([
      'professional active',
      `${id}|professional|active||${end}`,
    ])
    page.clock.now = end
    expect(await verdictOn(key)).toBe('basic active')
    expect(await visitor.account()).toMatchObject({ tier: 'basic', limit: 100, ended_tier: 'professional' })
    expect(await allOf(page.access.service.access.audit(1, id))).toMatchObject([{ actor: 'payments' }])
  })

  it('may repeat itself and come late: the newest event counts', async () => {
    page.options.webhookSecret = secret
    const { account } = await page.access.keyOf('basic')
    const tierNow = async () => (await accountOf(page.access.service, account)).tier
    const older = delivery(account, { tier: 'professional', at: page.clock.now - 60 })
    await send(signed(delivery(account, { tier: 'enterprise' })))
    expect((await send(signed(older))).body).toEqual({ applied: false })
    expect(await tierNow()).toBe('enterprise')
    const sameTime = signed(delivery(account, { tier: 'professional' }))
    expect((await send(sameTime)).body).toEqual({ applied: false })
    expect(await tierNow()).toBe('enterprise')
    // The operator's word ends with the next event.
    await setTier(page.access.service, account, 'basic')
    expect((await send(signed(older))).body).toEqual({ applied: false })
    expect(await tierNow()).toBe('basic')
  })

  it('is believed with its signature alone, for five minutes', async () => {
    page.options.webhookSecret = secret
    const { account } = await page.access.keyOf('basic')
    const event = delivery(account)
    const good = signed(event)
    const forged = [
      signed(event, { by: `whsec_${Buffer.from('another').toString('base64')}` }),
      signed(event, { at: now() - 301 }),
      signed(event, { at: now() + 600 }),
      { ...good, text: good.text.replace('professional', 'enterprise') },
      { ...good, headers: { ...good.headers, 'webhook-id': 'msg_other' } },
      { ...good, headers: { ...good.headers, 'webhook-signature': '' } },
    ]
    for (const each of forged) expect((await send(each)).code).toBe('WRONG_WEBHOOK')
    // A secret that can be guessed, or is longer than the specification has it, signs nothing.
    for (const bytes of [0, 1, 23, 65]) {
      const by = `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`
      page.options.webhookSecret = by
      expect((await send(signed(event, { by }))).code).toBe('WRONG_WEBHOOK')
    }
    expect((await accountOf(page.access.service, account)).tier).toBe('basic')
  })

  it.each([
    ['an unknown account', { account: 'nobody' }, 'UNKNOWN_ACCOUNT'],
    ['an unknown tier', { tier: 'golden' }, 'INVALID_PARAMETER'],
    ['the tier of the pages', { tier: 'site' }, 'INVALID_PARAMETER'],
    ['no end', { ends_at: 'soon' }, 'INVALID_PARAMETER'],
    ['an end that no calendar has', { ends_at: '2026-13-45T99:99:99Z' }, 'INVALID_PARAMETER'],
  ])('is told of %s', async (_, data, code) => {
    page.options.webhookSecret = secret
    const event = delivery((await page.access.keyOf('basic')).account)
    expect((await send(signed({ ...event, data: { ...event.data, ...data } }))).code).toBe(code)
  })

  it('may send events that mean nothing here', async () => {
    page.options.webhookSecret = secret
    expect((await send(signed({ type: 'invoice.paid' }))).body).toEqual({ applied: false })
  })
})

it('afterwards, the operator finds nothing to mend', async () => {
  page.clock.now += 61
  const repairs: string[] = []
  await reconcile(page.access.service, ({ description }) => repairs.push(description))
  expect(repairs.filter((each) => each !== 'the edge knew a key that is not valid')).toEqual([])
})

it.each([
  ['https', '__Host-z100=x; Max-Age=43200; Path=/; HttpOnly; Secure; SameSite=Strict'],
  // Safari keeps no cookie that is Secure from plain http.
  ['http', 'z100=x; Max-Age=43200; Path=/; HttpOnly; SameSite=Strict'],
] as const)('the session of a page over %s has a cookie that every browser keeps', (scheme, cookie) => {
  expect(sessionCookie(scheme, 'x')).toBe(cookie)
  expect(sessionIn(scheme, { cookie: cookie.split(';')[0] ?? '' })).toBe('x')
})
