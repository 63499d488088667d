/** Tokens that rise, with every part of their score. */
import type { RisingRow } from '../../schemas/client.ts'
import { ask } from './ask.ts'
import { change, dollarsCell } from './cells.ts'
import { h, main } from './dom.ts'
import { count, fixed } from './format.ts'
import { listColumns, openListView } from './lists.ts'
import { openPanel } from './panel.ts'
import { openPage } from './shell.ts'
import type { Column } from './table.ts'

const EVERY_SECONDS = 45

const { rank, token, kind, price, cap } = listColumns
const columns: readonly Column<RisingRow>[] = [
  rank,
  token,
  kind,
  {
    id: 'score',
    label: 'Score',
    isNumber: true,
    sorts: [{ id: 'score', label: 'score', value: (row) => row.rising_score }],
    cell: (row) => h('strong', { title: String(row.rising_score) }, fixed(row.rising_score, 2)),
  },
  {
    id: 'hour',
    label: 'Price, 1 h',
    isNumber: true,
    sorts: [{ id: 'hour', label: 'change in an hour', value: (row) => row.components.change_1h }],
    cell: (row) => change(row.components.change_1h),
  },
  {
    id: 'now',
    label: 'Rank volume 1 h',
    isNumber: true,
    sorts: [{ id: 'now', label: 'rank volume of the hour', value: (row) => row.components.rank_volume_1h }],
    cell: (row) => dollarsCell(row.components.rank_volume_1h),
  },
  {
    id: 'before',
    label: '25 h',
    isNumber: true,
    cell: (row) => dollarsCell(row.components.rank_volume_25h),
  },
  {
    id: 'wallets',
    label: 'Wallets this hour',
    isNumber: true,
    sorts: [{ id: 'wallets', label: 'wallets', value: (row) => row.components.wallet_hours_1h }],
    cell: (row) => count(row.components.wallet_hours_1h),
  },
  price,
  cap,
]

openPage()
const panel = openPanel({
  load: (signal) => ask('/v1/discover/rising', {}, signal),
  show: openListView(() => ({
    caption: 'Rising tokens by score',
    columns,
    document: 'v1/discover/rising',
    legend: [
      'Score: rank volume of the last hour against the hourly mean of the day before, both raised by $50. ',
      h('a', { href: '/docs/methodology#rising-and-new-launches' }, 'How it is made'),
    ],
  })),
  empty: {
    when: ({ body }) => body.length === 0,
    says: 'No token rises at the moment: it takes three wallets in an hour and a higher price.',
  },
  everySeconds: EVERY_SECONDS,
})
main().append(panel.element)
