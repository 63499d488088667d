import type { Address } from '../market/segment.ts'
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

/** By the numbers of a key, as they are printed; without a key in the order of the document. Rows without a value come last in both directions. */
function orderedBy(rows: readonly Cells[], key: string | undefined, isAscending: boolean): readonly Cells[] {
  if (key === undefined) return isAscending ? rows.toReversed() : rows
  const valued = rows.map((row) => ({ row, scores: [key, ...TIES].map((each) => scoreIn(row, each)) }))
  const known = valued.filter(({ scores }) => scores[0] !== null)
  const best = known.toSorted((a, b) => firstDifference(a.scores, b.scores) || byTime(a.row, b.row))
  const rest = valued.filter(({ scores }) => scores[0] === null)
  return [...(isAscending ? best.toReversed() : best), ...rest].map(({ row }) => row)
}

/** Rows that print the same number are ordered by these, then the older token first. */
const TIES = ['volume_24h', 'market_cap']

function byTime(a: Cells, b: Cells): number {
  const [older, newer] = [textIn(a, 'created_at'), textIn(b, 'created_at')]
  return older < newer ? -1 : older > newer ? 1 : 0
}

/** More than any printed number has behind its point. */
const PLACES = 60

/** A printed decimal as a whole number, to compare exactly. */
function scoreIn(cells: Cells, key: string): bigint | null {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(cells[key] ?? '') ?? []
  return whole === '' ? null : BigInt(sign + whole + fraction.padEnd(PLACES, '0'))
}

/** The greater first, unknown values last. */
function firstDifference(a: readonly (bigint | null)[], b: readonly (bigint | null)[]): number {
  for (const [at, left] of a.entries()) {
    const right = b[at] ?? null
    if (left === right) continue
    return right === null || (left !== null && left > right) ? -1 : 1
  }
  return 0
}
