import { ownerOf } from '../fold/post-owners.ts'
import { counted, marketCapMicroUsd } from '../pool.ts'
import {
  pathLiquidityAlong,
  priceAlong,
  type Quote,
  quoteAlong,
  type Route,
  routeFrom,
  type Worth,
  worthAlong,
} from '../route.ts'
import { QUOTE_POOLS_MAX } from '../rules.ts'
import {
  type Address,
  type MicroUsd,
  type PostOwner,
  type References,
  stateFields,
  type Token,
  type TokenState,
  type UsdE36,
} from '../segment.ts'

const {
  athUsdE36: _high,
  atlUsdE36: _low,
  athMinute: _highMinute,
  atlMinute: _lowMinute,
  pooled: _pooled,
  cumPostsEarnedMicroUsd: _postsEarned,
  cumPlatformFeesMicroUsd: _platformFees,
  cumReferrerFeesMicroUsd: _referrerFees,
  cumProtocolFeesMicroUsd: _protocolFees,
  ...listed
} = stateFields

/** The fields of a token that lists are built from: all except those that only its own pages and ingest need. */
export const marketFields = listed
export type MarketField = keyof typeof marketFields

/** The market now or at a window start. Tokens are identified by number; a token that did not exist yet reads as 0. */
export type MarketAt = {
  readonly references: References
  /** Upper bound of the numbers; unused ones read as 0. */
  readonly count: number
  /** A token's description at that time. */
  readonly tokenOf: (number: number) => Token
  /** The same as it is stored, as text that this room does not read. */
  readonly textOf: (number: number) => string
  readonly numberOf: (address: Address) => number | undefined
  readonly read: <N extends MarketField>(field: N, number: number) => Pick<TokenState, MarketField>[N]
  /** A field of all tokens, by number, as doubles: exact below 2^53, else within three roundings. A new array each time. */
  readonly column: (field: MarketField) => Float64Array
  /** A new column of zeros. */
  readonly zeros: () => Float64Array
  /** The columns that `use` asks for are given to others once it has ended. */
  readonly withScratch: <V>(use: () => V) => V
  readonly coins: () => Coins
  /** USD × 1e36 of one whole token an hour after its launch; null: not known, or the hour is not over. */
  readonly hourPriceOf: (number: number) => UsdE36 | null
  /** The posts of an address. */
  readonly ownerOf: (address: Address) => PostOwner
  readonly posts: () => PostColumns
}

/** Growth of an amount of a token between two times, in micro-dollars. */
export const amountSince =
  (
    field: 'cumVolumeMicroUsd' | 'cumRankVolumeMicroUsd' | 'cumEarnedMicroUsd',
    now: MarketAt,
    then: MarketAt,
  ) =>
  (number: number): MicroUsd =>
    now.read(field, number) - then.read(field, number)

/** Growth of a count of a token between two times. */
export const countSince =
  (field: 'cumTrades' | 'cumEngagement', now: MarketAt, then: MarketAt) =>
  (number: number): number =>
    now.read(field, number) - then.read(field, number)

/**
 * A quote: the number of a token, or if below 0: -1 minus the index in `others`, the quotes that are not tokens here,
 * mostly reference currencies.
 */
type QuoteNumber = number

/** Attributes of all tokens, by number. */
export type Coins = {
  readonly quotes: ArrayLike<QuoteNumber>
  readonly others: readonly (Address | null)[]
  /** 1: true. */
  readonly isCurrency0: Uint8Array
  readonly isCreator: Uint8Array
  readonly isImported: Uint8Array
  /** Unix seconds. */
  readonly launchedAt: Float64Array
  /** USD of one whole token an hour after the launch; 0: not known, or the hour is not over. */
  readonly hourPrice: Float64Array
}

/** Sums of posts by creator token, as parallel arrays. */
export type PostColumns = {
  /** Number of the creator token; -1: none. */
  readonly creatorTokens: Int32Array
  /** As in `Coins`. Sums of posts quoted in their creator token have its number. */
  readonly quotes: ArrayLike<QuoteNumber>
  /** Base units of the quote. */
  readonly counted: Float64Array
  readonly lastSwap: Float64Array
}

/** Address of the creator token that a post belongs to: that of its owner (see post-owners.ts); null: none. */
function creatorAddressAt(market: MarketAt, number: number): Address | null {
  const tokenOf = (address: Address) => {
    const quote = market.numberOf(address)
    return quote === undefined ? undefined : market.tokenOf(quote)
  }
  const owned = ownerOf(market.tokenOf(number), { tokenOf, references: market.references })
  if (!owned) return null
  const { owner, quote } = owned
  return owner === quote ? owner : market.ownerOf(owner).oldestCreatorToken
}

/** Number of the creator token that a token belongs to: itself for a creator token, its owner's for a post. */
export function creatorNumberOf(market: MarketAt, number: number): number | undefined {
  if (market.tokenOf(number).kind === 'creator') return number
  const address = creatorAddressAt(market, number)
  return address === null ? undefined : market.numberOf(address)
}

/** Numbers of a token and of the tokens on its quote path, in order. */
export function pathOf(market: MarketAt, number: number): readonly number[] {
  const path: number[] = []
  let next: number | undefined = number
  while (next !== undefined && path.length < QUOTE_POOLS_MAX) {
    path.push(next)
    const { quote } = market.tokenOf(next)
    next = market.references.has(quote) ? undefined : market.numberOf(quote)
  }
  return path
}

const routeAt = (market: MarketAt, number: number): Route =>
  routeFrom(number, {
    references: market.references,
    tokenOf: market.numberOf,
    poolOf: (number) => {
      const { quote, isCurrency0 } = market.tokenOf(number)
      const sqrtPriceX96 = market.read('sqrtPriceX96', number)
      return { quote, isCurrency0, sqrtPriceX96, reserveQuote: market.read('reserveQuote', number) }
    },
  })

/** The quote of a token. */
export const quoteAt = (market: MarketAt, number: number): Quote => quoteAlong(routeAt(market, number))

/** USD × 1e36 of one whole token; 0 without a price or a route. */
export const priceAt = (market: MarketAt, number: number): UsdE36 => priceAlong(routeAt(market, number))

/** Exact worth of one token. */
export const worthAt = (market: MarketAt, number: number): Worth =>
  worthAlong(routeAt(market, number), {
    supply: market.read('supply', number),
    reserveQuote: market.read('reserveQuote', number),
    reserveToken: market.read('reserveToken', number),
  })

/** The least quote-side liquidity of the pools between a token and a reference currency. */
export const pathLiquidityAt = (market: MarketAt, number: number): MicroUsd =>
  pathLiquidityAlong(routeAt(market, number))

/** The counted value of a quantity of a token in the index: its worth, limited to CAP_PER_LIQUIDITY × path liquidity. */
export function countedAt(market: MarketAt, number: number, quantity: bigint): MicroUsd {
  const route = routeAt(market, number)
  return counted(marketCapMicroUsd(priceAlong(route), quantity), pathLiquidityAlong(route))
}
