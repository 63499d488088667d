// Whole form only.
/** A log that begins in the middle of the chain's history, beside the one that has all of it. */
import { parseAbi, toFunctionSelector } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Devnet } from '../../../dev/devnet/chain.ts'
import { chains } from '../../../ingest/client/chains.ts'
import { readHeader } from '../../../ingest/client/headers.ts'
import { openRpc, type Rpc } from '../../../ingest/client/rpc.ts'
import { viewsAt } from '../../../ingest/client/state-calls.ts'
import { type LeftOut, openOldTokens } from '../../../ingest/decode/old-tokens.ts'
import { poolStates } from '../../../ingest/decode/pool-state.ts'
import { isImported } from '../../../market/coverage.ts'
import type { Block } from '../../../market/segment.ts'
import { startQuietDevnet } from '../../support/chain/quiet-devnet.ts'
import { comparedWith, logAfter, type ReadLog } from './compared-logs.ts'
import { expectSameMinutes } from './imported-history.ts'

let devnet: Devnet
let start: Block
let whole: ReadLog
let later: ReadLog

beforeAll(async () => {
  devnet = await startQuietDevnet({
    seed: 4,
    now: () => 1_760_000_000_000,
    isArchive: true,
    history: { blocks: 80, days: 2, trades: 240, creators: 12, posts: 18 },
  })
  const rpc = openRpc([devnet.rpcUrl])
  // The hour in whose middle the chain is half as old as now: what counts by the hour is whole from its first block on.
  const middle = (await readHeader(rpc, Math.floor(devnet.head().number / 2)))!
  const hour = Math.ceil(middle.timestamp / 3_600) * 3_600
  start = middle
  for (let next = middle; next.timestamp < hour; ) {
    start = next
    next = (await readHeader(rpc, next.number + 1))!
  }
  ;[whole, later] = [await logAfter(devnet.rpcUrl, null), await logAfter(devnet.rpcUrl, start)]
})
afterAll(() => devnet?.stop())

test('tokens older than the log are in it, and those launched later as usual', () => {
  const born = later.segments.flatMap((segment) => segment.tokens).filter(({ before }) => !before)
  const imported = born.filter(({ after }) => isImported(after)).map(({ after }) => after)
  expect(imported.length).toBeGreaterThan(10)
  expect(new Set(imported.map(({ address }) => address)).size).toBe(imported.length)
  expect(born.length - imported.length).toBeGreaterThan(3)
  expect(new Set(imported.map(({ kind }) => kind))).toEqual(new Set(['creator', 'post']))
  const hooks = later.segments.flatMap((segment) => segment.hooks)
  expect(hooks).toEqual(expect.arrayContaining([...new Set(imported.map(({ hook }) => hook))]))
})

test('every row and swap of every minute is that of the log of all history', () => {
  expectSameMinutes(whole.segments, later.segments)
})

test('every figure of every document and token answer is that of all history, or null', async () => {
  const { wrong, equal, nulls, nullsOfNew } = await comparedWith(whole, later)
  expect(wrong).toEqual([])
  expect(equal).toBeGreaterThan(25_000)
  // What the hours since the log's beginning tell is there.
  for (const key of ['liquidity_usd', 'total_supply', 'effective_market_cap', 'pool_id'])
    expect(nulls.has(key)).toBe(false)
  const unknown = [
    'is_new',
    'previous_rank',
    'creator_address',
    'total_volume',
    'unique_holders',
    'volume_period',
  ]
  expect([...nulls]).toEqual(expect.arrayContaining(unknown))
  // A token launched since is known whole; who was on the board before is not.
  expect([...nullsOfNew].sort()).toEqual(['is_new', 'previous_rank', 'rank_change'])
})

test('the same holds where the log begins within an hour, minutes before the newest', async () => {
  const rpc = openRpc([devnet.rpcUrl])
  const own = await logAfter(devnet.rpcUrl, (await readHeader(rpc, devnet.head().number - 6))!)
  const { wrong, equal, nulls } = await comparedWith(whole, own)
  expect(wrong).toEqual([])
  const unknown = [
    'volume_24h',
    'trades_24h',
    'engagement',
    'total_volume_24h',
    'buy_volume',
    'active_tokens_24h',
  ]
  expect([...nulls]).toEqual(expect.arrayContaining(unknown))
  expect(equal).toBeGreaterThan(5_000)
})

test('view calls beyond the limits of one eth_call are split in halves', async () => {
  const abi = parseAbi(['function name() view returns (string)', 'function nothing() view returns (string)'])
  const tokens = devnet.tokens().map(({ address }) => ({ address, args: [] as const }))
  const asked = Array.from({ length: 40 }, () => tokens).flat()
  const source = { rpc: openRpc([devnet.rpcUrl]), block: start.number }
  const names = await viewsAt(source, { abi, functionName: 'name' }, asked)
  expect(asked.length).toBeGreaterThan(1_000)
  expect(names.slice(0, tokens.length)).toEqual(names.slice(-tokens.length))
  expect(names.filter((name) => name !== undefined).length).toBeGreaterThan(300)
  const none = await viewsAt(source, { abi, functionName: 'nothing' }, tokens)
  expect(none).toEqual(tokens.map(() => undefined))
})

/** The chain's endpoint, where each call is changed before it is made. */
function endpointWith(change: (params: readonly unknown[]) => readonly unknown[]): Rpc {
  const own = openRpc([devnet.rpcUrl])
  const changed: Rpc = {
    ...own,
    request: (method, params) => own.request(method, method === 'eth_call' ? change(params) : params),
    each: () => [changed],
  }
  return changed
}

/** Calls a function that does not exist in place of `signature`. */
const without = (signature: string): Rpc =>
  endpointWith((params) =>
    JSON.parse(JSON.stringify(params).replaceAll(toFunctionSelector(signature).slice(2), 'deadbeef')),
  )

const HOOKS_OWN = 'function getPoolCoin((address,address,uint24,int24,address))'

test('liquidity is the same whether hooks report their ranges or not', async () => {
  const keys = devnet.tokens().map(({ key }) => key)
  const statesFrom = (rpc: Rpc) =>
    poolStates({ rpc, block: devnet.head().number }, chains.devnet.poolManager, keys)
  const states = await statesFrom(openRpc([devnet.rpcUrl]))
  expect(states.every((state) => state && state.ranges.length > 0)).toBe(true)
  expect(await statesFrom(without(HOOKS_OWN))).toEqual(states)
})

test.each([
  ['function getVersionForDeployedCoin(address)', 'the factory says no version of it'],
  ['function totalSupply()', 'it does not answer what it is'],
  ['function balanceOf(address)', 'its pool or its balances are not answered'],
])('a token without an answer of %s is left out by name, never with a 0', async (signature, why) => {
  const wanted = devnet
    .tokens()
    .slice(0, 3)
    .map(({ address }) => address)
  const left: LeftOut[] = []
  const own = { rpc: without(signature), chain: chains.devnet }
  const old = openOldTokens(own, start, (each) => left.push(each))
  expect(await old.find(wanted, start.number)).toEqual(new Map())
  expect(left).toEqual(wanted.map((token) => ({ token, why })))
})
