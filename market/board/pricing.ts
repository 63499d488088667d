import { lesser } from '../bigints.ts'
import { memoized } from '../memoized.ts'
import { counted, marketCapMicroUsd, microUsdOf, priceUsdE36 } from '../pool.ts'
import { noWorth, type Quote, type Worth } from '../route.ts'
import { QUOTE_POOLS_MAX, TOKEN_DECIMALS } from '../rules.ts'
import type { MicroUsd, UsdE36 } from '../segment.ts'
import type { MarketAt } from './market-at.ts'

/** Exact prices and worths of tokens by number: those of `worthAt`, with each quote priced once. */
export type Pricing = {
  /** USD × 1e36 of one whole token; 0 without a price or a route. */
  readonly priceOf: (number: number) => UsdE36
  readonly worthOf: (number: number) => Worth
  /** The same without memoizing: for very many tokens, each priced once. */
  readonly worthOnce: (number: number) => Worth
}

const noQuote: Quote = { usdE36: 0n, decimals: TOKEN_DECIMALS }

/** Opens the prices of a market, for many of its tokens; for a few, `worthAt` is cheaper. */
export function pricingOf(market: MarketAt): Pricing {
  const { quotes, isCurrency0, others } = market.coins()
  const rates = others.map((address): Quote => {
    const rate = address === null ? undefined : market.references.get(address)
    return rate ? { usdE36: rate.heldUsdE36, decimals: rate.decimals } : noQuote
  })

  /** Without a limit, quotes could lead in a circle. */
  function hasRoute(number: number): boolean {
    let quote = quotes[number] as number
    for (let pools = 1; quote >= 0; pools++) {
      if (pools >= QUOTE_POOLS_MAX) return false
      quote = quotes[quote] as number
    }
    return true
  }

  function quoteOf(number: number): Quote {
    const quote = quotes[number] as number
    if (quote < 0) return rates[-1 - quote] ?? noQuote
    return { usdE36: quotePriceOf(quote), decimals: TOKEN_DECIMALS }
  }

  function priced(number: number): UsdE36 {
    const { usdE36, decimals } = quoteOf(number)
    const pool = {
      sqrtPriceX96: market.read('sqrtPriceX96', number),
      isCurrency0: isCurrency0[number] === 1,
      quoteDecimals: decimals,
    }
    return priceUsdE36(pool, usdE36)
  }
  const quotePriceOf = memoized(priced)

  /** The lesser of a pool's quote side and that of its quote's path. */
  const leastOnPath = (number: number, own: MicroUsd): MicroUsd => {
    const quote = quotes[number] as number
    return quote < 0 ? own : lesser(own, quoteLiquidityOf(quote))
  }
  const quoteLiquidityOf = memoized((number: number): MicroUsd => {
    const { usdE36, decimals } = quoteOf(number)
    return leastOnPath(number, microUsdOf(market.read('reserveQuote', number), usdE36, decimals))
  })

  const priceOf = (number: number): UsdE36 => (hasRoute(number) ? priced(number) : 0n)
  function worthOnce(number: number): Worth {
    const price = priceOf(number)
    if (price === 0n) return noWorth
    const { usdE36, decimals } = quoteOf(number)
    const marketCap = marketCapMicroUsd(price, market.read('supply', number))
    const quoteSide = microUsdOf(market.read('reserveQuote', number), usdE36, decimals)
    const pathLiquidity = leastOnPath(number, quoteSide)
    return {
      priceUsdE36: price,
      marketCap,
      pathLiquidity,
      effectiveCap: counted(marketCap, pathLiquidity),
      liquidity: quoteSide + microUsdOf(market.read('reserveToken', number), price, TOKEN_DECIMALS),
    }
  }
  return { priceOf, worthOnce, worthOf: memoized(worthOnce) }
}
