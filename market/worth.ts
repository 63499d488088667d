import { type MarketAt, quoteNumberOf } from './market-at.ts'
import { effectiveCap, marketCapMicroUsd, microUsdOf, priceUsdE36 } from './pool.ts'
import { QUOTE_POOLS_MAX, TOKEN_DECIMALS } from './rules.ts'
import type { MicroUsd, UsdE36 } from './segment.ts'

/** USD of one whole unit of what a token is priced in, and its decimals. `usdE36` is 0 without a route. */
export type Quote = { readonly usdE36: UsdE36; readonly decimals: number }

/** What a token is priced in. */
export function quoteAt(market: MarketAt, number: number, pools = QUOTE_POOLS_MAX): Quote {
  const reference = market.references.get(market.tokenOf(number).quote)
  if (reference) return { usdE36: reference.heldUsdE36, decimals: reference.decimals }
  const quote = quoteNumberOf(market, number)
  const usdE36 = quote === undefined || pools <= 1 ? 0n : priceAt(market, quote, pools - 1)
  return { usdE36, decimals: TOKEN_DECIMALS }
}

/** USD × 1e36 of one whole token, along at most so many pools of tokens; 0 without a price or a route. */
export function priceAt(market: MarketAt, number: number, pools = QUOTE_POOLS_MAX): UsdE36 {
  const sqrtPriceX96 = market.read('sqrtPriceX96', number)
  if (sqrtPriceX96 === 0n) return 0n
  const { isCurrency0 } = market.tokenOf(number)
  const quote = quoteAt(market, number, pools)
  return priceUsdE36({ sqrtPriceX96, isCurrency0, quoteDecimals: quote.decimals }, quote.usdE36)
}

/** What a token is worth. All are 0 without a route to USD. */
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

/** Worth of one token, exactly. */
export function worthAt(market: MarketAt, number: number): Worth {
  const price = priceAt(market, number)
  if (price === 0n) {
    return { priceUsdE36: 0n, marketCap: 0n, pathLiquidity: 0n, effectiveCap: 0n, liquidity: 0n }
  }
  const marketCap = marketCapMicroUsd(price, market.read('supply', number))
  const pathLiquidity = pathLiquidityAt(market, number)
  return {
    priceUsdE36: price,
    marketCap,
    pathLiquidity,
    effectiveCap: effectiveCap(marketCap, pathLiquidity),
    liquidity:
      quoteSideAt(market, number) + microUsdOf(market.read('reserveToken', number), price, TOKEN_DECIMALS),
  }
}

/** USD of the quote side of a token's pool; 0 without a route. */
function quoteSideAt(market: MarketAt, number: number, pools = QUOTE_POOLS_MAX): MicroUsd {
  const quote = quoteAt(market, number, pools)
  return microUsdOf(market.read('reserveQuote', number), quote.usdE36, quote.decimals)
}

/** The least quote-side liquidity of the pools between a token and a reference currency: a pumped creator token cannot make a post look liquid. */
export function pathLiquidityAt(market: MarketAt, number: number, pools = QUOTE_POOLS_MAX): MicroUsd {
  if (pools === 0) return 0n
  const own = quoteSideAt(market, number, pools)
  if (market.references.has(market.tokenOf(number).quote)) return own
  const quote = quoteNumberOf(market, number)
  const rest = quote === undefined ? 0n : pathLiquidityAt(market, quote, pools - 1)
  return own < rest ? own : rest
}

/** What a quantity of a token counts for in the index: its worth, at most CAP_PER_LIQUIDITY × path liquidity. */
export const countedAt = (market: MarketAt, number: number, quantity: bigint): MicroUsd =>
  effectiveCap(marketCapMicroUsd(priceAt(market, number), quantity), pathLiquidityAt(market, number))
