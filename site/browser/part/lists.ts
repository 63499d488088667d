import type { Answer, TokenSummary } from '../../../clients/typescript/index.ts'
import {
  ageOf,
  capCell,
  change,
  dollarsCell,
  figures,
  kindTag,
  type Named,
  tokenCell,
} from '../base/cells.ts'
import { choose, replaceUrl } from '../base/choices.ts'
import { type Child, h } from '../base/dom.ts'
import { countLabel } from '../base/format.ts'
import { type Column, lastingTable, type Order, type TableViewOptions } from '../base/table.ts'
import { starButton } from '../base/watchlist.ts'
import { openProofPanel } from './proof-panel.ts'

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
    phone: 'lead',
  },
  /** In lists whose rows begin with nothing else. */
  star: { id: 'star', label: '★', cell: starButton, phone: 'lead' },
  token: { id: 'token', label: 'Token', isHeading: true, cell: tokenCell, phone: 'token' },
  kind: { id: 'kind', label: 'Kind', cell: (row) => kindTag(row.type), from: 'wide' },
  price: {
    ...figures<ListRow>(
      'Price, 24 h',
      dollarsCell,
      ['price', 'price', (row) => row.price_usd],
      ['change', 'change of price', (row) => row.change_24h],
    ),
    phone: 'a',
  },
  week: {
    ...figures<ListRow>('7 d', change, ['week', 'change of price in a week', (row) => row.change_7d]),
    from: 'wide',
  },
  cap: {
    id: 'cap',
    label: 'Market cap',
    isNumber: true,
    sorts: [{ id: 'cap', label: 'market cap', value: (row) => row.market_cap }],
    cell: (row) => capCell(row),
    phone: 'b1',
  },
  volume: {
    ...figures<ListRow>('Volume 24 h', dollarsCell, ['volume', 'volume', (row) => row.volume_24h]),
    phone: 'b2',
  },
  holders: {
    ...figures<ListRow>('Holders', countLabel, ['holders', 'holders', (row) => row.unique_holders]),
    from: 'wide',
  },
  liquidity: {
    ...figures<ListRow>('Liquidity', dollarsCell, ['liquidity', 'liquidity', (row) => row.liquidity_usd]),
    about: 'What the pool holds on both sides at the price of now.',
    from: 'wider',
  },
  age: {
    id: 'age',
    label: 'Age',
    isNumber: true,
    isClock: true,
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

/** The columns with a star before what a row begins with. */
const withStar = <Row extends Named>(columns: readonly Column<Row>[]): readonly Column<Row>[] =>
  columns.map((column) =>
    column.phone === 'lead' ? { ...column, cell: (row) => [starButton(row), column.cell(row)] } : column,
  )

/** A list: `show` shows an answer, and `filter` is the field that narrows what is shown. */
export type ListView<Row> = { readonly filter: HTMLElement; show(answer: Answer<readonly Row[]>): Child }

/**
 * Shows successive answers as a sortable table with the proof panel below; both stay while the rows change. The filter
 * is part of the page's address.
 */
export function openListView<Row extends Named>(options: () => ListOptions<Row>): ListView<Row> {
  const proof = openProofPanel()
  let rows: readonly Row[] = []
  const table = lastingTable(() => {
    const { order = listOrder, ...list } = options()
    return {
      ...list,
      columns: withStar(list.columns),
      isList: true,
      key: (row) => row.token_address,
      order: orderNow(list.columns, order),
      onOrder: (next) => keepOrder(next, order),
    }
  })
  const none = h('p', { class: 'quiet', role: 'status' })
  const draw = (text: string) => {
    const found = text === '' ? rows : rows.filter((row) => textOf(row).includes(text))
    none.textContent = found.length === 0 && rows.length > 0 ? 'Nothing in this list matches the filter.' : ''
    return table(found)
  }
  const field = filterField((text) => draw(text))
  return {
    filter: field,
    show: (answer) => {
      rows = answer.body
      const { legend, document } = options()
      return [
        draw(field.value.trim().toLowerCase()),
        none,
        legend && h('p', { class: 'quiet legend' }, legend),
        proof(document, answer),
      ]
    },
  }
}

const FILTER = 'find'

function filterField(onText: (text: string) => void): HTMLInputElement {
  const input = h('input', {
    type: 'search',
    class: 'filter',
    placeholder: 'Filter',
    'aria-label': 'Filter this list by name, creator or address',
    value: new URLSearchParams(location.search).get(FILTER) ?? '',
    on: {
      input: () => {
        const url = new URL(location.href)
        url.searchParams.set(FILTER, input.value)
        if (input.value === '') url.searchParams.delete(FILTER)
        replaceUrl(url.href)
        onText(input.value.trim().toLowerCase())
      },
    },
  })
  return input
}

/** What a filter looks for a text in. */
const textOf = ({ symbol, name, creator_handle: creator, token_address: address }: Named): string =>
  [symbol, name, creator, address].join(' ').toLowerCase()

function orderNow<Row>(columns: readonly Column<Row>[], { sort, direction, fallback }: OrderNames): Order {
  const asked = new URLSearchParams(location.search)
  const ids = columns.flatMap(({ sorts = [] }) => sorts.map(({ id }) => id))
  const wanted = asked.get(sort) ?? ''
  return { sort: ids.includes(wanted) ? wanted : fallback, isAscending: asked.get(direction) === 'asc' }
}

function keepOrder({ sort, isAscending }: Order, names: OrderNames): void {
  choose({ [names.sort]: sort === names.fallback ? '' : sort, [names.direction]: isAscending ? 'asc' : '' })
}
