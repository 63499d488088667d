/** Tokens launched by the platform's factory before the log of minutes, with their state at its beginning. */
import { LRUCache } from 'lru-cache'
import { encodeAbiParameters, keccak256, parseAbi } from 'viem'
import { importedAt } from '../../market/coverage.ts'
import { reservesOf } from '../../market/pool.ts'
import type { PriorToken } from '../../market/prior.ts'
import { QUOTE_POOLS_MAX } from '../../market/rules.ts'
import { type Address, type Block, emptyState, type Hash } from '../../market/segment.ts'
import { cleanName, cleanSymbol, soundUri } from '../../market/text.ts'
import type { Chain } from '../client/chains.ts'
import { agreedState, endpointsOf } from '../client/endpoints.ts'
import {
  IngestError,
  RpcUnavailableError,
  StateDisputedError,
  StateUnavailableError,
} from '../client/faults.ts'
import type { Rpc } from '../client/rpc.ts'
import { type StateSource, viewsAt } from '../client/state-calls.ts'
import { poolStates } from './pool-state.ts'

/** Finds old tokens by address. */
export type OldTokens = {
  /**
   * Tokens older than the log among the addresses, and their quotes. The state after the block before the log is the
   * state until a token's first log. If no endpoint has it, the state after block `before` serves as well: it must not
   * be later than the block before any of their first logs. Throws IngestError, StateUnavailableError if no endpoint has
   * either, StateDisputedError if endpoints disagree.
   */
  find(addresses: Iterable<Address>, before: number): Promise<ReadonlyMap<Address, PriorToken>>
}

/** For a log that begins with the platform's first creation. */
export const noOldTokens: OldTokens = { find: async () => new Map() }

// About 2 KB for a token, 100 B for any other address.
const REMEMBERED = 50_000
const FOREIGN_REMEMBERED = 200_000

/** Whether tokens may be older than a log that begins after block `start`. */
export const isAfterCreations = (
  start: Block | null,
  { creationsFrom }: Pick<Chain, 'creationsFrom'>,
): start is Block => start !== null && start.number >= creationsFrom

/** Old tokens of a log that begins after block `start`. Results are cached, since they never change. */
export function openOldTokens({ rpc, chain }: Source, start: Block | null): OldTokens {
  if (!isAfterCreations(start, chain)) return noOldTokens
  const found = new LRUCache<Address, PriorToken>({ max: REMEMBERED })
  const foreign = new LRUCache<Address, true>({ max: FOREIGN_REMEMBERED })
  const references = new Set(chain.references.map(({ address }) => address))
  const ask = openStates(rpc, start.number)

  const find = async (addresses: Iterable<Address>, before: number): Promise<Map<Address, PriorToken>> => {
    const old = new Map<Address, PriorToken>()
    let wanted = [...new Set(addresses)]
    for (let step = 0; step <= QUOTE_POOLS_MAX && wanted.length > 0; step += 1) {
      // Taken before the others are read, which may evict them.
      const cached = wanted.flatMap((address) => found.get(address) ?? [])
      const unknown = wanted.filter(
        (address) => !references.has(address) && !found.has(address) && !foreign.has(address),
      )
      const read =
        unknown.length === 0
          ? []
          : await ask(before, (source) => readTokens(source, { chain, start }, unknown))
      const own = [...cached, ...read]
      for (const known of own) {
        found.set(known.token.address, known)
        old.set(known.token.address, known)
      }
      for (const address of unknown) if (!old.has(address)) foreign.set(address, true)
      wanted = own.map(({ token }) => token.quote).filter((quote) => !old.has(quote))
    }
    return inOrderOfQuotes(old, start)
  }
  return { find }
}

type Source = { readonly rpc: Rpc; readonly chain: Chain }

/** A quote counts as older than its token. */
function inOrderOfQuotes(old: ReadonlyMap<Address, PriorToken>, start: Block): Map<Address, PriorToken> {
  const poolsOf = (address: Address, most = QUOTE_POOLS_MAX): number => {
    const quote = old.get(address)?.token.quote
    return quote && old.has(quote) && most > 0 ? 1 + poolsOf(quote, most - 1) : 0
  }
  return new Map(
    [...old].map(([address, known]) => [
      address,
      { ...known, token: { ...known.token, launchedAt: importedAt(start, poolsOf(address)) } },
    ]),
  )
}

/** An endpoint that failed gets no request for this long (ms) if others answer. */
const REST_MS = 60_000

/** Asks the endpoints for the state after the block before the log, else for that after a later block. */
function openStates(rpc: Rpc, start: number) {
  const lacking = new Set<string>()
  const silentAt = new Map<string, number>()
  const askedFor = (block: number): readonly Rpc[] => {
    const having = endpointsOf(rpc).filter(({ endpoint }) => block !== start || !lacking.has(endpoint.name))
    const heard = having.filter(
      ({ endpoint }) => Date.now() - (silentAt.get(endpoint.name) ?? -REST_MS) >= REST_MS,
    )
    return heard.length > 0 ? heard : having
  }
  return async <T>(before: number, read: (source: StateSource) => Promise<T>): Promise<T> => {
    const stateAfter = (block: number) =>
      agreedState(
        askedFor(block),
        block,
        (one) => read({ rpc: one, block }),
        ({ endpoint }, fault) => {
          if (fault instanceof RpcUnavailableError) silentAt.set(endpoint.name, Date.now())
          if (block === start && fault instanceof StateUnavailableError) lacking.add(endpoint.name)
        },
      )
    try {
      return await stateAfter(start)
    } catch (fault) {
      if (!(fault instanceof IngestError) || fault instanceof StateDisputedError || before === start)
        throw fault
      return await stateAfter(before)
    }
  }
}

const factoryAbi = parseAbi(['function getVersionForDeployedCoin(address coin) view returns (uint8)'])
/** The first version with a Uniswap v4 pool. Source: ourzora/zora-protocol CoinConfigurationVersions. */
const FIRST_V4_VERSION = 4

const coinAbi = parseAbi([
  'struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }',
  'function getPoolKey() view returns (PoolKey)',
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function contractURI() view returns (string)',
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address account) view returns (uint256)',
  'function payoutRecipient() view returns (address)',
  'function coinType() view returns (uint8)',
  'function getClaimableAmount() view returns (uint256)',
])

/** Values of `coinType`. A trend coin is neither. */
const kinds = ['creator', 'post'] as const

async function readTokens(
  source: StateSource,
  { chain, start }: { readonly chain: Chain; readonly start: Block },
  addresses: readonly Address[],
): Promise<readonly PriorToken[]> {
  const versions = await viewsAt(
    source,
    { abi: factoryAbi, functionName: 'getVersionForDeployedCoin' },
    addresses.map((address) => ({ address: chain.factory, args: [address] as const })),
  )
  const genuine = addresses.filter((_, at) => (versions[at] ?? 0) >= FIRST_V4_VERSION)
  const described = (await describe(source, genuine)).filter((coin) => coin !== undefined)
  const pools = await poolStates(source, chain.poolManager, described)
  const held = await viewsAt(
    source,
    { abi: coinAbi, functionName: 'balanceOf' },
    described.flatMap(({ address }) =>
      [address, chain.poolManager].map((holder) => ({ address, args: [holder] as const })),
    ),
  )
  return described.flatMap(({ tickSpacing: _, supply, ...coin }, at) => {
    const pool = pools[at]
    const [selfHeld = 0n, pooled = 0n] = held.slice(2 * at, 2 * at + 2)
    if (!pool || pool.sqrtPriceX96 === 0n) return []
    const { sqrtPriceX96, ranges } = pool
    const launch = { priceUsdE36: null, supply }
    const reserves = reservesOf(ranges, { sqrtPriceX96, isCurrency0: coin.isCurrency0 })
    return [
      {
        token: { ...coin, launchedAt: importedAt(start, 0), launch, migrations: [] },
        state: { ...emptyState, sqrtPriceX96, supply, selfHeld, pooled, ...reserves },
        ranges,
        hour: 0,
        wallets: new Map(),
        isNew: true,
      },
    ]
  })
}

/** Descriptions of genuine tokens; undefined for those without a pool and for trend coins. */
async function describe(source: StateSource, addresses: readonly Address[]) {
  const asked = addresses.map((address) => ({ address, args: [] as const }))
  const [keys, names, symbols, uris, supplies, creators, types, claimable] = await Promise.all([
    viewsAt(source, { abi: coinAbi, functionName: 'getPoolKey' }, asked),
    viewsAt(source, { abi: coinAbi, functionName: 'name' }, asked),
    viewsAt(source, { abi: coinAbi, functionName: 'symbol' }, asked),
    viewsAt(source, { abi: coinAbi, functionName: 'contractURI' }, asked),
    viewsAt(source, { abi: coinAbi, functionName: 'totalSupply' }, asked),
    viewsAt(source, { abi: coinAbi, functionName: 'payoutRecipient' }, asked),
    viewsAt(source, { abi: coinAbi, functionName: 'coinType' }, asked),
    viewsAt(source, { abi: coinAbi, functionName: 'getClaimableAmount' }, asked),
  ])
  return addresses.map((address, at) => {
    const [key, supply, creator] = [keys[at], supplies[at], creators[at]]
    // Creator coins of the first months have no coinType; they are recognised by their vesting.
    const kind = kinds[types[at] ?? (claimable[at] === undefined ? 1 : 0)]
    if (!key || supply === undefined || !creator || !kind) return undefined
    const isCurrency0 = lower(key.currency0) === address
    return {
      address,
      kind,
      supply,
      isCurrency0,
      creator: lower(creator),
      launchedBy: null,
      name: cleanName(names[at] ?? ''),
      symbol: cleanSymbol(symbols[at] ?? ''),
      uri: soundUri(uris[at] ?? ''),
      quote: lower(isCurrency0 ? key.currency1 : key.currency0),
      poolId: poolIdOf(key),
      hook: lower(key.hooks),
      tickSpacing: key.tickSpacing,
    }
  })
}

/** A PoolKey of Uniswap v4. */
export type PoolKey = {
  readonly currency0: Address
  readonly currency1: Address
  readonly fee: number
  readonly tickSpacing: number
  readonly hooks: Address
}

/** A pool's id is the hash of its key. */
export const poolIdOf = (key: PoolKey): Hash =>
  keccak256(
    encodeAbiParameters(
      [{ type: 'address' }, { type: 'address' }, { type: 'uint24' }, { type: 'int24' }, { type: 'address' }],
      [key.currency0, key.currency1, key.fee, key.tickSpacing, key.hooks],
    ),
  )

const lower = (address: Address): Address => address.toLowerCase() as Address
