/** Both boards, in every sort order and period, with movers and new entrants marked. */

import type { Answer, BoardRow, MarketStats } from '../../client/index.ts'
import type { Period } from '../../market/window.ts'
import { ask } from './ask.ts'
import { BIG_MOVE, dollarsCell, figures, move, priceCell, thinTag, tiles, withChange } from './cells.ts'
import { type Choice, choiceButtons, chosenValue, periodChoice } from './choices.ts'
import { type Child, h, main } from './dom.ts'
import { countLabel, dollars, fixed } from './format.ts'
import { listColumns, openListView } from './lists.ts'
import { openPanel } from './panel.ts'
import { openPage } from './shell.ts'
import type { Column } from './table.ts'

type Board = 'creators' | 'posts'

const boards: Choice = { name: 'board', label: 'Board', values: { creators: 'Creators', posts: 'Posts' } }
const periods = periodChoice('period', 'Compared with')
/** Totals change slowly compared with the boards. */
const STATS_EVERY_SECONDS = 600
const BOARD_EVERY_SECONDS = 45

const scores: Readonly<Record<Board, Column<BoardRow>>> = {
  creators: {
    id: 'score',
    label: 'Portfolio',
    isNumber: true,
    sorts: [{ id: 'value', label: 'portfolio value', value: (row) => row.score }],
    cell: (row) => dollarsCell(row.portfolio_value_raw),
  },
  posts: figures('Engagement', countLabel, ['engagement', 'engagement', (row) => row.engagement]),
}

const columnsOf = (board: Board): readonly Column<BoardRow>[] => [
  {
    id: 'rank',
    label: '#',
    isNumber: true,
    // Best first is descending, as in the API.
    sorts: [{ id: 'rank', label: 'rank', value: (row) => -row.rank }],
    cell: (row) => [h('span', { class: 'rank' }, String(row.rank)), move(row.is_new, row.rank_change)],
  },
  listColumns.token,
  figures(
    'Price',
    priceCell,
    ['price', 'price', (row) => row.price_usd],
    ['price_change', 'price change', (row) => row.price_change_percent],
  ),
  {
    id: 'cap',
    label: 'Market cap',
    isNumber: true,
    sorts: [
      { id: 'market_cap', label: 'market cap', value: (row) => row.market_cap_raw },
      { id: 'market_cap_change', label: 'market cap change', value: (row) => row.market_cap_change_percent },
    ],
    cell: (row) => [withChange(dollars(row.market_cap_raw), row.market_cap_change_percent), thinTag(row)],
  },
  scores[board],
  figures(
    'Volume',
    dollars,
    ['volume', 'volume of the period', (row) => row.volume_period],
    ['volume_change', 'volume change', (row) => row.volume_change_percent],
  ),
  figures('All volume', dollarsCell, ['total_volume', 'volume since launch', (row) => row.total_volume_raw]),
  figures(
    'Holders',
    countLabel,
    ['holders', 'holders', (row) => row.unique_holders],
    ['holders_change', 'holders change', (row) => row.holders_change_percent],
  ),
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
  return (answer: Answer<readonly BoardRow[]>): Child => {
    rows = answer.body
    return view(answer)
  }
}

function legendOf(rows: readonly BoardRow[]): string {
  const entered = rows.filter((row) => row.is_new).length
  const moved = rows.filter((row) => (row.rank_change ?? 0) !== 0).length
  return `${rows.length} tokens; ${entered} new on the board and ${moved} on another place than ${periods.values[periodNow()]} ago. ▲ and ▼ count places; a line at the edge marks ${BIG_MOVE} or more. Changes are against that time, or against the launch of a younger token.`
}

function statTiles(stats: MarketStats): Child {
  return tiles([
    ['Z100 Index', fixed(stats.index_value, 2), stats.index_change_24h, '/z100-index'],
    ['Volume 24 h', dollars(stats.total_volume_24h), stats.volume_change_24h, '/trending'],
    ['Market cap counted', dollars(stats.total_market_cap), undefined, '/docs/methodology'],
    ['Trades 24 h', countLabel(stats.total_trades_24h), undefined, '/live'],
    ['Tokens', countLabel(stats.total_tokens), undefined, '/new-launches'],
  ])
}

function openBoards(): void {
  openPage()
  const stats = openPanel({
    load: async (signal) => (await ask('/v1/market/stats', {}, signal)).body,
    show: statTiles,
    everySeconds: STATS_EVERY_SECONDS,
  })
  const board = openPanel({
    load: (signal) => ask(`/v1/z100/${boardNow()}`, { query: { period: periodNow() } }, signal),
    show: boardView(),
    empty: { when: ({ body }) => body.length === 0, description: 'No trades yet.' },
    everySeconds: BOARD_EVERY_SECONDS,
  })
  stats.element.classList.add('slim')
  main().append(
    stats.element,
    h('div', { class: 'bar' }, choiceButtons(boards, board.reload), choiceButtons(periods, board.reload)),
    board.element,
  )
}

openBoards()
