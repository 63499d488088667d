import { memoized } from '../memoized.ts'
import { CAP_PER_LIQUIDITY, QUOTE_POOLS_MAX, TOKEN_DECIMALS } from '../rules.ts'
import type { ReferenceRate } from '../segment.ts'
import { amountSince, countSince, type MarketAt, type MarketField, priceAt } from './market-at.ts'
import { type Portfolio, portfolioAt } from './portfolio.ts'
import { type Pricing, pricingOf } from './pricing.ts'

/**
 * Approximate worth of tokens as doubles, by number: enough to exclude those that cannot be on a list; exact integers
 * decide among the rest (ranking.ts). Each figure is within a few dozen roundings of 2^-53 of the exact one before
 * flooring. Amounts are micro-dollars.
 */
export type Approximation = {
  /** USD of one whole token; 0 without a route, and then nothing else is known. */
  readonly price: Float64Array
  readonly marketCap: Float64Array
  /** The least quote side on the path. */
  readonly pathLiquidity: Float64Array
  /** Counted value of a creator token and its posts (portfolio.ts); means nothing for a post. */
  readonly counted: Float64Array
  /** The last minute with a swap of a token or, of a creator token, of one of its posts; 0: none yet. */
  readonly lastSwap: Float64Array
}

/** Growth of a number between two times: of all tokens as doubles, exact below 2^53, and of one token exactly. */
export type Growth<V extends bigint | number> = {
  readonly about: Float64Array
  readonly exactly: (number: number) => V
}

/** A market valued at a time: approximately for every token, exactly on request (memoized). */
export type Valuation = Pricing & {
  readonly market: MarketAt
  readonly approximation: Approximation
  /** Null on posts. */
  readonly portfolioOf: (number: number) => Portfolio | null
  /** Micro-dollars in the 24 hours before. */
  readonly volume24h: Growth<bigint>
  readonly engagement24h: Growth<number>
}

/** Values all tokens of a market; `dayBefore` is the market 24 hours before. */
export const valuationAt = (market: MarketAt, dayBefore: MarketAt): Valuation => ({
  market,
  approximation: approximateWorth(market),
  ...pricingOf(market),
  portfolioOf: memoized((number) =>
    market.tokenOf(number).kind === 'creator' ? portfolioAt(market, number) : null,
  ),
  volume24h: amountGrowth('cumVolumeMicroUsd', market, dayBefore),
  engagement24h: countGrowth('cumEngagement', market, dayBefore),
})

/** Growth of an amount of every token, in micro-dollars. */
export const amountGrowth = (
  field: Parameters<typeof amountSince>[0],
  now: MarketAt,
  then: MarketAt,
): Growth<bigint> => growthOf(field, { now, then }, amountSince(field, now, then))

/** Growth of a count of every token. */
export const countGrowth = (
  field: Parameters<typeof countSince>[0],
  now: MarketAt,
  then: MarketAt,
): Growth<number> => growthOf(field, { now, then }, countSince(field, now, then))

function growthOf<V extends bigint | number>(
  field: MarketField,
  { now, then }: { readonly now: MarketAt; readonly then: MarketAt },
  exactly: (number: number) => V,
): Growth<V> {
  const about = then.column(field)
  now.withScratch(() => {
    const amounts = now.column(field)
    for (let number = 0; number < about.length; number++) {
      const amount = amounts[number] as number
      about[number] = amount < 2 ** 53 ? amount - (about[number] as number) : Number(exactly(number))
    }
  })
  return { about, exactly }
}

const Q96 = 2 ** 96
const MICRO = 1e6
const WHOLE = 10 ** TOKEN_DECIMALS
const CAP = Number(CAP_PER_LIQUIDITY)
/** Below this price in USD, flooring of the exact price (× 1e36) would show in a double, so the exact price is used. */
const LEAST_PRICE = 2 ** 40 / 1e36

/** Approximate worth of all tokens: first those quoted in a reference currency, then those quoted in one of these, and so on. */
export function approximateWorth(market: MarketAt): Approximation {
  const { zeros } = market
  const lastSwap = market.column('lastSwapMinute')
  const worth = { price: zeros(), marketCap: zeros(), pathLiquidity: zeros(), counted: zeros(), lastSwap }
  market.withScratch(() => approximateInto(worth, market))
  return worth
}

/** The approximate prices alone. */
export function approximatePrices(market: MarketAt): Float64Array {
  const price = market.zeros()
  market.withScratch(() => price.set(approximateWorth(market).price))
  return price
}

function approximateInto(worth: Approximation, market: MarketAt): void {
  const { price, marketCap, pathLiquidity, counted } = worth
  const { quotes, isCurrency0 } = market.coins()
  const [sqrtPriceX96, supply] = [market.column('sqrtPriceX96'), market.column('supply')]
  const reserveQuote = market.column('reserveQuote')
  const units = unitsOf(market)
  const inToken = addPosts(worth, market, units)
  // Pools between a token and a reference currency; 0: no price.
  const pools = new Uint8Array(market.count)
  for (let pool = 1; pool <= QUOTE_POOLS_MAX; pool++) {
    for (let number = 0; number < market.count; number++) {
      const quote = quotes[number] as number
      const isFirst = quote < 0
      if (isFirst ? pool > 1 : pool === 1 || pools[quote] !== pool - 1) continue
      const unit = isFirst ? (units[-1 - quote] as number) : (price[quote] as number) / WHOLE
      const ratio = ratioOf(sqrtPriceX96[number] as number, isCurrency0[number] === 1)
      let usd = ratio * unit * WHOLE
      if (usd !== 0 && usd < LEAST_PRICE) usd = Number(priceAt(market, number)) / 1e36
      if (usd === 0) continue
      pools[number] = pool
      price[number] = usd
      const amount = supply[number] as number
      marketCap[number] = (amount / WHOLE) * usd * MICRO
      const reserve = reserveQuote[number] as number
      const own = reserve * unit * MICRO
      pathLiquidity[number] = isFirst ? own : Math.min(own, pathLiquidity[quote] as number)
      const inQuote = Math.min((amount + (inToken[number] as number)) * ratio, CAP * reserve)
      counted[number] = (inQuote * unit + (counted[number] as number)) * MICRO
    }
  }
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

/**
 * Adds to each creator token its posts: to `counted`, in USD, those that are not quoted in it, and their last swap. Returns
 * the counted value of the others, in its base units.
 */
function addPosts({ counted, lastSwap }: Approximation, market: MarketAt, units: readonly number[]) {
  const posts = market.posts()
  const inToken = market.zeros()
  for (let at = 0; at < posts.creatorTokens.length; at++) {
    const number = posts.creatorTokens[at] as number
    if (number < 0) continue
    const quote = posts.quotes[at] as number
    const sum = posts.counted[at] as number
    if (quote === number) inToken[number] = sum
    else if (quote < 0) counted[number] = (counted[number] as number) + sum * (units[-1 - quote] as number)
    lastSwap[number] = Math.max(lastSwap[number] as number, posts.lastSwap[at] as number)
  }
  return inToken
}
