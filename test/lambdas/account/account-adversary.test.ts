/** Attempts to enter other people's accounts, to make changes in their name, and to use the account page against the service. */
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import {
  type Address,
  concatHex,
  getCreate2Address,
  type Hex,
  padHex,
  parseSignature,
  serializeCompactSignature,
  serializeErc6492Signature,
  signatureToCompactSignature,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setTier } from '../../../accounts/accounts.ts'
import { sessionOf } from '../../../accounts/sessions.ts'
import { openSignatureCheck } from '../../../accounts/signature.ts'
import { accountOfWallet } from '../../../accounts/wallets.ts'
import { startAnvil } from '../../../dev/devnet/anvil.ts'
import { type Emulator, listen } from '../../../dev/emulators/listening.ts'
import { accountLimits } from '../../../schemas/api/account.ts'
import { signUpNetworkOf } from '../../../schemas/values/address.ts'
import { increaseCount } from '../../../store/accounts/counter.ts'
import { mapParallel } from '../../../store/aws/parallel.ts'
import { newClient } from '../../../store/aws/table.ts'
import { accessKeys } from '../../../store/aws/tables.ts'
import { isLong, rounds } from '../../support/rounds.ts'
import { newWallet, SESSION_COOKIE, startAccountPage } from './account-page.ts'

/** What isValidSignature answers for yes (EIP-1271). */
const YES = '1626ba7e'

/** Yes to everything: MSTORE(0, YES << 224), RETURN(0, 32). */
const gullibleCode: Hex = `0x63${YES}60e01b60005260206000f3`

/** Creations that make nothing: REVERT(0, 0); and JUMPDEST, JUMP(0) until the gas is used up. */
const failing: Hex = '0x60006000fd'
const endless: Hex = '0x5b600056'

/**
 * Yes to a hash that its owner signed: ecrecover(hash, v, r, s) of the arguments, in memory from 0 on; whether the result in
 * memory at 0x80 is the owner's address, times YES << 224.
 */
const ownedCode = (owner: Address): Hex =>
  concatHex([
    '0x60043560005260a43560f81c60205260643560405260843560605260206080608060006001',
    '0x5afa50608051',
    '0x73',
    owner,
    `0x1463${YES}0260e01b60005260206000f3`,
  ])

/** Code that returns a contract's code: CODECOPY and RETURN of all that follows these twelve bytes. */
function creationOf(code: Hex): Hex {
  const length = padHex(`0x${(code.length / 2 - 1).toString(16)}`, { size: 1 })
  return concatHex(['0x60', length, '0x600c60003960', length, '0x6000f3', code])
}

/** The factory that anvil has at this address: 32 bytes of salt, and the creation (CREATE2). */
const FACTORY = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
const SALT = padHex('0x01', { size: 32 })

/** A contract's address before and after it is deployed. */
const addressOf = (code: Hex): Address =>
  getCreate2Address({ from: FACTORY, salt: SALT, bytecode: creationOf(code) })

/** Starts anvil with a contract that says yes to everything; `deploy` puts an owner's wallet on the chain. */
async function startSmartWallets() {
  const anvil = await startAnvil({ genesisTimestamp: 1_800_000_000, onExit: () => undefined })
  const [sender] = (await anvil.request('eth_accounts')) as readonly Address[]
  const create = (code: Hex) =>
    anvil.request('eth_sendTransaction', [
      { from: sender, to: FACTORY, data: concatHex([SALT, creationOf(code)]) },
    ])
  await create(gullibleCode)
  await anvil.request('anvil_mine')
  return {
    url: anvil.rpcUrl,
    gullible: addressOf(gullibleCode),
    of: (owner: Address) => addressOf(ownedCode(owner)),
    async deploy(owner: Address): Promise<void> {
      await create(ownedCode(owner))
      await anvil.request('anvil_mine')
    },
    /** A signature of a wallet that is not deployed yet (ERC-6492). `creation`: by default, of the owner's wallet. */
    undeployed: (owner: Address, signature: Hex, creation = creationOf(ownedCode(owner))): Hex =>
      serializeErc6492Signature({ address: FACTORY, data: concatHex([SALT, creation]), signature }),
    creations: { gullible: creationOf(gullibleCode), failing, endless },
    stop: () => anvil.stop(),
  }
}

type SmartWallets = Awaited<ReturnType<typeof startSmartWallets>>

let wallets: SmartWallets
const unbounded = { ofNetwork: 1_000, inAll: 1_000_000 }
const page = await startAccountPage({ newAccounts: unbounded })
beforeAll(async () => {
  wallets = await startSmartWallets()
  page.options.isSigned = openSignatureCheck([wallets.url])
})
afterAll(async () => {
  await wallets.stop()
  await page.stop()
  expect(page.defects).toEqual([])
})

type Visitor = ReturnType<typeof page.visitor>

/** What isValidSignature answers for yes. */
const YES_ANSWER = `0x${YES}${'0'.repeat(56)}`
/** A signature of no form, and long enough for the validator of ERC-6492. */
const NONSENSE: Hex = `0x${'12'.repeat(40)}`

/** Time passes, since few signatures a minute are checked on the chain. */
function session(message: string, signature: Hex, visitor = page.visitor()) {
  page.clock.now += 20
  return visitor.ask('POST', 'session', { body: { message, signature } })
}
const allowed = async () => true

describe('a message', () => {
  it('that another key signed is refused, and used up', async () => {
    const [victim, other] = [newWallet(), newWallet()]
    const message = await page.visitor().challenge(victim.address)
    const forged = await session(message, await other.signMessage({ message }))
    expect([forged.code, forged.headers['set-cookie']]).toEqual(['WRONG_SIGNATURE', undefined])
    expect((await session(message, await victim.signMessage({ message }))).code).toBe('CHALLENGE_ENDED')
  })

  it('is accepted once, by one of many that send it at the same time', async () => {
    const wallet = newWallet()
    const message = await page.visitor().challenge(wallet.address)
    const signature = await wallet.signMessage({ message })
    const all = await Promise.all(Array.from({ length: 8 }, () => session(message, signature)))
    expect(all.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(401)])
    expect((await session(message, signature)).code).toBe('CHALLENGE_ENDED')
  })

  it('is accepted for five minutes', async () => {
    const wallet = newWallet()
    const message = await page.visitor().challenge(wallet.address)
    page.clock.now += 300
    expect((await session(message, await wallet.signMessage({ message }))).code).toBe('CHALLENGE_ENDED')
  })

  it.each([
    ['another domain', 'domain', (text: string) => text.replace(/^[^ ]+/, 'evil.example')],
    ['another page', 'uri', (text: string) => text.replace('/account', '/elsewhere')],
    ['another chain', 'chainId', (text: string) => text.replace('Chain ID: 31337', 'Chain ID: 1')],
    ['a later end', 'expirationTime', (text: string) => text.replace(/(Expiration Time: )\d{4}/, '$12099')],
    ['another wallet', 'address', (text: string) => text.replace(/^0x.*$/m, newWallet().address)],
    ['more words', 'text', (text: string) => text.replace('costs nothing.', 'costs nothing!')],
    ['resources', 'text', (text: string) => `${text}\nResources:\n- https://evil.example`],
  ])('for %s is refused, although the wallet signed it', async (_, field, change) => {
    const wallet = newWallet()
    const message = change(await page.visitor().challenge(wallet.address))
    const { code, body } = await session(message, await wallet.signMessage({ message }))
    expect([code, (body['error'] as { details: object }).details]).toEqual(['MESSAGE_ALTERED', { field }])
  })

  it('that was asked for at one name of the service is refused at another', async () => {
    const wallet = newWallet()
    const host = new URL(page.url).host.replace('127.0.0.1', 'localhost')
    const there = { headers: { host, origin: `http://${host}` } }
    const message = await page.visitor().challenge(wallet.address, there)
    expect(message).toContain(host)
    expect((await session(message, await wallet.signMessage({ message }))).code).toBe('MESSAGE_ALTERED')
  })

  it.each([
    ['no signature', { message: 'x' }],
    ['a signature that is no hex', { message: 'x', signature: '0xzz' }],
    ['a number', { message: 7, signature: '0x00' }],
  ])('with %s is refused with words', async (_, body) => {
    expect((await page.visitor().ask('POST', 'session', { body })).code).toBe('INVALID_PARAMETER')
  })

  it('without a nonce of ours, or too long, is refused', async () => {
    const wallet = newWallet()
    const message = (await page.visitor().challenge(wallet.address)).replace(/Nonce: \w+/, 'Nonce: guessed00')
    expect((await session(message, await wallet.signMessage({ message }))).code).toBe('CHALLENGE_ENDED')
    expect((await session('x'.repeat(40_000), '0x00')).code).toBe('TOO_LARGE')
  })
})

describe('a wallet that is a contract', () => {
  it('signs in by its owner’s signature, before and after it is deployed', async () => {
    const owner = newWallet()
    const address = wallets.of(owner.address)
    const before = await page.visitor().challenge(address)
    const signature = await owner.signMessage({ message: before })
    expect((await session(before, wallets.undeployed(owner.address, signature))).body).toEqual({
      is_new: true,
    })
    await wallets.deploy(owner.address)
    const after = await page.visitor().challenge(address)
    expect((await session(after, await owner.signMessage({ message: after }))).body).toEqual({
      is_new: false,
    })
    const forged = await page.visitor().challenge(address)
    const other = await newWallet().signMessage({ message: forged })
    expect((await session(forged, other)).code).toBe('WRONG_SIGNATURE')
  })

  it('that says yes to everything opens its own account, and no other', async () => {
    const own = await page.visitor().challenge(wallets.gullible)
    const visitor = page.visitor()
    expect((await session(own, NONSENSE, visitor)).status).toBe(200)
    expect((await visitor.account()).name).toBe(wallets.gullible.toLowerCase())
    const victim = newWallet()
    await page.visitor().signIn(victim)
    const code = wallets.creations.gullible
    for (const signature of [
      NONSENSE,
      wallets.undeployed(victim.address, NONSENSE, code),
      wallets.undeployed(victim.address, `0x${'00'.repeat(65)}`, code),
    ] as const) {
      const message = await page.visitor().challenge(victim.address)
      expect((await session(message, signature)).code).toBe('WRONG_SIGNATURE')
    }
  })

  it.each([
    ['the zero address, which is what no signature recovers to', `0x${'0'.repeat(40)}`],
    ['the address of code that answers with what it is asked', `0x${'4'.padStart(40, '0')}`],
  ] as const)('is not %s', async (_, address) => {
    const unrecoverable: Hex = `0x${'ff'.repeat(64)}1b`
    for (const signature of [unrecoverable, wallets.undeployed(newWallet().address, unrecoverable)]) {
      const message = await page.visitor().challenge(address)
      expect((await session(message, signature)).code).toBe('WRONG_SIGNATURE')
    }
  })

  it('is not opened by what a signature has run first', async () => {
    const owner = newWallet()
    await wallets.deploy(owner.address)
    const wallet = wallets.of(owner.address)
    for (const creation of Object.values(wallets.creations)) {
      const message = await page.visitor().challenge(wallet)
      const signature = await newWallet().signMessage({ message })
      const outcome = await session(message, wallets.undeployed(owner.address, signature, creation))
      expect(outcome.code).toBe('WRONG_SIGNATURE')
    }
  })

  it.each<readonly [string, Hex]>([
    ['an empty one', '0x'],
    ['one byte', '0x01'],
    ['31 bytes', `0x${'ab'.repeat(31)}`],
    ['64 bytes', `0x${'ab'.repeat(64)}`],
  ])('judges a signature of any length itself: %s', async (_, signature) => {
    const message = await page.visitor().challenge(wallets.gullible)
    expect((await session(message, signature)).status).toBe(200)
    const other = await page.visitor().challenge(newWallet().address)
    expect((await session(other, signature)).code).toBe('WRONG_SIGNATURE')
  })

  it('is not taken at the word of one endpoint of two', async () => {
    const yes = createServer(async (request, response) => {
      let text = ''
      for await (const part of request) text += String(part)
      const { id } = JSON.parse(text) as { readonly id: number }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: YES_ANSWER }))
    })
    const lying: Emulator = await listen('lying', yes)
    const signed = { address: newWallet().address as Address, message: 'x', signature: NONSENSE }
    expect(await openSignatureCheck([lying.url, wallets.url])(signed, allowed)).toBe(false)
    const alone = openSignatureCheck([lying.url, 'http://127.0.0.1:1'])(signed, allowed)
    await expect(alone).rejects.toMatchObject({ code: 'CHAIN_UNREACHABLE' })
    await lying.stop()
  })
})

describe('what costs the operator', () => {
  const day = () => Math.floor(page.clock.now / 86_400)
  const useUp = (what: string, by: number) =>
    increaseCount(newClient(), {
      table: 'access',
      key: accessKeys.count(what, day()),
      by,
      limit: null,
      expiresAt: page.clock.now + 86_400,
    })

  it('ending a key again and again asks the edge’s store as often as an account may change keys', async () => {
    const visitor = page.visitor('127.0.41.1')
    await visitor.signIn()
    const { id } = await visitor.newKey()
    const { service } = page.options
    let calls = 0
    const counted =
      <Given extends readonly unknown[], T>(ask: (...given: Given) => T) =>
      (...given: Given) => {
        calls += 1
        return ask(...given)
      }
    const { read, write } = service.edge
    page.options.service = {
      ...service,
      edge: { ...service.edge, read: counted(read), write: counted(write) },
    }
    const codes = []
    for (let n = 0; n < 60; n++) codes.push((await visitor.ask('DELETE', `keys/${id}`)).code)
    page.options.service = service
    expect(codes).toEqual([
      ...Array(accountLimits.changes).fill(undefined),
      ...Array(10).fill('TOO_MANY_CHANGES'),
    ])
    expect(calls).toBeLessThanOrEqual(2 * accountLimits.changes)
  })

  it('changes of keys are bounded for a network, over all its accounts', async () => {
    const visitor = page.visitor('127.0.42.1')
    await visitor.signIn()
    await useUp('changes from 127.0.42.0/24', accountLimits.changesOfNetwork)
    expect((await visitor.ask('POST', 'keys', { body: {} })).code).toBe('TOO_MANY_CHANGES_HERE')
  })

  it('new accounts can use up the keys of new accounts only: replacing, older and paid accounts go on', async () => {
    const [young, old, paid] = [1, 2, 3].map((n) => page.visitor(`127.0.43.${n}`)) as [
      Visitor,
      Visitor,
      Visitor,
    ]
    const wallet = newWallet()
    await old.signIn(wallet)
    page.clock.now += 86_401
    await old.signIn(wallet)
    await young.signIn()
    await paid.signIn()
    await setTier(page.access.service, (await paid.account()).id, 'professional')
    const { id } = await young.newKey()
    await useUp('keys of new accounts', accountLimits.keysOfNewInAll)
    expect((await young.ask('POST', 'keys', { body: {} })).code).toBe('TOO_MANY_NEW_KEYS')
    const replaced = await young.ask('POST', `keys/${id}/replacement`, { body: {} })
    const made = [
      replaced,
      ...(await Promise.all([old, paid].map((each) => each.ask('POST', 'keys', { body: {} })))),
    ]
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201])
  })

  it('operators hear what part of a shared bound is used', async () => {
    const heard: number[] = []
    const { service } = page.options
    page.options.service = { ...service, onShared: (percent) => heard.push(percent) }
    page.options.newAccounts = { ofNetwork: 3, inAll: 4 }
    page.clock.now += 86_400
    for (let n = 0; n < 6; n++) await page.visitor(`127.0.${50 + n}.1`).signIn()
    expect(heard).toEqual([25, 50, 75, 100, 100, 100])
    page.options.service = service
    page.options.newAccounts = unbounded
  })
})

describe('a signature', () => {
  it('of 64 bytes (EIP-2098) signs a wallet in', async () => {
    const wallet = newWallet()
    const message = await page.visitor().challenge(wallet.address)
    const full = parseSignature(await wallet.signMessage({ message }))
    const compact = serializeCompactSignature(signatureToCompactSignature(full))
    expect((await session(message, compact)).body).toEqual({ is_new: true })
  })

  it('that is wrong runs nothing on the chain where the address has no code', async () => {
    const methods: string[] = []
    const counting = await listen(
      'counting',
      createServer(async (request, response) => {
        const body = await text(request)
        methods.push((JSON.parse(body) as { method: string }).method)
        const answer = await fetch(wallets.url, {
          method: 'POST',
          body,
          headers: { 'content-type': 'application/json' },
        })
        response.setHeader('content-type', 'application/json')
        response.end(await answer.text())
      }),
    )
    const isSigned = openSignatureCheck([counting.url])
    const signed = { address: newWallet().address, message: 'x', signature: NONSENSE }
    expect(await isSigned(signed, allowed)).toBe(false)
    expect(methods).toEqual(['eth_getCode'])
    expect(await isSigned({ ...signed, address: wallets.gullible }, allowed)).toBe(true)
    expect(methods).toEqual(['eth_getCode', 'eth_getCode', 'eth_call'])
    await counting.stop()
  })

  it('is judged by the chain five times a minute for a network, and sixty times in all', async () => {
    page.clock.now += 60 - (page.clock.now % 60)
    const judged = async (from: string) => {
      const visitor = page.visitor(from)
      const message = await visitor.challenge(wallets.gullible)
      return (await visitor.ask('POST', 'session', { body: { message, signature: NONSENSE } })).code
    }
    const codes = async (network: number) => {
      const all: unknown[] = []
      for (let n = 1; n <= 6; n++) all.push(await judged(`127.0.${network}.1`))
      return all
    }
    const { ofNetwork, inAll } = accountLimits.chainChecksAMinute
    const full = Array.from({ length: ofNetwork }, () => undefined)
    for (let network = 1; network <= inAll / ofNetwork; network++)
      expect(await codes(network)).toEqual([...full, 'TOO_MANY_CHECKS'])
    expect(await judged('127.0.99.1')).toBe('TOO_MANY_CHECKS')
    expect((await page.visitor('127.0.1.1').signIn()).status).toBe(200)
    page.clock.now += 60
    expect(await judged('127.0.1.1')).toBe(undefined)
  })
})

describe('another site', () => {
  it.each<[string, string, Record<string, string | undefined>]>([
    [
      'a form',
      'POST',
      { origin: 'https://evil.example', 'content-type': 'application/x-www-form-urlencoded' },
    ],
    ['a form as text', 'POST', { origin: 'https://evil.example', 'content-type': 'text/plain' }],
    ['a form of a sandboxed frame', 'POST', { origin: 'null' }],
    ['an old browser’s form', 'POST', { origin: undefined, 'sec-fetch-site': undefined }],
    ['fetch', 'POST', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    [
      'fetch of a neighbouring name',
      'POST',
      { origin: 'https://evil.z100.example', 'sec-fetch-site': 'same-site' },
    ],
    ['fetch that claims our origin', 'POST', { 'sec-fetch-site': 'cross-site' }],
    ['the same host over another scheme', 'POST', { origin: 'https://127.0.0.1' }],
  ])('changes nothing by %s, even with the visitor’s cookie', async (_, method, headers) => {
    const visitor = page.visitor()
    await visitor.signIn()
    expect((await visitor.ask(method, 'keys', { headers, body: { label: 'stolen' } })).code).toBe(
      'NOT_FROM_THIS_PAGE',
    )
    expect((await visitor.ask('DELETE', 'account', { headers })).code).toBe('NOT_FROM_THIS_PAGE')
    expect((await visitor.account()).keys).toEqual([])
  })

  it('changes nothing by an image or a link, and reads nothing', async () => {
    const visitor = page.visitor()
    await visitor.signIn()
    const image = { headers: { origin: undefined, 'sec-fetch-site': 'cross-site' } }
    for (const path of ['account', 'keys', 'code', 'challenge'])
      expect((await visitor.ask('GET', path, image)).status).toBeGreaterThanOrEqual(403)
    const own = await visitor.ask('GET', 'account')
    for (const { headers } of [own, await visitor.ask('OPTIONS', 'keys', image)])
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
    expect(own.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  })

  it('cannot make a visitor enter with a session that it knows', async () => {
    const [visitor, attacker] = [page.visitor(), page.visitor()]
    await attacker.signIn()
    const planted = attacker.jar.cookie
    visitor.jar.cookie = planted
    await visitor.signIn()
    expect(visitor.jar.cookie).not.toBe(planted)
    expect((await attacker.ask('GET', 'account')).code).toBe('NOT_SIGNED_IN')
    visitor.jar.cookie = 'chosen'
    expect((await visitor.ask('GET', 'account')).code).toBe('NOT_SIGNED_IN')
  })

  it('cannot hide a second cookie of the same name behind the first', async () => {
    const visitor = page.visitor()
    await visitor.signIn()
    const cookie = `${SESSION_COOKIE}=x; ${SESSION_COOKIE}=${visitor.jar.cookie}`
    expect((await visitor.ask('GET', 'account', { headers: { cookie } })).code).toBe('NOT_SIGNED_IN')
  })

  it('cannot sign a visitor in to its own account', async () => {
    const wallet = newWallet()
    const message = await page.visitor().challenge(wallet.address)
    const body = { message, signature: await wallet.signMessage({ message }) }
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect((await page.visitor().ask('POST', 'session', { body, headers })).code).toBe('NOT_FROM_THIS_PAGE')
  })
})

describe('new accounts', () => {
  afterAll(() => {
    page.options.newAccounts = unbounded
  })
  const most = { ofNetwork: 3, inAll: 1_000 }
  const networks = isLong ? 100 : 5
  const signUps = rounds(30, 10_000)

  it(`of ${signUps} sign-ups from ${networks} networks, each network gets three a day`, async () => {
    const { service } = page.access
    const made = new Map<string, number>()
    const refusals = new Set<string>()
    await mapParallel(
      Array.from({ length: signUps }, (_, n) => n),
      16,
      async (n) => {
        const network = signUpNetworkOf(`10.0.${n % networks}.${n % 250}`)
        const wallet = `0x${(2 ** 40 + n).toString(16).padStart(40, '0')}` as const
        const outcome = await accountOfWallet({ ...service, network }, wallet, most).catch(
          (refusal: { code: string }) => refusal.code,
        )
        if (typeof outcome === 'string') refusals.add(outcome)
        else made.set(network, (made.get(network) ?? 0) + 1)
      },
    )
    expect([...made.values()]).toEqual(Array(networks).fill(3))
    expect([...refusals]).toEqual(['TOO_MANY_HERE'])
  })

  it('are none where the operator allows none', async () => {
    page.options.newAccounts = { ofNetwork: 3, inAll: 0 }
    expect((await page.visitor('127.0.30.1').signIn()).code).toBe('TOO_MANY_ACCOUNTS')
  })

  it('are bounded in all, with words, and begin again the next day', async () => {
    page.options.newAccounts = { ofNetwork: 5, inAll: 7 }
    page.clock.now += 86_400
    const codes = []
    for (let n = 0; n < 12; n++) {
      const { status, code } = await page.visitor(`127.0.${20 + Math.floor(n / 6)}.${n + 1}`).signIn()
      codes.push(code ?? status)
    }
    expect(codes).toEqual([
      ...[200, 200, 200, 200, 200, 'TOO_MANY_HERE'],
      ...[200, 200, ...Array(3).fill('TOO_MANY_ACCOUNTS'), 'TOO_MANY_HERE'],
    ])
    page.clock.now += 86_400
    expect((await page.visitor('127.0.20.1').signIn()).status).toBe(200)
  })

  it.each([
    ['203.0.113.77', '203.0.113.0/24'],
    ['::ffff:203.0.113.77', '203.0.113.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['2001:0DB8:0001::1', '2001:db8:1::/48'],
    ['', ''],
  ])('from %j are counted with those of %j', (address, network) => {
    expect(signUpNetworkOf(address)).toBe(network)
  })
})

describe('a label', () => {
  it.each(['<img src=x onerror=alert(1)>', '"; DROP TABLE access; --', '{{7*7}}', '💛 Zürich'])(
    '%j stays the text that it is',
    async (label) => {
      const visitor = page.visitor()
      await visitor.signIn()
      await visitor.newKey(label)
      expect((await visitor.account()).keys[0]?.label).toBe(label)
    },
  )

  it.each(['a\nb', '\u001b[2K', 'a\u202eb', 'a\u200bb', ' a', 'x'.repeat(65), '\u0000'])(
    '%j is refused',
    async (label) => {
      const visitor = page.visitor()
      await visitor.signIn()
      expect((await visitor.ask('POST', 'keys', { body: { label } })).code).toBe('INVALID_LABEL')
      expect((await visitor.account()).keys).toEqual([])
    },
  )
})

describe('two tabs at the same time', () => {
  it('that sign in for the first time have one account', async () => {
    const wallet = newWallet()
    const tabs = Array.from({ length: 5 }, () => page.visitor())
    const replies = await Promise.all(tabs.map((tab) => tab.signIn(wallet)))
    expect(replies.map(({ status }) => status)).toEqual(Array(5).fill(200))
    const ids = await Promise.all(
      tabs.map(async (tab) => (await sessionOf(page.access.service, tab.jar.cookie)).account.id),
    )
    expect(new Set(ids).size).toBe(1)
  })

  it('that make keys have ten together, and that replace one key make one', async () => {
    const [one, two] = [page.visitor(), page.visitor()]
    await one.signIn()
    two.jar.cookie = one.jar.cookie
    await Promise.all([one, two].flatMap((tab) => Array.from({ length: 6 }, () => tab.newKey())))
    const validIn = async () => (await one.account()).keys.filter(({ state }) => state === 'valid')
    const made = await validIn()
    expect(made.length).toBeLessThanOrEqual(10)
    for (const { id } of made.slice(1)) await one.ask('DELETE', `keys/${id}`)
    const path = `keys/${made[0]?.id}/replacement`
    const replies = await Promise.all([one, two].map((tab) => tab.ask('POST', path, { body: {} })))
    const won = replies.filter(({ status }) => status === 201)
    expect((await validIn()).map(({ id }) => id)).toEqual(won.map(({ body }) => body['id']))
  })
})
