import { foldText, soughtText } from '../../market/text.ts'
import { foundFields, type Match } from '../../schemas/discover-row.ts'
import { type Cells, recordPrinter, textIn } from '../../schemas/list-text.ts'
import { readBoards, summaryOfRow } from '../stored-lists.ts'
import { type ApiEndpoint, rowsOfPage, rowsText } from './endpoint.ts'

type Test = Match & { readonly isMet: (words: Words, sought: string) => boolean }

/** What of a row is searched, folded. A post is not found by its creator's handle. */
type Words = {
  readonly symbol: string
  readonly name: string
  readonly address: string
  readonly creator: string
}

/** Four hex digits at least: fewer begin too many addresses. */
const isAddressPart = (sought: string): boolean => /^0x[0-9a-f]{4,}$/.test(sought)

/** The seven tiers, best first; within one, the first test that is met names the match. */
const tiers: readonly (readonly Test[])[] = [
  [
    { field: 'symbol', kind: 'exact', isMet: (words, sought) => words.symbol === sought },
    { field: 'address', kind: 'exact', isMet: (words, sought) => words.address === sought },
  ],
  [{ field: 'name', kind: 'exact', isMet: (words, sought) => words.name === sought }],
  [
    { field: 'symbol', kind: 'prefix', isMet: (words, sought) => words.symbol.startsWith(sought) },
    {
      field: 'address',
      kind: 'prefix',
      isMet: (words, sought) => isAddressPart(sought) && words.address.startsWith(sought),
    },
  ],
  [
    { field: 'name', kind: 'prefix', isMet: (words, sought) => words.name.startsWith(sought) },
    {
      field: 'creator_address',
      kind: 'prefix',
      isMet: (words, sought) => isAddressPart(sought) && words.creator.startsWith(sought),
    },
  ],
  [
    {
      field: 'name',
      kind: 'word',
      isMet: (words, sought) => wordsOf(words.name).some((word) => word.startsWith(sought)),
    },
  ],
  [{ field: 'symbol', kind: 'contains', isMet: (words, sought) => words.symbol.includes(sought) }],
  [{ field: 'name', kind: 'contains', isMet: (words, sought) => words.name.includes(sought) }],
]

const wordsOf = (name: string): string[] => name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')

const print = recordPrinter(foundFields)

type Found = { readonly row: Cells; readonly tier: number; readonly match: Match }

/** GET /v1/search: creators before posts and then by rank within a tier. */
export const search: ApiEndpoint = async (asked, { lists }) => {
  const sought = soughtText(asked.query['q'] ?? '')
  const { at, rows } = await readBoards(lists)
  const found = rows.flatMap((row) => matchOf(row, sought) ?? []).sort((a, b) => a.tier - b.tier)
  const { rows: page, ...of } = rowsOfPage(found, asked)
  const list = rowsText(
    page.map(({ row, match }, at) =>
      print({ ...summaryOfRow(row, of.offset + at + 1), match: JSON.stringify(match) }),
    ),
  )
  return { at, page: { ...of, list } }
}

function matchOf(row: Cells, sought: string): Found | null {
  const textOf = (key: string) => foldText(textIn(row, key))
  const words = {
    symbol: textOf('symbol'),
    name: textOf('name'),
    address: textOf('contract_address'),
    creator: textOf('creator_address'),
  }
  for (const [tier, tests] of tiers.entries()) {
    const test = tests.find(({ isMet }) => isMet(words, sought))
    if (test) return { row, tier, match: { field: test.field, kind: test.kind } }
  }
  return null
}
