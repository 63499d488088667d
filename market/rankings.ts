import { type ByKind, boardsAt, boardTokens } from './board.ts'
import { type LaunchRow, launchRows, type RisingRow, risingRows } from './discovery.ts'
import { nameFlagsBeside } from './lookalikes.ts'
import type { MarketAt } from './market-at.ts'
import type { Place } from './ranking.ts'
import { type BoardRow, boardRows, type TrendingRow, trendingRows } from './row.ts'
import type { Minute } from './segment.ts'
import { type Since, sinceAt, type TrendingOrder, trendingAt, trendingOrders } from './trending.ts'
import { type Valuation, valuationAt } from './valuation.ts'
import {
  byName,
  type Moment,
  moments,
  type Period,
  periods,
  startOf,
  type Timeframe,
  timeframes,
  type WindowName,
  windows,
} from './window.ts'

/** The tokens that were active in the last 30 days, now and at each window start. */
export type MarketWindows = {
  readonly minute: Minute
  readonly at: Readonly<Record<WindowName, MarketAt>>
  /** False for a window start before the first minute of the log. */
  readonly hasState: (name: WindowName) => boolean
}

/** The market of a minute, valued and ranked: what its documents are made from. */
export type Market = MarketWindows & {
  readonly valuations: Readonly<Record<Moment, Valuation>>
  readonly since: Readonly<Record<Timeframe, Since>>
  readonly boards: Readonly<Record<Moment, ByKind<readonly Place[]>>>
  readonly trending: Readonly<Record<Timeframe, Readonly<Record<TrendingOrder, readonly Place[]>>>>
  /** Beside the names on the boards of now. */
  readonly nameFlagsOf: ReturnType<typeof nameFlagsBeside>
}

/** Values the market at its window starts, and ranks boards and trending lists. */
export function rankedMarket(market: MarketWindows): Market {
  const { at, minute } = market
  const valuations = byName(moments, (name) => valuationAt(at[name], at[windows[name].dayBefore]))
  const since = byName(timeframes, (name) =>
    sinceAt(
      valuations.now,
      { market: at[name], start: startOf(minute, name) },
      name === '30d' ? undefined : valuations[name].approximation,
    ),
  )
  const numbers = boardTokens(valuations.now, minute)
  const boards = byName(moments, (name) => boardsAt(valuations[name], numbers))
  const { creator, post } = boards.now
  return {
    ...market,
    valuations,
    since,
    boards,
    trending: byName(timeframes, (name) => trendingAt(valuations.now, since[name])),
    nameFlagsOf: nameFlagsBeside([...creator, ...post].map(({ token }) => token)),
  }
}

/** Every list of a minute as rows. Several documents hold the same list, so each is made once. */
export type Lists = {
  readonly boards: ByKind<Readonly<Record<Period, readonly BoardRow[]>>>
  readonly trending: Readonly<Record<Timeframe, Readonly<Record<TrendingOrder, readonly TrendingRow[]>>>>
  readonly rising: readonly RisingRow[]
  readonly launches: readonly LaunchRow[]
}

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
