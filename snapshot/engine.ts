import { boardsAt, type Edge, valuationAt } from '../market/board.ts'
import type { SealedEntry } from '../market/log.ts'
import type { Market } from '../market/row.ts'
import { INDEX_TRADED_DAYS } from '../market/rules.ts'
import type {
  Address,
  Block,
  Minute,
  References,
  SegmentReference,
  StateField,
  Token,
  TokenState,
} from '../market/segment.ts'
import {
  type EdgeName,
  edgeNames,
  edges,
  LONGEST_WINDOW_MINUTES,
  type Period,
  periods,
} from '../market/window.ts'
import { type Columns, emptyColumns, readCell, writeState } from './columns.ts'
import { advanceIndex, emptyIndexState, type IndexState, minuteBefore } from './index-state.ts'
import { addMinute, type TotalsRing, type TradedRow } from './totals-ring.ts'

/**
 * The market as of one edge.
 * Invariant: `tokens` are the first of the engine's tokens, as they were described then; `minute` is the last one folded in
 * (null: none yet); `references` are the rates at its close.
 */
export type EdgeState = {
  minute: Minute | null
  readonly tokens: Token[]
  references: References
  readonly columns: Columns
}

/** The engine: the market at every edge after log entry `n`, changed in place by `advance` alone. */
export type Engine = {
  /** Place in the log of the last entry folded in; 0: none. */
  n: number
  last: Block | null
  /** First minute of the log. */
  firstMinute: Minute | null
  /** Entries up to `n` that took minutes back because logs of theirs had been left out. */
  corrections: number
  /** Token numbers by address: the order of arrival in the log. */
  readonly numbers: Map<Address, number>
  readonly edges: Readonly<Record<EdgeName, EdgeState>>
  /** Segments of the minutes that some edge has yet to pass, oldest first. */
  segments: SegmentReference[]
  readonly totals: TotalsRing
  readonly index: IndexState
  /** Minute of the newest image it was saved in or read from. */
  savedMinute: Minute | null
}

/** A segment speaks of a token that no segment before it described. */
export class UnknownTokenError extends Error {
  readonly token: Address
  readonly minute: Minute
  constructor(token: Address, minute: Minute) {
    super(`minute ${minute} speaks of ${token}, which was never launched`)
    this.name = 'UnknownTokenError'
    this.token = token
    this.minute = minute
  }
}

/** One value for each edge, made in the order of the table. */
export const byEdge = <V>(make: (name: EdgeName) => V): Record<EdgeName, V> =>
  Object.fromEntries(edgeNames.map((name) => [name, make(name)])) as Record<EdgeName, V>

/** An engine before the first entry of the log. */
export function emptyEngine(): Engine {
  const emptyEdge = (name: EdgeName): EdgeState => ({
    minute: null,
    tokens: [],
    references: new Map(),
    columns: emptyColumns(edges[name].fields),
  })
  return {
    n: 0,
    last: null,
    firstMinute: null,
    corrections: 0,
    numbers: new Map(),
    edges: byEdge(emptyEdge),
    segments: [],
    totals: [],
    index: emptyIndexState(),
    savedMinute: null,
  }
}

/** What the engine takes from a segment. */
export type EngineSegment = {
  readonly minute: Minute
  readonly tokens: readonly { readonly after: Token }[]
  readonly rows: readonly { readonly token: Address; readonly after: TokenState }[]
  readonly references: References
}

/** The segments that pass each edge on the way from the engine's minute to `entry`; those that pass `now` are in the log. */
export function passingAt(
  engine: Engine,
  { minute, segment }: SealedEntry,
): Record<EdgeName, SegmentReference[]> {
  const { segments } = engine
  return byEdge((name) => {
    if (name === 'now') return [segment]
    const from = indexAfter(segments, engine.edges[name].minute ?? Number.NEGATIVE_INFINITY)
    return segments.slice(from, indexAfter(segments, minute - edges[name].minutes))
  })
}

/** Index of the first segment after `minute`. */
function indexAfter(segments: readonly SegmentReference[], minute: Minute): number {
  let low = 0
  let high = segments.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((segments[middle]?.minute ?? Number.POSITIVE_INFINITY) > minute) high = middle
    else low = middle + 1
  }
  return low
}

/** Goes on by one sealed minute; `segmentOf` gives the content of every segment that passes an edge. Throws UnknownTokenError. */
export function advance(
  engine: Engine,
  entry: SealedEntry,
  segmentOf: (reference: SegmentReference) => EngineSegment,
): void {
  const passing = passingAt(engine, entry)
  const segment = segmentOf(entry.segment)
  for (const { after } of segment.tokens) {
    if (!engine.numbers.has(after.address)) engine.numbers.set(after.address, engine.numbers.size)
  }
  const traded = [...tradedIn(engine, segment)]
  const before = minuteBefore(viewOf(engine, engine.edges.now), segment)
  addMinute(engine.totals, entry.minute, traded)
  for (const name of edgeNames) {
    for (const reference of passing[name]) pass(engine, engine.edges[name], segmentOf(reference))
  }
  engine.n = entry.n
  engine.last = entry.last
  engine.firstMinute ??= entry.minute
  advanceIndex(engine.index, {
    minute: entry.minute,
    firstMinute: engine.firstMinute,
    now: viewOf(engine, engine.edges.now),
    dayBefore: viewOf(engine, engine.edges['24h']),
    tradedSince: viewOf(engine, engine.edges[`${INDEX_TRADED_DAYS}d` as const]),
    before,
    traded,
  })
  engine.segments.push(entry.segment)
  if (engine.segments.length > 2 * LONGEST_WINDOW_MINUTES) forgetPassed(engine)
}

/** What each row of a segment that has yet to pass `now` adds to what stands there. */
function* tradedIn({ numbers, edges: { now } }: Engine, segment: EngineSegment): Generator<TradedRow> {
  const born = new Map(segment.tokens.map(({ after }) => [after.address, after.kind]))
  for (const { token, after } of segment.rows) {
    const number = numberOf(numbers, token, segment.minute)
    const read = <N extends StateField>(field: N) => readCell(now.columns, field, number)
    const kind = now.tokens[number]?.kind ?? born.get(token)
    if (kind === undefined) throw new UnknownTokenError(token, segment.minute)
    const before = {
      cumVolumeMicroUsd: read('cumVolumeMicroUsd'),
      cumBuyVolumeMicroUsd: read('cumBuyVolumeMicroUsd'),
      cumTrades: read('cumTrades'),
      cumBuys: read('cumBuys'),
    }
    yield { token, kind, before, after }
  }
}

function numberOf(numbers: Engine['numbers'], token: Address, minute: Minute): number {
  const number = numbers.get(token)
  if (number === undefined) throw new UnknownTokenError(token, minute)
  return number
}

function pass(
  { numbers }: Engine,
  edge: EdgeState,
  { minute, tokens, rows, references }: EngineSegment,
): void {
  for (const { after } of tokens) edge.tokens[numberOf(numbers, after.address, minute)] = after
  for (const { token, after } of rows) writeState(edge.columns, numberOf(numbers, token, minute), after)
  edge.references = references
  edge.minute = minute
}

/** Drops the references of segments that have passed every edge. */
export function forgetPassed(engine: Engine): void {
  const minutes = edgeNames.map((name) => engine.edges[name].minute ?? Number.NEGATIVE_INFINITY)
  engine.segments = engine.segments.slice(indexAfter(engine.segments, Math.min(...minutes)))
}

/** A snapshot of the engine before its first minute cannot be taken. */
export class EmptyEngineError extends Error {
  constructor() {
    super('the engine has not folded any minute yet')
    this.name = 'EmptyEngineError'
  }
}

/** The market at every edge, valued: what the documents of this minute are made from. Throws EmptyEngineError. */
export function marketOf(engine: Engine): Market {
  const { minute } = engine.edges.now
  if (minute === null) throw new EmptyEngineError()
  const views = byEdge((name) => viewOf(engine, engine.edges[name]))
  const valuations = byMoment((name) => valuationAt(views[name], views[edges[name].dayBefore]))
  return {
    minute,
    edges: views,
    hasState: (name) => engine.edges[name].minute !== null,
    valuations,
    boards: byMoment((name) => boardsAt(valuations[name])),
  }
}

type Moment = 'now' | Period

/** One value for now and for each start of a period. */
const byMoment = <V>(make: (name: Moment) => V): Record<Moment, V> =>
  Object.fromEntries((['now', ...periods] as const).map((name) => [name, make(name)])) as Record<Moment, V>

function viewOf({ numbers }: Engine, { tokens, references, columns }: EdgeState): Edge<StateField> {
  return {
    tokens,
    references,
    numberOf: (address) => {
      const number = numbers.get(address)
      return number !== undefined && number < tokens.length ? number : undefined
    },
    read: (field, number) => readCell(columns, field, number),
  }
}
