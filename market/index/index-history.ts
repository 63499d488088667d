import { candleIntervals, gridAt, startOfSlot } from '../interval.ts'
import type { Address, MicroUsd, Minute, PointsE8, TokenKind } from '../segment.ts'

/** Intervals of the index's history, on the grids of candles. */
export const intervals = {
  hour: candleIntervals['1h'],
  day: candleIntervals['1d'],
  week: candleIntervals['1w'],
} as const
export type Interval = keyof typeof intervals
export const intervalNames = Object.keys(intervals) as readonly Interval[]

/** A bar of the index. Volumes and counts are of the tokens that were members in each of its minutes. */
export type IndexBar = {
  /** Number of the interval. */
  readonly at: number
  /**
   * The close before (of the first bar its first value), the highest and lowest with it, and the value at its last minute
   * so far. A minute without a block keeps the previous value.
   */
  readonly open: PointsE8
  readonly high: PointsE8
  readonly low: PointsE8
  readonly close: PointsE8
  readonly creatorVolume: MicroUsd
  readonly postVolume: MicroUsd
  readonly trades: number
  /** Members with trades. */
  readonly active: ReadonlyMap<Address, TokenKind>
}

/** A bar as stored and published: with counts instead of members. */
export type StoredBar = Omit<IndexBar, 'active'> & {
  readonly activeCreators: number
  readonly activePosts: number
}

export function storedBar({ active, ...bar }: IndexBar): StoredBar {
  const creators = [...active.values()].filter((kind) => kind === 'creator').length
  return { ...bar, activeCreators: creators, activePosts: active.size - creators }
}

/** A member's trades in a minute. */
export type MemberTrades = {
  readonly token: Address
  readonly kind: TokenKind
  readonly volume: MicroUsd
  readonly trades: number
}

/** A point of the index and its members' trades in that minute. */
export type IndexPoint = {
  readonly minute: Minute
  readonly valueE8: PointsE8
  readonly traded: readonly MemberTrades[]
}

/** Number of the interval of a minute. */
export const intervalAt = (interval: Interval, minute: Minute): number => gridAt(intervals[interval], minute)

export const firstMinuteOf = (interval: Interval, at: number): Minute => startOfSlot(intervals[interval], at)

/**
 * The bars changed by a point, oldest first: those without a block since `last`, and the point's own. `last` is the
 * newest bar; null before the first point.
 */
export function barsAfter(interval: Interval, last: IndexBar | null, point: IndexPoint): readonly IndexBar[] {
  const at = intervalAt(interval, point.minute)
  if (last?.at === at) return [withPoint(last, point)]
  if (!last) return [withPoint(emptyBar(at, point.valueE8), point)]
  const carried = Array.from({ length: at - last.at }, (_, i) => emptyBar(last.at + 1 + i, last.close))
  return [...carried.slice(0, -1), withPoint(emptyBar(at, last.close), point)]
}

const emptyBar = (at: number, value: PointsE8): IndexBar => ({
  at,
  open: value,
  high: value,
  low: value,
  close: value,
  creatorVolume: 0n,
  postVolume: 0n,
  trades: 0,
  active: new Map(),
})

function withPoint(bar: IndexBar, { valueE8, traded }: IndexPoint): IndexBar {
  const active = traded.filter(({ trades }) => trades > 0)
  return {
    ...bar,
    high: valueE8 > bar.high ? valueE8 : bar.high,
    low: valueE8 < bar.low ? valueE8 : bar.low,
    close: valueE8,
    creatorVolume: bar.creatorVolume + volumeOf(traded, 'creator'),
    postVolume: bar.postVolume + volumeOf(traded, 'post'),
    trades: traded.reduce((sum, { trades }) => sum + trades, bar.trades),
    active: new Map([...bar.active, ...active.map(({ token, kind }) => [token, kind] as const)]),
  }
}

const volumeOf = (traded: readonly MemberTrades[], kind: TokenKind): MicroUsd =>
  traded.filter((each) => each.kind === kind).reduce((sum, { volume }) => sum + volume, 0n)
