/** The trending lists: every timeframe and order. */
import type { Answer, TrendingRow } from '../../schemas/client.ts'
import { ask } from './ask.ts'
import { dollarsCell, priceCell, withChange } from './cells.ts'
import { type Choice, choiceButtons, chosen } from './choices.ts'
import { type Child, h, main } from './dom.ts'
import { count, spanText } from './format.ts'
import { listColumns } from './lists.ts'
import { openPanel } from './panel.ts'
import { proofPanel } from './proof-panel.ts'
import { openPage } from './shell.ts'
import { openTable } from './table.ts'

const timeframes: Choice = {
  name: 'timeframe',
  label: 'Timeframe',
  values: { '1h': '1 hour', '24h': '24 hours', '7d': '7 days', '30d': '30 days' },
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
const queryNow = () => ({ timeframe: chosen(timeframes), sort_by: chosen(sorts) }) as Query

function listOf(answer: Answer<readonly TrendingRow[]>): Child {
  const { timeframe, sort_by: sort } = queryNow()
  const { rank, token, kind, cap, holders } = listColumns
  const table = openTable<TrendingRow>({
    caption: `Trending over ${timeframes.values[timeframe]} by ${sorts.values[sort]}`,
    columns: [
      rank,
      token,
      kind,
      {
        id: 'price',
        label: `Price, ${spanText(timeframe)}`,
        isNumber: true,
        cell: (row) => withChange(priceCell(row.price_usd), row.change),
      },
      {
        id: 'volume',
        label: `Volume ${spanText(timeframe)}`,
        isNumber: true,
        cell: (row) => dollarsCell(row.volume),
      },
      { id: 'trades', label: 'Trades', isNumber: true, cell: (row) => count(row.trade_count) },
      cap,
      holders,
    ],
  })
  table.show(answer.body)
  return [table.element, proofPanel(`v1/market/trending/${timeframe}/${sort}`, answer)]
}

openPage()
const panel = openPanel({
  load: (signal) => ask('/v1/market/trending', { query: queryNow() }, signal),
  show: listOf,
  empty: { when: ({ body }) => body.length === 0, says: 'Nothing was traded in this timeframe.' },
  everySeconds: EVERY_SECONDS,
})
main().append(
  h('div', { class: 'bar' }, choiceButtons(timeframes, panel.reload), choiceButtons(sorts, panel.reload)),
  panel.element,
)
