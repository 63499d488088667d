// Whole form only.
/** A chain with the platform's generations of hooks and tokens, and logs that begin at every age of them. */
import { concatHex, encodeAbiParameters, type Hex, keccak256, numberToHex, toFunctionSelector } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchCreator, launchPost, migrate, renameToken, trade } from '../../../dev/devnet/actions.ts'
import type { BookToken } from '../../../dev/devnet/book.ts'
import type { Devnet } from '../../../dev/devnet/chain.ts'
import {
  anonymousRouterAddress,
  calldata,
  compiledContracts,
  create2Deployer,
  deployer,
  factoryAddress,
  hookAddress,
  hookAddresses,
  hookFlags,
  hookInitCode,
  lower,
  oldHooks,
  orderBookAddress,
  routerAddress,
  zoraAddress,
} from '../../../dev/devnet/contracts.ts'
import { moveRate } from '../../../dev/devnet/genesis.ts'
import { zoraFor } from '../../../dev/devnet/traders.ts'
import { chains } from '../../../ingest/client/chains.ts'
import { readHeader } from '../../../ingest/client/headers.ts'
import { openRpc, type Rpc } from '../../../ingest/client/rpc.ts'
import { type LeftOut, openOldTokens } from '../../../ingest/decode/old-tokens.ts'
import { isImported } from '../../../market/coverage.ts'
import type { Address, Block, Segment } from '../../../market/segment.ts'
import { logsOf } from '../../support/chain/devnet-logs.ts'
import { rpc } from '../../support/chain/json-rpc.ts'
import { startQuietDevnet } from '../../support/chain/quiet-devnet.ts'
import { comparedWith, logAfter, type ReadLog } from './compared-logs.ts'
import { expectSameMinutes } from './imported-history.ts'

const HOUR_MS = 3_600_000
let nowMs = 1_760_000_000_000
let devnet: Devnet
let whole: ReadLog
/** Where logs begin, by how old the tokens are then. */
const starts = new Map<string, Block>()
const hooksAtLaunch = new Map<string, Address>()

const named = (symbol: string): BookToken => devnet.tokens().find((token) => token.symbol === symbol)!
const wallet = (n: number): Address => devnet.wallets[n]!
const mine = (...drafts: Parameters<Devnet['mineBlock']>[1] & object) => devnet.mineBlock(undefined, drafts)

/** Further hooks of one contract, at addresses with the permissions of the deployed ones. */
function furtherHooks(count: number) {
  const code = hookInitCode(compiledContracts.contracts.DevHook.bytecode)
  const bytecodeHash = keccak256(code)
  const found: { readonly address: Address; readonly data: Hex }[] = []
  for (let n = BigInt(compiledContracts.hookSalts.DevHook.at(-1)!) + 1n; found.length < count; n++) {
    const salt = numberToHex(n, { size: 32 })
    const address = hookAddress(bytecodeHash, salt)
    if ((Number.parseInt(address.slice(-4), 16) & 0x3fff) === hookFlags)
      found.push({ address, data: concatHex([salt, code]) })
  }
  return found
}

/** Hooks that are told of no other hook and of no order book report those as traders, as all did before 2.5.0. */
const admit = (hooks: readonly Address[], books: readonly Address[]) => ({
  from: deployer,
  to: factoryAddress,
  data: calldata('DevFactory', 'admit', [hooks, [routerAddress, anonymousRouterAddress], books]),
})

/** The factory's mapping of versions is in its fourth slot. */
const versionSlot = (token: Address): Hex =>
  keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [token, 3n]))

/** Tokens of before coinType: creator tokens are known by what they vest, and posts by nothing. */
const withoutType = { COLD: 'getClaimableAmount()', P101: 'deadbeef()', POLD: 'deadbeef()' }
const bare = (signature: string) => toFunctionSelector(signature).slice(2)

/** The last block of an hour, after which logs begin; the older tokens do not say their type there. */
async function begin(age: string): Promise<void> {
  nowMs = Math.ceil((nowMs + 60_000) / HOUR_MS) * HOUR_MS - 1_000
  const { number } = await mine(...moveRate(deployer, { isUp: true, usd: 100 }))
  const codes = new Map<Address, Hex>()
  for (const [symbol, signature] of Object.entries(withoutType)) {
    const { address } = named(symbol)
    const code = await rpc<Hex>(devnet.rpcUrl, 'eth_getCode', [address, 'latest'])
    const old = code.replace(`63${bare('coinType()')}`, `63${bare(signature)}`)
    expect(old).not.toBe(code)
    codes.set(address, code)
    await rpc(devnet.rpcUrl, 'anvil_setCode', [address, old])
  }
  // anvil keeps the state of a block when the next one is mined.
  await mine()
  for (const [address, code] of codes) await rpc(devnet.rpcUrl, 'anvil_setCode', [address, code])
  starts.set(age, (await readHeader(openRpc([devnet.rpcUrl]), number))!)
}

const symbols = ['P101', 'COLD', 'POLD', 'C23', 'P23', 'N23', 'CNEW', 'PNEW']

/** An order of the book in the pool of a token that is quoted in ZORA. */
const filled = (symbol: string) =>
  mine(
    trade({
      wallet: wallet(9),
      path: [named(symbol).key],
      currencyIn: zoraAddress,
      amountIn: zoraFor(30),
      isFill: true,
    }),
  )

/** Two wallets buy each token, and one sells it. */
async function tradeAll(round: number, traded: readonly string[]): Promise<void> {
  for (const [n, symbol] of traded.entries()) {
    const { address: token } = named(symbol)
    nowMs += HOUR_MS / 10
    await devnet.buy({ token, wallet: wallet(10 + n + round), usd: 40 + 7 * n })
    await devnet.buy({ token, wallet: wallet(20 + n), usd: 15 })
    if (round > 0) await devnet.sell({ token, wallet: wallet(20 + n) })
  }
}

async function launchAll(of09: Address, of101: Address, of23: Address): Promise<void> {
  const [creators, posts] = oldHooks()
  const post = (n: number, symbol: string, quote: string, hook?: Address) => {
    const terms = {
      name: `Post ${symbol}`,
      symbol,
      quote: quote === 'ZORA' ? zoraAddress : named(quote).address,
    }
    return launchPost(wallet(n), hook ? { ...terms, hook } : terms)
  }
  await mine(
    launchCreator(wallet(1), { name: 'Of 2.0', symbol: 'COLD', hook: creators }),
    launchCreator(wallet(2), { name: 'Of 2.3', symbol: 'C23', hook: of23 }),
    launchCreator(wallet(3), { name: 'Of now', symbol: 'CNEW' }),
  )
  await mine(
    post(4, 'P09', 'ZORA', of09),
    post(5, 'P101', 'ZORA', of101),
    post(1, 'POLD', 'COLD', posts),
    post(2, 'P23', 'C23', of23),
    post(2, 'N23', 'C23'),
    post(3, 'PNEW', 'CNEW'),
  )
}

beforeAll(async () => {
  devnet = await startQuietDevnet({
    seed: 5,
    now: () => nowMs,
    isArchive: true,
    history: { blocks: 30, days: 1, trades: 60, creators: 4, posts: 4 },
  })
  const further = furtherHooks(3)
  const [of09, of101, of23] = further.map(({ address }) => address) as [Address, Address, Address]
  await mine(...further.map(({ data }) => ({ from: deployer, to: create2Deployer, data })))
  await mine(
    ...[of09, of101, of23].map((hook) => admit([hook], [])),
    admit(hookAddresses(), [orderBookAddress]),
  )
  await launchAll(of09, of101, of23)
  for (const { symbol, key } of devnet.tokens())
    if (['P09', ...symbols].includes(symbol)) hooksAtLaunch.set(symbol, key.hooks)
  const unlisted = [factoryAddress, versionSlot(named('P09').address), numberToHex(0, { size: 32 })]
  await rpc(devnet.rpcUrl, 'anvil_setStorageAt', unlisted)

  await begin('launched, never traded')
  // What 0.9.0 trades is in the first bucket of the market's volume, which no later log has whole.
  await tradeAll(0, ['P09', ...symbols])
  await begin('traded')
  await tradeAll(1, symbols)
  for (const symbol of ['P101', 'CNEW']) await filled(symbol)
  nowMs += 46 * HOUR_MS
  await tradeAll(2, symbols)
  await begin('a day old')
  await mine(renameToken(named('POLD'), 'Renamed', 'POLD'))
  await tradeAll(3, symbols.slice(0, 4))
  await mine(admit([...hookAddresses(), of09, of101, of23], [orderBookAddress]))
  await mine(migrate(named('P101'), hookAddresses()[0]!), migrate(named('C23'), hookAddresses()[1]!))
  await begin('moved to another hook')
  await tradeAll(4, symbols)
  nowMs += HOUR_MS
  await mine()
  whole = await logAfter(devnet.rpcUrl, null)
})
afterAll(() => devnet?.stop())

test('hooks before 2.5.0 report what the platform itself swaps, and the present ones do not', async () => {
  expect(devnet.failures()).toBe(0)
  const sendersAt = new Map<Address, Set<Address>>()
  for (const { address, args } of await logsOf(devnet.rpcUrl, ['Swapped']))
    sendersAt.set(address, (sendersAt.get(address) ?? new Set()).add(lower(args.sender)))
  const [present = '0x'] = hookAddresses()
  const [ofCreators, ofPosts] = oldHooks()
  const [of101, of23] = [hooksAtLaunch.get('P101')!, hooksAtLaunch.get('C23')!]
  expect([...sendersAt.get(of101)!].sort()).toEqual([routerAddress, orderBookAddress].sort())
  expect(sendersAt.get(ofCreators)).toContain(ofPosts)
  expect(sendersAt.get(of23)).toContain(present)
  for (const internal of [present, ofPosts, of23, orderBookAddress])
    expect(sendersAt.get(present)).not.toContain(internal)
  expect(new Set(hooksAtLaunch.values()).size).toBe(6)
})

/** Without the minutes in which the token that logs leave out was traded; no other one was. */
const without = (minutes: ReadonlySet<number>, { segments }: ReadLog): readonly Segment[] =>
  segments.filter(({ minute }) => !minutes.has(minute))

test.each(['launched, never traded', 'traded', 'a day old', 'moved to another hook'])(
  'a log that begins when the tokens are %s has every figure of all history, or null',
  async (age) => {
    const own = await logAfter(devnet.rpcUrl, starts.get(age)!)
    const born = own.segments.flatMap(({ tokens }) => tokens).filter(({ before }) => !before)
    const imported = born.filter(({ after }) => isImported(after)).map(({ after }) => after)
    const kinds = new Map(imported.map(({ symbol, kind }) => [symbol, kind]))
    for (const symbol of symbols) expect([symbol, kinds.get(symbol)]).toEqual([symbol, named(symbol).kind])
    expect(kinds.has('P09')).toBe(false)
    const of09 = ({ rows }: Segment) => rows.some(({ token }) => token === named('P09').address)
    const minutes = new Set(whole.segments.filter(of09).map(({ minute }) => minute))
    expectSameMinutes(without(minutes, whole), without(minutes, own))
    const { wrong, equal, nulls } = await comparedWith(whole, own)
    expect(wrong).toEqual([])
    expect(equal).toBeGreaterThan(5_000)
    for (const key of ['liquidity_usd', 'total_supply', 'effective_market_cap'])
      expect(nulls.has(key)).toBe(false)
  },
)

test('a contract that the factory has no version of, as coins of 0.9.0, is foreign, and is not called', async () => {
  const endpoint = openRpc([devnet.rpcUrl])
  const [unlisted, listed] = [named('P09').address, named('P101').address]
  let asked = 0
  const spied: Rpc = {
    ...endpoint,
    request: (method, params) => {
      // As what is called, or as what the factory is asked about.
      if (JSON.stringify(params).includes(unlisted.slice(2).padStart(64, '0'))) asked += 1
      return endpoint.request(method, params)
    },
    each: () => [spied],
  }
  const start = starts.get('traded')!
  const left: LeftOut[] = []
  const { find } = openOldTokens({ rpc: spied, chain: chains.devnet }, start, (each) => left.push(each))
  expect([...(await find([unlisted, listed], start.number)).keys()]).toEqual([listed])
  expect({ asked, left }).toEqual({ asked: 1, left: [] })
})
