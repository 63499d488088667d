import { current, escaped } from '../../schemas/page-html.ts'
import { anchorOf, type Block, type Inline } from '../text/markdown.ts'
import type { Page } from './pages.ts'
import { pages } from './pages.ts'

/** The pages of the documentation, on each of them. */
export function docsNavigation(page: Page): string {
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
    return `<div class="code"><pre tabindex="0"><code>${escaped(block.text)}</code></pre></div>`
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
