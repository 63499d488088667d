import { memoized } from '../../market/memoized.ts'
import { foldText, soughtText } from '../../market/text.ts'
import { foundFields, type Match } from '../../schemas/records/discover-row.ts'
import { type Cells, recordPrinter, textIn } from '../../schemas/values/list-text.ts'
import { readTokenId } from '../../schemas/values/token-id.ts'
import { type ApiEndpoint, rowsOfPage, rowsText } from '../api/endpoint.ts'
import { readBoards, summaryOfRow } from '../api/stored-lists.ts'

/** Kinds of match; all texts are normalised. */
const isMet: Readonly<Record<Match['kind'], (text: string, sought: string) => boolean>> = {
  exact: (text, sought) => text === sought,
  prefix: (text, sought) => text.startsWith(sought),
  word: (text, sought) => text.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(sought)),
  contains: (text, sought) => text.includes(sought),
}

/** The seven classes of matches, best first; within a class the first match counts. A post is not found by its creator's handle. */
const classes: readonly (readonly Match[])[] = [
  [
    { field: 'symbol', kind: 'exact' },
    { field: 'address', kind: 'exact' },
  ],
  [{ field: 'name', kind: 'exact' }],
  [
    { field: 'symbol', kind: 'prefix' },
    { field: 'address', kind: 'prefix' },
  ],
  [
    { field: 'name', kind: 'prefix' },
    { field: 'creator_address', kind: 'prefix' },
  ],
  [{ field: 'name', kind: 'word' }],
  [{ field: 'symbol', kind: 'contains' }],
  [{ field: 'name', kind: 'contains' }],
]

/** At least four hex digits; fewer match too many addresses. */
const isTooShort = ({ field, kind }: Match, sought: string): boolean =>
  kind === 'prefix' && field.endsWith('address') && !/^0x[0-9a-f]{4,}$/.test(sought)

const print = recordPrinter(foundFields)

type Found = { readonly row: Cells; readonly place: number; readonly match: Match }

/** GET /v1/search: within a class of matches, creators before posts, then by rank. */
export const search: ApiEndpoint = async (asked, { lists }) => {
  const text = asked.query['q'] ?? ''
  const id = readTokenId(text)
  const sought = id?.address ?? soughtText(text)
  const { at, rows } = await readBoards(lists)
  const matchIn = (row: Cells) => (id?.pool ? matchOfPool(row, id.pool) : matchOf(row, sought))
  const found = rows.flatMap((row) => matchIn(row) ?? []).sort((a, b) => a.place - b.place)
  const { rows: page, ...cut } = rowsOfPage(found, asked)
  const list = rowsText(
    page.map(({ row, match }, at) =>
      print({ ...summaryOfRow(row, cut.offset + at + 1), match: JSON.stringify(match) }),
    ),
  )
  return { at, page: { ...cut, list } }
}

/** A pool's id is exactly its token's. */
const matchOfPool = (row: Cells, pool: string): Found | null =>
  textIn(row, 'pool_id') === pool ? { row, place: 0, match: { field: 'address', kind: 'exact' } } : null

function matchOf(row: Cells, sought: string): Found | null {
  const textOf = memoized((field: Match['field']) =>
    foldText(textIn(row, field === 'address' ? 'contract_address' : field)),
  )
  for (const [place, ways] of classes.entries()) {
    const match = ways.find((way) => !isTooShort(way, sought) && isMet[way.kind](textOf(way.field), sought))
    if (match) return { row, place, match }
  }
  return null
}
