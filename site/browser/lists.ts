/** Columns that the lists of tokens share. */
import type { TokenSummary } from '../../schemas/client.ts'
import { ageOf, dollarsCell, kindTag, priceCell, tokenCell, withChange } from './cells.ts'
import { count } from './format.ts'
import type { Column } from './table.ts'

/** What every row of a list has. */
export type ListRow = Omit<TokenSummary, 'z100_board' | 'z100_rank' | 'total_volume'>

/** Columns of a list, by what they say. */
export const listColumns = {
  rank: { id: 'rank', label: '#', isNumber: true, cell: (row) => String(row.rank) },
  token: { id: 'token', label: 'Token', isHeading: true, cell: tokenCell },
  kind: { id: 'kind', label: 'Kind', cell: (row) => kindTag(row.type) },
  price: {
    id: 'price',
    label: 'Price, 24 h',
    isNumber: true,
    cell: (row) => withChange(priceCell(row.price_usd), row.change_24h),
  },
  cap: { id: 'cap', label: 'Market cap', isNumber: true, cell: (row) => dollarsCell(row.market_cap) },
  volume: { id: 'volume', label: 'Volume 24 h', isNumber: true, cell: (row) => dollarsCell(row.volume_24h) },
  holders: { id: 'holders', label: 'Holders', isNumber: true, cell: (row) => count(row.unique_holders) },
  age: { id: 'age', label: 'Age', isNumber: true, cell: (row) => ageOf(row.created_at) },
} as const satisfies Readonly<Record<string, Column<ListRow>>>
