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
import type { ApiEndpoint, ReadStores } from '../../../lambdas/api/endpoint.ts'
import { openStoredLists } from '../../../lambdas/api/stored-lists.ts'
import { priceHistory } from '../../../lambdas/endpoints/candles.ts'
import { holders } from '../../../lambdas/endpoints/holders.ts'
import { tokenSwaps } from '../../../lambdas/endpoints/swaps.ts'
import { tokenMetrics } from '../../../lambdas/endpoints/token.ts'
import { token } from '../../../lambdas/endpoints/token-parts.ts'
import { tokens } from '../../../lambdas/endpoints/tokens.ts'
import { isImported } from '../../../market/coverage.ts'
import type { Address, Block, Segment } from '../../../market/segment.ts'
import { periods } from '../../../market/window.ts'
import { openMemoryBucket } from '../../../store/aws/memory.ts'
import { openDocuments } from '../../../store/published/documents.ts'
import {
  documentsOf,
  type IngestStores,
  memoryStores,
  segmentsOf,
  startWriter,
  untilIdle,
} from '../../support/aws/ingest-stores.ts'
import { startQuietDevnet } from '../../support/chain/quiet-devnet.ts'
import { type Compared, compareAnswer, nothingCompared } from './equal-or-null.ts'
import { expectSameMinutes } from './imported-history.ts'

type Asked = readonly [name: string, endpoint: ApiEndpoint, query: Readonly<Record<string, string>>]

const page = { limit: '100', offset: '0' }
const asked: readonly Asked[] = [
  ['token', token, {}],
  ['metrics', tokenMetrics, {}],
  ['holders', holders, { limit: '100' }],
  ['swaps', tokenSwaps, { ...page }],
  ...periods.map((timeframe): Asked => [`prices ${timeframe}`, priceHistory, { timeframe, fill: 'true' }]),
]

/** JSON texts by name, `of` whose tokens. */
async function answersOf(
  stores: IngestStores,
  addresses: readonly Address[],
): Promise<ReadonlyMap<string, string>> {
  const documents = openDocuments(stores.table)
  const withDocuments = { ...stores, documents, published: openMemoryBucket() }
  const texts = new Map(Object.entries(await documentsOf(withDocuments)))
  const { poolManager, references } = chains.devnet
  const reads = {
    table: stores.table,
    past: stores.table,
    lists: openStoredLists(documents),
    poolManager,
    log: { ...stores.log, cached: async () => ({ applied: await stores.log.applied(), holds: () => true }) },
    codes: { known: async () => new Map() },
    references: new Map(references.map((one) => [one.address, one])),
  } as unknown as ReadStores
  const ask = async (endpoint: ApiEndpoint, query: Asked[2], id: string) => {
    const answer = await endpoint({ id, query }, reads, { caller: null, viewer: '', now: 0, site: '' })
    return 'text' in answer ? answer.text : answer.page.list
  }
  for (const address of addresses) {
    for (const [name, endpoint, query] of asked)
      texts.set(`${name} of ${address}`, await ask(endpoint, query, address))
    const query = { field: 'address', value: address, ...page }
    texts.set(`look-up of ${address}`, await ask(tokens, query, ''))
  }
  return texts
}

let devnet: Devnet
let start: Block
let whole: { readonly stores: IngestStores; readonly segments: readonly Segment[] }
let later: typeof whole

async function logAfter(start: Block | null): Promise<typeof whole> {
  const stores = memoryStores()
  await untilIdle(startWriter(stores, devnet.rpcUrl, start))
  return { stores, segments: await segmentsOf(stores) }
}

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
  ;[whole, later] = [await logAfter(null), await logAfter(start)]
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

const tokensIn = ({ segments }: typeof whole): readonly Address[] => [
  ...new Set(segments.flatMap(({ rows }) => rows.map(({ token }) => token))),
]

/** Compares every document and every answer about a token of the later log with those of the whole. */
async function comparedWith(own: typeof whole): Promise<Compared> {
  const tokens = tokensIn(own)
  const all = await answersOf(whole.stores, tokens)
  const compared = nothingCompared()
  for (const [name, text] of await answersOf(own.stores, tokens))
    compareAnswer(compared, name, JSON.parse(all.get(name)!), JSON.parse(text))
  return compared
}

test('every figure of every document and token answer is that of all history, or null', async () => {
  const { wrong, equal, nulls, nullsOfNew } = await comparedWith(later)
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
  const own = await logAfter((await readHeader(rpc, devnet.head().number - 6))!)
  const { wrong, equal, nulls } = await comparedWith(own)
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
