/** The Z100 Index: its value, its last seven days by the hour, and the tokens it follows. */

import type { Constituent, Index, IndexHour } from '../../../clients/typescript/index.ts'
import type { Period } from '../../../market/window.ts'
import { ask } from '../base/ask.ts'
import { ageOf, tiles } from '../base/cells.ts'
import type { Mark } from '../base/chart-paint.ts'
import { choiceButtons, chosenValue, periodChoice } from '../base/choices.ts'
import { type Child, explained, h, main, setChildren } from '../base/dom.ts'
import { countLabel, dayAndTime, dollars, fixed, percentLabel, spanText } from '../base/format.ts'
import { serviceNow } from '../base/freshness.ts'
import { type ChartOptions, openChart } from '../part/chart.ts'
import { constituentsPart } from '../part/index-members.ts'
import { openPanel } from '../part/panel.ts'
import { facts, openProofPanel } from '../part/proof-panel.ts'
import { openPage } from '../part/shell.ts'

const EVERY_SECONDS = 45
const SLOW_SECONDS = 600

const periods = periodChoice('period', 'Period')

const valueView = (index: Index): Child =>
  tiles([
    ['Index', fixed(index.index_value, 2), index.index_change_percent],
    ['Members', countLabel(index.constituents_count)],
    [`Volume ${spanText(index.period)}`, dollars(index.total_volume)],
    [`Trades ${spanText(index.period)}`, countLabel(index.total_trades)],
  ])

const factsOf = (index: Index): HTMLElement =>
  facts([
    [`${spanText(index.period)} before`, fixed(index.index_value_start, 2)],
    ['Creators traded', countLabel(index.active_creators)],
    ['Posts traded', countLabel(index.active_posts)],
    [
      explained('Divisor', 'Dollars per point of the index: the value of its members is divided by it.'),
      h('span', { class: 'hex' }, index.divisor ?? 'none before the first point'),
    ],
    ['Figures of', [ageOf(index.as_of), ' ago']],
  ])

/** Daily reviews within the times shown, and how many of today’s members were seated at each. */
function reviewsOf(rows: readonly Constituent[], bars: readonly IndexHour[]): readonly Mark[] {
  const from = bars[0]?.timestamp ?? Number.POSITIVE_INFINITY
  const seated = new Map<number, number>()
  for (const { since } of rows) {
    const at = Date.parse(since) / 1_000
    if (at >= from && since.slice(11, 13) === REVIEW_HOUR) seated.set(at, (seated.get(at) ?? 0) + 1)
  }
  return [...seated].map(([at, count]) => ({ at, label: `+${count}` }))
}

/** UTC hour of the daily review. */
const REVIEW_HOUR = '00'

function historyOf(bars: readonly IndexHour[], members: readonly Constituent[]): ChartOptions {
  const [first, last] = [bars[0], bars.at(-1)]
  const from = first ? dayAndTime(first.date) : ''
  return {
    // The last interval is not over; its time is now.
    times: bars.map((bar) => Math.min(bar.timestamp, Math.floor(serviceNow() / 1_000))),
    series: [{ label: 'Index', values: bars.map((bar) => bar.close), text: (value) => fixed(value, 2) }],
    marks: reviewsOf(members, bars),
    description: `The index since ${from} UTC, now ${fixed(last?.close ?? null, 2)}, ${percentLabel(
      first && last && first.open > 0 ? (100 * (last.close - first.open)) / first.open : null,
    )} since then.`,
  }
}

function openIndex(): void {
  openPage()
  const proof = openProofPanel()
  const more = h('div')
  const value = openPanel({
    load: (signal) => ask('/v1/z100/index', { query: { period: chosenValue(periods) as Period } }, signal),
    show: (answer) => {
      setChildren(more, factsOf(answer.body), proof(`v1/z100/index/${chosenValue(periods)}`, answer))
      return valueView(answer.body)
    },
    everySeconds: EVERY_SECONDS,
  })
  const chart = openChart()
  let bars: readonly IndexHour[] = []
  let members: readonly Constituent[] = []
  const mark = (next: readonly Constituent[]) => {
    members = next
    if (bars.length > 0) chart(historyOf(bars, members))
  }
  const history = openPanel({
    load: async (signal) => (await ask('/v1/z100/index/hours', {}, signal)).body.hours,
    show: (next) => {
      bars = next
      return chart(historyOf(bars, members))
    },
    empty: { when: (bars) => bars.length === 0, description: 'The index has no history yet.' },
    everySeconds: SLOW_SECONDS,
  })
  value.element.classList.add('of-index')
  history.element.classList.add('of-chart')
  main().append(
    h('div', { class: 'bar' }, choiceButtons(periods, value.askOther)),
    value.element,
    history.element,
    h(
      'p',
      { class: 'quiet' },
      'Seven days by the hour. Dashed lines: daily reviews at which members of today were seated, and how many.',
    ),
    ...constituentsPart(mark),
    more,
    h(
      'p',
      { class: 'quiet' },
      'The leading tokens of each board are members, seated by the least that they counted for at 24 hourly closes and reviewed once a day. A member counts with the quantity that was frozen then, at the price of now, and with no more than 25 times the dollars in its pool. ',
      h('a', { href: '/docs/methodology#z100-index' }, 'How the index is computed'),
    ),
  )
}

openIndex()
