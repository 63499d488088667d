import { SITE_ROOT_OBJECT } from '../../schemas/site.ts'
import { errorsHtml, referenceHtml } from './reference.ts'

export type SitePage = {
  /** Its path; the object's name is the same without the slash. */
  readonly path: string
  /** Heading, and first part of the title. */
  readonly title: string
  /** One sentence for search engines and previews. */
  readonly description: string
  /** Its script, a module of site/browser/. */
  readonly script: string
  readonly group: 'market' | 'docs'
  /** Markdown file of the repository with the page's text. */
  readonly markdown?: string
  /** The page's text, if it is generated from the code. */
  readonly html?: () => string
}

/** All pages: a new one is an entry here and a module. */
export const pages: readonly SitePage[] = [
  {
    path: '/',
    title: 'Z100 boards',
    description: 'The top 100 creator and post tokens, recomputed from the chain every minute.',
    script: 'boards',
    group: 'market',
  },
  {
    path: '/z100-index',
    title: 'Z100 Index',
    description:
      'The market in one number: its leading creator and post tokens, with a base of 1,000 at launch.',
    script: 'index-page',
    group: 'market',
  },
  {
    path: '/trending',
    title: 'Trending',
    description: 'The most traded tokens, by volume, market cap, price change or new holders.',
    script: 'trending',
    group: 'market',
  },
  {
    path: '/rising',
    title: 'Rising',
    description: 'Tokens whose last-hour volume far exceeds their daily average.',
    script: 'rising',
    group: 'market',
  },
  {
    path: '/new-launches',
    title: 'New launches',
    description: 'Tokens launched in the last seven days, newest first.',
    script: 'launches',
    group: 'market',
  },
  {
    path: '/live',
    title: 'Live swaps',
    description: 'Every swap in real time, including those undone by a reorg.',
    script: 'live',
    group: 'market',
  },
  {
    path: '/proof',
    title: 'Proof',
    description: 'The block, block hash and digests behind every published figure, and how to verify them.',
    script: 'proof',
    group: 'market',
  },
  {
    path: '/token',
    title: 'Token',
    description: 'Price, market data, holders and swaps of a token.',
    script: 'token',
    group: 'market',
  },
  {
    path: '/search',
    title: 'Search',
    description: 'Tokens by symbol, name, creator or address.',
    script: 'search',
    group: 'market',
  },
  {
    path: '/docs/start',
    title: 'Start',
    description: 'Get a key, send a first request, and find your way around.',
    script: 'document',
    group: 'docs',
    markdown: 'site/start.md',
  },
  {
    path: '/docs/api',
    title: 'API reference',
    description: 'Every operation of the API with its parameters, responses and errors.',
    script: 'document',
    group: 'docs',
    html: referenceHtml,
  },
  {
    path: '/docs/stream',
    title: 'Stream',
    description: 'The public swap stream: events, ids, replay and limits.',
    script: 'document',
    group: 'docs',
    markdown: 'stream/README.md',
  },
  {
    path: '/docs/errors',
    title: 'Errors',
    description: 'Every error code, what causes it and what to do about it.',
    script: 'document',
    group: 'docs',
    html: errorsHtml,
  },
  {
    path: '/docs/methodology',
    title: 'Methodology',
    description: 'How every figure is computed.',
    script: 'document',
    group: 'docs',
    markdown: 'market/README.md',
  },
]

/** Object name of a page. */
export const objectOf = ({ path }: Pick<SitePage, 'path'>): string =>
  path === '/' ? SITE_ROOT_OBJECT : path.slice(1)
