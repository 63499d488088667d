import type { ByKind } from './board.ts'
import { type LaunchRow, launchRows } from './launches.ts'
import type { Market } from './rankings.ts'
import { type RisingRow, risingRows } from './rising.ts'
import { type BoardRow, boardRows, type TrendingRow, trendingRows } from './row.ts'
import { type TrendingOrder, trendingOrders } from './trending.ts'
import { byName, type Period, periods, type Timeframe, timeframes } from './window.ts'

/** Every list of a minute as rows. Several documents hold the same list, so each is made once. */
export type Lists = {
  readonly boards: ByKind<Readonly<Record<Period, readonly BoardRow[]>>>
  readonly trending: Readonly<Record<Timeframe, Readonly<Record<TrendingOrder, readonly TrendingRow[]>>>>
  readonly rising: readonly RisingRow[]
  readonly launches: readonly LaunchRow[]
}

/** The lists of a ranked market. */
export const listsOf = (market: Market): Lists => ({
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
