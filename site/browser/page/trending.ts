/** The trending lists: every timeframe and order. */
import type { TrendingRow } from '../../../clients/typescript/index.ts'
import { ask } from '../base/ask.ts'
import { dollarsCell, figures } from '../base/cells.ts'
import { type Choice, choiceButtons, chosenValue } from '../base/choices.ts'
import { h, main } from '../base/dom.ts'
import { countLabel, spanText } from '../base/format.ts'
import { listColumns, openListView } from '../part/lists.ts'
import { openPanel } from '../part/panel.ts'
import { openPage } from '../part/shell.ts'

const timeframes: Choice = {
  name: 'timeframe',
  label: 'Timeframe',
  values: { '1h': '1 h', '24h': '24 h', '7d': '7 d', '30d': '30 d' },
  fallback: '24h',
}
const sorts: Choice = {
  name: 'sort_by',
  label: 'Order',
  values: { volume: 'Volume', market_cap: 'Market cap', change: 'Change', holders: 'Holders' },
}
const EVERY_SECONDS = 45

type Query = {
  readonly timeframe: '1h' | '24h' | '7d' | '30d'
  readonly sort_by: 'volume' | 'market_cap' | 'change' | 'holders'
}
const queryNow = () => ({ timeframe: chosenValue(timeframes), sort_by: chosenValue(sorts) }) as Query

const { rank, token, kind, week, cap, holders, liquidity, age } = listColumns

const view = openListView<TrendingRow>(() => {
  const { timeframe, sort_by: sort } = queryNow()
  return {
    caption: `Trending over ${timeframes.values[timeframe]} by ${sorts.values[sort]}`,
    document: `v1/market/trending/${timeframe}/${sort}`,
    columns: [
      rank,
      token,
      kind,
      {
        ...figures<TrendingRow>(
          `Price, ${spanText(timeframe)}`,
          dollarsCell,
          ['price', 'price', (row) => row.price_usd],
          ['change', 'change of price', (row) => row.change],
        ),
        phone: 'a',
      },
      ...(timeframe === '7d' ? [] : [week]),
      {
        ...figures<TrendingRow>(`Volume ${spanText(timeframe)}`, dollarsCell, [
          'volume',
          'volume',
          (row) => row.volume,
        ]),
        phone: 'b2',
      },
      {
        ...figures<TrendingRow>('Trades', countLabel, ['trades', 'trades', (row) => row.trade_count]),
        phone: 'c1',
      },
      cap,
      { ...holders, phone: 'c2' },
      liquidity,
      { ...age, from: 'wider' },
    ],
  }
})

openPage()
const panel = openPanel({
  load: (signal) => ask('/v1/market/trending', { query: queryNow() }, signal),
  show: view.show,
  empty: { when: ({ body }) => body.length === 0, description: 'No trades in this timeframe.' },
  everySeconds: EVERY_SECONDS,
})
main().append(
  h(
    'div',
    { class: 'bar' },
    choiceButtons(timeframes, panel.askOther),
    choiceButtons(sorts, panel.askOther),
    view.filter,
  ),
  panel.element,
)
