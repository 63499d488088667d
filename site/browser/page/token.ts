/** One token: its price over time, its figures, its holders and its swaps as they come. */

import type {
  BoardDay,
  HolderStep,
  Swap,
  TokenDetail,
  TokenSummary,
} from '../../../clients/typescript/index.ts'
import { EMBED_PAGES } from '../../../schemas/pages/embeds.ts'
import { TOKEN_PAGES } from '../../../schemas/pages/site.ts'
import { ask } from '../base/ask.ts'
import { pageLinks, replaceUrl } from '../base/choices.ts'
import { type Child, codeBlock, h, main, setChildren } from '../base/dom.ts'
import { countLabel, DASH, dayAndTime, fixed } from '../base/format.ts'
import { onSnapshot } from '../base/freshness.ts'
import { listenToSwaps } from '../base/swap-stream.ts'
import { lastingTable, openTableView } from '../base/table.ts'
import { type ChartOptions, openChart } from '../part/chart.ts'
import { holdersOf } from '../part/holders.ts'
import { listColumns } from '../part/lists.ts'
import { openPanel, type Panel } from '../part/panel.ts'
import { openPage } from '../part/shell.ts'
import { keyOf, markOf, SwapList, tokenSwapColumns } from '../part/swaps.ts'
import { openTabs } from '../part/tabs.ts'
import { candlesOf } from '../part/token-chart.ts'
import { mainFigures, tokenFacts, tokenHead } from '../part/token-head.ts'
import { tradersPart } from '../part/traders.ts'

const EVERY_SECONDS = 55
const SLOW_SECONDS = 600
const LISTED_SWAPS = 50
/** Entries of the feed that are replayed: swaps come between an answer and the beginning of the stream. */
const ENTRIES_BEFORE = 30
/** Other tokens of the creator on one page: those on no board are read one by one. */
const SIBLINGS = 10

const nothingThere = 'No token selected. Search above, or open /token?id=0x…'

const { token: tokenColumn, kind, price: priceColumn, cap, volume, age } = listColumns

/** All tokens of one creator: those on a board, then the oldest. `creatorOf` names the creator, if one is known. */
function siblingsPart(creatorOf: (signal: AbortSignal) => Promise<string | null>): HTMLElement {
  const rows = lastingTable<TokenSummary>(() => ({
    caption: 'Other tokens by this creator',
    isList: true,
    columns: [tokenColumn, kind, priceColumn, cap, volume, { ...age, phone: 'c' }],
    key: (row) => row.token_address,
  }))
  let offset = 0
  const panel: Panel = openPanel({
    load: async (signal) => {
      const value = await creatorOf(signal)
      const query = { field: 'creator', value: value ?? '', limit: SIBLINGS, offset } as const
      return value === null ? null : ask('/v1/tokens', { query }, signal)
    },
    show: (answer) =>
      answer && [
        rows(answer.body),
        pageLinks(answer, offset, ['Before', 'More'], (next) => {
          offset = next
          panel.reload()
        }),
      ],
    empty: { when: (answer) => answer === null, description: 'Its creator is not known.' },
  })
  return panel.element
}

/** The newest swaps from the API, and above them those of the stream. */
function swapsOf(id: string, told: readonly Swap[], onGap: () => void): Child {
  const list = new SwapList(LISTED_SWAPS)
  for (const swap of [...told].reverse()) list.add(swap)
  // What is older than a full list is none of it.
  const since = told.length < LISTED_SWAPS ? 0 : (told.at(-1)?.timestamp ?? 0)
  const table = openTableView({
    caption: 'Swaps, newest first',
    columns: tokenSwapColumns,
    isList: true,
    mark: markOf,
    key: ({ swap }) => keyOf(swap),
  })
  const none = h('p', { class: 'quiet' })
  const draw = () => {
    const swaps = list.newestFirst()
    table.show(swaps)
    none.textContent = swaps.length === 0 ? 'No swaps in the last 8 days.' : ''
  }
  draw()
  // Once: who may not replay so much would be told of a gap, ask again, and be told again.
  const entriesBefore = stopListening ? 0 : ENTRIES_BEFORE
  stopListening?.()
  const stopStream = listenToSwaps(
    { origin: location.origin, filter: { token: id }, entriesBefore },
    {
      onSwap: (swap) => {
        if (swap.timestamp < since) return
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
  return [table.element, none]
}

let stopListening: (() => void) | undefined

function holdersOverTime(steps: readonly HolderStep[]): ChartOptions {
  const [first, last] = [steps[0], steps.at(-1)]
  return {
    times: steps.map(({ timestamp }) => timestamp),
    series: [
      { label: 'Holders', values: steps.map((step) => step.holders_count), text: countLabel, isCount: true },
    ],
    description: `Holders since ${first ? dayAndTime(first.datetime) : ''} UTC, now ${countLabel(last?.holders_count ?? null)}; the ten largest have ${fixed(last?.top10_concentration ?? null, 2)}% of the supply.`,
  }
}

/** Ranks at the ends of days; a day off the board is a gap. */
function ranksOf(days: readonly BoardDay[]): ChartOptions {
  const byTime = new Map(days.map((day) => [Math.floor(day.timestamp / DAY), day.rank]))
  const [first = 0, last = 0] = [Math.min(...byTime.keys()), Math.max(...byTime.keys())]
  const all = Array.from({ length: last - first + 1 }, (_, n) => first + n)
  const best = Math.min(...days.map(({ rank }) => rank))
  return {
    times: all.map((day) => day * DAY),
    series: [
      { label: 'Rank', values: all.map((day) => byTime.get(day) ?? null), text: countLabel, isCount: true },
    ],
    isUpsideDown: true,
    description: `Rank on the board at the end of each UTC day, best ${best}, last ${days.at(-1)?.rank ?? DASH}.`,
  }
}

const DAY = 86_400

function rankPart(id: string): HTMLElement {
  const chart = openChart()
  return openPanel({
    load: async (signal) => (await ask('/v1/z100/history/{id}', { id, query: { days: 90 } }, signal)).body,
    show: (days) => chart(ranksOf(days)),
    empty: { when: (days) => days.length === 0, description: 'It was on no board at the end of a day.' },
    everySeconds: SLOW_SECONDS,
  }).element
}

function holderParts(id: string): readonly HTMLElement[] {
  const chart = openChart()
  return [
    openPanel({
      load: async (signal) => (await ask('/v1/tokens/{id}/holders', { id }, signal)).body,
      show: holdersOf,
      empty: {
        when: ({ distribution, holders }) => distribution !== null && holders.length === 0,
        description: 'No holders.',
      },
      everySeconds: SLOW_SECONDS,
    }).element,
    openPanel({
      title: 'Holders over time',
      load: async (signal) =>
        (await ask('/v1/tokens/{id}/holders/history', { id, query: { interval: '1d' } }, signal)).body,
      show: (steps) => chart(holdersOverTime(steps)),
      empty: {
        when: (steps) => steps.every((step) => step.holders_count === null),
        description: 'Not known: the token is older than the history here.',
      },
      everySeconds: SLOW_SECONDS,
    }).element,
  ]
}

/** The newest swaps; `first`: those of the first request, once. */
function swapsPart(id: string, first: () => Promise<TokenDetail> | null): HTMLElement {
  const swaps: Panel = openPanel({
    load: async (signal) =>
      (await first())?.swaps ??
      (await ask('/v1/tokens/{id}/swaps', { id, query: { limit: LISTED_SWAPS } }, signal)).body,
    show: (told) => swapsOf(id, told, swaps.reload),
  })
  swaps.element.classList.add('of-swaps')
  return swaps.element
}

/** The line that shows this token on another site, and what it shows there. */
function embedPart(id: string): readonly HTMLElement[] {
  const path = `/${EMBED_PAGES}token?id=${encodeURIComponent(id)}`
  const frame = `<iframe src="${location.origin}${path}" title="Price of a token" width="420" height="240" style="border:0" loading="lazy"></iframe>`
  return [
    h(
      'p',
      {},
      'Paste this line into your page. With ',
      h('code', {}, '&theme=dark'),
      ' it is dark for everybody.',
    ),
    codeBlock(frame, 'Copy the line'),
    h(
      'p',
      {},
      h('a', { href: path }, 'See it'),
      ', or the ',
      h('a', { href: `/${EMBED_PAGES}index` }, 'index'),
      ' and ',
      h('a', { href: `/${EMBED_PAGES}board` }, 'a board'),
      ' in the same form.',
    ),
  ]
}

function openToken(id: string): void {
  const include = 'metrics,swaps,price_history'
  /** Everything the page starts with, in one request; later each part makes its own. */
  let whole: Promise<TokenDetail> | null = ask('/v1/tokens/{id}', { id, query: { include } }).then(
    ({ body }) => body,
  )
  const first = () => whole
  const side = h('div', { class: 'side' })
  const detail = async (signal: AbortSignal) =>
    whole ?? (await ask('/v1/tokens/{id}', { id, query: { include: 'metrics' } }, signal)).body
  const head = openPanel({
    load: detail,
    show: (token) => {
      setChildren(side, mainFigures(token), tokenFacts(token))
      return tokenHead(token)
    },
    everySeconds: EVERY_SECONDS,
  })
  head.element.classList.add('of-token-head')
  const tabs = openTabs('More about this token', {
    swaps: { label: 'Swaps', open: () => [swapsPart(id, first)] },
    traders: { label: 'Traders', open: () => tradersPart(id) },
    holders: { label: 'Holders', open: () => holderParts(id) },
    rank: { label: 'Rank', open: () => [rankPart(id)] },
    siblings: {
      label: 'Same creator',
      open: () => [siblingsPart(async (signal) => (await detail(signal)).creator_address)],
    },
    embed: { label: 'Embed', open: () => embedPart(id) },
  })
  const chart = candlesOf(id, first)
  const forget = () => {
    whole = null
  }
  void whole.then(forget, forget)
  main().append(
    head.element,
    h('div', { class: 'rest' }, h('div', { class: 'columns' }, h('div', {}, chart), side), tabs),
  )
}

openPage()
const { id: named, ...choices } = Object.fromEntries(new URLSearchParams(location.search))
const id = named ?? location.pathname.slice(TOKEN_PAGES.length)
if (id === '') main().append(h('p', {}, nothingThere))
else {
  // The address to share: its preview names the token.
  const query = new URLSearchParams(choices).toString()
  if (/^0x[0-9a-f]{40}$/i.test(id)) replaceUrl(TOKEN_PAGES + id + (query && `?${query}`) + location.hash)
  openToken(id)
}
