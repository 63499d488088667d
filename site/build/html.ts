import { SITE_MANIFEST, siteNavigation } from '../../schemas/site.ts'
import { anchorOf, type Block, type Inline, inlines } from '../text/markdown.ts'
import type { Page } from './pages.ts'
import { pages } from './pages.ts'

/** Text as it stands in HTML, between tags and in quoted attributes. */
export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** What a page loads: addresses of its files. */
export type PageFiles = {
  readonly script: string
  readonly imports: readonly string[]
  readonly style: string
  readonly icon: string
}

/** A page as it is served. `text` is HTML of the build's own making. */
export function pageHtml(page: Page, files: PageFiles, text: string): string {
  const title =
    page.path === '/' ? 'z100: market data of creator tokens and post tokens' : `${page.title} · z100`
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
<link rel="icon" href="${files.icon}" type="image/svg+xml">
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
${page.group === 'docs' ? docsNavigation(page) : ''}
<main id="main" tabindex="-1">
<div class="title"><h1>${escaped(page.title)}</h1><p>${escaped(page.says)}</p></div>
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

const current = (isHere: boolean): string => (isHere ? ' aria-current="page"' : '')

function links(page: Page): string {
  return siteNavigation
    .map(([path, label]) => {
      const isHere = path === page.path || (path === START && page.group === 'docs')
      return `<a href="${path}"${current(isHere)}>${escaped(label)}</a>`
    })
    .join('')
}

function docsNavigation(page: Page): string {
  const items = pages
    .filter(({ group }) => group === 'docs')
    .map(({ path, title }) => `<a href="${path}"${current(path === page.path)}>${escaped(title)}</a>`)
  return `<nav class="sections" aria-label="Documentation">${items.join('')}</nav>`
}

/** Blocks as HTML. The first heading is left out: the page has its own. */
export const textHtml = (blocks: readonly Block[]): string =>
  `<article class="prose">${blocks
    .filter((block) => block.is !== 'heading' || block.level > 1)
    .map(blockHtml)
    .join('\n')}</article>`

function blockHtml(block: Block): string {
  if (block.is === 'heading')
    return `<h${block.level} id="${anchorOf(block.of)}">${runsHtml(block.of)}</h${block.level}>`
  if (block.is === 'paragraph') return `<p>${runsHtml(block.of)}</p>`
  if (block.is === 'code')
    return `<pre data-language="${escaped(block.language)}" tabindex="0"><code>${escaped(block.text)}</code></pre>`
  if (block.is === 'list') {
    const tag = block.isOrdered ? 'ol' : 'ul'
    return `<${tag}>${block.items.map((item) => `<li>${runsHtml(item)}</li>`).join('')}</${tag}>`
  }
  const hasHead = block.head.some((cell) => cell.length > 0)
  const head = hasHead
    ? `<thead><tr>${block.head.map((cell) => `<th scope="col">${runsHtml(cell)}</th>`).join('')}</tr></thead>`
    : ''
  const rows = block.rows.map((row) => `<tr>${row.map((cell) => `<td>${runsHtml(cell)}</td>`).join('')}</tr>`)
  return `<div class="scroll" tabindex="0"><table>${head}<tbody>${rows.join('')}</tbody></table></div>`
}

const tags = { strong: 'strong', emphasis: 'em' } as const

function runsHtml(runs: readonly Inline[]): string {
  return runs
    .map((run) => {
      if (run.is === 'text') return escaped(run.text)
      if (run.is === 'code') return `<code>${escaped(run.text)}</code>`
      if (run.is === 'link') return linkHtml(run.to, runsHtml(run.of))
      return `<${tags[run.is]}>${runsHtml(run.of)}</${tags[run.is]}>`
    })
    .join('')
}

/** A link into the repository leads nowhere here: its words stay. */
function linkHtml(to: string, label: string): string {
  return /^(https?:\/\/|#|\/)/.test(to) ? `<a href="${escaped(to)}">${label}</a>` : label
}

/** Words with code and emphasis in them, as HTML. */
export const lineHtml = (text: string): string => runsHtml(inlines(text))
