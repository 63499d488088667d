/** What a page shows that has nothing of its own yet: the most traded tokens, with their stars. */
import type { TrendingRow } from '../../../clients/typescript/index.ts'
import { ask } from '../base/ask.ts'
import { h } from '../base/dom.ts'
import { lastingTable } from '../base/table.ts'
import { listColumns } from './lists.ts'
import { openPanel } from './panel.ts'

const LISTED = 10

const { star, token, kind, price, cap, volume } = listColumns

/** What to do, and the list to begin with. */
export function beginnings(words: string): readonly HTMLElement[] {
  const rows = lastingTable<TrendingRow>(() => ({
    caption: 'The most traded tokens of 24 hours',
    isList: true,
    columns: [star, token, kind, price, cap, { ...volume, phone: 'c' }],
    key: (row) => row.token_address,
  }))
  const panel = openPanel({
    title: 'Most traded in 24 hours',
    load: async (signal) => (await ask('/v1/market/trending', {}, signal)).body.slice(0, LISTED),
    show: rows,
  })
  return [h('p', {}, words), panel.element]
}
