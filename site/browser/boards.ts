/** Both boards, in every sort order and period, with movers and new entrants marked. */

import type { Answer, BoardRow } from '../../client/index.ts'
import type { Period } from '../../market/window.ts'
import { ask } from './ask.ts'
import { BIG_MOVE, capCell, figures, move, priceCell, shortDollarsCell } from './cells.ts'
import { type Choice, choiceButtons, chosenValue, periodChoice } from './choices.ts'
import { type Child, h, main } from './dom.ts'
import { countLabel } from './format.ts'
import { listColumns, openListView } from './lists.ts'
import { openPanel } from './panel.ts'
import { sparkline } from './pictures.ts'
import { openPage } from './shell.ts'
import type { Column } from './table.ts'

type Board = 'creators' | 'posts'

const boards: Choice = { name: 'board', label: 'Board', values: { creators: 'Creators', posts: 'Posts' } }
const periods = periodChoice('period', 'Compared with')
const BOARD_EVERY_SECONDS = 45

const scores: Readonly<Record<Board, Column<BoardRow>>> = {
  creators: {
    id: 'score',
    label: 'Portfolio',
    isNumber: true,
    sorts: [{ id: 'value', label: 'portfolio value', value: (row) => row.score }],
    cell: (row) => shortDollarsCell(row.portfolio_value_raw),
  },
  posts: figures('Engagement', countLabel, ['engagement', 'engagement', (row) => row.engagement]),
}

const columnsOf = (board: Board): readonly Column<BoardRow>[] => [
  {
    id: 'rank',
    label: '#',
    isNumber: true,
    phone: 'lead',
    // Best first is descending, as in the API.
    sorts: [{ id: 'rank', label: 'rank', value: (row) => -row.rank }],
    cell: (row) => [h('span', { class: 'rank' }, String(row.rank)), move(row.is_new, row.rank_change)],
  },
  listColumns.token,
  {
    ...figures<BoardRow>(
      'Price',
      priceCell,
      ['price', 'price', (row) => row.price_usd],
      ['price_change', 'price change', (row) => row.price_change_percent],
    ),
    phone: 'a',
  },
  {
    id: 'day',
    label: 'Last 24 h',
    isNumber: true,
    from: 'wide',
    cell: (row) => sparkline(row.sparkline_24h),
  },
  { ...scores[board], phone: 'c1' },
  {
    id: 'cap',
    label: 'Market cap',
    isNumber: true,
    phone: 'b1',
    sorts: [
      { id: 'market_cap', label: 'market cap', value: (row) => row.market_cap_raw },
      { id: 'market_cap_change', label: 'market cap change', value: (row) => row.market_cap_change_percent },
    ],
    cell: (row) => capCell({ ...row, market_cap: row.market_cap_raw }, row.market_cap_change_percent),
  },
  {
    ...figures<BoardRow>(
      'Volume',
      shortDollarsCell,
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
    ...figures<BoardRow>('Earned 24 h', shortDollarsCell, [
      'earnings',
      'what the creator earned',
      (row) => row.creator_earnings_24h,
    ]),
    from: 'wide',
  },
  {
    ...figures<BoardRow>('All volume', shortDollarsCell, [
      'total_volume',
      'volume since launch',
      (row) => row.total_volume_raw,
    ]),
    from: 'wider',
  },
]

const boardNow = (): Board => chosenValue(boards) as Board
const periodNow = (): Period => chosenValue(periods) as Period

function boardView() {
  let rows: readonly BoardRow[] = []
  const view = openListView<BoardRow>(() => {
    const [board, period] = [boardNow(), periodNow()]
    return {
      caption: `Z100 ${board}, changes over ${periods.values[period]}`,
      columns: columnsOf(board),
      document: `v1/z100/${board}/${period}`,
      legend: legendOf(rows),
      order: { sort: 'sort_by', direction: 'sort_order', fallback: 'rank' },
      mark: ({ is_new: isNew, rank_change: by }) =>
        isNew ? 'is-new' : Math.abs(by ?? 0) >= BIG_MOVE ? 'is-mover' : '',
    }
  })
  const show = (answer: Answer<readonly BoardRow[]>): Child => {
    rows = answer.body
    return view.show(answer)
  }
  return { ...view, show }
}

function legendOf(rows: readonly BoardRow[]): string {
  const entered = rows.filter((row) => row.is_new).length
  const moved = rows.filter((row) => (row.rank_change ?? 0) !== 0).length
  return `${rows.length} tokens; ${entered} are new on the board and ${moved} have another rank than ${periods.values[periodNow()]} ago. ▲ and ▼ count ranks; a line at the edge marks ${BIG_MOVE} or more. Changes are since then, or since the launch of a younger token. Keys: j and k go down and up, Enter opens.`
}

function openBoards(): void {
  openPage()
  const { filter, show } = boardView()
  const board = openPanel({
    load: (signal) => ask(`/v1/z100/${boardNow()}`, { query: { period: periodNow() } }, signal),
    show,
    empty: { when: ({ body }) => body.length === 0, description: 'No trades yet.' },
    everySeconds: BOARD_EVERY_SECONDS,
  })
  main().append(
    h(
      'div',
      { class: 'bar' },
      choiceButtons(boards, board.reload),
      choiceButtons(periods, board.reload),
      filter,
    ),
    board.element,
  )
}

openBoards()
