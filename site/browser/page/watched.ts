/** The tokens that the reader watches. */
import type { TokenSummary } from '../../../clients/typescript/index.ts'
import { ask } from '../base/ask.ts'
import { type Child, h, main, setChildren } from '../base/dom.ts'
import { countLabel } from '../base/format.ts'
import { onSnapshot } from '../base/freshness.ts'
import { listenToSwaps } from '../base/swap-stream.ts'
import { lastingTable } from '../base/table.ts'
import { onWatched, unwatch, watched } from '../base/watchlist.ts'
import { openAlerts, storedAlerts } from '../part/alert-form.ts'
import { beginnings } from '../part/begin.ts'
import { listColumns } from '../part/lists.ts'
import { openPanel } from '../part/panel.ts'
import { openPage } from '../part/shell.ts'

/** Each refresh is one answer of the hour's limit. */
const EVERY_SECONDS = 115

const { star, token, kind, price, week, cap, volume, holders, liquidity, age } = listColumns

const table = lastingTable<TokenSummary>(() => ({
  caption: 'Watched tokens, those starred last first',
  isList: true,
  columns: [
    star,
    token,
    kind,
    price,
    week,
    volume,
    cap,
    { ...holders, phone: 'c' },
    liquidity,
    { ...age, from: 'wider' },
  ],
  key: (row) => row.token_address,
  order: { sort: '', isAscending: false },
}))

openPage()
/** What stands here before anything is watched; made once. */
let nothingYet: readonly HTMLElement[] | undefined
const HINT = 'Nothing yet: the star at a token puts it here.'
const none = h('p', { class: 'quiet row', role: 'status' })
let rows: readonly TokenSummary[] = []
/** The watched tokens that have no row. */
function absentTokens(): readonly string[] {
  const known = new Set(rows.map((row) => row.token_address.toLowerCase()))
  return watched().filter((address) => !known.has(address))
}

function showAbsent(): void {
  const absent = absentTokens()
  const remove = () => {
    unwatch(absent)
    showAbsent()
  }
  const are = absent.length === 1 ? 'is' : 'are'
  setChildren(
    none,
    absent.length > 0 && [
      `${countLabel(absent.length)} of your watched tokens ${are} not known to this service.`,
      h('button', { type: 'button', on: { click: remove } }, 'Take off the list'),
    ],
  )
}

/** The rows, and how many of the watched tokens have none. */
function draw(): Child {
  showAbsent()
  return [table(rows), none]
}

const { element: alertForm, judge } = openAlerts()
/** A watched token has traded, so that the next snapshot has other figures of it. */
let hasTraded = false

const panel = openPanel({
  load: async (signal) => {
    const addresses = watched().join(',')
    return addresses === '' ? [] : (await ask('/v1/tokens', { query: { addresses } }, signal)).body
  },
  show: (next) => {
    rows = next
    judge(rows)
    if (watched().length > 0) return draw()
    nothingYet ??= beginnings(HINT)
    return nothingYet
  },
  everySeconds: EVERY_SECONDS,
})
main().append(panel.element, alertForm)
onWatched(() => {
  if (absentTokens().length > 0 || rows.length === 0) panel.reload()
})

listenToSwaps(
  { origin: location.origin, filter: {} },
  {
    onSwap: ({ token_address: token }) => {
      hasTraded ||= watched().includes(token.toLowerCase())
    },
    onRetract: () => {},
    onGap: () => {},
    onState: () => {},
  },
)
// A page in the background asks for no snapshot; alerts are told all the same.
setInterval(() => {
  if (document.hidden && storedAlerts().length > 0) panel.reload()
}, 1_000 * EVERY_SECONDS)
onSnapshot(() => {
  if (hasTraded) panel.reload()
  hasTraded = false
})
