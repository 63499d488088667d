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
    description:
      'The hundred creator tokens and the hundred post tokens that lead, made anew each minute from the chain.',
    script: 'boards',
    group: 'market',
  },
  {
    path: '/z100-index',
    title: 'Z100 Index',
    description:
      'The market in one number: what its leading creator and post tokens are worth, against 1,000 on the day it began.',
    script: 'index-page',
    group: 'market',
  },
  {
    path: '/trending',
    title: 'Trending',
    description: 'Tokens that are traded now, by volume, market cap, change of price and holders.',
    script: 'trending',
    group: 'market',
  },
  {
    path: '/rising',
    title: 'Rising',
    description: 'Tokens whose volume of the last hour stands out against their own day.',
    script: 'rising',
    group: 'market',
  },
  {
    path: '/new-launches',
    title: 'New launches',
    description: 'Tokens of the last seven days, newest first.',
    script: 'launches',
    group: 'market',
  },
  {
    path: '/live',
    title: 'Live swaps',
    description: 'Every swap as it occurs, and what the chain retracts.',
    script: 'live',
    group: 'market',
  },
  {
    path: '/proof',
    title: 'Proof',
    description: 'The block, the hash and the digests behind every published figure, and how to check them.',
    script: 'proof',
    group: 'market',
  },
  {
    path: '/token',
    title: 'Token',
    description: 'Price, figures, holders and swaps of one token.',
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
    description: 'A key, a first request, and where to go from there.',
    script: 'document',
    group: 'docs',
    markdown: 'site/start.md',
  },
  {
    path: '/docs/api',
    title: 'API reference',
    description: 'Every operation of the API, its parameters, answers and errors.',
    script: 'document',
    group: 'docs',
    html: referenceHtml,
  },
  {
    path: '/docs/stream',
    title: 'Stream',
    description: 'The public stream of swaps: events, ids, replay and limits.',
    script: 'document',
    group: 'docs',
    markdown: 'stream/README.md',
  },
  {
    path: '/docs/errors',
    title: 'Errors',
    description: 'What is refused, under which code, and what to do then.',
    script: 'document',
    group: 'docs',
    html: errorsHtml,
  },
  {
    path: '/docs/methodology',
    title: 'Methodology',
    description: 'How each figure is made.',
    script: 'document',
    group: 'docs',
    markdown: 'market/README.md',
  },
]

/** Object name of a page. */
export const objectOf = ({ path }: Pick<SitePage, 'path'>): string =>
  path === '/' ? SITE_ROOT_OBJECT : path.slice(1)
