import { type MarketAt, type MarketField, priceAt, worthAt } from './market-at.ts'
import { memoized } from './memoized.ts'
import { type Portfolio, portfolioAt } from './portfolio.ts'
import type { Worth } from './route.ts'
import { CAP_PER_LIQUIDITY, QUOTE_POOLS_MAX, TOKEN_DECIMALS } from './rules.ts'
import type { MicroUsd, ReferenceRate } from './segment.ts'

/**
 * Approximate worth of tokens as doubles, by number: enough to exclude those that cannot be on a list; exact integers
 * decide among the rest (ranking.ts). Each figure is within a few dozen roundings of 2^-53 of the exact one before
 * flooring.
 */
export type Approximation = {
  /** USD of one whole token; 0 without a route. */
  readonly price: Float64Array
  /** Micro-dollars. */
  readonly marketCap: Float64Array
  /** The least quote side on the path, micro-dollars. */
  readonly pathLiquidity: Float64Array
}

/** A market valued at a time: approximately for every token, exactly on request (memoized). */
export type Valuation = {
  readonly market: MarketAt
  /** Doubles by number. */
  readonly approximation: Approximation & {
    /** Counted value of a creator token and its posts, micro-dollars; 0 for a post. */
    readonly counted: Float64Array
    /** The last minute with a swap of a token or, of a creator token, of one of its posts; 0: none yet. */
    readonly lastSwap: Float64Array
    /** In the 24 hours before; volume in micro-dollars, exact below 2^53. */
    readonly volume24h: Float64Array
    readonly engagement24h: Float64Array
    readonly cumVolume: Float64Array
    readonly trades: Float64Array
    readonly holders: Float64Array
  }
  readonly worthOf: (number: number) => Worth
  /** Null on posts. */
  readonly portfolioOf: (number: number) => Portfolio | null
  /** In the 24 hours before. */
  readonly volume24hOf: (number: number) => MicroUsd
  readonly engagement24hOf: (number: number) => number
}

/** Values all tokens of a market; `dayBefore` is the market 24 hours before. */
export function valuationAt(market: MarketAt, dayBefore: MarketAt): Valuation {
  const now = market.columns([...worthFields, ...tradeFields])
  const worth = approximateWorth(market, now)
  const before = dayBefore.columns(['cumVolumeMicroUsd', 'cumEngagement'])
  const volume24hOf = volumeSince(market, dayBefore)
  const engagement24hOf = (number: number) =>
    market.read('cumEngagement', number) - dayBefore.read('cumEngagement', number)
  return {
    market,
    approximation: {
      ...worth,
      ...approximateCreators(market, worth, now),
      volume24h: differences(now.cumVolumeMicroUsd, before.cumVolumeMicroUsd, volume24hOf),
      engagement24h: differences(now.cumEngagement, before.cumEngagement, engagement24hOf),
      cumVolume: now.cumVolumeMicroUsd,
      trades: now.cumTrades,
      holders: now.holders,
    },
    worthOf: memoized((number) => worthAt(market, number)),
    portfolioOf: memoized((number) =>
      market.tokenOf(number).kind === 'creator' ? portfolioAt(market, number) : null,
    ),
    volume24hOf,
    engagement24hOf,
  }
}

/** Differences of amounts as doubles, exact below 2^53. Overwrites `before`. */
export function differences(
  now: Float64Array,
  before: Float64Array,
  exactly: (number: number) => bigint | number,
): Float64Array {
  for (let number = 0; number < now.length; number++) {
    const amount = now[number] as number
    before[number] = amount < 2 ** 53 ? amount - (before[number] as number) : Number(exactly(number))
  }
  return before
}

/** Micro-dollars of a token's trades between two times. */
export const volumeSince =
  (now: MarketAt, before: MarketAt) =>
  (number: number): MicroUsd =>
    now.read('cumVolumeMicroUsd', number) - before.read('cumVolumeMicroUsd', number)

const Q96 = 2 ** 96
const MICRO = 1e6
const WHOLE = 10 ** TOKEN_DECIMALS
const CAP = Number(CAP_PER_LIQUIDITY)
/** Below this price in USD, flooring of the exact price (× 1e36) would show in a double, so the exact price is used. */
const LEAST_PRICE = 2 ** 40 / 1e36

/** Fields that worth is computed from, and fields changed by trades. */
const worthFields = ['sqrtPriceX96', 'supply', 'reserveQuote'] as const
const tradeFields = ['cumVolumeMicroUsd', 'cumTrades', 'cumEngagement', 'holders', 'lastSwapMinute'] as const
type ColumnsOf<N extends MarketField> = Readonly<Record<N, Float64Array>>
type WorthColumns = ColumnsOf<(typeof worthFields)[number]>

/** Approximate worth of all tokens: first those quoted in a reference currency, then those quoted in one of these, and so on. */
export function approximateWorth(
  market: MarketAt,
  { sqrtPriceX96, supply, reserveQuote }: WorthColumns = market.columns(worthFields),
): Approximation {
  const { quotes, isCurrency0 } = market.coins()
  const units = unitsOf(market)
  const { count } = market
  const [price, marketCap, pathLiquidity] = [market.zeros(), market.zeros(), market.zeros()]
  // Pools between a token and a reference currency; 0: no price.
  const pools = new Uint8Array(count)
  for (let pool = 1; pool <= QUOTE_POOLS_MAX; pool++) {
    for (let number = 0; number < count; number++) {
      const quote = quotes[number] as number
      const isFirst = quote < 0
      if (isFirst ? pool > 1 : pool === 1 || pools[quote] !== pool - 1) continue
      const unit = isFirst ? (units[-1 - quote] as number) : (price[quote] as number) / WHOLE
      const root = sqrtPriceX96[number] as number
      let usd = ratioOf(root, isCurrency0[number] === 1) * unit * WHOLE
      if (usd !== 0 && usd < LEAST_PRICE) usd = Number(priceAt(market, number)) / 1e36
      if (usd === 0) continue
      pools[number] = pool
      price[number] = usd
      marketCap[number] = ((supply[number] as number) / WHOLE) * usd * MICRO
      const own = (reserveQuote[number] as number) * unit * MICRO
      pathLiquidity[number] = isFirst ? own : Math.min(own, pathLiquidity[quote] as number)
    }
  }
  return { price, marketCap, pathLiquidity }
}

/** USD of a base unit of each quote that is not a token; 0: unknown. */
const unitsOf = (market: MarketAt): readonly number[] =>
  market.coins().others.map((quote) => {
    const rate = quote && market.references.get(quote)
    return rate ? unitOf(rate) : 0
  })

const unitOf = ({ heldUsdE36, decimals }: ReferenceRate): number => Number(heldUsdE36) / 1e36 / 10 ** decimals

/** Quote units of a base unit of the token; 0 before the first price. */
function ratioOf(sqrtPriceX96: number, isCurrency0: boolean): number {
  if (sqrtPriceX96 === 0) return 0
  const root = isCurrency0 ? sqrtPriceX96 / Q96 : Q96 / sqrtPriceX96
  return root * root
}

/** Further figures of creator tokens: their counted value with their posts (portfolio.ts), and the last swap of any of these. */
function approximateCreators(
  market: MarketAt,
  { price }: Approximation,
  { sqrtPriceX96, supply, reserveQuote, lastSwapMinute }: WorthColumns & ColumnsOf<'lastSwapMinute'>,
) {
  const { quotes, isCurrency0, isCreator } = market.coins()
  const units = unitsOf(market)
  const unitAt = (quote: number): number =>
    quote < 0 ? (units[-1 - quote] as number) : (price[quote] as number) / WHOLE
  const { inToken, counted, lastSwap } = approximatePosts(market, units, lastSwapMinute)
  for (let number = 0; number < counted.length; number++) {
    if (isCreator[number] === 0) continue
    const ratio = ratioOf(sqrtPriceX96[number] as number, isCurrency0[number] === 1)
    const whole = ((supply[number] as number) + (inToken[number] as number)) * ratio
    const inQuote = Math.min(whole, CAP * (reserveQuote[number] as number))
    counted[number] = (inQuote * unitAt(quotes[number] as number) + (counted[number] as number)) * MICRO
  }
  return { counted, lastSwap }
}

/** For each creator token, the counted value of the posts quoted in it, in its base units, and of its other posts, in USD. */
function approximatePosts(market: MarketAt, units: readonly number[], lastSwap: Float64Array) {
  const posts = market.posts()
  const inToken = market.zeros()
  const counted = market.zeros()
  for (let at = 0; at < posts.creatorTokens.length; at++) {
    const number = posts.creatorTokens[at] as number
    if (number < 0) continue
    const quote = posts.quotes[at] as number
    const sum = posts.counted[at] as number
    if (quote === number) inToken[number] = sum
    else if (quote < 0) counted[number] = (counted[number] as number) + sum * (units[-1 - quote] as number)
    lastSwap[number] = Math.max(lastSwap[number] as number, posts.lastSwap[at] as number)
  }
  return { inToken, counted, lastSwap }
}
