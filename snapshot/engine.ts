import type { SealedEntry } from '../market/log.ts'
import type { MarketAt } from '../market/market-at.ts'
import type { MarketWindows } from '../market/rankings.ts'
import { INDEX_CLOSES } from '../market/rules.ts'
import { noTotals, type RunningTotals } from '../market/running-totals.ts'
import type { Address, Block, Minute, References, SegmentReference } from '../market/segment.ts'
import type { TotalsLine } from '../market/totals.ts'
import {
  byName,
  countUpTo,
  dropBefore,
  periods,
  type WindowName,
  windowNames,
  windows,
} from '../market/window.ts'
import type { Activity } from '../store/segment-bytes.ts'
import { type ActiveMarket, type Columns, emptyMarket, leave, letGo, pass, takeIn } from './active-market.ts'
import { advanceIndex, closeHour, emptyIndexState, type IndexState } from './index-state.ts'
import { viewsOf } from './market-view.ts'

/** Minutes of market totals that are kept, 14 days: a period's volume is compared with that of the period before. */
const KEPT_MINUTES = 2 * Math.max(...periods.map((period) => windows[period].minutes))

/** Adds a minute that traded, or the first, to the totals, and drops what no window that ends with it or later can ask for. */
function addMinute(line: Engine['totals'], { minute, totals: { after } }: Activity): void {
  const { volume, buyVolume, creatorVolume, trades, buys } = after
  if (line.at(-1)?.trades !== trades) line.push({ minute, volume, buyVolume, creatorVolume, trades, buys })
  dropBefore(line, minute - KEPT_MINUTES)
}

/** What holds of the whole market now or at a window start: as the last minute left it that ends by then (null: none). */
export type WindowStart = {
  readonly minute: Minute | null
  readonly references: References
  readonly totals: RunningTotals
}

/** A position in the log and its minute. */
export type Target = { readonly n: number; readonly minute: Minute }

/**
 * The engine: the market of the last 30 days after entry `n` of the log, changed in place by `advance` alone. It is a function of
 * the segments of those days, and of the index's state before them.
 */
export type Engine = {
  /** Position in the log of the last entry taken in; 0: none. */
  n: number
  last: Block | null
  /** Entries up to `n` that rolled minutes back because logs of theirs had been left out. */
  corrections: number
  /** Where the log stood when minutes that older rules had folded were rolled back, until it is reached again. */
  refoldTo: Minute | null
  readonly market: ActiveMarket
  /** In the order of `windows`, now first. */
  readonly starts: WindowStart[]
  /** Segments of the minutes that some window start has yet to pass, oldest first. */
  readonly segments: SegmentReference[]
  /** After each minute that traded, of the last 14 days, oldest first; the first may be older: what the rest are compared with. */
  readonly totals: TotalsLine[number][]
  readonly index: IndexState
  /** While the 30 days before an index record are being read: the position of that record. Null: the engine is whole. */
  target: Target | null
  /** Minute of the newest checkpoint it was saved in or read from. */
  savedMinute: Minute | null
}

/** An engine before the first entry of the log. */
export const emptyEngine = (): Engine => ({
  n: 0,
  last: null,
  corrections: 0,
  refoldTo: null,
  market: emptyMarket(),
  starts: windowNames.map(() => ({ minute: null, references: new Map(), totals: noTotals })),
  segments: [],
  totals: [],
  index: emptyIndexState(),
  target: null,
  savedMinute: null,
})

/** The minute that an engine stands at; null before the first. */
export const minuteOfEngine = ({ starts }: Engine): Minute | null => starts[0]?.minute ?? null

/** The market at window starts, by their index in `windows`, until the engine goes on or `arrays` are reclaimed. */
export function marketsAt({ market, starts }: Engine, arrays?: Columns): (at: number) => MarketAt {
  const views = viewsOf(market, arrays)
  return (at) => views(at, starts[at]?.references ?? new Map())
}

const placeOf = (name: WindowName): number => windowNames.indexOf(name)

/** Goes on by one sealed minute; `segmentOf` gives the content of every segment that passes a window start. */
export function advance(
  engine: Engine,
  entry: SealedEntry,
  segmentOf: (reference: SegmentReference) => Activity,
): void {
  const { market, starts, index } = engine
  const passing = passingAt(engine, entry)
  const segment = segmentOf(entry.segment)
  const { thin, needed } = beginMinute(engine, entry.minute)
  takeIn(market, segment, 1)
  starts[0] = startAfter(segment)
  for (const [at, references] of passing.entries()) {
    for (const passed of references.map(segmentOf)) {
      pass(market, passed, at)
      starts[at] = startAfter(passed)
    }
  }
  endMinute(engine, entry, segment)
  const at = marketsAt(engine)
  const [now, dayBefore] = [at(0), at(placeOf('24h'))]
  advanceIndex(index, { segment, now, dayBefore, thin })
  letGoOf(engine, passing.at(-1)?.map(segmentOf) ?? [], needed)
}

/**
 * Takes in a minute on the way to `target`, the minute that the engine is to stand at when all of the 30 days before it are read:
 * the window starts are those of `target` from the beginning, so that each segment is read once.
 */
export function load(engine: Engine, entry: SealedEntry, segment: Activity, target: Minute): void {
  const { minute } = entry
  if (minute > target - LOADED_CLOSES_MINUTES) beginMinute(engine, minute)
  const moving = windowNames.filter((name) => minute <= target - windows[name].minutes).length
  if (moving < windowNames.length) takeIn(engine.market, segment, moving)
  for (let at = 0; at < moving; at++) engine.starts[at] = startAfter(segment)
  endMinute(engine, entry, segment)
}

/** Hourly closes that a review may ask for after the target, and two hours more. */
const LOADED_CLOSES_MINUTES = (INDEX_CLOSES + 2) * 60

/** Before a minute is taken in: the hourly close, where one lies between; and the tokens that the index needed until now. */
function beginMinute(engine: Engine, minute: Minute) {
  const { index } = engine
  const thin = closeHour(index, marketsAt(engine)(0), { last: minuteOfEngine(engine), minute })
  return { thin, needed: index.needed }
}

/** When the window starts have moved: the references of segments that have passed all of them are dropped. */
function endMinute(engine: Engine, { n, last, segment: reference }: SealedEntry, segment: Activity): void {
  const { segments, starts, totals } = engine
  engine.n = n
  engine.last = last
  segments.push(reference)
  segments.splice(0, countUpTo(segments, starts.at(-1)?.minute ?? Number.NEGATIVE_INFINITY))
  addMinute(totals, segment)
}

const startAfter = ({ minute, references, totals }: Activity): WindowStart => ({
  minute,
  references,
  totals: totals.after,
})

/** Lets go of the tokens whose last row the longest window has passed, and of those that the index needed for longer and needs no more. */
function letGoOf(
  { market, starts, index: { needed } }: Engine,
  passed: readonly Activity[],
  neededBefore: ReadonlySet<Address>,
): void {
  for (const segment of passed) leave(market, segment, needed)
  const minute = starts.at(-1)?.minute ?? null
  if (neededBefore === needed || minute === null) return
  for (const address of neededBefore) letGo(market, address, { minute, needed })
}

/** By index of a window start, the segments that pass it on the way from the engine's minute to `entry`. */
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

/** A snapshot of the engine before its first minute cannot be taken. */
export class EmptyEngineError extends Error {
  override readonly name = 'EmptyEngineError'
  constructor() {
    super('the engine has not taken in any minute yet')
  }
}

/** The market at every window start: what the documents of this minute are made from. Throws EmptyEngineError. */
export function windowsOf(engine: Engine, arrays?: Columns): MarketWindows {
  const minute = minuteOfEngine(engine)
  if (minute === null) throw new EmptyEngineError()
  const at = marketsAt(engine, arrays)
  return {
    minute,
    at: byName(windowNames, (name) => at(placeOf(name))),
    hasState: (name) => engine.starts[placeOf(name)]?.minute !== null,
  }
}

/** The market's totals as the last minute left them. */
export const totalsOf = ({ starts }: Engine): RunningTotals => starts[0]?.totals ?? noTotals
