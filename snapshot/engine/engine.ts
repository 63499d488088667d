import type { MarketAt } from '../../market/board/market-at.ts'
import type { MarketWindows } from '../../market/board/rankings.ts'
import type { TotalsLine } from '../../market/board/totals.ts'
import { noTotals } from '../../market/fold/running-totals.ts'
import type { SealedEntry, SegmentReference } from '../../market/log.ts'
import { INDEX_CLOSES } from '../../market/rules.ts'
import type { Address, Block, Minute, References, RunningTotals } from '../../market/segment.ts'
import {
  asOf,
  byName,
  countUpTo,
  dropBefore,
  LONGEST_PERIOD_MINUTES,
  type WindowName,
  windowNames,
  windows,
} from '../../market/window.ts'
import type { SegmentStates } from '../../store/bytes/segment-bytes.ts'
import {
  type ActiveMarket,
  type ArrayPool,
  emptyMarket,
  leave,
  letGo,
  pass,
  takeIn,
} from './active-market.ts'
import { noteLaunches, priceFirstHours } from './first-hours.ts'
import { addHours, closePricesOf, type HourClose, noteChanged } from './hour-closes.ts'
import { advanceIndex, closeHour, emptyIndexState, type IndexState } from './index-state.ts'
import { viewsOf } from './market-view.ts'

/** Minutes of market totals kept: 14 days, since a period's volume is compared with the period before. */
const KEPT_MINUTES = 2 * LONGEST_PERIOD_MINUTES

/** Appends the totals of a minute with trades, or of the first minute, and drops those that no later window needs. */
function addMinute(line: Engine['totals'], { minute, totals: { after } }: SegmentStates): void {
  const { volume, buyVolume, creatorVolume, trades, buys } = after
  if (line.at(-1)?.trades !== trades) line.push({ minute, volume, buyVolume, creatorVolume, trades, buys })
  dropBefore(line, minute - KEPT_MINUTES)
}

/** Market-wide state now or at a window start, as of the last minute that ends by then (null: none). */
export type WindowStart = {
  readonly minute: Minute | null
  readonly references: References
  readonly totals: RunningTotals
}

/** A position in the log and its minute. */
export type Target = { readonly n: number; readonly minute: Minute }

/**
 * The engine: the market of the last 30 days after entry `n` of the log, mutated only by `advance`. It is a function of
 * the segments of those days and of the index's state before them.
 */
export type Engine = {
  /** Position in the log of the last applied entry; 0: none. */
  n: number
  last: Block | null
  /** Number of entries up to `n` that rolled minutes back because logs had been left out. */
  corrections: number
  readonly market: ActiveMarket
  /** By index of `windows`, now first. */
  readonly starts: WindowStart[]
  /** Segments that some window start has yet to pass, oldest first. */
  readonly segments: SegmentReference[]
  /**
   * Totals after each minute with trades of the last 14 days, oldest first; the first may be older, as the base for the
   * others.
   */
  readonly totals: TotalsLine[number][]
  readonly index: IndexState
  /** The ends of the last hours, oldest first. */
  readonly closes: HourClose[]
  /** While loading the 30 days before an index record: that record's position. Null: the engine is complete. */
  target: Target | null
  /** Minute of the newest checkpoint saved or read. */
  savedMinute: Minute | null
}

/** An engine before the first entry of the log. */
export const emptyEngine = (): Engine => ({
  n: 0,
  last: null,
  corrections: 0,
  market: emptyMarket(),
  starts: windowNames.map(() => ({ minute: null, references: new Map(), totals: noTotals })),
  segments: [],
  totals: [],
  index: emptyIndexState(),
  closes: [],
  target: null,
  savedMinute: null,
})

/** The engine's newest minute; null before the first. */
export const minuteOfEngine = ({ starts }: Engine): Minute | null => starts[0]?.minute ?? null

/** The market at window starts, by their index in `windows`; valid until the engine advances or `arrays` are reclaimed. */
export function marketsAt({ market, starts }: Engine, arrays?: ArrayPool): (at: number) => MarketAt {
  const views = viewsOf(market, arrays)
  return (at) => views(at, starts[at]?.references ?? new Map())
}

const placeOf = (name: WindowName): number => windowNames.indexOf(name)

/** Advances by one sealed minute; `segmentOf` gives the content of every segment that passes a window start. */
export function advance(
  engine: Engine,
  entry: SealedEntry,
  segmentOf: (reference: SegmentReference) => SegmentStates,
): void {
  const { market, starts, index } = engine
  const passing = passingAt(engine, entry)
  const segment = segmentOf(entry.segment)
  const thin = beginMinute(engine, entry.minute)
  takeIn(market, segment, 1)
  noteChanged(engine.closes, segment)
  starts[0] = startAfter(segment)
  for (const [at, references] of passing.entries()) {
    for (const passed of references.map(segmentOf)) {
      pass(market, passed, at)
      starts[at] = startAfter(passed)
    }
  }
  endMinute(engine, entry, segment)
  noteLaunches(market, segment)
  endFirstHours(engine, asOf(entry.minute))
  const [at, { needed }] = [marketsAt(engine), index]
  advanceIndex(index, { segment, now: at(0), dayBefore: at(placeOf('24h')), thin })
  letGoOf(engine, passing.at(-1)?.map(segmentOf) ?? [], needed)
}

/** Before a minute is applied: prices the first hours that are over, and takes the hourly close, if one lies between. */
function beginMinute(engine: Engine, minute: Minute): ReadonlySet<Address> {
  endFirstHours(engine, minute * 60)
  const passed = { last: minuteOfEngine(engine), minute }
  addHours(engine.closes, engine.starts[0]?.references ?? new Map(), passed)
  return closeHour(engine.index, () => marketsAt(engine)(0), passed)
}

/**
 * Applies a minute while loading up to `target`. The window starts are those of `target` from the beginning, so that
 * each segment is read once.
 */
export function load(engine: Engine, entry: SealedEntry, segment: SegmentStates, target: Minute): void {
  const { minute } = entry
  if (minute > target - LOADED_CLOSES_MINUTES) beginMinute(engine, minute)
  else endFirstHours(engine, minute * 60)
  const moving = windowNames.filter((name) => minute <= target - windows[name].minutes).length
  const isWithin = moving < windowNames.length
  if (isWithin) takeIn(engine.market, segment, moving)
  noteChanged(engine.closes, segment)
  for (let at = 0; at < moving; at++) engine.starts[at] = startAfter(segment)
  endMinute(engine, entry, segment)
  if (isWithin) noteLaunches(engine.market, segment)
  endFirstHours(engine, asOf(minute))
}

/** Hours of closes that a review after the target may need, plus two. */
const LOADED_CLOSES_MINUTES = (INDEX_CLOSES + 2) * 60

/** Prices the tokens whose first hour is over by a time (Unix seconds). */
const endFirstHours = (engine: Engine, seconds: number): void =>
  priceFirstHours(engine.market, () => marketsAt(engine)(0), seconds)

/** After the window starts have moved: drops the references of segments that all of them have passed. */
function endMinute(
  engine: Engine,
  { n, last, segment: reference }: SealedEntry,
  segment: SegmentStates,
): void {
  const { segments, starts, totals } = engine
  engine.n = n
  engine.last = last
  segments.push(reference)
  segments.splice(0, countUpTo(segments, starts.at(-1)?.minute ?? Number.NEGATIVE_INFINITY))
  addMinute(totals, segment)
}

const startAfter = ({ minute, references, totals }: SegmentStates): WindowStart => ({
  minute,
  references,
  totals: totals.after,
})

/** Removes the tokens whose last row the longest window has passed, and those that the index no longer needs. */
function letGoOf(
  { market, starts, index: { needed } }: Engine,
  passed: readonly SegmentStates[],
  neededBefore: ReadonlySet<Address>,
): void {
  for (const segment of passed) leave(market, segment, needed)
  const minute = starts.at(-1)?.minute ?? null
  if (neededBefore === needed || minute === null) return
  for (const address of neededBefore) letGo(market, address, { minute, needed })
}

/** The segments that pass each window start (by index) on the way from the engine's minute to `entry`. */
export function passingAt(
  { starts, segments }: Pick<Engine, 'starts' | 'segments'>,
  { minute }: Pick<SealedEntry, 'minute'>,
): readonly (readonly SegmentReference[])[] {
  return windowNames.map((name, at) => {
    if (name === 'now') return []
    const from = countUpTo(segments, starts[at]?.minute ?? Number.NEGATIVE_INFINITY)
    return segments.slice(from, countUpTo(segments, minute - windows[name].minutes))
  })
}

/** There is no snapshot before the engine's first minute. */
export class EmptyEngineError extends Error {
  override readonly name = 'EmptyEngineError'
  constructor() {
    super('the engine has not taken in any minute yet')
  }
}

/** The market at every window start, from which the documents of this minute are built. Throws EmptyEngineError. */
export function windowsOf(engine: Engine, arrays?: ArrayPool): MarketWindows {
  const minute = minuteOfEngine(engine)
  if (minute === null) throw new EmptyEngineError()
  const at = marketsAt(engine, arrays)
  return {
    minute,
    at: byName(windowNames, (name) => at(placeOf(name))),
    hasState: (name) => engine.starts[placeOf(name)]?.minute !== null,
    coverageFrom: totalsOf(engine).coverageFrom,
    closePricesOf: closePricesOf(engine.closes, engine.market),
  }
}

/** The market's totals after the last minute. */
export const totalsOf = ({ starts }: Engine): RunningTotals => starts[0]?.totals ?? noTotals
