import type { StateField, TokenState } from '../market/segment.ts'
import {
  type Cells,
  ColumnMissingError,
  type Columns,
  cellAsDouble,
  columnBytes,
  columnsFrom,
  copyRow,
  emptyColumns,
  readCell,
  rowsOf,
  writeState,
} from './columns.ts'

/**
 * Where tokens stood at an edge in time. Only a token that changed since then has a row here; every other stands at the edge
 * as it stands now. So a token that nobody trades is kept once, and comes back into the rows with its next trade.
 * Invariant: a token has a row exactly while segments that change it have passed `now` and not yet this edge.
 */
export type Lag = {
  readonly now: Columns
  /** By place. */
  readonly rows: Columns
  /** Places by token number. */
  readonly places: Map<number, number>
  /** By place: how many segments that change the token have yet to pass. */
  readonly waiting: number[]
  /** Places that are free again. */
  readonly free: number[]
}

/** A segment passes an edge with a row of a token that was not held for it: its passing of `now` was left out. */
export class NotHeldError extends Error {
  readonly number: number
  constructor(number: number) {
    super(`token ${number} is not held`)
    this.name = 'NotHeldError'
    this.number = number
  }
}

/** A lag of these fields behind `now` that nothing changed in. */
export const emptyLag = (now: Columns, fields: readonly StateField[]): Lag => ({
  now,
  rows: emptyColumns(fields),
  places: new Map(),
  waiting: [],
  free: [],
})

/** Holds where a token stands, before a segment changes it in `now`. Call it once for each row of each segment. */
export function hold(lag: Lag, number: number): void {
  const { now, rows, places, waiting, free } = lag
  const standing = places.get(number)
  if (standing !== undefined) {
    waiting[standing] = (waiting[standing] ?? 0) + 1
    return
  }
  const place = free.pop() ?? waiting.length
  places.set(number, place)
  waiting[place] = 1
  copyRow(now, number, rows, place)
}

/** A segment with a row of a token passes the edge. Throws NotHeldError. */
export function settle({ rows, places, waiting, free }: Lag, number: number, after: Cells): void {
  const place = places.get(number)
  if (place === undefined) throw new NotHeldError(number)
  const left = (waiting[place] ?? 1) - 1
  waiting[place] = left
  if (left > 0) {
    writeState(rows, place, after)
  } else {
    places.delete(number)
    free.push(place)
  }
}

/** One number of one token at the edge. Throws ColumnMissingError. */
export function readLag<N extends StateField>(lag: Lag, field: N, number: number): TokenState[N] {
  const { now, rows, places } = lag
  if (!rows.arrays[field]) throw new ColumnMissingError(field)
  const place = places.get(number)
  return place === undefined ? readCell(now, field, number) : readCell(rows, field, place)
}

/** The same as a double: exact below 2^53, else a few roundings off. */
export function lagAsDouble({ now, rows, places }: Lag, field: StateField, number: number): number {
  const place = places.get(number)
  return place === undefined ? cellAsDouble(now, field, number) : cellAsDouble(rows, field, place)
}

/** Bytes of a lag's rows by token number: numbers and counts of segments (4 bytes each), then the columns. They do not tell in which order tokens came. */
export function lagBytes({ rows, places, waiting }: Lag): readonly Uint8Array[] {
  const numbers = [...places.keys()].sort((a, b) => a - b)
  const held = numbers.map((number) => places.get(number) as number)
  const counts = held.map((place) => waiting[place] ?? 0)
  const [first, second] = [Uint32Array.from(numbers), Uint32Array.from(counts)]
  return [new Uint8Array(first.buffer), new Uint8Array(second.buffer), ...columnBytes(rowsOf(rows, held))]
}

/** The lag behind `now` of so many rows that `lagBytes` wrote. */
export function lagFrom(
  now: Columns,
  fields: readonly StateField[],
  { count, bytes }: { readonly count: number; readonly bytes: Uint8Array },
): Lag {
  const view = Uint8Array.from(bytes.subarray(0, 8 * count)) // in a buffer of its own, aligned
  const numbers = new Uint32Array(view.buffer, 0, count)
  const waiting = new Uint32Array(view.buffer, 4 * count, count)
  return {
    now,
    rows: columnsFrom(fields, count, bytes.subarray(8 * count)),
    places: new Map(Array.from(numbers, (number, place) => [number, place])),
    waiting: [...waiting],
    free: [],
  }
}
