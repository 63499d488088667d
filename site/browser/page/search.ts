/** Search results, with the kind of match. */
import type { FoundToken } from '../../../clients/typescript/index.ts'
import { ask } from '../base/ask.ts'
import { tokenHref } from '../base/cells.ts'
import { find, main } from '../base/dom.ts'
import { type Column, openTableView } from '../base/table.ts'
import { beginnings } from '../part/begin.ts'
import { listColumns } from '../part/lists.ts'
import { openPanel } from '../part/panel.ts'
import { openPage } from '../part/shell.ts'

const { token, kind, price, cap, volume, holders } = listColumns
const columns: readonly Column<FoundToken>[] = [
  token,
  kind,
  {
    id: 'match',
    label: 'Matches by',
    cell: ({ match }) => `${match.field.replace('_', ' ')}, ${match.kind}`,
  },
  price,
  cap,
  volume,
  { ...holders, phone: 'c' },
]

/** An address or a pool: it names a token, on the boards or not. */
const ID = /^0x([0-9a-f]{40}|[0-9a-f]{64})$/i

openPage()
const q = (new URLSearchParams(location.search).get('q') ?? '').trim()
find<HTMLInputElement>('.find input').value = q
if (q === '')
  main().append(
    ...beginnings('Enter a symbol, a name, a creator or an address above; the key / leads there.'),
  )
else if (ID.test(q)) location.replace(tokenHref(q))
else {
  const panel = openPanel({
    load: (signal) => ask('/v1/search', { query: { q } }, signal),
    show: ({ body }) => {
      const table = openTableView({ caption: 'Tokens found', columns, isList: true })
      table.show(body)
      return table.element
    },
    empty: {
      when: ({ body }) => body.length === 0,
      description: 'No token on the boards matches. Enter an address to open any other token.',
    },
  })
  main().append(panel.element)
}
