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
  const numbers = numbersByKind(market.edges.now)
  const boards = byName([...moments].reverse(), (name) => {
    const moment = momentOf(market, name, space)
    pricesAt(moment.edge, moment.unit, space)
    appraise(moment.edge, moment.unit, space)
    return boardsAt(moment, numbers, space)
  })
  const now = momentOf(market, 'now', space)
  return {
    boards,
    trending: byName(timeframes, (name) => trendingAt(now, windowOf(market, name, space), space)),
  }
}

/** Numbers of the creator tokens and of the posts. */
export function numbersByKind({
  tokens,
  lineage,
}: RankedEdge<never>): Readonly<Record<TokenKind, Int32Array>> {
  const numbers = { creator: new Int32Array(tokens.length), post: new Int32Array(tokens.length) }
  const counts = { creator: 0, post: 0 }
  for (let number = 0; number < tokens.length; number++) {
    const kind = lineage.isCreator[number] === 1 ? 'creator' : 'post'
    numbers[kind][counts[kind]++] = number
  }
  return {
    creator: numbers.creator.subarray(0, counts.creator),
    post: numbers.post.subarray(0, counts.post),
  }
}

/** A moment as far as ranking draws on it. */
export const momentOf = (
  { edges: views, valuations }: MarketEdges,
  name: Moment,
  space: Workspace,
): Ranked => ({
  unit: space.units[name],
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
