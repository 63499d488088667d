/** The part of Markdown that this project's texts use, read into blocks; what shows them decides how. Nothing in it is HTML. */

/** A run of text inside a block. */
export type Inline =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'code'; readonly text: string }
  | { readonly is: 'strong'; readonly of: readonly Inline[] }
  | { readonly is: 'emphasis'; readonly of: readonly Inline[] }
  | { readonly is: 'link'; readonly to: string; readonly of: readonly Inline[] }

/** A block of text. Cells and items are runs of text; `level` is 1 to 6. */
export type Block =
  | { readonly is: 'heading'; readonly level: number; readonly of: readonly Inline[] }
  | { readonly is: 'paragraph'; readonly of: readonly Inline[] }
  | { readonly is: 'code'; readonly language: string; readonly text: string }
  | { readonly is: 'list'; readonly isOrdered: boolean; readonly items: readonly (readonly Inline[])[] }
  | {
      readonly is: 'table'
      readonly head: readonly (readonly Inline[])[]
      readonly rows: readonly (readonly (readonly Inline[])[])[]
    }

/** How a block begins, and how many lines it takes; the first that matches holds. */
type Rule = {
  readonly begins: RegExp
  readonly read: (lines: readonly string[], match: RegExpExecArray) => { block: Block; taken: number }
}

const ITEM = /^(?:[-*]|\d+\.) +/
const BEGINNING = /^(?:#{1,6} |```|\||(?:[-*]|\d+\.) )/

const rules: readonly Rule[] = [
  {
    begins: /^(#{1,6}) +(.*)$/,
    read: (_lines, [, marks = '', text = '']) => ({
      block: { is: 'heading', level: marks.length, of: inlines(text) },
      taken: 1,
    }),
  },
  {
    begins: /^```(\w*)/,
    read: (lines, [, language = '']) => {
      const length = lengthOf(lines.slice(1), (line) => !line.startsWith('```'))
      return {
        block: { is: 'code', language, text: lines.slice(1, 1 + length).join('\n') },
        taken: length + 2,
      }
    },
  },
  {
    begins: /^\|/,
    read: (lines) => {
      const length = lengthOf(lines, (line) => line.startsWith('|'))
      const [head = [], , ...rows] = lines.slice(0, length).map(cells)
      return { block: { is: 'table', head, rows }, taken: length }
    },
  },
  {
    begins: ITEM,
    read: (lines, [mark]) => {
      const length = lengthOf(lines, (line) => ITEM.test(line) || /^ {2,}\S/.test(line))
      const items: string[] = []
      for (const line of lines.slice(0, length)) {
        if (ITEM.test(line)) items.push(line.replace(ITEM, ''))
        else items.push(`${items.pop() ?? ''} ${line.trim()}`)
      }
      return { block: { is: 'list', isOrdered: /\d/.test(mark), items: items.map(inlines) }, taken: length }
    },
  },
  {
    begins: /^/,
    read: (lines) => {
      const length = Math.max(
        1,
        lengthOf(lines, (line) => line.trim() !== '' && !BEGINNING.test(line)),
      )
      return { block: { is: 'paragraph', of: inlines(lines.slice(0, length).join(' ')) }, taken: length }
    },
  },
]

/** The blocks of a text. */
export function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = []
  let lines: readonly string[] = text.split('\n')
  while (lines.length > 0) {
    const [first = ''] = lines
    if (first.trim() === '') {
      lines = lines.slice(1)
      continue
    }
    for (const { begins, read } of rules) {
      const match = begins.exec(first)
      if (!match) continue
      const { block, taken } = read(lines, match)
      blocks.push(block)
      lines = lines.slice(taken)
      break
    }
  }
  return blocks
}

const MARKS =
  /(`+)(.+?)\1|\*\*(.+?)\*\*|\[([^\]]+)\]\(([^)\s]+)\)|(?<![\w*])[*_](?![\s*_])(.+?)(?<![\s*_])[*_](?!\w)/g

/** The runs of a line of text. */
export function inlines(text: string): readonly Inline[] {
  const runs: Inline[] = []
  let from = 0
  for (const match of text.matchAll(MARKS)) {
    const [whole, , code, strong, label, to, emphasis] = match
    if (match.index > from) runs.push({ is: 'text', text: text.slice(from, match.index) })
    if (code !== undefined) runs.push({ is: 'code', text: code })
    else if (strong !== undefined) runs.push({ is: 'strong', of: inlines(strong) })
    else if (emphasis !== undefined) runs.push({ is: 'emphasis', of: inlines(emphasis) })
    else runs.push({ is: 'link', to: to ?? '', of: inlines(label ?? '') })
    from = match.index + whole.length
  }
  if (from < text.length) runs.push({ is: 'text', text: text.slice(from) })
  return runs
}

/** What the runs say, without their marks. */
export const plain = (runs: readonly Inline[]): string =>
  runs.map((run) => ('text' in run ? run.text : plain(run.of))).join('')

/** The name of a heading in addresses. */
export const anchorOf = (runs: readonly Inline[]): string =>
  plain(runs)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')

/** A bar inside code is written with a backslash before it. */
const cells = (line: string): readonly (readonly Inline[])[] =>
  line
    .replace(/^\||\|\s*$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => inlines(cell.trim().replaceAll('\\|', '|')))

function lengthOf(lines: readonly string[], belongs: (line: string) => boolean): number {
  const end = lines.findIndex((line) => !belongs(line))
  return end < 0 ? lines.length : end
}
