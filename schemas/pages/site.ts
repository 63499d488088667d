/** How the pages are served: the stacks, the edge and the local run read it. */
import { type DrawnPreview, PREVIEW_SIZE, previewKey } from './previews.ts'
import { siteFooter, siteNavigation, sitePages, tokenLists } from './site-pages.ts'

/** The service's address in documentation; pages replace it with their own origin. */
export const WRITTEN_ORIGIN = 'http://127.0.0.1:4100'

/** The object behind the address `/`. */
export const SITE_ROOT_OBJECT = 'index.html'

/** Files named by their content lie below it. */
const SITE_ASSETS = 'assets/'

/** The style of the pages under a name that stays, for a page that is made elsewhere. */
export const SITE_STYLE = 'style.css'

/** The script of a token's page, likewise. */
export const SITE_TOKEN_SCRIPT = 'token.js'

/** A token's page has an address of its own, `/token/0x…`, so that link previews name the token. */
export const TOKEN_PAGES = '/token/'

/** Addresses that lead to a page. */
export const REDIRECTS: Readonly<Record<string, string>> = { '/docs': '/docs/api', '/docs/': '/docs/api' }

/** The icon of the pages. */
export const SITE_ICON = 'icon.svg'

/** Icons of an installed page and the previews of links that never change, as PNG, under names that stay. */
export const SITE_IMAGES = `${SITE_ASSETS}share/`

/** The font of the pages: a part of Inter. Its name changes with its content. */
export const SITE_FONT = `${SITE_IMAGES}inter-1.woff2`

/** Stands in a built page for the address that it is served at; whoever puts it into a bucket puts that in its place. */
export const ORIGIN_MARK = '{{origin}}'

/** A picture that stands for a link: its path, and what is in it. */
type Preview = readonly [path: string, alt: string]

const drawn: Readonly<Record<DrawnPreview, Preview>> = {
  creators: [previewKey('creators'), 'The first five creator tokens of the Z100 with their figures'],
  posts: [previewKey('posts'), 'The first five post tokens of the Z100 with their figures'],
  index: [previewKey('index'), 'The Z100 Index: its value, the change of a day, and its last seven days'],
}

/** The pictures of a page, the one to be preferred first, by its path. @default the one below */
const previews: Readonly<Record<string, readonly Preview[]>> = {
  '/': [drawn.index],
  '/boards': [drawn.creators, drawn.posts],
  '/z100-index': [drawn.index],
  '/token': [[`${SITE_IMAGES}token.png`, 'Price, candles, holders and swaps of a token']],
}
const otherPreviews: readonly Preview[] = [[`${SITE_IMAGES}home.png`, 'z100: the market now']]

/** The web app manifest. */
export const SITE_MANIFEST = 'site.webmanifest'

/** Texts of the documentation as they are written, in Markdown, by the last part of their page's path. */
export const SITE_TEXTS = 'text/'

/** All of them in one, with the guide and the errors. */
export const SITE_WHOLE_TEXT = 'llms-full.txt'

/** The same beside each page of the documentation: its path with `.md`. */
const PAGE_TEXTS = sitePages.flatMap(({ path, group }) => (group === 'docs' ? [`${path.slice(1)}.md`] : []))

/** What an agent is told that reads this service. */
export const SITE_SKILL = 'skill.md'

/** The icon for who asks for it without reading a page. */
export const SITE_FAVICON = 'favicon.ico'

/** Whom to tell of a vulnerability (RFC 9116). */
export const SITE_SECURITY = '.well-known/security.txt'

/** Until when that holds; each release looks whether it is near. */
export const SECURITY_EXPIRES = '2027-12-31T00:00:00Z'

/** Where the API is described (RFC 9727). */
export const SITE_CATALOG = '.well-known/api-catalog'

/** The text of the methodology. */
export const METHODOLOGY_TEXT = `/${SITE_TEXTS}methodology.md`

/** Tells the pages the key that the operator gives to every reader of them, if there is one: `{"key": "z100_live_…"}`. */
export const SITE_CONFIG_OBJECT = 'config.json'

/** Files of `dist/site` that are not pages, by prefixes of their names; all others are HTML, whatever they are called. */
type SiteFile = {
  readonly prefixes: readonly [string, ...string[]]
  readonly contentType: string | null
  readonly cacheControl: string
}

/** Browsers revalidate a page each time; the edge caches it for a minute. */
export const PAGE_CACHE = 'public, max-age=0, s-maxage=60, must-revalidate'

/** How each file is stored: the first matching prefix applies. `contentType` null: by the file's extension. */
export const siteFiles: readonly SiteFile[] = [
  { prefixes: [SITE_ASSETS], contentType: null, cacheControl: 'public, max-age=31536000, immutable' },
  {
    prefixes: [SITE_CONFIG_OBJECT],
    contentType: 'application/json; charset=utf-8',
    cacheControl: 'no-cache',
  },
  {
    prefixes: [SITE_TEXTS, SITE_SKILL, ...PAGE_TEXTS],
    contentType: 'text/markdown; charset=utf-8',
    cacheControl: PAGE_CACHE,
  },
  {
    prefixes: [SITE_WHOLE_TEXT, SITE_SECURITY],
    contentType: 'text/plain; charset=utf-8',
    cacheControl: PAGE_CACHE,
  },
  { prefixes: [SITE_CATALOG], contentType: 'application/linkset+json', cacheControl: PAGE_CACHE },
  { prefixes: [SITE_FAVICON], contentType: 'image/x-icon', cacheControl: PAGE_CACHE },
  { prefixes: [SITE_ICON], contentType: 'image/svg+xml', cacheControl: PAGE_CACHE },
  { prefixes: [SITE_MANIFEST], contentType: 'application/manifest+json', cacheControl: PAGE_CACHE },
  { prefixes: [SITE_STYLE], contentType: 'text/css; charset=utf-8', cacheControl: PAGE_CACHE },
  { prefixes: [SITE_TOKEN_SCRIPT], contentType: 'text/javascript; charset=utf-8', cacheControl: PAGE_CACHE },
  { prefixes: [''], contentType: 'text/html; charset=utf-8', cacheControl: PAGE_CACHE },
]

/** How a file is stored. */
export const siteFileOf = (name: string): SiteFile | undefined =>
  siteFiles.find(({ prefixes }) => prefixes.some((prefix) => name.startsWith(prefix)))

/** A page may load its own files and call its own service. Trusted Types: a name from the chain cannot become markup. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** Headers of every page, also of those in frames. */
export const pageHeaders = {
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
}

/** Headers of every answer of the site, in addition to those of all answers. */
export const siteHeaders: Readonly<Record<string, string>> = {
  ...pageHeaders,
  'content-security-policy': contentSecurityPolicy,
  'x-frame-options': 'DENY',
}

// Without it, a browser asks for /favicon.ico.
const iconLink = `<link rel="icon" href="/${SITE_ICON}" type="image/svg+xml">
<link rel="apple-touch-icon" href="/${SITE_IMAGES}icon-180.png">`

/** Outlines of the navigation's icons, which a phone shows. */
const icons: Readonly<Record<string, string>> = {
  Home: 'M4 11l8-7 8 7v9h-5v-6H9v6H4z',
  Boards: 'M4 20v-8h5v8M9 20V5h6v15M15 20v-6h5v6',
  Tokens: 'M12 4a8 8 0 100 16 8 8 0 000-16zM9 12h6M12 9v6',
  Index: 'M4 18l5-6 4 3 7-9M15 6h5v5',
  Live: 'M13 3L5 14h6l-1 7 8-11h-6z',
  Watchlist: 'M12 4l2.4 5.2 5.6.7-4.1 3.9 1 5.6-4.9-2.7-4.9 2.7 1-5.6L4 9.9l5.6-.7z',
}

/** Text escaped for HTML, between tags and in quoted attributes. */
export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** Marks the link to the page itself. */
export const current = (isHere: boolean): string => (isHere ? ' aria-current="page"' : '')

/** The 404 page; it loads nothing but the style and the icon of the pages. */
export const notFoundPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Nothing here · z100</title>
${iconLink}
<link rel="stylesheet" href="/${SITE_STYLE}">
</head>
<body>
<header class="top"><a class="mark" href="/">z100</a>
<nav aria-label="Pages">${navigationHtml('')}</nav></header>
<main>
<div class="title"><h1>There is nothing at this address</h1>
<p><a href="/">The boards</a> lead to every page. The API lies below /v1: <a href="/docs/api">its reference</a>.</p></div>
</main>
</body>
</html>
`

/** Addresses of a page's assets. */
export type PageFiles = {
  readonly script: string
  readonly imports: readonly string[]
  readonly style: string
}

/** A page before it has its files. */
export type PageFrame = {
  readonly path: string
  /** Heading of the page. */
  readonly heading: string
  /** Title of the window and of a preview; may be untrusted text. */
  readonly title: string
  /** One sentence for search engines and previews; may be untrusted text. */
  readonly description: string
  readonly group: 'market' | 'docs'
  /** Where the page is served, or ORIGIN_MARK: addresses in previews have to be whole. */
  readonly origin: string
  /** Its own path, where that is not of one page alone. @default path */
  readonly ownPath?: string
  /** HTML between the head of the page and its text. */
  readonly sections?: string
}

/** A page as it is served. `text` is HTML of our own making. */
export function pageHtml(page: PageFrame, files: PageFiles, text: string): string {
  const { title } = page
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<meta name="description" content="${escaped(page.description)}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="z100">
<meta property="og:title" content="${escaped(title)}">
<meta property="og:description" content="${escaped(page.description)}">
<meta property="og:url" content="${escaped(page.origin + (page.ownPath ?? page.path))}">
${(previews[page.path] ?? otherPreviews).map((preview) => imageTags(page.origin, preview)).join('\n')}
<meta name="twitter:card" content="summary_large_image">
<meta name="theme-color" content="#fcfcfa" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#14161a" media="(prefers-color-scheme: dark)">
<meta name="color-scheme" content="light dark">
<link rel="manifest" href="/${SITE_MANIFEST}">
${iconLink}
<link rel="stylesheet" href="${files.style}">
<link rel="preload" href="/${SITE_FONT}" as="font" type="font/woff2" crossorigin>
<link rel="preload" href="/${SITE_CONFIG_OBJECT}" as="fetch" crossorigin>
${files.imports.map((file) => `<link rel="modulepreload" href="${file}">`).join('\n')}
<script type="module" src="${files.script}"></script>
</head>
<body data-group="${page.group}" data-page="${page.path}">
<a class="skip" href="#main">Skip to content</a>
<header class="top">
<a class="mark" href="/">z100</a>
<nav aria-label="Pages">${navigationHtml(page.path)}</nav>
<form class="find" role="search" action="/search" method="get">
<input type="search" name="q" aria-label="Find a token" placeholder="Find a token" maxlength="100" autocomplete="off" spellcheck="false">
</form>
<section id="freshness" class="freshness" data-state="unknown" aria-label="How fresh the figures are"><button type="button" aria-expanded="false" aria-controls="facts"><span class="dot"></span><span class="age">…</span><span class="unseen"> old: details</span></button><span role="status">Checking…</span><div id="facts" class="facts" hidden></div></section>
<div id="access"></div>
</header>
${page.sections ?? ''}
<main id="main" tabindex="-1">
<div class="title"><h1>${escaped(page.heading)}</h1><p>${escaped(page.description)}</p></div>
<noscript><p class="notice">This page reads the API with JavaScript. Without it, ask the API itself: <code>curl -H "Authorization: Bearer $KEY" …/v1/z100/creators</code>.</p></noscript>
${text}
</main>
<footer><nav aria-label="More pages">${linksHtml(siteFooter, page.path)}<a href="/v1/openapi.json">OpenAPI</a><a href="/llms.txt">llms.txt</a></nav><span>z100 is read-only. Names come from the chain; anybody can name a token anything. <a href="/docs/methodology">How the figures are made</a></span></footer>
</body>
</html>
`
}

/** Open Graph's tags of a picture. */
const imageTags = (origin: string, [path, alt]: Preview): string =>
  `<meta property="og:image" content="${escaped(`${origin}/${path}`)}">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="${PREVIEW_SIZE.width}">
<meta property="og:image:height" content="${PREVIEW_SIZE.height}">
<meta property="og:image:alt" content="${escaped(alt)}">`

/** Links to pages, the one to the page itself marked. */
export const linksHtml = (links: typeof siteFooter, here: string): string =>
  links.map(([path, label]) => `<a href="${path}"${current(path === here)}>${escaped(label)}</a>`).join('')

/** The navigation of a page; the lists of tokens are one entry, with tabs of their own. */
function navigationHtml(here: string): string {
  const isList = tokenLists.some(([path]) => path === here)
  const [first] = tokenLists
  return siteNavigation
    .map(([path, label]) => {
      const isHere = path === here || (isList && path === first?.[0])
      return `<a href="${path}"${current(isHere)}><svg viewBox="0 0 24 24" aria-hidden="true"><path d="${icons[label] ?? ''}"/></svg>${escaped(label)}</a>`
    })
    .join('')
}
