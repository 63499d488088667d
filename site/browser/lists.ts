import type { Answer, TokenSummary } from '../../client/index.ts'
import { ageOf, dollarsCell, figures, kindTag, priceCell, thinTag, tokenCell } from './cells.ts'
import { choose } from './choices.ts'
import { type Child, h } from './dom.ts'
import { countLabel } from './format.ts'
import { openProofPanel } from './proof-panel.ts'
import { type Column, lastingTable, type Order, type TableViewOptions } from './table.ts'

/** Fields of every row. */
export type ListRow = Omit<TokenSummary, 'z100_board' | 'z100_rank' | 'total_volume'>

/** Shared columns of token lists, by content. */
export const listColumns = {
  rank: {
    id: 'rank',
    label: '#',
    isNumber: true,
    // Best first is descending, as on the boards.
    sorts: [{ id: 'rank', label: 'rank', value: (row) => -(row.rank ?? 0) }],
    cell: (row) => String(row.rank),
  },
  token: { id: 'token', label: 'Token', isHeading: true, cell: tokenCell },
  kind: { id: 'kind', label: 'Kind', cell: (row) => kindTag(row.type) },
  price: figures(
    'Price, 24 h',
    priceCell,
    ['price', 'price', (row) => row.price_usd],
    ['change', 'change of price', (row) => row.change_24h],
  ),
  cap: {
    id: 'cap',
    label: 'Market cap',
    isNumber: true,
    sorts: [{ id: 'cap', label: 'market cap', value: (row) => row.market_cap }],
    cell: (row) => [h('span', { class: 'figure' }, dollarsCell(row.market_cap)), thinTag(row)],
  },
  volume: figures('Volume 24 h', dollarsCell, ['volume', 'volume', (row) => row.volume_24h]),
  holders: figures('Holders', countLabel, ['holders', 'holders', (row) => row.unique_holders]),
  age: {
    id: 'age',
    label: 'Age',
    isNumber: true,
    sorts: [{ id: 'age', label: 'newness', value: (row) => Date.parse(row.created_at ?? '') || null }],
    cell: (row) => ageOf(row.created_at),
  },
} as const satisfies Readonly<Record<string, Column<ListRow>>>

/** A list: `caption` identifies it, and a new caption starts a new table. */
export type ListOptions<Row> = Pick<TableViewOptions<Row>, 'caption' | 'columns' | 'mark'> & {
  /** Name of the rows' document. */
  readonly document: string
  /** Text below the table. */
  readonly legend?: Child
  /** Address parameters of the order, and the default order. */
  readonly order?: OrderNames
}

type OrderNames = { readonly sort: string; readonly direction: string; readonly fallback: string }

/** Lists with an order from the API store the reader's sorting under separate parameters. */
const listOrder: OrderNames = { sort: 'column', direction: 'direction', fallback: '' }

/** Shows successive answers as a sortable table with the proof panel below; both stay while the rows change. */
export function openListView<Row extends { readonly token_address: string }>(
  options: () => ListOptions<Row>,
): (answer: Answer<readonly Row[]>) => Child {
  const proof = openProofPanel()
  const table = lastingTable(() => {
    const { order = listOrder, ...list } = options()
    return {
      ...list,
      key: (row) => row.token_address,
      order: orderNow(list.columns, order),
      onOrder: (next) => keepOrder(next, order),
    }
  })
  return (answer) => {
    const { legend, document } = options()
    return [table(answer.body), legend && h('p', { class: 'quiet legend' }, legend), proof(document, answer)]
  }
}

function orderNow<Row>(columns: readonly Column<Row>[], { sort, direction, fallback }: OrderNames): Order {
  const asked = new URLSearchParams(location.search)
  const ids = columns.flatMap(({ sorts = [] }) => sorts.map(({ id }) => id))
  const wanted = asked.get(sort) ?? ''
  return { sort: ids.includes(wanted) ? wanted : fallback, isAscending: asked.get(direction) === 'asc' }
}

function keepOrder({ sort, isAscending }: Order, names: OrderNames): void {
  choose({ [names.sort]: sort === names.fallback ? '' : sort, [names.direction]: isAscending ? 'asc' : '' })
}
