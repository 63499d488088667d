import { NEW_LAUNCH_DAYS } from '../../market/rules.ts'

/** The pages of the site: what they are called, and where they are named. */

/** A page before it has a text. */
export type NamedPage = {
  readonly path: string
  /** Heading, and first part of the title. */
  readonly title: string
  /** One sentence for search engines and previews. */
  readonly description: string
  readonly group: 'market' | 'docs'
  /** Its name in the navigation of every page. @default it is not there */
  readonly label?: string
  /** Its name among the lists of tokens, which are tabs of one another. @default it is none */
  readonly tab?: string
  /** Its name in the footer of every page. @default it is not there */
  readonly foot?: string
  /** It shows what its address asks for, and nothing to a crawler. @default false */
  readonly isOfOneReader?: true
}

/** All pages, those that are named together in their order: a new one is an entry here, one in `site/build/pages.ts`, and a module. */
export const sitePages = [
  {
    path: '/',
    title: 'The market now',
    description: 'Creator tokens and post tokens at a glance: what leads, what moved, who trades, who earns.',
    group: 'market',
    label: 'Home',
  },
  {
    path: '/boards',
    title: 'Z100 boards',
    description: 'The top 100 creator and post tokens, recomputed from the chain every minute.',
    group: 'market',
    label: 'Boards',
  },
  {
    path: '/trending',
    title: 'Trending',
    description: 'The most traded tokens, by volume, market cap, price change or new holders.',
    group: 'market',
    label: 'Tokens',
    tab: 'Trending',
  },
  {
    path: '/rising',
    title: 'Rising',
    description: 'Tokens whose last-hour volume far exceeds their daily average.',
    group: 'market',
    tab: 'Rising',
  },
  {
    path: '/new-launches',
    title: 'New launches',
    description: `Tokens launched in the last ${NEW_LAUNCH_DAYS} days, newest first.`,
    group: 'market',
    tab: 'New',
  },
  {
    path: '/screener',
    title: 'Screener',
    description: 'Every token traded in the last 24 hours, filtered by what you ask for.',
    group: 'market',
    tab: 'Screener',
  },
  {
    path: '/z100-index',
    title: 'Z100 Index',
    description:
      'The market in one number: its leading creator and post tokens, with a base of 1,000 at launch.',
    group: 'market',
    label: 'Index',
  },
  {
    path: '/live',
    title: 'Live swaps',
    description: 'Every swap in real time, including those undone by a reorg.',
    group: 'market',
    label: 'Live',
  },
  {
    path: '/watchlist',
    title: 'Watchlist',
    description: 'The tokens that you starred. The list is kept in this browser alone.',
    group: 'market',
    label: 'Watchlist',
    isOfOneReader: true,
  },
  {
    path: '/recap',
    title: 'Recap of the week',
    description: 'Who entered, left, rose and fell in a week, new highs and launches.',
    group: 'market',
    foot: 'Week',
  },
  {
    path: '/proof',
    title: 'Proof',
    description: 'The block, block hash and digests behind every published figure, and how to verify them.',
    group: 'market',
    foot: 'Proof',
  },
  {
    path: '/docs/start',
    title: 'Start',
    description: 'Get a key, send a first request, write a bot, and recipes for other tools.',
    group: 'docs',
    foot: 'Docs',
  },
  {
    path: '/docs/api',
    title: 'API reference',
    description: 'Every operation of the API with its parameters, responses and errors.',
    group: 'docs',
  },
  {
    path: '/docs/stream',
    title: 'Stream',
    description: 'The public swap stream: events, ids, replay and limits.',
    group: 'docs',
  },
  {
    path: '/docs/errors',
    title: 'Errors',
    description: 'Every error code, what causes it and what to do about it.',
    group: 'docs',
  },
  {
    path: '/docs/methodology',
    title: 'Methodology',
    description: 'How every figure is computed.',
    group: 'docs',
  },
  {
    path: '/docs/migrate',
    title: 'Moving here',
    description: 'From Zora’s API, CoinGecko on-chain and Codex, field by field.',
    group: 'docs',
  },
  {
    path: '/docs/architecture',
    title: 'Architecture',
    description: 'From a log of the chain to a reader: what lies where, and what happens when a part dies.',
    group: 'docs',
  },
  {
    path: '/docs/runbook',
    title: 'Runbook',
    description: 'For operators: what each alarm means, what to do, and what to do if that fails.',
    group: 'docs',
  },
  {
    path: '/docs/changes',
    title: 'Changes',
    description: 'What is new, and what will never change within /v1.',
    group: 'docs',
  },
  {
    path: '/status',
    title: 'Status',
    description: 'The last 24 hours by what was published: each minute, and what was late.',
    group: 'market',
    foot: 'Status',
  },
  {
    path: '/account',
    title: 'Account',
    description: 'Your API keys, your limits, and what you have used of them.',
    group: 'market',
    foot: 'Account',
    isOfOneReader: true,
  },
  {
    path: '/token',
    title: 'Token',
    description: 'Price, market data, holders and swaps of a token.',
    group: 'market',
    isOfOneReader: true,
  },
  {
    path: '/creator',
    title: 'Creator',
    description: 'A creator’s token and posts, what they are worth and what they earned.',
    group: 'market',
    isOfOneReader: true,
  },
  {
    path: '/wallet',
    title: 'Wallet',
    description: 'The swaps of a wallet in the last 90 days.',
    group: 'market',
    isOfOneReader: true,
  },
  {
    path: '/search',
    title: 'Search',
    description: 'Tokens by symbol, name, creator or address.',
    group: 'market',
    isOfOneReader: true,
  },
] as const satisfies readonly NamedPage[]

const all: readonly NamedPage[] = sitePages

type PageLink = readonly [path: string, label: string]

const namedBy = (name: 'label' | 'tab' | 'foot'): readonly PageLink[] =>
  all.flatMap((page) => (page[name] === undefined ? [] : [[page.path, page[name]] as const]))

/** The navigation of every page, by address. */
export const siteNavigation = namedBy('label')

/** The lists of tokens, by address: the navigation leads to the first. */
export const tokenLists = namedBy('tab')

/** What the footer of every page leads to, by address. */
export const siteFooter = namedBy('foot')

/** Pages that a crawler is sent to, beside those of the tokens. */
export const crawledPages: readonly string[] = all.flatMap(({ path, isOfOneReader }) =>
  isOfOneReader ? [] : [path],
)
