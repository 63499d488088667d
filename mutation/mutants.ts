/** Small changes to a source file, each of which a test should notice. */
import { parseSync } from 'vite'

export type Mutant = {
  readonly file: string
  readonly line: number
  readonly change: string
  readonly text: string
}

const operators: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
}

/** A node of the syntax tree (ESTree). */
type Node = { readonly type: string; readonly start: number; readonly end: number } & Readonly<
  Record<string, unknown>
>
const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string'
const isText = (node: unknown): boolean => isNode(node) && typeof node['value'] === 'string'

/** What may stand in place of a node. */
function replacementOf(node: Node, source: string): string | undefined {
  const text = (part: unknown) => (isNode(part) ? source.slice(part.start, part.end) : '')
  const { left, right, operator, value, test, consequent, alternate } = node
  if (/^(Binary|Logical)Expression$/.test(node.type)) {
    const other = operators[String(operator)]
    return other && !isText(left) && !isText(right) ? `${text(left)} ${other} ${text(right)}` : undefined
  }
  if (node.type === 'ConditionalExpression') return `${text(test)} ? ${text(alternate)} : ${text(consequent)}`
  if (node.type === 'UnaryExpression' && operator === '!') return text(node['argument'])
  if (node.type === 'ExpressionStatement') return ';'
  if (node.type !== 'Literal') return undefined
  if (typeof value === 'boolean') return String(!value)
  if (typeof value === 'number') return `(${text(node)} + 1)`
  return typeof value === 'bigint' ? `(${text(node)} + 1n)` : undefined
}

/** All mutants of a file, in the order of its text. Types and imports have none. */
export function mutantsOf(file: string, source: string): readonly Mutant[] {
  const mutants: Mutant[] = []
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit)
    if (!isNode(node) || /^TS(?!AsExpression|NonNull|Satisfies)|^ImportDeclaration$/.test(node.type)) return
    const other = replacementOf(node, source)
    if (other !== undefined) {
      const line = source.slice(0, node.start).split('\n').length
      const text = source.slice(node.start, node.end)
      const change = `${text.slice(0, 60)} → ${other.slice(0, 60)}`.replaceAll(/\s+/g, ' ')
      mutants.push({ file, line, change, text: source.slice(0, node.start) + other + source.slice(node.end) })
    }
    Object.values(node).forEach(visit)
  }
  visit(parseSync(file, source).program)
  return mutants
}
