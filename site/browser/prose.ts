/** Markdown of the API's own description as elements. */
import { type Block, blocksOf, type Inline, inlines } from '../text/markdown.ts'
import { type Child, h } from './dom.ts'

/** A text of several paragraphs. */
export const prose = (text: string): Child => blocksOf(text).map(elementOf)

/** A line of text. */
export const line = (text: string): Child => inlines(text).map(runOf)

function elementOf(block: Block): Child {
  if (block.is === 'code') return h('pre', { tabindex: '0' }, h('code', {}, block.text))
  if (block.is === 'list')
    return h(
      block.isOrdered ? 'ol' : 'ul',
      {},
      block.items.map((item) => h('li', {}, item.map(runOf))),
    )
  // A description has neither headings nor tables of its own: their words are kept.
  if (block.is === 'table') return block.rows.map((row) => h('p', {}, row.flat().map(runOf)))
  return h('p', {}, block.of.map(runOf))
}

function runOf(run: Inline): Child {
  if (run.is === 'text') return run.text
  if (run.is === 'code') return h('code', {}, run.text)
  if (run.is === 'strong') return h('strong', {}, run.of.map(runOf))
  if (run.is === 'emphasis') return h('em', {}, run.of.map(runOf))
  const isLink = /^(https?:\/\/|\/|#)/.test(run.to)
  return isLink ? h('a', { href: run.to }, run.of.map(runOf)) : run.of.map(runOf)
}
