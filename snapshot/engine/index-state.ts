import { partyOf } from '../../market/authorship.ts'
import { countedAt, type MarketAt, pathLiquidityAt, pathOf } from '../../market/board/market-at.ts'
import { hourOfMinute } from '../../market/calendar.ts'
import type { IndexFigures } from '../../market/index/index-answer.ts'
import {
  barsAfter,
  type IndexBar,
  type Interval,
  intervalNames,
  type StoredBar,
  storedBar,
} from '../../market/index/index-history.ts'
import {
  capsAt,
  closesAfter,
  contendersAt,
  type HourlyClose,
  type Members,
  rootAt,
} from '../../market/index/index-members.ts'
import { emptyIndex, indexAfter, occasionAt, type Z100Index } from '../../market/index/z100-index.ts'
import { LIQUIDITY_MIN_MICRO_USD } from '../../market/rules.ts'
import type { Address, Minute, PointsE8, Token, TokenState } from '../../market/segment.ts'
import {
  byName,
  countUpTo,
  dropBefore,
  LONGEST_PERIOD_MINUTES,
  type Period,
  periods,
  startOf,
  windows,
} from '../../market/window.ts'
import type { SegmentStates } from '../../store/bytes/segment-bytes.ts'

/** Minutes of index points kept: the longest period plus a day. */
export const KEPT_MINUTES = LONGEST_PERIOD_MINUTES + windows['24h'].minutes

/** The index's value at a minute's close. */
export type PointAt = { readonly minute: Minute; readonly valueE8: PointsE8 }

/**
 * The index as part of the engine. Invariants: `points` and `closes` are ordered oldest first; `needed` is the members
 * and the tokens on their quote paths, which stay in the market even if nobody trades them.
 */
export type IndexState = {
  index: Z100Index
  /** Since the base. */
  points: PointAt[]
  closes: readonly HourlyClose[]
  needed: ReadonlySet<Address>
  /** The newest bar of each interval. */
  readonly bars: Record<Interval, IndexBar | null>
  /** Bars changed since last written to the table; not in a checkpoint, which is saved after they are written. */
  readonly unwritten: Record<Interval, IndexBar[]>
  /**
   * Whether the last minute was the first of its day or changed the members, so that the state must be recorded (index-
   * record.ts).
   */
  isRecordDue: boolean
  /** Minute of the newest record. */
  recordedMinute: Minute | null
  /** Records not saved yet; not in a checkpoint, which is saved after them. */
  readonly unsaved: IndexRecord[]
}

/** One value per interval, in the order of the table. */
export const byInterval = <V>(make: (interval: Interval) => V): Record<Interval, V> =>
  byName(intervalNames, make)

/** The index before the first minute. */
export const emptyIndexState = (): IndexState => ({
  index: emptyIndex,
  points: [],
  closes: [],
  needed: new Set(),
  bars: byInterval(() => null),
  unwritten: byInterval(() => []),
  isRecordDue: false,
  recordedMinute: null,
  unsaved: [],
})

/**
 * Before a minute is applied: adds the hourly closes since the last one, from the market as it is. Returns the members
 * whose path liquidity was too small at the newest of them.
 */
export function closeHour(
  state: IndexState,
  marketNow: () => MarketAt,
  { last, minute }: { readonly last: Minute | null; readonly minute: Minute },
): ReadonlySet<Address> {
  if (last === null || hourOfMinute(last) === hourOfMinute(minute)) return new Set()
  const market = marketNow()
  state.closes = closesAfter(state.closes, capsAt(market), { last, minute })
  const isThin = (address: Address) => {
    const number = market.numberOf(address)
    return number === undefined || pathLiquidityAt(market, number) < LIQUIDITY_MIN_MICRO_USD
  }
  return new Set([...state.index.members.keys()].filter(isThin))
}

/** Inputs of the index from a sealed minute and from the market at its close. */
export type IndexMinute = {
  readonly segment: SegmentStates
  readonly now: MarketAt
  /** The market 24 hours before. */
  readonly dayBefore: MarketAt
  /** Members that were thin at the hour's end. */
  readonly thin: ReadonlySet<Address>
}

/** Advances the index by one sealed minute. */
export function advanceIndex(state: IndexState, { segment, now, dayBefore, thin }: IndexMinute): void {
  const { minute } = segment
  const { index: last, closes } = state
  state.index = indexAfter(last, {
    minute,
    thin,
    capOf: (token, quantity) => {
      const number = now.numberOf(token)
      return number === undefined ? 0n : countedAt(now, number, quantity)
    },
    backingOf: (token) => {
      const number = now.numberOf(token)
      if (number === undefined) return { root: token, party: token }
      return { root: rootAt(now, number), party: partyOf(now.tokenOf(number)) }
    },
    contenders: () => contendersAt({ minute, now, dayBefore, closes }),
  })
  const isChanged = state.index.members !== last.members
  if (occasionAt(last, minute)) state.needed = neededBy(state.index.members, now)
  state.isRecordDue = isChanged || isFirstOfDay(last.minute, minute)
  if (state.index.baseMinute !== null) addPoint(state, last, segment)
}

/** At least one record a day, so that one is always near. */
const isFirstOfDay = (last: Minute | null, minute: Minute): boolean =>
  last === null || Math.floor(hourOfMinute(minute) / 24) !== Math.floor(hourOfMinute(last) / 24)

function addPoint(state: IndexState, last: Z100Index, { minute, rows }: SegmentStates): void {
  const { valueE8 } = state.index
  const { members } = last.baseMinute === null ? state.index : last
  const ofMembers = rows.filter(
    ({ token, before, after }) => members.has(token) && after.cumTrades > before.cumTrades,
  )
  const traded = ofMembers.map(({ token, description: { kind }, before, after }) => ({
    token,
    kind,
    volume: after.cumVolumeMicroUsd - before.cumVolumeMicroUsd,
    trades: after.cumTrades - before.cumTrades,
  }))
  addBars(state, { minute, valueE8, traded })
  state.points.push({ minute, valueE8 })
  // The first point kept is the base for the others.
  dropBefore(state.points, minute - KEPT_MINUTES)
}

/** The members and the tokens on their quote paths. */
function neededBy(members: Members, now: MarketAt): ReadonlySet<Address> {
  const numbers = [...members.keys()].flatMap((address) => now.numberOf(address) ?? [])
  return new Set(numbers.flatMap((number) => pathOf(now, number)).map((each) => now.tokenOf(each).address))
}

function addBars({ bars, unwritten }: IndexState, point: Parameters<typeof barsAfter>[2]): void {
  for (const interval of intervalNames) {
    const touched = barsAfter(interval, bars[interval], point)
    const first = touched[0]?.at ?? 0
    unwritten[interval] = [...unwritten[interval].filter(({ at }) => at < first), ...touched]
    bars[interval] = touched.at(-1) ?? null
  }
}

/** Returns the bars changed since last written, and marks them as written. */
export function takeUnwritten({ unwritten }: IndexState): Readonly<Record<Interval, readonly StoredBar[]>> {
  return byInterval((interval) => unwritten[interval].splice(0).map(storedBar))
}

/** The bars that the newest minute is in; null before the index begins. */
export const openBarsOf = ({ bars }: IndexState): Readonly<Record<Interval, StoredBar | null>> =>
  byInterval((interval) => bars[interval] && storedBar(bars[interval]))

export function indexFigures(
  { index, points }: IndexState,
  minute: Minute,
): Omit<IndexFigures, 'coverageFrom'> {
  const { divisor, valueE8, members, since } = index
  const startValue = (period: Period) =>
    points[countUpTo(points, startOf(minute, period) / 60 - 1) - 1]?.valueE8 ?? null
  return { minute, divisor, valueE8, members, since, startValues: byName(periods, startValue) }
}

/** The part of the index's state that depends on its past: the index itself and the newest bars. */
export type IndexPast = Pick<IndexState, 'index' | 'bars'>

/**
 * The index's state after a minute in which it was reviewed or its members changed, kept forever. Together with the
 * segments of 30 days it is all that an engine needs; everything else can be derived.
 */
export type IndexRecord = {
  readonly n: number
  readonly minute: Minute
  readonly corrections: number
  readonly past: IndexPast
  /** Points since the previous record, including this minute's. */
  readonly points: readonly PointAt[]
  /**
   * The members and the tokens on their quote paths, since these may have had no row for more than 30 days, with the
   * state that lists are built from.
   */
  readonly tokens: readonly { readonly token: Token; readonly state: TokenState }[]
}
