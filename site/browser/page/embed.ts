/** What other sites show in a frame: a token, the index, or the first rows of a board; the body says which. */
import '../style/embed.css'
import type { PriceStep } from '../../../clients/typescript/index.ts'
import { ask, refusalText } from '../base/ask.ts'
import { type Child, h, main, setChildren, svg } from '../base/dom.ts'
import { dollars, fixed, OWN_DIGITS, percentLabel } from '../base/format.ts'

const EVERY_MS = 60_000
const ROWS = 10
/** Width of a slot in the picture of candles, and the picture's height. */
const SLOT = 4
const HEIGHT = 100

const query = new URLSearchParams(location.search)
const id = query.get('id') ?? ''
const board = query.get('board') === 'posts' ? 'posts' : 'creators'

const change = (value: number | null): HTMLElement =>
  h('span', { class: value === null ? 'quiet' : value < 0 ? 'down' : 'up' }, percentLabel(value))

/** A link that leaves the frame. */
const link = (href: string, ...children: readonly Child[]): HTMLElement =>
  h('a', { href, target: '_blank', rel: 'noopener' }, children)

const headOf = (name: Child, figure: string, by: number | null): Child =>
  h('p', { class: 'head' }, name, h('strong', {}, figure), change(by))

/** A picture over equal steps of time. */
const picture = (steps: number, label: string, ...shapes: readonly Child[]): Child =>
  h(
    'div',
    { class: 'picture', role: 'img', 'aria-label': label },
    svg('svg', { viewBox: `0 0 ${steps * SLOT} ${HEIGHT}`, preserveAspectRatio: 'none' }, shapes),
  )

/** Where a value stands between the least and the greatest. */
function scaleOf(values: readonly number[]): (value: number) => string {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  return (value) => (most === least ? HEIGHT / 2 : ((most - value) / (most - least)) * HEIGHT).toFixed(1)
}

type Candle = { readonly open: number; readonly high: number; readonly low: number; readonly close: number }

function candlesOf(slots: readonly PriceStep[]): Child {
  const known = slots.flatMap(({ open, high, low, close }) =>
    open === null || high === null || low === null || close === null ? [] : [{ open, high, low, close }],
  )
  const y = scaleOf(known.flatMap(({ high, low }) => [high, low]))
  const pathOf = ({ open, high, low, close }: Candle, at: number): string => {
    const x = at * SLOT
    return `M${x + 2} ${y(high)}V${y(low)}M${x + 0.5} ${y(open)}V${y(close)}h3V${y(open)}z`
  }
  const side = (isUp: boolean) =>
    svg('path', {
      class: isUp ? 'up' : 'down',
      d: known.map((each, at) => (each.close >= each.open === isUp ? pathOf(each, at) : '')).join(''),
    })
  return known.length > 1 && picture(known.length, 'Candles of 24 hours', side(true), side(false))
}

async function tokenView(): Promise<Child> {
  const { body } = await ask('/v1/tokens/{id}', { id, query: { include: 'price_history' } })
  const { symbol, name, token_address: address, price_usd: price, change_24h: by } = body
  return [
    headOf(
      link(`/token/${address}`, h('b', {}, h('bdi', {}, symbol)), ' ', h('bdi', { class: 'quiet' }, name)),
      dollars(price, OWN_DIGITS),
      by,
    ),
    candlesOf(body.price_history ?? []),
  ]
}

async function indexView(): Promise<Child> {
  const [{ body: index }, { body: history }] = await Promise.all([
    ask('/v1/z100/index', { query: { period: '24h' } }),
    ask('/v1/z100/index/hours', {}),
  ])
  const closes = history.hours.map(({ close }) => close)
  const y = scaleOf(closes)
  const points = closes.map((value, at) => `${at * SLOT},${y(value)}`).join(' ')
  return [
    headOf(
      link('/z100-index', h('b', {}, 'Z100 Index')),
      fixed(index.index_value, 2),
      index.index_change_percent,
    ),
    closes.length > 1 && picture(closes.length - 1, 'Seven days', svg('polyline', { class: 'line', points })),
  ]
}

async function boardView(): Promise<Child> {
  const { body } = await ask(`/v1/z100/${board}`, { query: { period: '24h' } })
  const rows = body
    .slice(0, ROWS)
    .map((row) =>
      h(
        'li',
        {},
        h('span', { class: 'quiet' }, String(row.rank)),
        link(`/token/${row.token_address}`, h('bdi', {}, row.symbol)),
        h('span', {}, dollars(row.price_usd)),
        change(row.change_24h_percent),
      ),
    )
  return [
    h('p', { class: 'head' }, link(`/boards?board=${board}`, h('b', {}, `Z100 ${board}`))),
    h('ol', {}, rows),
  ]
}

const views: Readonly<Record<string, () => Promise<Child>>> = {
  token: tokenView,
  index: indexView,
  board: boardView,
}

/** What is shown stays when the next answer is refused. */
async function show(): Promise<void> {
  if (document.hidden) return
  try {
    setChildren(main(), await views[document.body.dataset['embed'] ?? '']?.(), by)
  } catch (error) {
    if (!main().querySelector('.head')) setChildren(main(), h('p', {}, refusalText(error)), by)
  }
}

const by = h('p', { class: 'by' }, link('/', 'z100'))
const theme = query.get('theme')
if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme
void show()
setInterval(() => void show(), EVERY_MS)
document.addEventListener('visibilitychange', () => void show())
