import { Marked, type Tokens } from 'marked'
import { escaped } from '../../schemas/pages/site.ts'

/** Languages of example requests, by the word before `request` in a code block's info string. */
const languages = { curl: 'curl', js: 'JavaScript', python: 'Python' }

const languageChoice = `<div class="samples choice" role="group" aria-label="Language">${Object.entries(
  languages,
)
  .map(([language, name]) => `<button type="button" value="${language}">${name}</button>`)
  .join('')}</div>`

/** A code block; one in curl starts a request, followed by the same in other languages. */
export function codeHtml(text: string, label: string, language = ''): string {
  const shownIn = language === '' ? '' : ` data-language="${language}"`
  const code = `<pre tabindex="0" aria-label="${escaped(label)}"><code>${escaped(text)}</code></pre>`
  return `${language === 'curl' ? languageChoice : ''}<div class="code"${shownIn}>${code}</div>`
}

const cells = (tag: 'th scope="col"' | 'td', texts: readonly string[]): string =>
  `<tr>${texts.map((text) => `<${tag}>${text}</${tag.slice(0, 2)}>`).join('')}</tr>`

export function tableHtml(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  label = 'Table',
): string {
  const hasHead = head.some((text) => text !== '')
  const body = `<tbody>${rows.map((row) => cells('td', row)).join('')}</tbody>`
  return `<div class="scroll" tabindex="0" role="region" aria-label="${escaped(label)}"><table>${hasHead ? `<thead>${cells('th scope="col"', head)}</thead>` : ''}${body}</table></div>`
}

/**
 * Renders Markdown with HTML and images as text. The first heading is omitted, since a page has its own, and links into
 * the repository become plain text.
 */
const markdown = new Marked({
  renderer: {
    html: ({ text }) => escaped(text),
    image: ({ text }) => escaped(text),
    checkbox: () => '',
    code: ({ text, lang }) => codeHtml(text, 'Code', /^(\w+) request$/.exec(lang ?? '')?.[1]),
    heading({ depth, tokens, text }) {
      const id = text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-')
      if (depth === 1) return ''
      return `<h${depth} id="${id.replace(/^-|-$/g, '')}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    link({ href, tokens }) {
      const label = this.parser.parseInline(tokens)
      return /^(https?:\/\/|#|\/)/.test(href) ? `<a href="${escaped(href)}">${label}</a>` : label
    },
    table({ header, rows }) {
      const texts = (row: readonly Tokens.TableCell[]) =>
        row.map(({ tokens }) => this.parser.parseInline(tokens))
      return tableHtml(texts(header), rows.map(texts))
    },
  },
})

/** A text of several paragraphs. */
export const textHtml = (text: string): string =>
  `<article class="prose">${markdown.parse(text, { async: false }).trim()}</article>`

export const lineHtml = (text: string): string => String(markdown.parseInline(text, { async: false }))
