/** The market in three seconds: the index with its day, what moved, who trades, what was launched, who earned. */

import type { BoardRow, Index, IndexHour, LaunchRow, Swap } from '../../../clients/typescript/index.ts'
import { ask } from '../base/ask.ts'
import { change, dollarsCell, type Named, tiles } from '../base/cells.ts'
import { type Child, h, main, setChildren } from '../base/dom.ts'
import { countLabel, dollars, duration, fixed } from '../base/format.ts'
import { onSnapshot, serviceNow } from '../base/freshness.ts'
import { sparkline } from '../base/pictures.ts'
import { listenToSwaps } from '../base/swap-stream.ts'
import { tokenRows } from '../part/cards.ts'
import { openPanel } from '../part/panel.ts'
import { openPage } from '../part/shell.ts'
import { SwapList } from '../part/swaps.ts'

const EVERY_SECONDS = 45
/** Rows of each part. */
const ROWS = 5

/** Old links to a board of this address go on to it. */
const asked = new URLSearchParams(location.search)
if (asked.has('board') || asked.has('period') || asked.has('sort_by'))
  location.replace(`/boards${location.search}`)

/** A part of the page; its title leads to all of it. */
const card = (title: string, more: string, content: HTMLElement): HTMLElement =>
  h('section', { class: 'card' }, h('h2', {}, h('a', { href: more }, title)), content)

function indexTiles({
  index,
  hours,
}: {
  readonly index: Index
  readonly hours: readonly IndexHour[]
}): Child {
  const day = hours.slice(-24).map(({ close }) => close)
  return tiles([
    ['Z100 Index', [fixed(index.index_value, 2), sparkline(day)], index.index_change_percent, '/z100-index'],
    ['Board volume 24 h', dollars(index.total_volume)],
    ['Board trades 24 h', countLabel(index.total_trades)],
    ['Creators traded', countLabel(index.active_creators), undefined, '/boards'],
    ['Posts traded', countLabel(index.active_posts), undefined, '/boards?board=posts'],
  ])
}

const greatest = <Row>(
  rows: readonly Row[],
  scoreOf: (row: Row) => number | null,
  most = ROWS,
): readonly Row[] =>
  rows
    .filter((row) => (scoreOf(row) ?? 0) > 0)
    .sort((a, b) => (scoreOf(b) ?? 0) - (scoreOf(a) ?? 0))
    .slice(0, most)

const query = { period: '24h' as const }
type Load<T> = (signal: AbortSignal) => Promise<T>

/** One request for the parts that need its answer at the same time. */
function shared<T>(load: () => Promise<T>): Load<T> {
  let last: { readonly at: number; readonly answer: Promise<T> } | undefined
  return () => {
    if (!last || Date.now() - last.at > SHARED_MS) last = { at: Date.now(), answer: load() }
    return last.answer
  }
}

const SHARED_MS = 2_000

const creators = shared(async () => (await ask('/v1/z100/creators', { query })).body)
const posts = shared(async () => (await ask('/v1/z100/posts', { query })).body)
const both = async (signal: AbortSignal): Promise<readonly BoardRow[]> =>
  (await Promise.all([creators(signal), posts(signal)])).flat()
/** Whoever could hardly sell moved nothing. */
const sound: Load<readonly BoardRow[]> = async (signal) =>
  (await both(signal)).filter((row) => !row.thin_liquidity)
const launches: Load<readonly LaunchRow[]> = async (signal) =>
  (await ask('/v1/discover/new-launches', {}, signal)).body

const moved = (row: BoardRow) => row.change_24h_percent
const priced = (row: BoardRow): Child => [dollarsCell(row.market_cap_raw), change(moved(row))]

type Part<Row> = {
  readonly title: string
  readonly more: string
  readonly load: Load<readonly Row[]>
  readonly pick: (rows: readonly Row[]) => readonly Row[]
  readonly figure: (row: Row) => Child
  readonly none: string
}

const cardOf = <Row extends Named>({ title, more, load, pick, figure, none }: Part<Row>): HTMLElement =>
  card(
    title,
    more,
    openPanel({ load, show: (rows) => tokenRows(pick(rows), figure, none), everySeconds: EVERY_SECONDS })
      .element,
  )

const first = (rows: readonly BoardRow[]) => rows.slice(0, ROWS)

/** The parts that are lists, in their order. */
const openCards = (): readonly HTMLElement[] => [
  cardOf({
    title: 'Leading creators',
    more: '/boards',
    load: creators,
    pick: first,
    figure: priced,
    none: 'No trades yet.',
  }),
  cardOf({
    title: 'Leading posts',
    more: '/boards?board=posts',
    load: posts,
    pick: first,
    figure: priced,
    none: 'No trades yet.',
  }),
  openTrades(),
  cardOf({
    title: 'Rose most today',
    more: '/trending?sort_by=change',
    load: sound,
    pick: (rows) => greatest(rows, moved),
    figure: priced,
    none: 'Nothing rose.',
  }),
  cardOf({
    title: 'Fell most today',
    more: '/boards?sort_by=price_change&sort_order=asc',
    load: sound,
    pick: (rows) => greatest(rows, (row) => -(moved(row) ?? 0)),
    figure: priced,
    none: 'Nothing fell.',
  }),
  cardOf({
    title: 'Earned most today',
    more: '/boards?sort_by=earnings',
    load: creators,
    pick: (rows) => greatest(rows, (row) => row.creator_earnings_24h),
    figure: (row) => dollarsCell(row.creator_earnings_24h),
    none: 'No creator earned anything today.',
  }),
  cardOf({
    title: 'New and traded',
    more: '/new-launches',
    load: launches,
    pick: (rows) => greatest(rows, (row) => row.volume_24h),
    figure: (row) => [
      dollars(row.volume_24h),
      h('span', { class: 'quiet' }, `${duration(row.age_seconds)} old`),
    ],
    none: 'No launch of the last days is traded.',
  }),
]

const HEARD = 500
/** Trades in the card: on a narrow screen the first few of them are shown. */
const TRADES = 17
const DRAW_EVERY_MS = 1_000

/** The biggest of the last hundred trades, and of those that come. */
function openTrades(): HTMLElement {
  const list = new SwapList(HEARD)
  const rows = () => {
    const valid = list.newestFirst().filter(({ isRetracted }) => !isRetracted)
    const trades = greatest(valid, ({ swap }) => swap.volume_usd, TRADES).map(({ swap }) => named(swap))
    return tokenRows(trades, tradeFigure, 'No trades yet.')
  }
  const place = h('div')
  let isDue = false
  const draw = () => {
    isDue = false
    setChildren(place, rows())
  }
  const drawSoon = () => {
    if (!isDue) setTimeout(draw, DRAW_EVERY_MS)
    isDue = true
  }
  const panel = openPanel({
    load: async (signal) => (await ask('/v1/market/recent-swaps', {}, signal)).body,
    show: (swaps) => {
      for (const swap of [...swaps].reverse()) list.add(swap)
      setChildren(place, rows())
      return place
    },
  })
  const heard = {
    onSwap: (swap: Swap) => {
      list.add(swap)
      drawSoon()
    },
    onRetract: (hash: string) => {
      list.retract(hash)
      drawSoon()
    },
    onGap: panel.reload,
    onState: () => {},
  }
  listenToSwaps({ origin: location.origin, filter: {} }, heard)
  onSnapshot(drawSoon)
  const element = card('Biggest trades, live', '/live', panel.element)
  element.classList.add('ticker')
  return element
}

type Trade = Named & { readonly swap: Swap }

const named = (swap: Swap): Trade => ({
  symbol: swap.token_symbol,
  name: `${duration((serviceNow() - swap.timestamp * 1_000) / 1_000)} ago`,
  token_address: swap.token_address,
  swap,
})

const tradeFigure = ({ swap }: Trade): Child => [
  dollarsCell(swap.volume_usd),
  h('span', { class: swap.is_buy ? 'up' : 'down' }, swap.is_buy ? 'bought' : 'sold'),
]

function openHome(): void {
  openPage()
  const top = openPanel({
    load: async (signal) => {
      const [index, hours] = await Promise.all([
        ask('/v1/z100/index', { query: { period: '24h' } }, signal),
        ask('/v1/z100/index/hours', {}, signal),
      ])
      return { index: index.body, hours: hours.body.hours }
    },
    show: indexTiles,
    everySeconds: EVERY_SECONDS,
  })
  top.element.classList.add('slim')
  main().append(top.element, h('div', { class: 'cards' }, openCards()))
}

openHome()
