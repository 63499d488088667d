import { type Appraisal, appraise, portfoliosAt, pricesAt } from './appraisal.ts'
import { boardsAt, type Ranked } from './board.ts'
import type { RankedEdge } from './figures.ts'
import type { Place } from './ranking.ts'
import type { Minute, TokenKind } from './segment.ts'
import { type TrendingSort, trendingAt, type Window } from './trending.ts'
import { type Valuation, valuationAt } from './valuation.ts'
import {
  byName,
  type EdgeName,
  edges,
  type Moment,
  moments,
  startOf,
  type Timeframe,
  timeframes,
} from './window.ts'
import type { Workspace } from './workspace.ts'

/** The market at every edge of a minute, exactly valued at the moments that boards are ranked at. */
export type MarketEdges = {
  readonly minute: Minute
  readonly edges: { readonly [Name in EdgeName]: RankedEdge<(typeof edges)[Name]['fields'][number]> }
  readonly valuations: Readonly<Record<Moment, Valuation>>
  /** The same in doubles, until the next minute is appraised. */
  readonly appraisals: Readonly<Record<Moment, Appraisal>>
}

/** Boards and trending lists of a minute. */
export type Rankings = {
  readonly boards: Readonly<Record<Moment, Readonly<Record<TokenKind, readonly Place[]>>>>
  readonly trending: Readonly<Record<Timeframe, Readonly<Record<TrendingSort, readonly Place[]>>>>
}

/** The market of a minute, appraised in arrays of the workspace. */
export function valued(market: Pick<MarketEdges, 'minute' | 'edges'>, space: Workspace): MarketEdges {
  const { edges: views } = market
  const appraisals = byName(moments, (name) => appraise(views[name], space.units[name]))
  const valuations = byName(moments, (name) =>
    valuationAt(views[name], views[edges[name].dayBefore], appraisals[name]),
  )
  return { ...market, appraisals, valuations }
}

/** Ranks boards and trending lists, in arrays of the workspace. */
export function rankingsAt(market: MarketEdges, space: Workspace): Rankings {
  pricesAt(market.edges['30d'], space.units['30d'])
  const numbers = numbersByKind(market.edges.now)
  const boards = byName(moments, (name) => {
    portfoliosAt(market.appraisals[name], space.portfolio)
    return boardsAt(momentOf(market, name), numbers, space.portfolio)
  })
  const now = momentOf(market, 'now')
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
  const { isCreator } = lineage
  const [creators, posts] = [new Int32Array(tokens.length), new Int32Array(tokens.length)]
  let count = 0
  for (let number = 0; number < tokens.length; number++) {
    if (isCreator[number] === 1) creators[count++] = number
    else posts[number - count] = number
  }
  return { creator: creators.subarray(0, count), post: posts.subarray(0, tokens.length - count) }
}

/** A moment as far as ranking draws on it. */
export const momentOf = ({ edges: views, valuations, appraisals }: MarketEdges, name: Moment): Ranked => ({
  edge: views[name],
  dayBefore: views[edges[name].dayBefore],
  valuation: valuations[name],
  appraisal: appraisals[name],
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
