import { FIRST_HOUR_MINUTES } from '../rules.ts'
import type { Address, Minute, UsdE36 } from '../segment.ts'
import {
  boardTimes,
  byName,
  startOf,
  type Timeframe,
  timeframes,
  type WindowName,
  windows,
} from '../window.ts'
import { boardsAt, boardTokens } from './board.ts'
import { type NamedCurrency, namedToken, nameFlagsBeside } from './lookalikes.ts'
import type { MarketAt } from './market-at.ts'
import { sinceAt, trendingAt } from './trending.ts'
import { valuationAt } from './valuation.ts'

/** The tokens active in the last 30 days, now and at each window start. */
export type MarketWindows = {
  readonly minute: Minute
  readonly at: Readonly<Record<WindowName, MarketAt>>
  /** False for a window start before the first minute of the log. */
  readonly hasState: (name: WindowName) => boolean
  /** Unix seconds from which the market is known; null: from its beginning. */
  readonly coverageFrom: number | null
  /** Prices of a token at the ends of the last hours (INDEX_CLOSES), oldest first; null: it had none. */
  readonly closePricesOf: (token: Address) => readonly (UsdE36 | null)[]
}

/** The market of a minute, valued and ranked, from which its documents are built. */
export type Market = Readonly<ReturnType<typeof rankedMarket>>

/** Values the market at its window starts, and ranks boards and trending lists. `currencies`: the names of the references. */
export function rankedMarket(market: MarketWindows, currencies: readonly NamedCurrency[] = []) {
  const { at, minute } = market
  const valuations = byName(boardTimes, (name) => valuationAt(at[name], at[windows[name].dayBefore]))
  const since = byName(timeframes, (name) =>
    sinceAt(
      valuations.now,
      { market: at[name], ...startsOf(minute, name) },
      name === '30d' ? undefined : valuations[name].approximation.price,
    ),
  )
  const numbers = boardTokens(valuations.now, minute)
  const boards = byName(boardTimes, (name) => boardsAt(valuations[name], numbers))
  const { creator, post } = boards.now
  const listed = [...creator, ...post].map(({ token }) => namedToken(token))
  return {
    ...market,
    valuations,
    since,
    boards,
    /** The boards if all older tokens had been swapped before the log. */
    fullestBoards:
      market.coverageFrom === null
        ? boards
        : byName(boardTimes, (name) => boardsAt(valuations[name], numbers, true)),
    trending: byName(timeframes, (name) => trendingAt(valuations.now, since[name])),
    /** Compared with the names on the current boards. */
    nameFlagsOf: nameFlagsBeside({ listed, currencies }),
  }
}

const startsOf = (minute: Minute, name: Timeframe) => ({
  start: startOf(minute, name),
  youngFrom: youngFrom(minute, name),
})

/**
 * From which launch on (Unix seconds) a token's first hour reaches into a window. Of tokens launched before the longest
 * window that hour is not known.
 */
export const youngFrom = (minute: Minute, name: Timeframe): number =>
  Math.max(startOf(minute, name) - FIRST_HOUR_MINUTES * 60 + 1, startOf(minute, '30d'))
