import { appraise, pricesAt } from './appraisal.ts'
import { boardsAt, type Ranked } from './board.ts'
import type { RankedEdge } from './figures.ts'
import type { Place } from './ranking.ts'
import type { Minute, TokenKind } from './segment.ts'
import { type TrendingSort, trendingAt, type Window } from './trending.ts'
import type { Valuation } from './valuation.ts'
import { type EdgeName, edges, type Moment, moments, startOf, type Timeframe, timeframes } from './window.ts'
import type { Workspace } from './workspace.ts'

/** The market at every edge of a minute, exactly valued at the moments that boards are ranked at. */
export type MarketEdges = {
  readonly minute: Minute
  readonly edges: { readonly [Name in EdgeName]: RankedEdge<(typeof edges)[Name]['fields'][number]> }
  readonly valuations: Readonly<Record<Moment, Valuation>>
}

/** Boards and trending lists of a minute. */
export type Rankings = {
  readonly boards: Readonly<Record<Moment, Readonly<Record<TokenKind, readonly Place[]>>>>
  readonly trending: Readonly<Record<Timeframe, Readonly<Record<TrendingSort, readonly Place[]>>>>
}

/** Ranks boards and trending lists. Afterwards the workspace holds what tokens are worth now. */
export function rankingsAt(market: MarketEdges, space: Workspace): Rankings {
  pricesAt(market.edges['30d'], space.units['30d'], space)
  const boards = byName([...moments].reverse(), (name) => {
    const moment = momentOf(market, name)
    pricesAt(moment.edge, space.units[name], space)
    appraise(moment.edge, space.units[name], space)
    return boardsAt(moment, space)
  })
  const now = momentOf(market, 'now')
  return {
    boards,
    trending: byName(timeframes, (name) => trendingAt(now, windowOf(market, name, space), space)),
  }
}

/** A moment as far as ranking draws on it. */
export const momentOf = ({ edges: views, valuations }: MarketEdges, name: Moment): Ranked => ({
  edge: views[name],
  dayBefore: views[edges[name].dayBefore],
  valuation: valuations[name],
})

/** A window that ends now, of an appraised market. */
export const windowOf = (
  { edges: views, minute }: MarketEdges,
  name: Timeframe,
  space: Workspace,
): Window => ({
  since: { edge: views[name], start: startOf(minute, name) },
  unitsThen: space.units[name],
  unitsNow: space.units.now,
})

const byName = <N extends string, V>(names: readonly N[], make: (name: N) => V): Record<N, V> =>
  Object.fromEntries(names.map((name) => [name, make(name)])) as Record<N, V>
