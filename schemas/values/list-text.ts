import type { Address } from '../../market/segment.ts'
import { type FieldTable, type RowVariant, sortKeys, wireKeys } from './field.ts'

/** A record of a document: the JSON text of each value, by key. Parsed as numbers, long decimals would lose digits. */
export type Cells = Readonly<Record<string, string>>

/** The records of a list, in the order of its document. */
export const recordsIn = (list: string): readonly Cells[] => partsOf(list).map(cellsIn)

/** The values of an object by key. */
export const cellsIn = (object: string): Cells =>
  Object.fromEntries(
    partsOf(object).map((part) => {
      const end = endOfString(part, part.indexOf('"'))
      return [String(JSON.parse(part.slice(0, end + 1))), part.slice(part.indexOf(':', end) + 1).trim()]
    }),
  )

/** The text value of a record; '' where it has none. */
export const textIn = (cells: Cells, key: string): string => String(JSON.parse(cells[key] ?? '""') ?? '')

/** An address of a record, in lower case. */
export const addressIn = (cells: Cells, key: string): Address => textIn(cells, key).toLowerCase() as Address

/** The elements of an array or the members of an object, as text. */
function partsOf(text: string): readonly string[] {
  const parts: string[] = []
  let [depth, start] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at)
    else if (character === '[' || character === '{') {
      depth += 1
      if (depth === 1) start = at + 1
    } else if ((character === ',' && depth === 1) || (isEnd(character) && --depth === 0)) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

const isEnd = (character: string | undefined): boolean => character === ']' || character === '}'

/** Index of the quote that ends the string begun at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

/** Writes records in a variant of their table. A field that a record lacks, as an older release wrote it, is null. */
export function recordPrinter<Row>(table: FieldTable<Row>, variant?: RowVariant): (cells: Cells) => string {
  const keys = wireKeys(table, variant)
  return (cells) => `{${keys.map(({ name, cell }) => `${name}${cells[cell] ?? 'null'}`).join(',')}}`
}

/** Which rows of a list, in which order: `sort` is a sort name of its table, or that of the document's own order. */
export type Cut = {
  readonly sort: string
  readonly isAscending: boolean
  readonly offset: number
  readonly limit: number
}

/** The rows asked for, in a variant of their table, as JSON text. Ranks are those of the document; only `position` follows the order. */
export function cutFrom<Row>(
  rows: readonly Cells[],
  { sort, isAscending, offset, limit }: Cut,
  { table, ...variant }: RowVariant & { readonly table: FieldTable<Row> },
): readonly string[] {
  const ordered = orderedBy(rows, sort === 'rank' ? undefined : sortKeys(table)[sort], isAscending)
  const print = recordPrinter(table, variant)
  return ordered
    .slice(offset, offset + limit)
    .map((row, index) => print({ ...row, position: String(offset + index + 1) }))
}

/**
 * By the numbers of a key, as they are printed; rows that print the same number stand in the order of the document, in
 * both directions. Without a key in the order of the document. Rows without a value come last in both directions.
 */
function orderedBy(rows: readonly Cells[], key: string | undefined, isAscending: boolean): readonly Cells[] {
  if (key === undefined) return isAscending ? rows.toReversed() : rows
  const valued = rows.map((row) => ({ row, score: decimalIn(row, key) }))
  const known = valued.flatMap(({ row, score }) => (score === null ? [] : [{ row, score }]))
  const sign = isAscending ? 1 : -1
  const sorted = known.sort((a, b) => (a.score === b.score ? 0 : a.score > b.score ? sign : -sign))
  return [...sorted, ...valued.filter(({ score }) => score === null)].map(({ row }) => row)
}

/** More than any printed number has behind its point. */
const PLACES = 60

/** A printed decimal times 10 to the power of `places`, exactly; further digits are cut off. Null: not a number. */
export function decimalIn(cells: Cells, key: string, places = PLACES): bigint | null {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(cells[key] ?? '') ?? []
  return whole === '' ? null : BigInt(sign + whole + fraction.padEnd(places, '0').slice(0, places))
}
