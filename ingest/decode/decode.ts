/**
 * Decodes logs into facts: one entry per event, except for creations and migrations, which creations.ts decodes first.
 * Spoofed logs are dropped here: a topic proves nothing, only the emitting address does.
 */
import { absolute } from '../../market/bigints.ts'
import type { Fact } from '../../market/fold/fact.ts'
import type { Address, Hash, PoolName, RateSource } from '../../market/segment.ts'
import type { Chain } from '../client/chains.ts'
import type { Log } from '../client/logs.ts'
import { coldTokenEvents, decodeInitialize, positionOf } from './cold-events.ts'
import { type ColdTokenEvent, type EventName, topicOf } from './events.ts'
import {
  decodeCoinTransfer,
  decodeCreatorRewards,
  decodeMarketRewards,
  decodeModifyLiquidity,
  decodePoolSwap,
  decodeSwapped,
  decodeV3Swap,
  rewardedToken,
} from './hot-events.ts'
import type { KnownPool } from './registry.ts'

/** Context for decoding. */
export type DecodeContext = {
  readonly chain: Chain
  readonly tokens: ReadonlySet<Address>
  readonly pools: ReadonlyMap<Hash, KnownPool>
  readonly hooks: ReadonlySet<Address>
}

/**
 * The facts of a log: none if it is spoofed, irrelevant, or changes nothing. Throws MalformedLogError for a genuine log
 * that cannot be decoded.
 */
export const factsOfLog = (log: Log, context: DecodeContext): readonly Fact[] =>
  decoders.get(log.topics[0] ?? '0x')?.(log, context) ?? []

type Decoder = (log: Log, context: DecodeContext) => readonly Fact[]

/** Only for known tokens. */
const ofToken =
  (decode: (log: Log) => Fact): Decoder =>
  (log, { tokens }) =>
    tokens.has(log.address) ? [decode(log)] : []

// Frequent facts are written out field by field, since spreads would cost more than the decoding.
const transfer: Decoder = (log, { tokens }) => {
  if (!tokens.has(log.address)) return []
  const { blockNumber, logIndex, transactionHash, address: token } = log
  const { from, to, amount, fromBalance, toBalance } = decodeCoinTransfer(log)
  const is = 'transferred'
  return [{ blockNumber, logIndex, transactionHash, is, token, from, to, amount, fromBalance, toBalance }]
}

const zeroTopic: Hash = `0x${'0'.repeat(64)}`

/**
 * The hook's Swapped: a price move if an internal sender made it, else a trade, unless the fold knows the sender as a
 * hook: it does so minute by minute, in whatever order blocks are read.
 */
const trade: Decoder = (log, { chain, pools }) => {
  const pool = pools.get(log.topics[3] ?? '0x')
  if (pool?.hook !== log.address) return []
  const swap = decodeSwapped(log)
  const { sender, poolId, key, amount0, amount1, isCoinBuy, sqrtPriceX96, swapSender, isTrusted } = swap
  const { blockNumber, logIndex, transactionHash } = log
  if (chain.internalSenders.includes(sender))
    return [{ blockNumber, logIndex, transactionHash, is: 'moved', token: pool.token, poolId, sqrtPriceX96 }]
  const isCurrency0 = key.currency0 === pool.token
  return [
    {
      blockNumber,
      logIndex,
      transactionHash,
      is: 'swapped',
      token: pool.token,
      poolId,
      quote: isCurrency0 ? key.currency1 : key.currency0,
      isBuy: isCoinBuy,
      amountToken: absolute(isCurrency0 ? amount0 : amount1),
      amountQuote: absolute(isCurrency0 ? amount1 : amount0),
      sqrtPriceX96,
      sender,
      swapSender: !isTrusted ? 'untrusted' : log.topics[2] === zeroTopic ? null : swapSender,
    },
  ]
}

type Payment = ReturnType<typeof decodeMarketRewards>

/** A payment of a token's fees, reported by a hook of the platform. */
const payment =
  (decode: (log: Log) => Payment, mayRepeat: boolean): Decoder =>
  (log, { tokens, hooks }) => {
    if (!hooks.has(log.address) || !tokens.has(rewardedToken(log))) return []
    return [{ ...positionOf(log), is: 'paid', mayRepeat, ...decode(log) }]
  }

const opening: Decoder = (log, { chain, pools }) => {
  const pool = pools.get(log.topics[1] ?? '0x')
  if (log.address !== chain.poolManager || !pool) return []
  return [{ ...positionOf(log), is: 'initialized', token: pool.token, ...decodeInitialize(log) }]
}

/** The PoolManager's Swap: in a token's pool a price move if the platform made it, in a reference pool a rate. */
const poolSwap: Decoder = (log, context) => {
  const { chain, pools, hooks } = context
  if (log.address !== chain.poolManager) return []
  const { poolId, sender, sqrtPriceX96, liquidity } = decodePoolSwap(log)
  const pool = pools.get(poolId)
  if (!pool) return ratesOf(log, chain, { pool: poolId, sqrtPriceX96, liquidity })
  if (!hooks.has(sender) && !chain.internalSenders.includes(sender)) return []
  const { blockNumber, logIndex, transactionHash } = log
  return [{ blockNumber, logIndex, transactionHash, is: 'moved', token: pool.token, poolId, sqrtPriceX96 }]
}

/** Only positions of the hooks count as the platform's liquidity; a delta of zero collects fees and changes no range. */
const provision: Decoder = (log, { chain, pools, hooks }) => {
  const pool = pools.get(log.topics[1] ?? '0x')
  if (log.address !== chain.poolManager || !pool) return []
  const { poolId, sender, tickLower, tickUpper, liquidityDelta } = decodeModifyLiquidity(log)
  if (!hooks.has(sender) || liquidityDelta === 0n) return []
  return [
    {
      blockNumber: log.blockNumber,
      logIndex: log.logIndex,
      transactionHash: log.transactionHash,
      is: 'provided',
      token: pool.token,
      poolId,
      tickLower,
      tickUpper,
      liquidityDelta,
    },
  ]
}

const v3Swap: Decoder = (log, { chain }) =>
  isRatePool(chain, log.address) ? ratesOf(log, chain, { pool: log.address, ...decodeV3Swap(log) }) : []

const isRatePool = ({ references }: Chain, name: PoolName): boolean =>
  references.some(({ sources }) => sources.some(({ pool }) => pool === name))

const ratesOf = (
  log: Log,
  chain: Chain,
  swap: Pick<RateSource, 'pool' | 'sqrtPriceX96' | 'liquidity'>,
): readonly Fact[] => (isRatePool(chain, swap.pool) ? [{ ...positionOf(log), is: 'rated', ...swap }] : [])

/** Events of the first pass, already decoded by creations.ts. */
type Taught = 'creatorCoinCreated' | 'coinCreated' | 'liquidityMigrated'

const decoderOf: Readonly<Record<Exclude<EventName, Taught | ColdTokenEvent>, Decoder>> = {
  swapped: trade,
  marketRewards: payment(decodeMarketRewards, false),
  creatorRewards: payment(decodeCreatorRewards, true),
  coinTransfer: transfer,
  initialize: opening,
  poolSwap,
  modifyLiquidity: provision,
  v3Swap,
}

const decoders: ReadonlyMap<Hash, Decoder> = new Map([
  ...Object.entries(decoderOf).map(([name, decoder]) => [topicOf[name as EventName], decoder] as const),
  ...Object.entries(coldTokenEvents).map(
    ([name, decode]) => [topicOf[name as EventName], ofToken(decode)] as const,
  ),
])
