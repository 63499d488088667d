/** Both boards, in every sort order and period, with movers and new entrants marked. */

import type { Answer, BoardRow } from '../../../clients/typescript/index.ts'
import type { Period } from '../../../market/window.ts'
import { ask } from '../base/ask.ts'
import { BIG_MOVE } from '../base/cells.ts'
import { type Choice, choiceButtons, choose, chosenValue, periodChoice } from '../base/choices.ts'
import { type Child, h, main } from '../base/dom.ts'
import { dayAndTime } from '../base/format.ts'
import { serviceNow } from '../base/freshness.ts'
import { type Board, columnsOf } from '../part/board-columns.ts'
import { openListView } from '../part/lists.ts'
import { openPanel } from '../part/panel.ts'
import { openPage } from '../part/shell.ts'

const boards: Choice = { name: 'board', label: 'Board', values: { creators: 'Creators', posts: 'Posts' } }
const periods = periodChoice('period', 'Compared with')
const BOARD_EVERY_SECONDS = 45

const boardNow = (): Board => chosenValue(boards) as Board
const periodNow = (): Period => chosenValue(periods) as Period

/** The time as of which the board is shown, as the API takes it: a day, for its end; empty: now. */
const asOfNow = (): string => new URLSearchParams(location.search).get('as_of') ?? ''

/** A board, and if it is of an earlier time the ranks of now by token. */
type Shown = {
  readonly answer: Answer<readonly BoardRow[]>
  readonly ranksNow: ReadonlyMap<string, number> | null
}

async function load(signal: AbortSignal): Promise<Shown> {
  const path = `/v1/z100/${boardNow()}` as const
  const [period, asOf] = [periodNow(), asOfNow()]
  if (asOf === '') return { answer: await ask(path, { query: { period } }, signal), ranksNow: null }
  const [answer, now] = await Promise.all([
    ask(path, { query: { period, as_of: asOf } }, signal),
    ask(path, { query: { period } }, signal),
  ])
  return { answer, ranksNow: new Map(now.body.map((row) => [row.token_address, row.rank])) }
}

function boardView() {
  let shown: Shown | undefined
  const view = openListView<BoardRow>(() => {
    const [board, period, asOf] = [boardNow(), periodNow(), asOfNow()]
    const ranksNow = shown?.ranksNow ?? null
    return {
      caption: `Z100 ${board}${asOf && ` at the end of ${asOf}`}, changes over ${periods.values[period]}`,
      columns: columnsOf(board, ranksNow),
      // An earlier board is of the documents of its own snapshot.
      document: `v1/z100/${board}/${period}`,
      legend: shown && (ranksNow ? pastLegend(shown.answer, ranksNow) : legendOf(shown.answer.body)),
      order: { sort: 'sort_by', direction: 'sort_order', fallback: 'rank' },
      mark: ({ is_new: isNew, rank_change: by }) =>
        (ranksNow === null && (isNew ? 'is-new' : Math.abs(by ?? 0) >= BIG_MOVE ? 'is-mover' : '')) || '',
    }
  })
  const show = (next: Shown): Child => {
    shown = next
    return view.show(next.answer)
  }
  return { filter: view.filter, show }
}

function legendOf(rows: readonly BoardRow[]): string {
  const entered = rows.filter((row) => row.is_new).length
  const moved = rows.filter((row) => (row.rank_change ?? 0) !== 0).length
  return `${rows.length} tokens; ${entered} are new on the board and ${moved} have another rank than ${periods.values[periodNow()]} ago. ▲ and ▼ count ranks; a line at the edge marks ${BIG_MOVE} or more. Changes are since then, or since the launch of a younger token. Keys: j and k go down and up, Enter opens, s stars.`
}

/** What has changed between an earlier board and the one of now. */
function pastLegend(
  { body: rows, headers }: Answer<readonly BoardRow[]>,
  ranksNow: ReadonlyMap<string, number>,
): string {
  const left = rows.filter((row) => !ranksNow.has(row.token_address)).length
  const entered = ranksNow.size - (rows.length - left)
  const at = headers.get('x-data-time')
  return `The board as it was${at ? ` at ${dayAndTime(at)} UTC` : ''}. Since then ${left} of its ${rows.length} tokens have left it, and ${entered} others have entered. ▲ and ▼ count the ranks gained and lost until now.`
}

/** Chooses the day whose last board is shown. */
function dayField(reload: () => void): HTMLElement {
  const today = new Date(serviceNow()).toISOString().slice(0, 10)
  const input = h('input', {
    type: 'date',
    id: 'as-of',
    max: today,
    value: asOfNow().slice(0, 10),
    on: {
      change: () => {
        choose({ as_of: input.value })
        reload()
      },
    },
  })
  return h('label', { class: 'row day-field' }, 'As of', input)
}

function openBoards(): void {
  openPage()
  const { filter, show } = boardView()
  const board = openPanel({
    load,
    show,
    empty: { when: ({ answer }) => answer.body.length === 0, description: 'No trades yet.' },
    everySeconds: BOARD_EVERY_SECONDS,
  })
  main().append(
    h(
      'div',
      { class: 'bar' },
      choiceButtons(boards, board.askOther),
      choiceButtons(periods, board.askOther),
      dayField(board.askOther),
      filter,
    ),
    board.element,
  )
}

openBoards()
