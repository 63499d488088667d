/** What happened in a week: who entered and left the boards, who rose and fell, new highs, launches, the index. */

import type { BoardRecap, RankMove, WeekRecap } from '../../../clients/typescript/index.ts'
import { ask } from '../base/ask.ts'
import { change, dollarsCell, move, type Named, tiles } from '../base/cells.ts'
import { choose } from '../base/choices.ts'
import { type Child, find, h, main, setChildren } from '../base/dom.ts'
import { countLabel, dayAndTime, dollars, fixed } from '../base/format.ts'
import { shortCard, tokenRows } from '../part/cards.ts'
import { openPanel } from '../part/panel.ts'
import { openPage } from '../part/shell.ts'

const WEEK_MS = 7 * 86_400_000
/** Names of who entered and left; there may be a hundred of them. */
const NAMED = 12

const weekNow = (): string => new URLSearchParams(location.search).get('week') ?? ''

/** The ISO week so many weeks from the one that begins at a time. */
function weekFrom(from: string, weeks: number): string {
  const thursday = new Date(Date.parse(from) + weeks * WEEK_MS + 3 * 86_400_000)
  const year = thursday.getUTCFullYear()
  const week = 1 + Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / WEEK_MS)
  return `${year}-W${String(week).padStart(2, '0')}`
}

/** A row of a recap names its token by the contract. */
type Listed = Omit<Named, 'token_address'> & { readonly contract_address: string }

function listOf<Row extends Listed>(title: string, rows: readonly Row[], figure: (row: Row) => Child): Child {
  const shown = rows.slice(0, NAMED).map((row) => ({ ...row, token_address: row.contract_address }))
  const more = rows.length - shown.length
  return shortCard(
    `${title} (${countLabel(rows.length)})`,
    tokenRows(shown, figure),
    more > 0 && h('p', { class: 'quiet' }, `and ${countLabel(more)} more`),
  )
}

const rankFigure = (row: RankMove): Child => [
  h(
    'span',
    {},
    row.rank === null ? `was #${row.previous_rank}` : `#${row.rank}`,
    ' ',
    move(false, row.rank_change),
  ),
  change(row.change_7d),
]

const boardOf = (title: string, { entered, left, rose, fell }: BoardRecap): Child => [
  h('h2', {}, title),
  h(
    'div',
    { class: 'cards' },
    listOf('Rose most', rose, rankFigure),
    listOf('Fell most', fell, rankFigure),
    listOf('Entered', entered, rankFigure),
    listOf('Left', left, rankFigure),
  ),
]

function recapOf(recap: WeekRecap): Child {
  const { week, from, to, index, new_highs: highs, launches } = recap
  document.title = `Recap of ${week} · z100`
  setChildren(find('.title h1'), `Recap of ${week}`)
  setChildren(find('.title p'), h('span', {}, `${from.slice(0, 10)} to ${to.slice(0, 10)}, UTC`))
  return [
    recap.partial && h('p', { class: 'quiet' }, 'The history began within this week.'),
    tiles([
      ['Z100 Index at the end', fixed(index.close, 2), index.change_percent],
      ['At the beginning', fixed(index.open, 2)],
      ['Highest', fixed(index.high, 2)],
      ['Lowest', fixed(index.low, 2)],
    ]),
    boardOf('Creators', recap.creators_board),
    boardOf('Posts', recap.posts_board),
    h('h2', {}, 'New'),
    h(
      'div',
      { class: 'cards' },
      highs !== null &&
        listOf('New highs', highs, (row) => [dollarsCell(row.all_time_high), change(row.change_7d)]),
      listOf('Launches by volume', launches, (row) => [
        dollarsCell(row.volume),
        h('span', { class: 'quiet' }, `cap ${dollars(row.market_cap)}`),
      ]),
    ),
    h(
      'p',
      { class: 'quiet' },
      `Of the snapshots ${recap.from_snapshot_id} and ${recap.to_snapshot_id}, figures of ${dayAndTime(to)} UTC.`,
    ),
    h(
      'nav',
      { class: 'bar', 'aria-label': 'Weeks' },
      weekLink('‹ Week before', weekFrom(from, -1)),
      weekLink('Week after ›', weekFrom(from, 1)),
    ),
  ]
}

const weekLink = (label: string, week: string): Child =>
  h(
    'button',
    {
      type: 'button',
      on: {
        click: () => {
          choose({ week })
          panel.reload()
        },
      },
    },
    label,
  )

openPage()
const panel = openPanel({
  load: async (signal) => {
    const week = weekNow()
    return (await ask('/v1/z100/recap', week === '' ? {} : { query: { week } }, signal)).body
  },
  show: recapOf,
})
main().append(panel.element)
