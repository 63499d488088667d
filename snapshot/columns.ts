import { GROWTH } from '../market/grown.ts'
import { emptyState, type StateField, stateFields, type TokenState } from '../market/segment.ts'

/** Words of 64 bits that an amount takes; a u32 has a typed array of its own. */
const wordsOf = { u256: 4, u128: 2, u32: 0 } as const

type Column = BigUint64Array | Uint32Array

/**
 * Numbers of many tokens, one typed array a field: the bytes of an image as they stand in memory.
 * Invariant: every array holds `capacity` tokens; those from `count` on are 0.
 * With the engine the one state of the project that is changed in place: only `writeState` changes it.
 */
export type Columns = {
  readonly fields: readonly StateField[]
  count: number
  capacity: number
  arrays: { [Field in StateField]?: Column }
}

/** A number does not fit its column, so something upstream is wrong. */
export class ColumnRangeError extends Error {
  readonly field: StateField
  readonly value: bigint | number
  constructor(field: StateField, value: bigint | number) {
    super(`${field} cannot hold ${value}`)
    this.name = 'ColumnRangeError'
    this.field = field
    this.value = value
  }
}

/** A field is read that these columns do not keep. */
export class ColumnMissingError extends Error {
  readonly field: StateField
  constructor(field: StateField) {
    super(`${field} is not kept here`)
    this.name = 'ColumnMissingError'
    this.field = field
  }
}

const FIRST_CAPACITY = 256

/** Columns of no tokens yet, for these fields. */
export function emptyColumns(fields: readonly StateField[], capacity = FIRST_CAPACITY): Columns {
  const arrays = Object.fromEntries(fields.map((field) => [field, columnOf(field, capacity)]))
  return { fields, count: 0, capacity, arrays }
}

function columnOf(field: StateField, capacity: number): Column {
  const words = wordsOf[stateFields[field]]
  return words === 0 ? new Uint32Array(capacity) : new BigUint64Array(capacity * words)
}

/** One number of one token; 0 for a token beyond the last one written. Throws ColumnMissingError. */
export function readCell<N extends StateField>(columns: Columns, field: N, number: number): TokenState[N] {
  const column = columns.arrays[field]
  if (!column) throw new ColumnMissingError(field)
  if (number >= columns.count) return emptyState[field]
  const value = column instanceof Uint32Array ? (column[number] ?? 0) : amountAt(column, field, number)
  return value as TokenState[N]
}

function amountAt(column: BigUint64Array, field: StateField, number: number): bigint {
  const words = wordsOf[stateFields[field]]
  let value = 0n
  for (let word = number * words + words - 1; word >= number * words; word--) {
    const bits = column[word] ?? 0n
    value = value === 0n ? bits : (value << 64n) | bits
  }
  return value
}

/** A number of one token as a double: exact below 2^53, else a few roundings off. */
export function cellAsDouble(columns: Columns, field: StateField, number: number): number {
  const column = columns.arrays[field]
  if (!column) throw new ColumnMissingError(field)
  if (number >= columns.count) return 0
  if (column instanceof Uint32Array) return column[number] ?? 0
  const words = wordsOf[stateFields[field]]
  let value = 0
  for (let word = number * words + words - 1; word >= number * words; word--) {
    const bits = column[word] ?? 0n
    value = value * 2 ** 64 + (bits === 0n ? 0 : Number(bits))
  }
  return value
}

/** A token's whole state; only of columns that keep every field. Throws ColumnMissingError. */
export function readState(columns: Columns, number: number): TokenState {
  const names = Object.keys(stateFields) as StateField[]
  return Object.fromEntries(names.map((field) => [field, readCell(columns, field, number)])) as TokenState
}

/** What a column can take in: amounts may be decimal text. */
export type Cells = { readonly [Field in StateField]: bigint | number | string }

/** Sets the kept numbers of a token, growing as needed. Throws ColumnRangeError. */
export function writeState(columns: Columns, number: number, state: Cells): void {
  claim(columns, number)
  for (const field of columns.fields) {
    const column = columns.arrays[field]
    if (column instanceof Uint32Array) column[number] = counted(field, Number(state[field]))
    else if (column) writeAmount(column, { field, number, value: BigInt(state[field]) })
  }
}

/** Copies a row, as far as `to` keeps its fields, growing `to` as needed. `from` keeps all of them. */
export function copyRow(from: Columns, number: number, to: Columns, place: number): void {
  claim(to, place)
  for (const field of to.fields) {
    const [source, target] = [from.arrays[field], to.arrays[field]]
    if (!source || !target) throw new ColumnMissingError(field)
    const words = wordsOf[stateFields[field]] || 1
    const isThere = number < from.count
    for (let word = 0; word < words; word++) {
      const bits = isThere ? source[number * words + word] : undefined
      if (target instanceof Uint32Array) target[place] = Number(bits ?? 0)
      else target[place * words + word] = BigInt(bits ?? 0n)
    }
  }
}

/** Rows of these columns, in this order, as columns of their own. Every row is there. */
export function rowsOf(columns: Columns, numbers: readonly number[]): Columns {
  const chosen = emptyColumns(columns.fields, Math.max(1, numbers.length))
  for (const field of columns.fields) {
    const [source, target] = [columns.arrays[field], chosen.arrays[field]]
    if (!source || !target) throw new ColumnMissingError(field)
    copyRows(halvesOf(source), halvesOf(target), { numbers, size: 2 * wordsOf[stateFields[field]] || 1 })
  }
  chosen.count = numbers.length
  return chosen
}

/** A column in halves of words: a word of 64 bits that is read alone becomes an object. */
const halvesOf = ({ buffer, byteOffset, byteLength }: Column): Uint32Array =>
  new Uint32Array(buffer, byteOffset, byteLength / Uint32Array.BYTES_PER_ELEMENT)

function copyRows(
  source: Uint32Array,
  target: Uint32Array,
  { numbers, size }: { readonly numbers: readonly number[]; readonly size: number },
): void {
  let into = 0
  for (const number of numbers) {
    for (let from = number * size; from < (number + 1) * size; from++) target[into++] = source[from] as number
  }
}

function claim(columns: Columns, number: number): void {
  if (number >= columns.capacity) grow(columns, Math.max(number + 1, Math.ceil(columns.capacity * GROWTH)))
  columns.count = Math.max(columns.count, number + 1)
}

function counted(field: StateField, value: number): number {
  if (value >>> 0 !== value) throw new ColumnRangeError(field, value)
  return value
}

function writeAmount(
  column: BigUint64Array,
  { field, number, value }: { field: StateField; number: number; value: bigint },
): void {
  const words = wordsOf[stateFields[field]]
  if (value < 0n || value >> BigInt(64 * words) !== 0n) throw new ColumnRangeError(field, value)
  let rest = value
  for (let word = number * words; word < (number + 1) * words; word++) {
    column[word] = rest // a BigUint64Array keeps the low 64 bits
    rest >>= 64n
  }
}

function grow(columns: Columns, capacity: number): void {
  for (const field of columns.fields) {
    const wider = columnOf(field, capacity)
    const column = columns.arrays[field]
    if (column) copyInto(wider, column)
    columns.arrays[field] = wider
  }
  columns.capacity = capacity
}

function copyInto(target: Column, source: Column): void {
  new Uint8Array(target.buffer).set(new Uint8Array(source.buffer, source.byteOffset, source.byteLength))
}

/** The bytes of all columns, field by field in their order, little-endian as every platform this runs on has them. */
export function columnBytes(columns: Columns): readonly Uint8Array[] {
  return columns.fields.map((field) => {
    const column = columns.arrays[field]
    if (!column) throw new ColumnMissingError(field)
    return new Uint8Array(column.buffer, 0, columns.count * bytesOf(field))
  })
}

const bytesOf = (field: StateField): number => wordsOf[stateFields[field]] * 8 || 4

/** Bytes that `count` tokens take in columns of these fields. */
export const columnBytesLength = (fields: readonly StateField[], count: number): number =>
  fields.reduce((sum, field) => sum + bytesOf(field) * count, 0)

/** Columns from what `columnBytes` made of them. */
export function columnsFrom(fields: readonly StateField[], count: number, bytes: Uint8Array): Columns {
  const columns = emptyColumns(fields, Math.max(count, FIRST_CAPACITY))
  columns.count = count
  let from = 0
  for (const field of fields) {
    const column = columns.arrays[field]
    const length = bytesOf(field) * count
    if (column) new Uint8Array(column.buffer).set(bytes.subarray(from, from + length))
    from += length
  }
  return columns
}
