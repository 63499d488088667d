import type { RankedEdge } from '../market/figures.ts'
import type { SealedEntry } from '../market/log.ts'
import { rankingsAt, valued } from '../market/rankings.ts'
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
import { byEdge, type EdgeName, edgeNames, edges, LONGEST_WINDOW_MINUTES } from '../market/window.ts'
import { type Workspace, workspaceFor } from '../market/workspace.ts'
import type { SegmentCloses } from '../store/segment-bytes.ts'
import { type Cells, type Columns, cellAsDouble, emptyColumns, readCell, writeState } from './columns.ts'
import { type DoubleColumns, doublesLike, emptyDoubles, writeDoubles } from './double-columns.ts'
import { advanceIndex, emptyIndexState, type IndexState, minuteBefore } from './index-state.ts'
import { emptyLag, hold, type Lag, lagAsDouble, readLag, settle } from './lag.ts'
import { emptyLineage, type LineageStore, learnToken, placeOf } from './lineage.ts'
import { forgetPassed, passingAt } from './passing.ts'
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
  /** What differs from now; null at `now`. */
  readonly lag: Lag | null
  readonly doubles: DoubleColumns
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
  readonly lineage: LineageStore
  /** States of now, by token number. */
  readonly columns: Columns
  readonly edges: Readonly<Record<EdgeName, EdgeState>>
  /** Segments of the minutes that some edge has yet to pass, oldest first. */
  segments: SegmentReference[]
  readonly totals: TotalsRing
  readonly index: IndexState
  /** Minute of the newest image it was saved in or read from. */
  savedMinute: Minute | null
  /** What ranking computes in; it says nothing between two rankings. */
  workspace: Workspace
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

/** An engine before the first entry of the log. */
export function emptyEngine(): Engine {
  const columns = emptyColumns(edges.now.fields)
  const emptyEdge = (name: EdgeName): EdgeState => ({
    minute: null,
    tokens: [],
    references: new Map(),
    lag: name === 'now' ? null : emptyLag(columns, edges[name].fields),
    doubles: emptyDoubles(),
  })
  return {
    n: 0,
    last: null,
    firstMinute: null,
    corrections: 0,
    numbers: new Map(),
    lineage: emptyLineage(),
    columns,
    edges: byEdge(emptyEdge),
    segments: [],
    totals: [],
    index: emptyIndexState(),
    savedMinute: null,
    workspace: workspaceFor(0),
  }
}

/** What the engine takes from a segment, read whole or in part. */
export type EngineSegment = Omit<SegmentCloses, 'rows'> & {
  readonly rows: readonly { readonly token: Address; readonly after: Cells }[]
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
    if (engine.numbers.has(after.address)) continue
    engine.numbers.set(after.address, engine.numbers.size)
    learnToken(engine.lineage, engine.numbers.size - 1, after)
  }
  const traded = [...tradedIn(engine, segment)]
  const before = minuteBefore(viewOf(engine, 'now'), segment)
  addMinute(engine.totals, entry.minute, traded)
  for (const name of edgeNames) {
    for (const reference of passing[name]) pass(engine, name, segmentOf(reference))
  }
  engine.n = entry.n
  engine.last = entry.last
  engine.firstMinute ??= entry.minute
  engine.workspace = workspaceFor(engine.numbers.size, engine.workspace)
  advanceIndex(engine.index, {
    space: engine.workspace,
    minute: entry.minute,
    firstMinute: engine.firstMinute,
    now: viewOf(engine, 'now'),
    dayBefore: viewOf(engine, '24h'),
    tradedSince: viewOf(engine, `${INDEX_TRADED_DAYS}d`),
    before,
    traded,
  })
  engine.segments.push(entry.segment)
  if (engine.segments.length > 2 * LONGEST_WINDOW_MINUTES) forgetPassed(engine)
}

/** What each row of a segment that has yet to pass `now` adds to what stands there. */
function* tradedIn(
  { numbers, columns, edges: { now } }: Engine,
  segment: EngineSegment,
): Generator<TradedRow> {
  const born = new Map(segment.tokens.map(({ after }) => [after.address, after.kind]))
  for (const { token, after } of segment.rows) {
    const number = numberOf(numbers, token, segment.minute)
    const read = <N extends StateField>(field: N) => readCell(columns, field, number)
    const kind = now.tokens[number]?.kind ?? born.get(token)
    if (kind === undefined) throw new UnknownTokenError(token, segment.minute)
    const before = {
      cumVolumeMicroUsd: read('cumVolumeMicroUsd'),
      cumBuyVolumeMicroUsd: read('cumBuyVolumeMicroUsd'),
      cumTrades: read('cumTrades'),
      cumBuys: read('cumBuys'),
    }
    yield { token, kind, before, after: tradedState(after) }
  }
}

const tradedState = (after: Cells) => ({
  cumVolumeMicroUsd: BigInt(after.cumVolumeMicroUsd),
  cumBuyVolumeMicroUsd: BigInt(after.cumBuyVolumeMicroUsd),
  cumTrades: Number(after.cumTrades),
  cumBuys: Number(after.cumBuys),
})

function numberOf(numbers: Engine['numbers'], token: Address, minute: Minute): number {
  const number = numbers.get(token)
  if (number === undefined) throw new UnknownTokenError(token, minute)
  return number
}

function pass(engine: Engine, name: EdgeName, { minute, tokens, rows, references }: EngineSegment): void {
  const { numbers, edges: states } = engine
  const edge = states[name]
  const touched = new Set<number>()
  for (const { after } of tokens) {
    const number = numberOf(numbers, after.address, minute)
    const newest = states.now.tokens[number]
    edge.tokens[number] = newest && isSameToken(newest, after) ? newest : after // one object for all edges
    touched.add(number)
  }
  for (const { token, after } of rows) {
    const number = numberOf(numbers, token, minute)
    if (edge.lag) settle(edge.lag, number, after)
    else changeNow(engine, number, after)
    touched.add(number)
  }
  for (const number of touched) refresh(engine, name, number)
  edge.references = references
  edge.minute = minute
}

/** Sets a token's state of now; every lag holds the one before it until the minute passes there too. */
function changeNow({ columns, edges: states }: Engine, number: number, after: Cells): void {
  for (const name of edgeNames) {
    const { lag } = states[name]
    if (lag) hold(lag, number)
  }
  writeState(columns, number, after)
}

/** Brings the doubles of a token up to its state and its description. */
function refresh({ numbers, lineage, columns, edges: states }: Engine, name: EdgeName, number: number): void {
  const { tokens, lag, doubles } = states[name]
  const token = tokens[number]
  if (!token) return
  const { quote, isCurrency0 } = token
  const read = (field: StateField) =>
    lag ? lagAsDouble(lag, field, number) : cellAsDouble(columns, field, number)
  const place = placeOf(lineage, quote, numbers)
  writeDoubles(doubles, { fields: edges[name].fields, read }, { number, quote: place, isCurrency0 })
}

/** Makes lineage and doubles of an engine that was read from an image. */
export function restoreDoubles(engine: Engine): void {
  const { tokens, doubles } = engine.edges.now
  for (const [number, token] of tokens.entries()) learnToken(engine.lineage, number, token)
  for (const number of tokens.keys()) refresh(engine, 'now', number)
  for (const name of edgeNames) {
    const { lag, tokens: then, doubles: own } = engine.edges[name]
    if (!lag) continue
    Object.assign(own, doublesLike(doubles, edges[name].fields, then.length))
    const differing = [...then.keys()].filter((number) => then[number] !== tokens[number])
    for (const number of new Set([...lag.places.keys(), ...differing])) refresh(engine, name, number)
  }
}

/** True when two descriptions of one token are the same: all else is settled by its creation. */
const isSameToken = (a: Token, b: Token): boolean =>
  a.name === b.name &&
  a.symbol === b.symbol &&
  a.quote === b.quote &&
  a.poolId === b.poolId &&
  a.hook === b.hook &&
  a.isCurrency0 === b.isCurrency0

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
  const space = workspaceFor(engine.numbers.size, engine.workspace)
  engine.workspace = space
  const market = valued({ minute, edges: byEdge((name) => viewOf(engine, name)) }, space)
  return {
    ...market,
    ...rankingsAt(market, space),
    space,
    hasState: (name) => engine.edges[name].minute !== null,
  }
}

/** One number of one token at an edge. Throws ColumnMissingError. */
export function readAt<N extends StateField>(
  { columns, edges: states }: Engine,
  name: EdgeName,
  { field, number }: { readonly field: N; readonly number: number },
): TokenState[N] {
  const { lag } = states[name]
  return lag ? readLag(lag, field, number) : readCell(columns, field, number)
}

function viewOf(engine: Engine, name: EdgeName): RankedEdge<StateField> {
  const { numbers, lineage } = engine
  const { tokens, references, doubles } = engine.edges[name]
  return {
    tokens,
    references,
    numberOf: (address) => {
      const number = numbers.get(address)
      return number !== undefined && number < tokens.length ? number : undefined
    },
    read: (field, number) => readAt(engine, name, { field, number }),
    figures: doubles,
    lineage,
  }
}
