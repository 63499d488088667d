import type { IndexFigures } from '../market/index-answer.ts'
import { contendersAt } from '../market/index-contenders.ts'
import type { PointsE8 } from '../market/index-divisor.ts'
import {
  barsAfter,
  type IndexBar,
  type Interval,
  intervalNames,
  type ToldBar,
  toldBar,
} from '../market/index-history.ts'
import { type LeadersMarket, leadersAt } from '../market/index-leaders.ts'
import { type CapState, capAt, type MinuteBefore } from '../market/index-median.ts'
import { INDEX_MEDIAN_MINUTES } from '../market/rules.ts'
import type { Address, Minute, Token } from '../market/segment.ts'
import { byName, edges, type Period, periods, startOf } from '../market/window.ts'
import type { Workspace } from '../market/workspace.ts'
import type { Edge } from '../market/worth.ts'
import { emptyIndex, indexAfter, type Z100Index } from '../market/z100-index.ts'
import type { TradedRow } from './totals-ring.ts'

/** Minutes of index points that are kept, 14 days: twice the longest period. */
const KEPT_MINUTES = 2 * Math.max(...periods.map((period) => edges[period].minutes))
/** Points beyond the kept minutes that are let stand before they are dropped together. */
const SLACK = 1_440

/** The index's value at a minute's close. */
export type PointAt = { readonly minute: Minute; readonly valueE8: PointsE8 }

/**
 * The index as the engine carries it on. Invariant: `points` and `recent` are ordered oldest first; `recent` can undo the
 * sealed minutes of the last INDEX_MEDIAN_MINUTES − 1. That is a few thousand small records, so medians need no segment to
 * be read again, and come out the same however the engine got here.
 */
export type IndexState = {
  index: Z100Index
  /** From the base on. */
  points: PointAt[]
  recent: MinuteBefore[]
  /** The newest bar of each interval. */
  readonly bars: Record<Interval, IndexBar | null>
  /** Bars that changed since the table was last told; no part of an image, which is saved after telling. */
  readonly untold: Record<Interval, IndexBar[]>
}

/** One value for each interval, made in the order of the table. */
export const byInterval = <V>(make: (interval: Interval) => V): Record<Interval, V> =>
  byName(intervalNames, make)

/** The index before the first minute. */
export const emptyIndexState = (): IndexState => ({
  index: emptyIndex,
  points: [],
  recent: [],
  bars: byInterval(() => null),
  untold: byInterval(() => []),
})

/** What the index takes from a sealed minute and from the market at its close. */
export type IndexMinute = Omit<LeadersMarket, 'recent'> & {
  /** What contenders are looked for in. */
  readonly space: Workspace
  /** What the minute changed, as it stood before. */
  readonly before: MinuteBefore
  /** The rows of its tokens. */
  readonly traded: readonly TradedRow[]
}

/** Goes on by one sealed minute. */
export function advanceIndex(state: IndexState, { before, traded, space, ...known }: IndexMinute): void {
  const { minute, now } = known
  state.recent = [...state.recent, before].filter((each) => each.minute > minute - INDEX_MEDIAN_MINUTES + 1)
  const last = state.index
  const market = { ...known, recent: state.recent }
  state.index = indexAfter(last, {
    minute,
    capOf: (token, quantity) => capAt(now, now.numberOf(token) ?? -1, quantity),
    contenders: () => contendersAt(market, leadersAt(market, { members: last.members, space })),
  })
  const { baseMinute, valueE8 } = state.index
  if (baseMinute === null) return
  const { members } = last.baseMinute === null ? state.index : last
  const ofMembers = traded.filter(({ token }) => members.has(token))
  tellBars(state, { minute, valueE8, traded: ofMembers.map(tradesOf) })
  state.points.push({ minute, valueE8 })
  if (state.points.length > KEPT_MINUTES + SLACK) trimPoints(state, minute)
}

const tradesOf = ({ token, kind, before, after }: TradedRow) => ({
  token,
  kind,
  volume: after.cumVolumeMicroUsd - before.cumVolumeMicroUsd,
  trades: after.cumTrades - before.cumTrades,
})

function tellBars({ bars, untold }: IndexState, point: Parameters<typeof barsAfter>[2]): void {
  for (const interval of intervalNames) {
    const touched = barsAfter(interval, bars[interval], point)
    const first = touched[0]?.at ?? 0
    untold[interval] = [...untold[interval].filter(({ at }) => at < first), ...touched]
    bars[interval] = touched.at(-1) ?? null
  }
}

/** The bars that changed since the table was last told, as it is told of them; from now on it counts as told. */
export function takeUntold({ untold }: IndexState): Readonly<Record<Interval, readonly ToldBar[]>> {
  return byInterval((interval) => untold[interval].splice(0).map(toldBar))
}

/** Drops what no period that ends with `minute` or later can ask for; the first point kept is what the rest are compared with. */
export function trimPoints(state: IndexState, minute: Minute): void {
  const firstKept = state.points.findIndex((point) => point.minute > minute - KEPT_MINUTES)
  state.points.splice(0, Math.max(0, (firstKept < 0 ? state.points.length : firstKept) - 1))
}

/** What a minute is about to change, as it stands now. */
export function minuteBefore(
  { tokens, references, read, numberOf }: Edge<keyof CapState>,
  segment: {
    readonly minute: Minute
    readonly tokens: readonly { readonly after: Token }[]
    readonly rows: readonly { readonly token: Address }[]
  },
): MinuteBefore {
  const numbers = segment.rows.map(({ token }) => [token, numberOf(token)] as const)
  return {
    minute: segment.minute,
    references,
    tokens: segment.tokens.flatMap(({ after: { address } }) => {
      const token = tokens[numberOf(address) ?? -1]
      return token ? [[address, token] as const] : []
    }),
    states: numbers.flatMap(([token, number]) =>
      number === undefined ? [] : [[token, capStateAt({ read }, number)] as const],
    ),
  }
}

const capStateAt = ({ read }: Pick<Edge<keyof CapState>, 'read'>, number: number): CapState => ({
  sqrtPriceX96: read('sqrtPriceX96', number),
  supply: read('supply', number),
  reserveQuote: read('reserveQuote', number),
})

/** The index as of `minute`. */
export function indexFigures({ index, points }: IndexState, minute: Minute): IndexFigures {
  const { divisor, valueE8, members, since } = index
  const startValue = (period: Period) => valueAt(points, startOf(minute, period) / 60 - 1)
  return {
    ...{ divisor, valueE8, members, since },
    startValues: byName(periods, startValue),
  }
}

/** The value as of a minute's close; null before the first point. */
function valueAt(points: readonly PointAt[], minute: Minute): PointsE8 | null {
  let low = 0
  let high = points.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((points[middle]?.minute ?? Number.POSITIVE_INFINITY) > minute) high = middle
    else low = middle + 1
  }
  return points[low - 1]?.valueE8 ?? null
}
