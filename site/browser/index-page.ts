/** The Z100 Index: its value, its history by the hour and by the day, and the tokens it follows. */
import type { Index, IndexBar } from '../../schemas/client.ts'
import { ask } from './ask.ts'
import { chart } from './chart.ts'
import { type Choice, choiceButtons, chosen, type Period, periodChoice } from './choices.ts'
import { constituentsPart } from './constituents.ts'
import { type Child, h, main } from './dom.ts'
import { count, dayAndTime, dollars, fixed, percent, spanText } from './format.ts'
import { serviceNow } from './freshness.ts'
import { openPanel } from './panel.ts'
import { facts, openProofPanel } from './proof-panel.ts'
import { openPage } from './shell.ts'
import { tiles } from './tiles.ts'

const EVERY_SECONDS = 45
const SLOW_SECONDS = 600

const periods = periodChoice('period', 'Period')
const intervals: Choice = {
  name: 'interval',
  label: 'History by the',
  values: { hourly: 'Hour', daily: 'Day' },
}

function valueView(index: Index): Child {
  return [
    tiles([
      ['Index', fixed(index.index_value, 4), index.index_change_percent],
      ['Members', count(index.constituents_count)],
      [`Volume ${spanText(index.period)}`, dollars(index.total_volume)],
      [`Trades ${spanText(index.period)}`, count(index.total_trades)],
    ]),
    facts([
      ['Creators traded', count(index.active_creators)],
      ['Posts traded', count(index.active_posts)],
      [
        'Divisor, dollars a point',
        h('span', { class: 'hex' }, index.divisor ?? 'none before the first point'),
      ],
      [`${spanText(index.period)} before`, fixed(index.index_value_start, 4)],
      ['Figures of', `${dayAndTime(index.as_of)} UTC`],
    ]),
  ]
}

function historyOf(bars: readonly IndexBar[]): Child {
  const [first, last] = [bars[0], bars.at(-1)]
  const from = first ? dayAndTime(first.date) : ''
  return chart({
    // The last interval is not over: it is told as of now.
    times: bars.map((bar) => Math.min(bar.timestamp, Math.floor(serviceNow() / 1_000))),
    series: [
      {
        label: 'Index',
        values: bars.map((bar) => bar.close),
        text: (value) => fixed(value, 2),
      },
      {
        label: 'Volume of members',
        values: bars.map((bar) => bar.total_volume),
        text: dollars,
        isBars: true,
      },
    ],
    says: `The index since ${from} UTC, now ${fixed(last?.close ?? null, 2)}, ${percent(
      first && last && first.open > 0 ? (100 * (last.close - first.open)) / first.open : null,
    )} since then.`,
  })
}

function openIndex(): void {
  openPage()
  const proof = openProofPanel()
  const value = openPanel({
    load: (signal) => ask('/v1/z100/index', { query: { period: chosen(periods) as Period } }, signal),
    show: (answer) => [valueView(answer.body), proof(`v1/z100/index/${chosen(periods)}`, answer)],
    everySeconds: EVERY_SECONDS,
  })
  const history = openPanel({
    load: async (signal) => {
      const interval = chosen(intervals) as 'hourly' | 'daily'
      return (await ask('/v1/z100/historical', { query: { interval } }, signal)).body
    },
    show: historyOf,
    empty: { when: (bars) => bars.length === 0, says: 'The index has no history yet.' },
    everySeconds: SLOW_SECONDS,
  })
  value.element.classList.add('of-index')
  history.element.classList.add('of-chart')
  main().append(
    h('div', { class: 'bar' }, choiceButtons(periods, value.reload)),
    value.element,
    h('div', { class: 'bar' }, h('h2', {}, 'History'), choiceButtons(intervals, history.reload)),
    history.element,
    ...constituentsPart(),
    h(
      'p',
      { class: 'quiet' },
      'Up to a hundred tokens of each board are members, seated by the least that they counted for at 24 hourly closes and reviewed once a day. A member counts with the quantity that was frozen then, at the price of now, and with no more than 25 times the dollars in its pool. ',
      h('a', { href: '/docs/methodology#z100-index' }, 'How the index is made'),
    ),
  )
}

openIndex()
