/** Markdown as blocks of text; what shows them decides how. Nothing in it is HTML. */
import { type MarkedToken, marked, type Token, type Tokens } from 'marked'

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
  | { readonly is: 'code'; readonly text: string }
  | { readonly is: 'list'; readonly isOrdered: boolean; readonly items: readonly (readonly Inline[])[] }
  | {
      readonly is: 'table'
      readonly head: readonly (readonly Inline[])[]
      readonly rows: readonly (readonly (readonly Inline[])[])[]
    }

/** The blocks of a text. */
export const blocksOf = (text: string): readonly Block[] =>
  (marked.lexer(text) as MarkedToken[]).flatMap(blockOf)

/** The runs of a line of text. */
export const inlines = (text: string): readonly Inline[] => runsOf(marked.Lexer.lexInline(text))

function blockOf(token: MarkedToken): readonly Block[] {
  switch (token.type) {
    case 'heading':
      return [{ is: 'heading', level: token.depth, of: runsOf(token.tokens) }]
    case 'code':
      return [{ is: 'code', text: token.text }]
    case 'list':
      return [
        { is: 'list', isOrdered: token.ordered, items: token.items.map(({ tokens }) => runsOf(tokens)) },
      ]
    case 'table': {
      const cells = (row: readonly Tokens.TableCell[]) => row.map(({ tokens }) => runsOf(tokens))
      return [{ is: 'table', head: cells(token.header), rows: token.rows.map(cells) }]
    }
    case 'space':
      return []
    default:
      return [{ is: 'paragraph', of: 'tokens' in token ? runsOf(token.tokens ?? []) : asText(token.raw) }]
  }
}

const asText = (text: string): readonly Inline[] => [{ is: 'text', text: text.replaceAll('\n', ' ') }]

/** What is neither code nor marked nor a link is text, HTML too. */
const runsOf = (tokens: readonly Token[]): readonly Inline[] =>
  (tokens as readonly MarkedToken[]).flatMap((token): readonly Inline[] => {
    switch (token.type) {
      case 'codespan':
        return [{ is: 'code', text: token.text }]
      case 'strong':
        return [{ is: 'strong', of: runsOf(token.tokens) }]
      case 'em':
        return [{ is: 'emphasis', of: runsOf(token.tokens) }]
      case 'link':
        return [{ is: 'link', to: token.href, of: runsOf(token.tokens) }]
      case 'escape':
        return asText(token.text)
      default:
        return 'tokens' in token && token.tokens ? runsOf(token.tokens) : asText(token.raw)
    }
  })

/** What the runs say, without their marks. */
const plain = (runs: readonly Inline[]): string =>
  runs.map((run) => ('text' in run ? run.text : plain(run.of))).join('')

/** The name of a heading in addresses. */
export const anchorOf = (runs: readonly Inline[]): string =>
  plain(runs)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
