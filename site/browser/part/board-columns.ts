/** The columns of both boards. */

import type { BoardRow } from '../../../clients/typescript/index.ts'
import { capCell, change, dollarsCell, figures, move } from '../base/cells.ts'
import { type Child, h } from '../base/dom.ts'
import { countLabel } from '../base/format.ts'
import { sparkline } from '../base/pictures.ts'
import type { Column } from '../base/table.ts'
import { listColumns } from './lists.ts'

export type Board = 'creators' | 'posts'

const scores: Readonly<Record<Board, Column<BoardRow>>> = {
  creators: {
    id: 'score',
    label: 'Portfolio',
    about: 'What the token and the posts of its creator count for, by which this board is ranked.',
    isNumber: true,
    sorts: [{ id: 'value', label: 'portfolio value', value: (row) => row.score }],
    cell: (row) => dollarsCell(row.portfolio_value_raw),
  },
  posts: {
    ...figures<BoardRow>('Engagement', countLabel, ['engagement', 'engagement', (row) => row.engagement]),
    id: 'score',
    about: 'Wallets that traded it in the last 24 hours, counted once an hour each.',
  },
}

/** A token's rank and the places it gained or lost: in the period, or since an earlier board. */
const rankColumn = (ranksNow: ReadonlyMap<string, number> | null): Column<BoardRow> => ({
  id: 'rank',
  label: '#',
  isNumber: true,
  phone: 'lead',
  // Best first is descending, as in the API.
  sorts: [{ id: 'rank', label: 'rank', value: (row) => -row.rank }],
  cell: (row) => [
    h('span', { class: 'rank' }, String(row.rank)),
    ranksNow ? moveUntilNow(row, ranksNow) : move(row.is_new, row.rank_change),
  ],
})

function moveUntilNow(row: BoardRow, ranksNow: ReadonlyMap<string, number>): Child {
  const now = ranksNow.get(row.token_address)
  return now === undefined ? h('span', { class: 'move' }, 'left') : move(false, row.rank - now)
}

/** The price change of the last hour, and below it that of the last week. */
const spansColumn: Column<BoardRow> = {
  id: 'spans',
  label: '1 h',
  isNumber: true,
  from: 'wide',
  sorts: [
    { id: 'change_1h', label: 'change of price in an hour', value: (row) => row.change_1h },
    { id: 'change_7d', label: 'change of price in a week', head: '7 d', value: (row) => row.change_7d },
  ],
  cell: (row) => [h('span', { class: 'figure' }, change(row.change_1h)), change(row.change_7d)],
}

/** The price over the last day. */
const dayColumn: Column<BoardRow> = {
  id: 'day',
  label: 'Last 24 h',
  isNumber: true,
  from: 'wide',
  cell: (row) => sparkline(row.sparkline_24h),
}

const capColumn: Column<BoardRow> = {
  id: 'cap',
  label: 'Market cap',
  isNumber: true,
  phone: 'b1',
  sorts: [
    { id: 'market_cap', label: 'market cap', value: (row) => row.market_cap_raw },
    { id: 'market_cap_change', label: 'market cap change', value: (row) => row.market_cap_change_percent },
  ],
  cell: (row) => capCell({ ...row, market_cap: row.market_cap_raw }, row.market_cap_change_percent),
}

/** Columns of a board, in their order. */
export const columnsOf = (
  board: Board,
  ranksNow: ReadonlyMap<string, number> | null,
): readonly Column<BoardRow>[] => [
  rankColumn(ranksNow),
  listColumns.token,
  {
    ...figures<BoardRow>(
      'Price',
      dollarsCell,
      ['price', 'price', (row) => row.price_usd],
      ['price_change', 'price change', (row) => row.price_change_percent],
    ),
    phone: 'a',
  },
  spansColumn,
  dayColumn,
  { ...scores[board], phone: 'c1' },
  capColumn,
  {
    ...figures<BoardRow>(
      'Volume',
      dollarsCell,
      ['volume', 'volume of the period', (row) => row.volume_period],
      ['volume_change', 'volume change', (row) => row.volume_change_percent],
    ),
    phone: 'b2',
  },
  {
    ...figures<BoardRow>(
      'Holders',
      countLabel,
      ['holders', 'holders', (row) => row.unique_holders],
      ['holders_change', 'holders change', (row) => row.holders_change_percent],
    ),
    phone: 'c2',
  },
  {
    ...figures<BoardRow>('Earned 24 h', dollarsCell, [
      'earnings',
      'what the creator earned',
      (row) => row.creator_earnings_24h,
    ]),
    about: 'Fees of trades that went to the creator.',
    from: 'wide',
  },
  {
    ...figures<BoardRow>('All volume', dollarsCell, [
      'total_volume',
      'volume since launch',
      (row) => row.total_volume_raw,
    ]),
    from: 'wider',
  },
]
