import type { MarketAt } from './market-at.ts'
import { effectiveCap, marketCapMicroUsd } from './pool.ts'
import {
  pathLiquidityAlong,
  priceAlong,
  type Quote,
  quoteAlong,
  type Route,
  routeFrom,
  type Worth,
  worthAlong,
} from './route.ts'
import type { MicroUsd, UsdE36 } from './segment.ts'

const routeAt = (market: MarketAt, number: number): Route =>
  routeFrom(number, {
    references: market.references,
    coinOf: market.tokenOf,
    tokenOf: market.numberOf,
    poolOf: (number) => ({
      isCurrency0: market.tokenOf(number).isCurrency0,
      sqrtPriceX96: market.read('sqrtPriceX96', number),
      reserveQuote: market.read('reserveQuote', number),
    }),
  })

/** What a token is priced in. */
export const quoteAt = (market: MarketAt, number: number): Quote => quoteAlong(routeAt(market, number))

/** USD × 1e36 of one whole token; 0 without a price or a route. */
export const priceAt = (market: MarketAt, number: number): UsdE36 => priceAlong(routeAt(market, number))

/** Worth of one token, exactly. */
export const worthAt = (market: MarketAt, number: number): Worth =>
  worthAlong(routeAt(market, number), {
    supply: market.read('supply', number),
    reserveQuote: market.read('reserveQuote', number),
    reserveToken: market.read('reserveToken', number),
  })

/** The least quote-side liquidity of the pools between a token and a reference currency. */
export const pathLiquidityAt = (market: MarketAt, number: number): MicroUsd =>
  pathLiquidityAlong(routeAt(market, number))

/** What a quantity of a token counts for in the index: its worth, at most CAP_PER_LIQUIDITY × path liquidity. */
export function countedAt(market: MarketAt, number: number, quantity: bigint): MicroUsd {
  const route = routeAt(market, number)
  return effectiveCap(marketCapMicroUsd(priceAlong(route), quantity), pathLiquidityAlong(route))
}
