/** Columns that the lists of tokens share. */
import type { TokenSummary } from '../../schemas/client.ts'
import { ageOf, dollarsCell, kindTag, priceCell, thinTag, tokenCell, withChange } from './cells.ts'
import { h } from './dom.ts'
import { count } from './format.ts'
import type { Column } from './table.ts'

/** What every row of a list has. */
export type ListRow = Omit<TokenSummary, 'z100_board' | 'z100_rank' | 'total_volume'>

/** Columns of a list, by what they say. */
export const listColumns = {
  rank: {
    id: 'rank',
    label: '#',
    isNumber: true,
    // Descending from the best, as on the boards.
    sorts: [{ id: 'rank', label: 'rank', value: (row) => -(row.rank ?? 0) }],
    cell: (row) => String(row.rank),
  },
  token: { id: 'token', label: 'Token', isHeading: true, cell: tokenCell },
  kind: { id: 'kind', label: 'Kind', cell: (row) => kindTag(row.type) },
  price: {
    id: 'price',
    label: 'Price, 24 h',
    isNumber: true,
    sorts: [
      { id: 'price', label: 'price', value: (row) => row.price_usd },
      { id: 'change', label: 'change of price', value: (row) => row.change_24h },
    ],
    cell: (row) => withChange(priceCell(row.price_usd), row.change_24h),
  },
  cap: {
    id: 'cap',
    label: 'Market cap',
    isNumber: true,
    sorts: [{ id: 'cap', label: 'market cap', value: (row) => row.market_cap }],
    cell: (row) => [h('span', { class: 'figure' }, dollarsCell(row.market_cap)), thinTag(row)],
  },
  volume: {
    id: 'volume',
    label: 'Volume 24 h',
    isNumber: true,
    sorts: [{ id: 'volume', label: 'volume', value: (row) => row.volume_24h }],
    cell: (row) => dollarsCell(row.volume_24h),
  },
  holders: {
    id: 'holders',
    label: 'Holders',
    isNumber: true,
    sorts: [{ id: 'holders', label: 'holders', value: (row) => row.unique_holders }],
    cell: (row) => count(row.unique_holders),
  },
  age: {
    id: 'age',
    label: 'Age',
    isNumber: true,
    sorts: [{ id: 'age', label: 'newness', value: (row) => Date.parse(row.created_at ?? '') || null }],
    cell: (row) => ageOf(row.created_at),
  },
} as const satisfies Readonly<Record<string, Column<ListRow>>>
