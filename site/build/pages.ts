import { readerTiers, tiers } from '../../schemas/api/access.ts'
import { SITE_ROOT_OBJECT } from '../../schemas/pages/site.ts'
import { type NamedPage, sitePages } from '../../schemas/pages/site-pages.ts'
import { errorsHtml } from './errors.ts'
import { lineHtml } from './html.ts'
import { referenceHtml } from './reference.ts'

/** How the text of a page is made. */
type PageContent = {
  /** Its script, a module of site/browser/page/. */
  readonly script: string
  /** Markdown file of the repository with the page's text. */
  readonly markdown?: string
  /** The page's text, if it is generated from the code. */
  readonly html?: () => string
}

export type SitePage = NamedPage & PageContent

/** Text that is in the HTML, so that the largest visible element is painted before any script has loaded. */
const line = (text: string) => () => `<p class="quiet">${lineHtml(text)}</p>`

/** Requests an hour of each tier that a reader can have. */
const limitsText = readerTiers
  .map((tier) => `${tier} ${tiers[tier].limitPerHour.toLocaleString('en-US')} an hour`)
  .join(', ')

const contents: Readonly<Record<(typeof sitePages)[number]['path'], PageContent>> = {
  '/': { script: 'home' },
  '/boards': { script: 'boards' },
  '/z100-index': { script: 'index-page' },
  '/trending': { script: 'trending' },
  '/rising': {
    script: 'rising',
    html: line(
      'Score: net buying of the last hour divided by the hourly average of the day before, $50 added to both. [How it is made](/docs/methodology#rising-and-new-launches)',
    ),
  },
  '/new-launches': { script: 'launches' },
  '/screener': { script: 'screener' },
  '/watchlist': { script: 'watched' },
  '/recap': { script: 'recap' },
  '/live': { script: 'live' },
  '/proof': {
    script: 'proof',
    html: line(
      'A copy of the service can recompute a snapshot: it reads every log of the chain anew, through an endpoint of your choice (--rpc-url), folds them with the same code, and compares each document’s bytes. It trusts nothing that was stored.',
    ),
  },
  '/status': {
    script: 'status-page',
    html: line(
      'A minute without a snapshot of its own is not lost: its trades are in the next one. Both answers are public: [/v1/status](/v1/status), [/v1/status/day](/v1/status/day).',
    ),
  },
  '/token': { script: 'token' },
  '/creator': { script: 'creator' },
  '/wallet': { script: 'wallet' },
  '/search': { script: 'search' },
  '/account': {
    script: 'account',
    html: line(
      `To sign in, your wallet signs a message that names this site. That sends no transaction and costs nothing. The first time makes an account in the tier basic. All keys of an account share its requests: ${limitsText}. [A first request, a bot, and recipes for other tools](/docs/start)`,
    ),
  },
  '/docs/start': { script: 'document', markdown: 'docs/use.md' },
  '/docs/api': { script: 'reference', html: referenceHtml },
  '/docs/stream': { script: 'document', markdown: 'stream/README.md' },
  '/docs/errors': { script: 'document', html: errorsHtml },
  '/docs/methodology': { script: 'document', markdown: 'market/README.md' },
  '/docs/migrate': { script: 'document', markdown: 'docs/migrate.md' },
  '/docs/architecture': { script: 'document', markdown: 'docs/architecture.md' },
  '/docs/runbook': { script: 'document', markdown: 'docs/runbook.md' },
  '/docs/changes': { script: 'document', markdown: 'CHANGELOG.md' },
}

/** All pages with what makes their texts. */
export const pages: readonly SitePage[] = sitePages.map((page) => ({ ...page, ...contents[page.path] }))

/** Object name of a page. */
export const objectOf = ({ path }: Pick<SitePage, 'path'>): string =>
  path === '/' ? SITE_ROOT_OBJECT : path.slice(1)
