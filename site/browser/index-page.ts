/** The Z100 Index: its value, its last seven days by the hour, and the tokens it follows. */

import type { Constituent, Index, IndexHour } from '../../client/index.ts'
import type { Period } from '../../market/window.ts'
import { ask } from './ask.ts'
import { barCell, dollarsCell, figures, kindTag, priceCell, sharesBar, tiles, tokenCell } from './cells.ts'
import { type ChartOptions, openChart } from './chart.ts'
import { type Choice, choiceButtons, chosenValue, periodChoice } from './choices.ts'
import { type Child, h, main, setChildren } from './dom.ts'
import { amountLabel, countLabel, dayAndTime, dollars, fixed, percentLabel, spanText } from './format.ts'
import { serviceNow } from './freshness.ts'
import { openPanel } from './panel.ts'
import { facts, openProofPanel } from './proof-panel.ts'
import { openPage } from './shell.ts'
import { type Column, lastingTable } from './table.ts'

const MEMBERS_EVERY_SECONDS = 120

const kinds: Choice = {
  name: 'members',
  label: 'Members',
  values: { all: 'All', creator: 'Creators', post: 'Posts' },
}

const columnsFor = (heaviest: () => number): readonly Column<Constituent>[] => [
  { id: 'rank', label: '#', isNumber: true, cell: (row) => String(row.rank) },
  { id: 'token', label: 'Token', isHeading: true, cell: tokenCell },
  { id: 'kind', label: 'Kind', cell: (row) => kindTag(row.type) },
  {
    id: 'weight',
    label: 'Weight',
    isNumber: true,
    sorts: [{ id: 'weight', label: 'weight', value: (row) => -row.rank }],
    cell: (row) => [`${fixed(row.weight_percent, 2)}%`, barCell(row.weight_percent, heaviest())],
  },
  figures('Price', priceCell, ['price', 'price', (row) => row.price_usd]),
  {
    id: 'quantity',
    label: 'Quantity',
    isNumber: true,
    cell: (row) => h('span', { title: row.quantity }, amountLabel(Number(row.quantity))),
  },
  { id: 'counted', label: 'Counts for', isNumber: true, cell: (row) => dollarsCell(row.counted_usd) },
  {
    id: 'since',
    label: 'Member since',
    isNumber: true,
    sorts: [{ id: 'since', label: 'member since', value: (row) => Date.parse(row.since) }],
    cell: (row) => dayAndTime(row.since),
  },
]

const weightOf = (rows: readonly Constituent[]): number =>
  rows.reduce((sum, row) => sum + row.weight_percent, 0)

function pictureOf(rows: readonly Constituent[]): Child {
  const part = (kind: Constituent['type'], words: string, strength: number) => {
    const some = rows.filter(({ type }) => type === kind)
    return { label: `${countLabel(some.length)} ${words}`, share: weightOf(some), strength }
  }
  return sharesBar([part('creator', 'creators', 100), part('post', 'posts', 50)])
}

/** The members, all or of one kind: `show` sets them, `draw` redraws them after a choice. */
function openMembers() {
  const element = h('div')
  let rows: readonly Constituent[] = []
  const table = lastingTable<Constituent>(() => ({
    caption: 'Members of the index',
    columns: columnsFor(() => rows[0]?.weight_percent ?? 1),
    order: { sort: 'weight', isAscending: false },
    key: (row) => row.token_address,
  }))
  const draw = () => {
    const kind = chosenValue(kinds)
    setChildren(element, table(rows.filter(({ type }) => kind === 'all' || kind === type)))
  }
  return {
    element,
    draw,
    show: (next: readonly Constituent[]) => {
      rows = next
      draw()
    },
  }
}

/** The panel with the members of the index. */
export function constituentsPart(): readonly HTMLElement[] {
  const members = openMembers()
  const proof = openProofPanel()
  const panel = openPanel({
    load: (signal) => ask('/v1/z100/index/constituents', {}, signal),
    show: (answer) => {
      members.show(answer.body.constituents)
      return [
        pictureOf(answer.body.constituents),
        members.element,
        proof('v1/z100/index/constituents', answer),
      ]
    },
    empty: {
      when: ({ body }) => body.constituents.length === 0,
      description: 'The index has no constituents yet: it starts once 20 tokens qualify.',
    },
    everySeconds: MEMBERS_EVERY_SECONDS,
  })
  return [
    h('div', { class: 'bar' }, h('h2', {}, 'Members'), choiceButtons(kinds, members.draw)),
    panel.element,
  ]
}

const EVERY_SECONDS = 45
const SLOW_SECONDS = 600

const periods = periodChoice('period', 'Period')

function valueView(index: Index): Child {
  return [
    tiles([
      ['Index', fixed(index.index_value, 4), index.index_change_percent],
      ['Members', countLabel(index.constituents_count)],
      [`Volume ${spanText(index.period)}`, dollars(index.total_volume)],
      [`Trades ${spanText(index.period)}`, countLabel(index.total_trades)],
    ]),
    facts([
      ['Creators traded', countLabel(index.active_creators)],
      ['Posts traded', countLabel(index.active_posts)],
      [
        'Divisor (dollars per point)',
        h('span', { class: 'hex' }, index.divisor ?? 'none before the first point'),
      ],
      [`${spanText(index.period)} before`, fixed(index.index_value_start, 4)],
      ['Figures of', `${dayAndTime(index.as_of)} UTC`],
    ]),
  ]
}

function historyOf(bars: readonly IndexHour[]): ChartOptions {
  const [first, last] = [bars[0], bars.at(-1)]
  const from = first ? dayAndTime(first.date) : ''
  return {
    // The last interval is not over; its time is now.
    times: bars.map((bar) => Math.min(bar.timestamp, Math.floor(serviceNow() / 1_000))),
    series: [{ label: 'Index', values: bars.map((bar) => bar.close), text: (value) => fixed(value, 2) }],
    description: `The index since ${from} UTC, now ${fixed(last?.close ?? null, 2)}, ${percentLabel(
      first && last && first.open > 0 ? (100 * (last.close - first.open)) / first.open : null,
    )} since then.`,
  }
}

function openIndex(): void {
  openPage()
  const proof = openProofPanel()
  const value = openPanel({
    load: (signal) => ask('/v1/z100/index', { query: { period: chosenValue(periods) as Period } }, signal),
    show: (answer) => [valueView(answer.body), proof(`v1/z100/index/${chosenValue(periods)}`, answer)],
    everySeconds: EVERY_SECONDS,
  })
  const chart = openChart()
  const history = openPanel({
    load: async (signal) => (await ask('/v1/z100/index/hours', {}, signal)).body.hours,
    show: (bars) => chart(historyOf(bars)),
    empty: { when: (bars) => bars.length === 0, description: 'The index has no history yet.' },
    everySeconds: SLOW_SECONDS,
  })
  value.element.classList.add('of-index')
  history.element.classList.add('of-chart')
  main().append(
    h('div', { class: 'bar' }, choiceButtons(periods, value.reload)),
    value.element,
    h('div', { class: 'bar' }, h('h2', {}, 'Seven days')),
    history.element,
    ...constituentsPart(),
    h(
      'p',
      { class: 'quiet' },
      'The leading tokens of each board are members, seated by the least that they counted for at 24 hourly closes and reviewed once a day. A member counts with the quantity that was frozen then, at the price of now, and with no more than 25 times the dollars in its pool. ',
      h('a', { href: '/docs/methodology#z100-index' }, 'How the index is computed'),
    ),
  )
}

openIndex()
