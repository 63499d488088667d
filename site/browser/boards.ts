/** Both boards, in every sort order and period, with movers and new entrants marked. */

import type { Answer, BoardRow } from '../../client/index.ts'
import type { Period } from '../../market/window.ts'
import { ask } from './ask.ts'
import { type Board, columnsOf } from './board-columns.ts'
import { BIG_MOVE } from './cells.ts'
import { type Choice, choiceButtons, chosenValue, periodChoice } from './choices.ts'
import { type Child, h, main } from './dom.ts'
import { openListView } from './lists.ts'
import { openPanel } from './panel.ts'
import { openPage } from './shell.ts'

const boards: Choice = { name: 'board', label: 'Board', values: { creators: 'Creators', posts: 'Posts' } }
const periods = periodChoice('period', 'Compared with')
const BOARD_EVERY_SECONDS = 45

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
