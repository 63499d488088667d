/** Who bought a token and who sold it, by what each bought less what each sold. */
import type { BodyOf } from '../../../clients/typescript/index.ts'
import { ask } from '../base/ask.ts'
import { ageOf, dollarsCell, hexCell, walletHref } from '../base/cells.ts'
import { type Choice, choiceButtons, chosenValue } from '../base/choices.ts'
import { h } from '../base/dom.ts'
import { countLabel, DASH, fixed } from '../base/format.ts'
import { type Column, lastingTable } from '../base/table.ts'
import { openPanel } from './panel.ts'

type Trader = BodyOf<'/v1/tokens/{id}/traders'>['traders'][number]
type Ask = { readonly period: '24h' | '7d'; readonly sort_order: 'asc' | 'desc' }

const EVERY_SECONDS = 115
const LISTED = 50

const periods: Choice = { name: 'traded', label: 'Period', values: { '24h': '24 h', '7d': '7 d' } }
const sides: Choice = {
  name: 'side',
  label: 'Side',
  values: { desc: 'Who bought most', asc: 'Who sold most' },
}

const columns: readonly Column<Trader>[] = [
  {
    id: 'trader',
    label: 'Trader',
    isHeading: true,
    phone: 'token',
    cell: (row) => h('a', { href: walletHref(row.trader) }, hexCell(row.trader)),
  },
  {
    id: 'net',
    label: 'Net',
    about: 'Bought less sold, in US dollars.',
    isNumber: true,
    phone: 'a1',
    cell: (row) =>
      h('span', { class: row.net_volume_usd < 0 ? 'down' : 'up' }, dollarsCell(row.net_volume_usd)),
  },
  { id: 'bought', label: 'Bought', isNumber: true, phone: 'b1', cell: (row) => dollarsCell(row.buy_volume) },
  { id: 'sold', label: 'Sold', isNumber: true, phone: 'b2', cell: (row) => dollarsCell(row.sell_volume) },
  { id: 'trades', label: 'Trades', isNumber: true, phone: 'a2', cell: (row) => countLabel(row.trades) },
  {
    id: 'held',
    label: 'Of the supply',
    about: 'What the trader holds now, percent of the total supply.',
    isNumber: true,
    phone: 'c1',
    cell: (row) => (row.percentage === null ? DASH : `${fixed(row.percentage, 2)}%`),
  },
  {
    id: 'last',
    label: 'Last trade',
    isNumber: true,
    isClock: true,
    phone: 'c2',
    cell: (row) => ageOf(row.last_trade_at),
  },
]

/** The buttons and the list. */
export function tradersPart(id: string): readonly HTMLElement[] {
  const rows = lastingTable<Trader>(() => ({
    caption: 'Traders of this token',
    isList: true,
    columns,
    key: (row) => row.trader,
  }))
  const panel = openPanel({
    load: async (signal) => {
      const asked = { period: chosenValue(periods), sort_order: chosenValue(sides) } as Ask
      const query = { ...asked, sort_by: 'net', limit: LISTED } as const
      return (await ask('/v1/tokens/{id}/traders', { id, query }, signal)).body.traders
    },
    show: rows,
    empty: { when: (all) => all.length === 0, description: 'Nobody traded it in this time.' },
    everySeconds: EVERY_SECONDS,
  })
  const choices = [choiceButtons(sides, panel.askOther), choiceButtons(periods, panel.askOther)]
  return [h('div', { class: 'bar' }, choices), panel.element]
}
