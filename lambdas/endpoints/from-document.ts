import { InvalidParameterError, ServiceUnavailableError } from '../../schemas/errors.ts'
import { type FieldTable, type Json, type RowForm, sortKeys, wireKeys } from '../../schemas/field.ts'
import { type DocumentName, type OperationName, operations } from '../../schemas/operations.ts'
import type { Parameter } from '../../schemas/parameters.ts'
import { plainJson } from '../../schemas/plain-json.ts'
import { boardFields } from '../../schemas/token-row.ts'
import { rowsIn, type WireRow } from './board-ranks.ts'
import { type Asked, type Documents, type Endpoint, isSet, pageOf, type StoredDocument } from './endpoint.ts'

/** Seconds after which a reader may ask again while nothing is published. */
const RETRY_SECONDS = 10

/** Answers a published operation from its document: whole, or sorted, cut and shaped. */
export function fromDocument(name: OperationName): Endpoint {
  return async (asked, { documents }) => {
    const document = await readDocument(documents, nameOf(name, asked))
    refuseOtherSnapshot(document, asked)
    const { at, text } = document
    if (asked.query['limit'] === undefined) return { at, text }
    const rows = sorted(name, rowsIn(document), asked)
    const { rows: page, ...of } = pageOf(rows, asked)
    const shape = shapeOf(name, asked)
    const written = page.map((row, index) => plainJson(shape({ ...row, position: of.offset + index + 1 })))
    // The document of a list may hold its first page alone.
    return { at, page: { ...of, total: Math.max(document.total, of.total), rows: written } }
  }
}

/** Reads a document. Throws ServiceUnavailableError before the first snapshot. */
export async function readDocument(documents: Documents, name: DocumentName): Promise<StoredDocument> {
  const document = await documents.read(name)
  if (!document) throw new ServiceUnavailableError(RETRY_SECONDS, 'The first snapshot is not published yet.')
  return document
}

/** The document that holds the rows asked for, in its own order. */
function nameOf(name: OperationName, { query }: Asked): DocumentName {
  const { path, axes } = operations[name]
  const values = (axes ?? []).map(({ names, fallback, same = [] }: Parameter) => {
    const value = query[names[0]] ?? ''
    return same.includes(value) ? fallback : value
  })
  return [path.slice(1), ...values].join('/') as DocumentName
}

function refuseOtherSnapshot({ at }: StoredDocument, { query: { snapshot } }: Asked): void {
  if (snapshot === undefined || snapshot === at.snapshotId) return
  throw new InvalidParameterError({
    parameter: 'snapshot',
    provided: snapshot.slice(0, 128),
    allowed: 'the id of a snapshot of the last 15 minutes',
  })
}

/** Rows in the order asked for, from a document in its own. */
function sorted(name: OperationName, rows: readonly WireRow[], { query }: Asked): readonly WireRow[] {
  const isReversed = query['sort_order'] === 'asc'
  const key = isBoard(name) ? boardSorts[query['sort_by'] ?? ''] : undefined
  if (key !== undefined && key !== 'rank') return [...rows].sort(comparison(key, isReversed))
  // The document's own order; what has no value for it stands last, whichever way.
  const own = name === 'trending' ? trendingOwn[query['sort_by'] ?? ''] : undefined
  if (!isReversed) return rows
  const isKnown = (row: WireRow) => own === undefined || row[own] !== null
  return [...rows.filter(isKnown).reverse(), ...rows.filter((row) => !isKnown(row))]
}

const isBoard = (name: OperationName): boolean => name === 'creators' || name === 'posts'

const boardSorts = sortKeys(boardFields)
/** What a trending list of each sort is ordered by. */
const trendingOwn: Readonly<Record<string, string>> = { market_cap: 'market_cap', change: 'change' }

/** Changes are compared as ratios of what they are made from: the printed percentage is rounded. */
const ratios: Readonly<Record<string, readonly [string, string]>> = {
  price_change_percent: ['price_usd', 'historical_price'],
  market_cap_change_percent: ['market_cap', 'historical_market_cap'],
  volume_change_percent: ['volume_24h', 'historical_volume'],
  holders_change_percent: ['unique_holders', 'historical_holders'],
}

function sortValue(row: WireRow, key: string): number | null {
  const value = row[key]
  const ratio = ratios[key]
  if (typeof value !== 'number') return null
  return ratio ? Number(row[ratio[0]]) / Number(row[ratio[1]]) : value
}

/** By a key, unknown values last in both orders; ties by 24 h volume, market cap, and creation. */
function comparison(key: string, isReversed: boolean): (a: WireRow, b: WireRow) => number {
  const direction = isReversed ? -1 : 1
  return (a, b) => {
    const [x, y] = [sortValue(a, key), sortValue(b, key)]
    if (x === null || y === null) return Number(x === null) - Number(y === null) || byTies(a, b)
    return direction * (y - x) || byTies(a, b)
  }
}

const byTies = (a: WireRow, b: WireRow): number =>
  Number(b['volume_24h']) - Number(a['volume_24h']) ||
  Number(b['market_cap']) - Number(a['market_cap']) ||
  (`${a['created_at']}${a['contract_address']}` < `${b['created_at']}${b['contract_address']}` ? -1 : 1)

type Shape = (row: WireRow) => Json

/** The form of a row that the parameters ask for: without the change group, or with display text. */
function shapeOf(name: OperationName, asked: Asked): Shape {
  if (!isBoard(name)) return (row) => row
  const isDisplay = asked.query['values'] === 'display'
  const without = isSet(asked, 'include_changes') ? {} : { without: 'change' as const }
  const display = { display: name === 'creators' ? ('creator' as const) : ('post' as const) }
  return shapeBy(boardFields, isDisplay ? { ...without, ...display } : without)
}

/** Picks the keys of a form; a key in display text is its formatted twin. */
function shapeBy<Row>(table: FieldTable<Row>, form: RowForm): Shape {
  const keys = wireKeys(table, form).map(({ key }) => key)
  const texts = new Set(
    form.display ? keys.filter((key) => table[key]?.display?.includes(form.display ?? 'post')) : [],
  )
  return (row) =>
    Object.fromEntries(keys.map((key) => [key, row[texts.has(key) ? `${key}_formatted` : key] ?? null]))
}
