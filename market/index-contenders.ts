import { mediansAt, type RecentMarket } from './index-median.ts'
import type { Contender } from './index-review.ts'
import { marketCapMicroUsd } from './pool.ts'
import { INDEX_AGE_MINUTES, INDEX_LIQUIDITY_MIN_MICRO_USD } from './rules.ts'
import { asOf } from './window.ts'
import { type Edge, pathLiquidityAt, priceAt } from './worth.ts'

/** The market at a minute's close, and what it was. */
export type ContendersMarket = RecentMarket & {
  readonly now: Edge<'cumTrades' | 'cumVolumeMicroUsd'>
  /** 24 hours, and INDEX_TRADED_DAYS, ago. */
  readonly dayBefore: Edge<'cumVolumeMicroUsd'>
  readonly tradedSince: Edge<'cumTrades'>
}

/** The tokens that are eligible for the index but for the gate, with their medians; all of them, or those among `asked`. */
export function contendersAt(
  market: ContendersMarket,
  asked: Iterable<number> = market.now.tokens.keys(),
): readonly Contender[] {
  const { now, dayBefore } = market
  const numbers = [...asked].filter((number) => isEligible(market, number))
  const medians = mediansAt(market, numbers)
  return numbers.flatMap((number) => {
    const [token, median] = [now.tokens[number], medians.get(number)]
    if (!token || !median) return []
    const supply = now.read('supply', number)
    const priceUsdE36 = priceAt(now, number)
    const volume = now.read('cumVolumeMicroUsd', number) - dayBefore.read('cumVolumeMicroUsd', number)
    const marketCap = marketCapMicroUsd(priceUsdE36, supply)
    return [{ token, supply, priceUsdE36, marketCap, volume24h: volume, ...median }]
  })
}

/** Traded of late, old enough, and with a price and liquidity down to USD: in this order, the cheapest question first. */
function isEligible({ minute, now, tradedSince }: ContendersMarket, number: number): boolean {
  const token = now.tokens[number]
  return (
    token !== undefined &&
    now.read('cumTrades', number) > tradedSince.read('cumTrades', number) &&
    token.launchedAt.timestamp + INDEX_AGE_MINUTES * 60 <= asOf(minute) &&
    priceAt(now, number) > 0n &&
    pathLiquidityAt(now, number) >= INDEX_LIQUIDITY_MIN_MICRO_USD
  )
}
