import { SITE_ROOT_OBJECT } from '../../schemas/site.ts'
import { type NamedPage, sitePages } from '../../schemas/site-pages.ts'
import { errorsHtml } from './errors.ts'
import { referenceHtml } from './reference.ts'

/** How the text of a page is made. */
type PageContent = {
  /** Its script, a module of site/browser/. */
  readonly script: string
  /** Markdown file of the repository with the page's text. */
  readonly markdown?: string
  /** The page's text, if it is generated from the code. */
  readonly html?: () => string
}

export type SitePage = NamedPage & PageContent

const contents: Readonly<Record<(typeof sitePages)[number]['path'], PageContent>> = {
  '/': { script: 'home' },
  '/boards': { script: 'boards' },
  '/z100-index': { script: 'index-page' },
  '/trending': { script: 'trending' },
  '/rising': { script: 'rising' },
  '/new-launches': { script: 'launches' },
  '/recap': { script: 'recap' },
  '/live': { script: 'live' },
  '/proof': { script: 'proof' },
  '/status': { script: 'status-page' },
  '/token': { script: 'token' },
  '/creator': { script: 'creator' },
  '/wallet': { script: 'wallet' },
  '/search': { script: 'search' },
  '/account': { script: 'account' },
  '/docs/start': { script: 'document', markdown: 'site/start.md' },
  '/docs/api': { script: 'reference', html: referenceHtml },
  '/docs/stream': { script: 'document', markdown: 'stream/README.md' },
  '/docs/errors': { script: 'document', html: errorsHtml },
  '/docs/methodology': { script: 'document', markdown: 'market/README.md' },
  '/docs/changes': { script: 'document', markdown: 'CHANGELOG.md' },
}

/** All pages with what makes their texts. */
export const pages: readonly SitePage[] = sitePages.map((page) => ({ ...page, ...contents[page.path] }))

/** Object name of a page. */
export const objectOf = ({ path }: Pick<SitePage, 'path'>): string =>
  path === '/' ? SITE_ROOT_OBJECT : path.slice(1)
