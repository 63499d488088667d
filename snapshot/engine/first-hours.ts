/** Prices of young tokens an hour after their launch, with which lists by change compare them. */

import { type MarketAt, priceAt } from '../../market/board/market-at.ts'
import { isImported } from '../../market/coverage.ts'
import { FIRST_HOUR_MINUTES } from '../../market/rules.ts'
import type { Address } from '../../market/segment.ts'
import type { SegmentStates } from '../../store/bytes/segment-bytes.ts'
import type { ActiveMarket } from './active-market.ts'

/** Notes the tokens that a minute launched; call it after the minute is applied. */
export function noteLaunches(market: ActiveMarket, { tokens }: SegmentStates): void {
  const launched = tokens.flatMap(({ before, after }) => (before || isImported(after) ? [] : [after.address]))
  market.young = [...market.young, ...launched]
}

/**
 * Prices the tokens whose first hour is over by a time (Unix seconds, a full minute), from the market at that time: the
 * state after the last minute that ends by then.
 */
export function priceFirstHours(market: ActiveMarket, now: () => MarketAt, seconds: number): void {
  const { young, byAddress, columns, hourPrices } = market
  const isDue = (address: Address) => {
    const launchedAt = columns.launchedAt[byAddress.get(address) ?? -1] ?? 0
    return launchedAt + FIRST_HOUR_MINUTES * 60 <= seconds
  }
  const due = young.filter(isDue)
  if (due.length === 0) return
  market.young = young.filter((address) => !isDue(address))
  const view = now()
  for (const address of due) {
    const number = byAddress.get(address)
    if (number === undefined) continue
    const price = priceAt(view, number)
    if (price === 0n) continue
    hourPrices[number] = String(price)
    columns.hourPrice[number] = Number(price) / 1e36
  }
}
