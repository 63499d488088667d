import { boardsAt, type Edge, valuationAt } from '../market/board.ts'
import type { SealedEntry } from '../market/log.ts'
import type { Market } from '../market/row.ts'
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
  /** Token numbers by address: the order of arrival in the log. */
  readonly numbers: Map<Address, number>
  readonly edges: Readonly<Record<EdgeName, EdgeState>>
  /** Segments of the minutes that some edge has yet to pass, oldest first. */
  segments: SegmentReference[]
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
    numbers: new Map(),
    edges: byEdge(emptyEdge),
    segments: [],
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
  for (const { after } of segmentOf(entry.segment).tokens) {
    if (!engine.numbers.has(after.address)) engine.numbers.set(after.address, engine.numbers.size)
  }
  for (const name of edgeNames) {
    for (const reference of passing[name]) pass(engine, engine.edges[name], segmentOf(reference))
  }
  engine.n = entry.n
  engine.last = entry.last
  engine.firstMinute ??= entry.minute
  engine.segments.push(entry.segment)
  if (engine.segments.length > 2 * LONGEST_WINDOW_MINUTES) forgetPassed(engine)
}

function pass({ numbers }: Engine, edge: EdgeState, segment: EngineSegment): void {
  const numberOf = (address: Address): number => {
    const number = numbers.get(address)
    if (number === undefined) throw new UnknownTokenError(address, segment.minute)
    return number
  }
  for (const { after } of segment.tokens) edge.tokens[numberOf(after.address)] = after
  for (const { token, after } of segment.rows) writeState(edge.columns, numberOf(token), after)
  edge.references = segment.references
  edge.minute = segment.minute
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
