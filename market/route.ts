import { lesser } from './bigints.ts'
import { counted, marketCapMicroUsd, microUsdOf, priceUsdE36 } from './pool.ts'
import { QUOTE_POOLS_MAX, TOKEN_DECIMALS } from './rules.ts'
import type { Address, Coin, MicroUsd, References, Token, TokenState, UsdE36 } from './segment.ts'

/** The part of a token's pool that prices need. */
type PricedPool = Pick<Coin, 'isCurrency0'> & Pick<TokenState, 'sqrtPriceX96'>
export type Pool = PricedPool & Pick<TokenState, 'reserveQuote'>

/** USD of one whole unit of a quote, and its decimals. `usdE36` is 0 without a route. */
export type Quote = { readonly usdE36: UsdE36; readonly decimals: number }

/**
 * The route from a token to USD: its own pool, its quote's pool, and so on, and the reference currency at the end; null:
 * none.
 */
export type Route<P = Pool> = { readonly pools: readonly P[]; readonly rate: Quote | null }

/** Follows a token's quotes to a reference currency, through at most QUOTE_POOLS_MAX pools. */
export function routeFrom<T>(
  first: T,
  steps: {
    readonly references: References
    readonly poolOf: (token: T) => Pool & Pick<Coin, 'quote'>
    readonly tokenOf: (quote: Address) => T | undefined
  },
): Route {
  const pools: Pool[] = []
  let token: T | undefined = first
  while (token !== undefined && pools.length < QUOTE_POOLS_MAX) {
    const pool = steps.poolOf(token)
    pools.push(pool)
    const reference = steps.references.get(pool.quote)
    if (reference) return { pools, rate: { usdE36: reference.heldUsdE36, decimals: reference.decimals } }
    token = steps.tokenOf(pool.quote)
  }
  return { pools, rate: null }
}

/** The quote of each pool on the route, the token's own first. */
export function quoteAlong({ pools, rate }: Route<PricedPool>, place = 0): Quote {
  return pools
    .slice(place + 1)
    .reduceRight<Quote>(
      (quote, pool) => ({ usdE36: priceIn(pool, quote), decimals: TOKEN_DECIMALS }),
      rate ?? { usdE36: 0n, decimals: TOKEN_DECIMALS },
    )
}

const priceIn = ({ sqrtPriceX96, isCurrency0 }: PricedPool, { usdE36, decimals }: Quote): UsdE36 =>
  priceUsdE36({ sqrtPriceX96, isCurrency0, quoteDecimals: decimals }, usdE36)

/** USD × 1e36 of one whole token; 0 without a price or a route. */
export function priceAlong(route: Route<PricedPool>): UsdE36 {
  const [own] = route.pools
  return own ? priceIn(own, quoteAlong(route)) : 0n
}

/**
 * The least quote-side liquidity of the pools on the route, so that a pumped creator token cannot make a post look
 * liquid. 0 without a route.
 */
export function pathLiquidityAlong(route: Route): MicroUsd {
  return route.pools
    .map(({ reserveQuote }, at) => {
      const { usdE36, decimals } = quoteAlong(route, at)
      return microUsdOf(reserveQuote, usdE36, decimals)
    })
    .reduce(lesser)
}

/** The worth of a token. All are 0 without a route to USD. */
export type Worth = {
  readonly priceUsdE36: UsdE36
  readonly marketCap: MicroUsd
  /** The least quote-side liquidity of the pools on the token's path to USD. */
  readonly pathLiquidity: MicroUsd
  /** min(market cap, CAP_PER_LIQUIDITY × path liquidity). */
  readonly effectiveCap: MicroUsd
  /** Both sides of the token's own pool. */
  readonly liquidity: MicroUsd
}

/** Whether a token's market cap is its launcher's choice: more than its liquidity backs. */
export const isThin = ({ marketCap, effectiveCap }: Pick<Worth, 'marketCap' | 'effectiveCap'>): boolean =>
  marketCap > effectiveCap

/** The worth of a token without a route. */
export const noWorth: Worth = {
  priceUsdE36: 0n,
  marketCap: 0n,
  pathLiquidity: 0n,
  effectiveCap: 0n,
  liquidity: 0n,
}

/** Exact worth of a token. */
export function worthAlong(
  route: Route,
  { supply, reserveQuote, reserveToken }: Pick<TokenState, 'supply' | 'reserveQuote' | 'reserveToken'>,
): Worth {
  const price = priceAlong(route)
  if (price === 0n) return noWorth
  const quote = quoteAlong(route)
  const marketCap = marketCapMicroUsd(price, supply)
  const pathLiquidity = pathLiquidityAlong(route)
  return {
    priceUsdE36: price,
    marketCap,
    pathLiquidity,
    effectiveCap: counted(marketCap, pathLiquidity),
    liquidity:
      microUsdOf(reserveQuote, quote.usdE36, quote.decimals) +
      microUsdOf(reserveToken, price, TOKEN_DECIMALS),
  }
}

/** Worth as published: null without a price in USD. */
export function figuresOfWorth({ priceUsdE36, marketCap, effectiveCap, liquidity }: Worth) {
  const isPriced = priceUsdE36 > 0n
  return {
    priceUsdE36: isPriced ? priceUsdE36 : null,
    marketCap: isPriced ? marketCap : null,
    effectiveMarketCap: isPriced ? effectiveCap : null,
    liquidity: isPriced ? liquidity : null,
  }
}

/** Whether a token is compared with its launch because it is younger than the window that starts then (Unix seconds). */
export const isYounger = ({ launchedAt }: Pick<Coin, 'launchedAt'>, start: number): boolean =>
  launchedAt.timestamp >= start

/**
 * Base price of a token in a window: its launch price if it is younger, else the price at the start; null if neither is
 * known.
 */
export const basePriceOf = (token: Token, start: number, priceThen: () => UsdE36): UsdE36 | null =>
  isYounger(token, start) ? token.launch.priceUsdE36 : priceThen() || null
