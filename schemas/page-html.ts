/** The frame of every page: what stands around its text. */
import { SITE_MANIFEST, siteNavigation } from './site.ts'

/** Text as it stands in HTML, between tags and in quoted attributes. */
export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** What a page loads: addresses of its files. */
export type PageFiles = {
  readonly script: string
  readonly imports: readonly string[]
  readonly style: string
  readonly icon?: string
}

/** A page before it has its files. */
export type PageFrame = {
  readonly path: string
  /** Heading of the page. */
  readonly heading: string
  /** Title of the window and of a preview; may be untrusted text. */
  readonly title: string
  /** One sentence for search engines and previews; may be untrusted text. */
  readonly says: string
  readonly group: 'market' | 'docs'
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
<meta name="description" content="${escaped(page.says)}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="z100">
<meta property="og:title" content="${escaped(title)}">
<meta property="og:description" content="${escaped(page.says)}">
<meta name="twitter:card" content="summary">
<meta name="color-scheme" content="light dark">
<link rel="manifest" href="/${SITE_MANIFEST}">
${files.icon === undefined ? '' : `<link rel="icon" href="${files.icon}" type="image/svg+xml">`}
<link rel="stylesheet" href="${files.style}">
${files.imports.map((file) => `<link rel="modulepreload" href="${file}">`).join('\n')}
<script type="module" src="${files.script}"></script>
</head>
<body data-group="${page.group}">
<a class="skip" href="#main">Skip to content</a>
<header class="top">
<a class="mark" href="/">z100</a>
<nav aria-label="Pages">${links(page)}</nav>
<form class="find" role="search" action="/search" method="get">
<input type="search" name="q" aria-label="Find a token" placeholder="Find a token" maxlength="128" autocomplete="off" spellcheck="false">
</form>
<div id="access"></div>
</header>
<section id="freshness" class="freshness" data-state="unknown" aria-label="How fresh the figures are"><span class="dot"></span><span role="status">Asking how fresh the figures are…</span></section>
${page.sections ?? ''}
<main id="main" tabindex="-1">
<div class="title"><h1>${escaped(page.heading)}</h1><p>${escaped(page.says)}</p></div>
<noscript><p class="notice">This page reads the API with JavaScript. Without it, ask the API itself: <code>curl -H "Authorization: Bearer $KEY" …/v1/z100/creators</code>.</p></noscript>
${text}
</main>
<footer><span>z100 is read-only. Names come from the chain; anybody can name a token anything.</span><span><a href="/docs/methodology">How the figures are made</a> · <a href="/v1/openapi.json">OpenAPI</a> · <a href="/llms.txt">llms.txt</a></span></footer>
</body>
</html>
`
}

/** The first page of the documentation: the navigation of every page leads there. */
const START = '/docs/start'

/** Marks the link to the page itself. */
export const current = (isHere: boolean): string => (isHere ? ' aria-current="page"' : '')

function links(page: PageFrame): string {
  return siteNavigation
    .map(([path, label]) => {
      const isHere = path === page.path || (path === START && page.group === 'docs')
      return `<a href="${path}"${current(isHere)}>${escaped(label)}</a>`
    })
    .join('')
}
