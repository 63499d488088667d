/** Tokens of the last days, newest first. */

import type { LaunchRow } from '../../../clients/typescript/index.ts'
import { NEW_LAUNCH_DAYS } from '../../../market/rules.ts'
import { ask } from '../base/ask.ts'
import { change, dollarsCell, figures } from '../base/cells.ts'
import { choose, pageLinks } from '../base/choices.ts'
import { h, main } from '../base/dom.ts'
import { countLabel } from '../base/format.ts'
import type { Column } from '../base/table.ts'
import { listColumns, openListView } from '../part/lists.ts'
import { openPanel } from '../part/panel.ts'
import { openPage } from '../part/shell.ts'

const EVERY_SECONDS = 45

const asked = Number(new URLSearchParams(location.search).get('offset'))
/** Offset of the page. */
let offset = Number.isInteger(asked) && asked > 0 ? asked : 0

const { token, kind, age, price, cap, volume, holders, liquidity } = listColumns
const columns: readonly Column<LaunchRow>[] = [
  { ...age, phone: 'lead' },
  token,
  kind,
  price,
  {
    id: 'launch',
    label: 'First price',
    isNumber: true,
    from: 'wide',
    cell: (row) => dollarsCell(row.launch_price_usd),
  },
  {
    ...figures<LaunchRow>('Since launch', change, [
      'since',
      'change since launch',
      (row) => row.change_since_launch,
    ]),
    phone: 'c1',
  },
  cap,
  volume,
  { ...figures<LaunchRow>('Trades', countLabel, ['trades', 'trades', (row) => row.trades]), phone: 'c2' },
  holders,
  liquidity,
]

function show(next: number): void {
  offset = next
  choose({ offset: next === 0 ? '' : String(next) })
  panel.reload()
}

const view = openListView<LaunchRow>(() => ({
  caption: 'New tokens, newest first',
  columns,
  // Later pages are cut from it by the API, and have no digest of their own.
  document: `v1/discover/new-launches${offset === 0 ? '' : `?offset=${offset}`}`,
}))

openPage()
const panel = openPanel({
  load: async (signal) => {
    const answer = await ask('/v1/discover/new-launches', offset === 0 ? {} : { query: { offset } }, signal)
    // The list has become shorter since this address was created.
    if (offset > 0 && answer.body.length === 0) show(0)
    return answer
  },
  show: (answer) => [view.show(answer), pageLinks(answer, offset, ['Newer', 'Older'], show)],
  empty: {
    when: ({ body }) => body.length === 0,
    description: `No launches in the last ${NEW_LAUNCH_DAYS} days.`,
  },
  everySeconds: EVERY_SECONDS,
})
main().append(h('div', { class: 'bar' }, view.filter), panel.element)
