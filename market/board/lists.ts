import { byName, periods, timeframes } from '../window.ts'
import { launchRows, risingRows } from './discovery.ts'
import type { Market } from './rankings.ts'
import { boardRows, trendingRows } from './row.ts'
import { trendingOrders } from './trending.ts'

export type Lists = Readonly<ReturnType<typeof listsOf>>

/** Every list of a minute as rows; each is built once, since several documents contain it. */
export const listsOf = (market: Market) => ({
  boards: {
    creator: byName(periods, (period) => boardRows(market, 'creator', period)),
    post: byName(periods, (period) => boardRows(market, 'post', period)),
  },
  trending: byName(timeframes, (timeframe) =>
    byName(trendingOrders, (order) => trendingRows(market, timeframe, order)),
  ),
  rising: risingRows(market),
  launches: launchRows(market),
})
