import { memoized } from '../memoized.ts'
import { counted, marketCapMicroUsd, microUsdOf, priceUsdE36 } from '../pool.ts'
import { least, noWorth, type Quote, type Worth } from '../route.ts'
import { QUOTE_POOLS_MAX, TOKEN_DECIMALS } from '../rules.ts'
import type { MicroUsd, UsdE36 } from '../segment.ts'
import type { MarketAt } from './market-at.ts'

/** Exact prices and worths of tokens by number: those of `worthAt`, with each quote priced once. */
export type Pricing = {
  /** USD × 1e36 of one whole token; 0 without a price or a route. */
  readonly priceOf: (number: number) => UsdE36
  readonly worthOf: (number: number) => Worth
}

const noQuote: Quote = { usdE36: 0n, decimals: TOKEN_DECIMALS }

/** Prices a market that many tokens are asked of; for a few `worthAt` needs less. */
export function pricingOf(market: MarketAt): Pricing {
  const { quotes, isCurrency0, others } = market.coins()
  const rates = others.map((address): Quote => {
    const rate = address === null ? undefined : market.references.get(address)
    return rate ? { usdE36: rate.heldUsdE36, decimals: rate.decimals } : noQuote
  })

  /** Without one the quotes could lead in a circle. */
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
    return { usdE36: priced(quote), decimals: TOKEN_DECIMALS }
  }

  const priced = memoized((number: number): UsdE36 => {
    const { usdE36, decimals } = quoteOf(number)
    const pool = {
      sqrtPriceX96: market.read('sqrtPriceX96', number),
      isCurrency0: isCurrency0[number] === 1,
      quoteDecimals: decimals,
    }
    return priceUsdE36(pool, usdE36)
  })

  const pathLiquidityOf = memoized((number: number): MicroUsd => {
    const { usdE36, decimals } = quoteOf(number)
    const own = microUsdOf(market.read('reserveQuote', number), usdE36, decimals)
    const quote = quotes[number] as number
    const further = quote < 0 ? own : pathLiquidityOf(quote)
    return least(own, further)
  })

  const priceOf = (number: number): UsdE36 => (hasRoute(number) ? priced(number) : 0n)
  return {
    priceOf,
    worthOf: memoized((number) => {
      const price = priceOf(number)
      if (price === 0n) return noWorth
      const { usdE36, decimals } = quoteOf(number)
      const marketCap = marketCapMicroUsd(price, market.read('supply', number))
      const pathLiquidity = pathLiquidityOf(number)
      return {
        priceUsdE36: price,
        marketCap,
        pathLiquidity,
        effectiveCap: counted(marketCap, pathLiquidity),
        liquidity:
          microUsdOf(market.read('reserveQuote', number), usdE36, decimals) +
          microUsdOf(market.read('reserveToken', number), price, TOKEN_DECIMALS),
      }
    }),
  }
}
