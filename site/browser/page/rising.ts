/** Rising tokens, with the inputs of their score. */
import type { RisingRow } from '../../../clients/typescript/index.ts'
import { ask } from '../base/ask.ts'
import { change, dollarsCell, figures } from '../base/cells.ts'
import { h, main } from '../base/dom.ts'
import { countLabel, fixed } from '../base/format.ts'
import type { Column } from '../base/table.ts'
import { listColumns, openListView } from '../part/lists.ts'
import { openPanel } from '../part/panel.ts'
import { openPage } from '../part/shell.ts'

const EVERY_SECONDS = 45

const { rank, token, kind, price, cap } = listColumns
const columns: readonly Column<RisingRow>[] = [
  rank,
  token,
  kind,
  {
    ...figures<RisingRow>('Score', (score) => h('strong', { title: String(score) }, fixed(score, 2)), [
      'score',
      'score',
      (row) => row.rising_score,
    ]),
    about: 'Net buying of the last hour against the hourly average of the day before.',
    phone: 'c1',
  },
  figures('Price, 1 h', change, ['hour', 'change in an hour', (row) => row.components.change_1h]),
  {
    ...figures<RisingRow>('Rank volume 1 h', dollarsCell, [
      'now',
      'rank volume of the hour',
      (row) => row.components.rank_volume_1h,
    ]),
    about: 'The largest net position of each wallet in the hour, bought or sold, summed up.',
    phone: 'b2',
  },
  {
    id: 'before',
    label: '25 h',
    isNumber: true,
    from: 'wide',
    cell: (row) => dollarsCell(row.components.rank_volume_25h),
  },
  {
    ...figures<RisingRow>('Wallets 1 h', countLabel, [
      'wallets',
      'wallets of the hour',
      (row) => row.components.wallet_hours_1h,
    ]),
    phone: 'c2',
  },
  price,
  cap,
]

openPage()
const view = openListView<RisingRow>(() => ({
  caption: 'Rising tokens by score',
  columns,
  document: 'v1/discover/rising',
}))
const panel = openPanel({
  load: (signal) => ask('/v1/discover/rising', {}, signal),
  show: view.show,
  empty: {
    when: ({ body }) => body.length === 0,
    description: 'Nothing is rising right now: a token needs three wallets in an hour and a higher price.',
  },
  everySeconds: EVERY_SECONDS,
})
main().append(h('div', { class: 'bar' }, view.filter), panel.element)
