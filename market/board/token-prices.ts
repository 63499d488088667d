/** The price of every active token, for whoever values what a wallet holds. */
import { CAP_PER_LIQUIDITY } from '../rules.ts'
import type { Market } from './rankings.ts'

/**
 * US dollars of a whole token, within a few dozen roundings of 2^-53 of the exact price, for the tokens that have one;
 * below 0 where the market cap is more than the liquidity carries. Descriptions are text as `MarketAt` has it.
 */
export type TokenPrices = { readonly descriptions: readonly string[]; readonly prices: Float64Array }

const CAP = Number(CAP_PER_LIQUIDITY)

export function tokenPrices({ at: { now }, valuations }: Pick<Market, 'at' | 'valuations'>): TokenPrices {
  const { price, marketCap, pathLiquidity } = valuations.now.approximation
  const numbers: number[] = []
  for (let number = 0; number < price.length; number++)
    if ((price[number] as number) > 0) numbers.push(number)
  const isThin = (number: number) => (marketCap[number] as number) > CAP * (pathLiquidity[number] as number)
  return {
    descriptions: numbers.map(now.textOf),
    prices: Float64Array.from(numbers, (number) => (price[number] as number) * (isThin(number) ? -1 : 1)),
  }
}
