/** Small changes to a source file, each of which a test should notice. */
import ts from 'typescript'

export type Mutant = {
  readonly file: string
  readonly line: number
  readonly change: string
  readonly text: string
}

const operators: Readonly<Partial<Record<ts.SyntaxKind, string>>> = {
  [ts.SyntaxKind.LessThanToken]: '<=',
  [ts.SyntaxKind.LessThanEqualsToken]: '<',
  [ts.SyntaxKind.GreaterThanToken]: '>=',
  [ts.SyntaxKind.GreaterThanEqualsToken]: '>',
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: '!==',
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: '===',
  [ts.SyntaxKind.AmpersandAmpersandToken]: '||',
  [ts.SyntaxKind.BarBarToken]: '&&',
  [ts.SyntaxKind.PlusToken]: '-',
  [ts.SyntaxKind.MinusToken]: '+',
  [ts.SyntaxKind.AsteriskToken]: '/',
  [ts.SyntaxKind.SlashToken]: '*',
}

/** What may stand in place of a node. */
function replacementOf(node: ts.Node, text: string): string | undefined {
  if (ts.isBinaryExpression(node)) {
    const operator = operators[node.operatorToken.kind]
    if (!operator || ts.isStringLiteralLike(node.left) || ts.isStringLiteralLike(node.right)) return undefined
    return `${node.left.getText()} ${operator} ${node.right.getText()}`
  }
  if (node.kind === ts.SyntaxKind.TrueKeyword) return 'false'
  if (node.kind === ts.SyntaxKind.FalseKeyword) return 'true'
  if (ts.isNumericLiteral(node)) return `(${text} + 1)`
  if (ts.isBigIntLiteral(node)) return `(${text} + 1n)`
  if (ts.isConditionalExpression(node))
    return `${node.condition.getText()} ? ${node.whenFalse.getText()} : ${node.whenTrue.getText()}`
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return node.operand.getText()
  if (ts.isExpressionStatement(node)) return ';'
  return undefined
}

/** All mutants of a file, in the order of its text. Types and imports have none. */
export function mutantsOf(file: string, source: string): readonly Mutant[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)
  const mutants: Mutant[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return
    const from = node.getStart()
    const text = node.getText()
    const other = replacementOf(node, text)
    if (other !== undefined) {
      const line = tree.getLineAndCharacterOfPosition(from).line + 1
      const change = `${text.slice(0, 60)} → ${other.slice(0, 60)}`.replaceAll(/\s+/g, ' ')
      mutants.push({ file, line, change, text: source.slice(0, from) + other + source.slice(node.end) })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return mutants
}
