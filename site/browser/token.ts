/** One token: its price over time, its figures, its holders and its swaps as they come. */

import type { PriceStep, Swap, TokenDetail, TokenFigures, TokenSummary } from '../../client/index.ts'
import type { Period } from '../../market/window.ts'
import { TOKEN_PAGES } from '../../schemas/site.ts'
import { pagesOf } from './addresses.ts'
import { ask } from './ask.ts'
import { ageOf, copiedHex, hexCell, nameTags, priceCell, thinTag, tiles } from './cells.ts'
import { type ChartOptions, openChart } from './chart.ts'
import { choiceButtons, chosenValue, pageLinks, periodChoice, replaceUrl } from './choices.ts'
import { type Child, find, h, main } from './dom.ts'
import { amountLabel, countLabel, DASH, dayAndTime, dollars, percentLabel, priceLabel } from './format.ts'
import { chainName, onSnapshot } from './freshness.ts'
import { holdersOf } from './holders.ts'
import { listColumns } from './lists.ts'
import { openPanel, type Panel } from './panel.ts'
import { facts } from './proof-panel.ts'
import { openPage } from './shell.ts'
import { listenToSwaps } from './swap-stream.ts'
import { keyOf, markOf, SwapList, tokenSwapColumns } from './swaps.ts'
import { lastingTable, openTableView } from './table.ts'

const EVERY_SECONDS = 55
const SLOW_SECONDS = 600
const LISTED_SWAPS = 50
/** Other tokens of the creator on one page: those on no board are read one by one. */
const SIBLINGS = 10

const timeframes = periodChoice('timeframe', 'Timeframe')

const nothingThere = 'No token selected. Search above, or open /token?id=0x…'

function headOf(token: TokenDetail): Child {
  // The page's heading names the token; names from the chain are plain text there, too.
  document.title = `${token.symbol} · z100`
  const heading = find('.title h1')
  heading.replaceChildren(h('bdi', {}, token.symbol || token.token_address))
  find('.title p').replaceChildren(h('bdi', {}, token.name))
  return [
    tiles([
      ['Price', priceLabel(token.price_usd), token.change_24h],
      ['Market cap', [dollars(token.market_cap), thinTag(token)]],
      ['Volume 24 h', dollars(token.volume_24h)],
      ['Trades 24 h', countLabel(token.trades_24h)],
      ['Holders', orUnknown(token, countLabel(token.unique_holders))],
    ]),
    facts([
      [
        'Kind',
        token.created_at ? `${token.type} token, ${ageOf(token.created_at)} old` : `${token.type} token`,
      ],
      ...coverageOf(token),
      ...warningsOf(token),
      ['Creator', h('bdi', {}, token.creator_name ?? token.creator_handle ?? DASH)],
      ['Paid out to', hexCell(token.creator_address)],
      ['Contract', copiedHex(token.token_address, 'Copy the contract address')],
      ['Pool', hexCell(token.pool_id)],
      ...elsewhere(token.token_address),
    ]),
  ]
}

/** A figure since launch, unknown for tokens older than the service's history. */
const orUnknown = ({ coverage_from: from }: Pick<TokenDetail, 'coverage_from'>, figure: Child): Child =>
  from ? 'unknown' : figure

/** For a token older than the service's history: its beginning. */
const coverageOf = ({ coverage_from: from }: TokenDetail): readonly (readonly [string, Child])[] =>
  from ? [['Known since', `${dayAndTime(from)} UTC; it is older, and what was before is not counted`]] : []

/** Warnings about its names. */
function warningsOf({ name_flags: flags }: TokenDetail): readonly (readonly [string, Child])[] {
  return flags.lookalike_of || flags.mixed_script ? [['Beware', nameTags(flags)]] : []
}

/** Links to explorers; none for a development chain. */
function elsewhere(address: string): readonly (readonly [string, Child])[] {
  const links = pagesOf(chainName(), address).map(([label, href]) => [
    h('a', { href, rel: 'noreferrer' }, label),
    ' ',
  ])
  return links.length > 0 ? [['Elsewhere', links]] : []
}

const { token: tokenColumn, kind, price: priceColumn, cap, volume, age } = listColumns

/** All tokens of one creator: those on a board, then the oldest. */
function openSiblings(creator: string): Panel {
  const rows = lastingTable<TokenSummary>(() => ({
    caption: 'Other tokens by this creator',
    columns: [tokenColumn, kind, priceColumn, cap, volume, age],
    key: (row) => row.token_address,
  }))
  let offset = 0
  const panel: Panel = openPanel({
    title: 'Of the same creator',
    load: (signal) =>
      ask('/v1/tokens', { query: { field: 'creator', value: creator, limit: SIBLINGS, offset } }, signal),
    show: (answer) => [
      rows(answer.body),
      pageLinks(answer, offset, ['Before', 'More'], (next) => {
        offset = next
        panel.reload()
      }),
    ],
  })
  return panel
}

const withTime = (value: Child, at: string | null): Child =>
  at === null ? value : [value, h('small', {}, ` ${dayAndTime(at)} UTC`)]

const metricsOf = (figures: TokenFigures): Child =>
  facts([
    ['Change 24 h', percentLabel(figures.price_change_24h)],
    [
      'All-time high (minute close)',
      orUnknown(figures, withTime(priceCell(figures.all_time_high), figures.ath_at)),
    ],
    ['All-time low', orUnknown(figures, withTime(priceCell(figures.all_time_low), figures.atl_at))],
    ['Liquidity', dollars(figures.liquidity_usd)],
    ['Volume since launch', orUnknown(figures, dollars(figures.total_volume))],
    ['Total supply', amountLabel(figures.total_supply)],
    ['Circulating supply', amountLabel(figures.circulating_supply)],
    ['Circulating market cap', dollars(figures.circulating_market_cap)],
  ])

function historyOf(steps: readonly PriceStep[]): ChartOptions {
  const [first, last] = [steps[0], steps.at(-1)]
  return {
    times: steps.map((step) => step.timestamp),
    series: [
      { label: 'Price', values: steps.map((step) => step.close), text: priceLabel },
      { label: 'Volume', values: steps.map((step) => step.volume_usd), text: dollars, isBars: true },
    ],
    description: `Price since ${first ? dayAndTime(first.datetime) : ''} UTC: ${priceLabel(first?.open ?? null)} then, ${priceLabel(last?.close ?? null)} now.`,
  }
}

/** The newest swaps from the API, and above them those of the stream. */
function swapsOf(id: string, told: readonly Swap[], onGap: () => void): Child {
  const list = new SwapList(LISTED_SWAPS)
  for (const swap of [...told].reverse()) list.add(swap)
  const table = openTableView({
    caption: 'Swaps, newest first',
    columns: tokenSwapColumns,
    mark: markOf,
    key: ({ swap }) => keyOf(swap),
  })
  const draw = () => table.show(list.newestFirst())
  draw()
  stopListening?.()
  const stopStream = listenToSwaps(
    { origin: location.origin, filter: { token: id } },
    {
      onSwap: (swap) => {
        list.add(swap)
        draw()
      },
      onRetract: (hash) => {
        list.retract(hash)
        draw()
      },
      onGap,
      onState: () => {},
    },
  )
  const stopSnapshots = onSnapshot(draw)
  stopListening = () => {
    stopStream()
    stopSnapshots()
  }
  return table.element
}

let stopListening: (() => void) | undefined

function openToken(id: string): void {
  const chart = openChart()
  const history = openPanel({
    load: async (signal) => {
      const timeframe = chosenValue(timeframes) as Period
      return (await ask('/v1/tokens/{id}/price-history', { id, query: { timeframe } }, signal)).body
    },
    show: (steps) => chart(historyOf(steps)),
    empty: {
      when: (steps) => steps.every((step) => step.close === null),
      description: 'No US dollar price in this period.',
    },
    everySeconds: SLOW_SECONDS,
  })
  const swaps: Panel = openPanel({
    title: 'Swaps',
    load: async (signal) =>
      (await ask('/v1/tokens/{id}/swaps', { id, query: { limit: LISTED_SWAPS } }, signal)).body,
    show: (told) => swapsOf(id, told, swaps.reload),
  })
  const siblings = h('div')
  const head = openPanel({
    load: async (signal) => (await ask('/v1/tokens/{id}', { id }, signal)).body,
    show: (token) => {
      const { creator_address: creator } = token
      if (creator && !siblings.hasChildNodes()) siblings.append(openSiblings(creator).element)
      return headOf(token)
    },
    everySeconds: EVERY_SECONDS,
  })
  head.element.classList.add('of-token-head')
  history.element.classList.add('of-chart')
  main().append(
    head.element,
    h(
      'div',
      { class: 'rest' },
      h('div', { class: 'bar' }, h('h2', {}, 'Price'), choiceButtons(timeframes, history.reload)),
      history.element,
      ...figures(id),
      swaps.element,
      siblings,
    ),
  )
}

const figures = (id: string): readonly HTMLElement[] => [
  openPanel({
    title: 'Figures',
    load: async (signal) => (await ask('/v1/tokens/{id}/metrics', { id }, signal)).body.metrics,
    show: metricsOf,
    everySeconds: SLOW_SECONDS,
  }).element,
  openPanel({
    title: 'Holders',
    load: async (signal) => (await ask('/v1/tokens/{id}/holders', { id }, signal)).body,
    show: holdersOf,
    empty: {
      when: ({ distribution, holders }) => distribution !== null && holders.length === 0,
      description: 'No holders.',
    },
    everySeconds: SLOW_SECONDS,
  }).element,
]

openPage()
const { id: named, ...choices } = Object.fromEntries(new URLSearchParams(location.search))
const id = named ?? location.pathname.slice(TOKEN_PAGES.length)
if (id === '') main().append(h('p', {}, nothingThere))
else {
  // The address to share, whose preview names the token.
  const query = new URLSearchParams(choices).toString()
  if (/^0x[0-9a-f]{40}$/i.test(id)) replaceUrl(TOKEN_PAGES + id + (query && `?${query}`) + location.hash)
  openToken(id)
}
