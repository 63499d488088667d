/** Tokens launched by the platform's factory before the log of minutes, with their state at its beginning. */
import { LRUCache } from 'lru-cache'
import { parseAbi } from 'viem'
import { importedAt } from '../../market/coverage.ts'
import { reservesOf } from '../../market/pool.ts'
import type { PriorToken } from '../../market/prior.ts'
import { QUOTE_POOLS_MAX } from '../../market/rules.ts'
import { type Address, type Block, emptyState } from '../../market/segment.ts'
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
import { poolIdOf, poolStates } from './pool-state.ts'

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

/** A token that the log leaves out, because a contract does not answer what its figures need: `why` says what. */
export type LeftOut = { readonly token: Address; readonly why: string }

/**
 * Old tokens of a log that begins after block `start`. Results are cached, since they never change. `onLeftOut` is called
 * once for each token that is left out.
 */
export function openOldTokens(
  { rpc, chain }: Source,
  start: Block | null,
  onLeftOut: (left: LeftOut) => void = () => {},
): OldTokens {
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
      const { read, leftOut } =
        unknown.length === 0
          ? { read: [], leftOut: [] }
          : await ask(before, (source) => readTokens(source, { chain, start }, unknown))
      leftOut.forEach(onLeftOut)
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

type ReadTokens = { readonly read: readonly PriorToken[]; readonly leftOut: readonly LeftOut[] }

/** Reads the tokens among the addresses. An answer that fails is never taken for 0: its token is left out. */
async function readTokens(
  source: StateSource,
  { chain, start }: { readonly chain: Chain; readonly start: Block },
  addresses: readonly Address[],
): Promise<ReadTokens> {
  const versions = await viewsAt(
    source,
    { abi: factoryAbi, functionName: 'getVersionForDeployedCoin' },
    addresses.map((address) => ({ address: chain.factory, args: [address] as const })),
  )
  // A factory that answers no version kept none yet.
  const leftOut = leftOutFor('the factory says no version of it', addresses, versions)
  // Nothing else is called: a stranger's contract may burn all the gas of the call that others share. So coins of June
  // 2025 (0.9.0), which are older than the factory's list of versions, are foreign.
  const genuine = addresses.filter((_, at) => (versions[at] ?? 0) >= FIRST_V4_VERSION)
  const described = await describe(source, genuine)
  leftOut.push(...leftOutFor('it does not answer what it is', genuine, described))
  const coins = described.flatMap((coin) => (coin && coin !== 'trend' ? [coin] : []))
  const pools = await poolStates(
    source,
    chain.poolManager,
    coins.map(({ key }) => key),
  )
  const held = await viewsAt(
    source,
    { abi: coinAbi, functionName: 'balanceOf' },
    coins.flatMap(({ address }) =>
      [address, chain.poolManager].map((holder) => ({ address, args: [holder] as const })),
    ),
  )
  const read = coins.map(({ key: _, supply, ...coin }, at): PriorToken | undefined => {
    const pool = pools[at]
    const [selfHeld, pooled] = held.slice(2 * at, 2 * at + 2)
    if (!pool || selfHeld === undefined || pooled === undefined) return undefined
    const { sqrtPriceX96, ranges } = pool
    const launch = { priceUsdE36: null, supply }
    const reserves = reservesOf(ranges, { sqrtPriceX96, isCurrency0: coin.isCurrency0 })
    return {
      token: { ...coin, launchedAt: importedAt(start, 0), launch, migrations: [] },
      state: { ...emptyState, sqrtPriceX96, supply, selfHeld, pooled, ...reserves },
      ranges,
      hour: 0,
      wallets: new Map(),
      isNew: true,
    }
  })
  const wanted = coins.map(({ address }) => address)
  leftOut.push(...leftOutFor('its pool or its balances are not answered', wanted, read))
  return { read: read.filter((token) => token !== undefined), leftOut }
}

/** Those of the tokens that have no answer. */
const leftOutFor = (why: string, tokens: readonly Address[], answers: readonly unknown[]): LeftOut[] =>
  tokens.filter((_, at) => answers[at] === undefined).map((token) => ({ token, why }))

/** Descriptions of genuine tokens; undefined where an answer is missing. */
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
    if (!key || supply === undefined || !creator) return undefined
    if (!kind) return 'trend'
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
      nameSince: null,
      symbolSince: null,
      uri: soundUri(uris[at] ?? ''),
      quote: lower(isCurrency0 ? key.currency1 : key.currency0),
      key,
      poolId: poolIdOf(key),
      hook: lower(key.hooks),
    }
  })
}

const lower = (address: Address): Address => address.toLowerCase() as Address
