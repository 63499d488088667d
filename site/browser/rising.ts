/** Rising tokens, with the inputs of their score. */
import type { RisingRow } from '../../client/index.ts'
import { ask } from './ask.ts'
import { change, dollarsCell, figures } from './cells.ts'
import { h, main } from './dom.ts'
import { countLabel, fixed } from './format.ts'
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
  figures('Score', (score) => h('strong', { title: String(score) }, fixed(score, 2)), [
    'score',
    'score',
    (row) => row.rising_score,
  ]),
  figures('Price, 1 h', change, ['hour', 'change in an hour', (row) => row.components.change_1h]),
  figures('Rank volume 1 h', dollarsCell, [
    'now',
    'rank volume of the hour',
    (row) => row.components.rank_volume_1h,
  ]),
  { id: 'before', label: '25 h', isNumber: true, cell: (row) => dollarsCell(row.components.rank_volume_25h) },
  figures('Wallets this hour', countLabel, ['wallets', 'wallets', (row) => row.components.wallet_hours_1h]),
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
      'Score: net buying of the last hour divided by the hourly average of the day before, $50 added to both. ',
      h('a', { href: '/docs/methodology#rising-and-new-launches' }, 'How it is made'),
    ],
  })),
  empty: {
    when: ({ body }) => body.length === 0,
    description: 'Nothing is rising right now: a token needs three wallets in an hour and a higher price.',
  },
  everySeconds: EVERY_SECONDS,
})
main().append(panel.element)
