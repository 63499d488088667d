/** A number that means time or size, the header for any origin and the list of pages stand in one file; all others import them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ESTree, parseSync, Visitor } from 'vite'
import { describe, expect, it } from 'vitest'
import { BOARD_SIZE } from '../market/rules.ts'
import { REBUILD_EVERY_SECONDS } from '../schemas/api/service.ts'
import { sitePages } from '../schemas/pages/site-pages.ts'
import { RECENT_SWAPS, REPLAY_SECONDS } from '../schemas/values/stream-times.ts'

const root = join(import.meta.dirname, '..')
const rooms =
  'market schemas store ingest snapshot stream lambdas admin cdk site dev/emulators dev/devnet dev/local'

const sources: ReadonlyMap<string, string> = new Map(
  rooms.split(' ').flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(ts|js|mjs)$/.test(file) && !/\.d\.ts$|node_modules/.test(file))
      .map((file) => [`${room}/${file}`, readFileSync(join(root, room, file), 'utf8')] as const),
  ),
)

/** A constant and the numbers that it is made of. */
type Constant = { readonly name: string; readonly values: readonly number[] }

/** Milliseconds of each unit that a name may end with. */
const units = { MS: 1, SECONDS: 1_000, MINUTES: 60_000, HOURS: 3_600_000, DAYS: 86_400_000 } as const

const arithmetic: Readonly<Record<string, (left: number, right: number) => number>> = {
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '+': (left, right) => left + right,
}

/** The value of an expression of numbers alone. */
function numberOf(node: ESTree.Node): number | undefined {
  if (node.type === 'Literal') return typeof node.value === 'number' ? node.value : undefined
  if (node.type === 'ParenthesizedExpression') return numberOf(node.expression)
  if (node.type !== 'BinaryExpression') return undefined
  const [left, right] = [numberOf(node.left), numberOf(node.right)]
  return left === undefined || right === undefined ? undefined : arithmetic[node.operator]?.(left, right)
}

/** The numbers of an initializer: its own, or those that a call gets. */
const numbersOf = (node: ESTree.Node): readonly number[] =>
  node.type === 'CallExpression'
    ? node.arguments.flatMap((argument) => numberOf(argument) ?? [])
    : [numberOf(node) ?? []].flat()

/** The text of a literal. */
const textOf = (node: ESTree.Node): string | undefined =>
  node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined

const paths = new Set<string>(sitePages.map(({ path }) => path))

function isPath(node: ESTree.Node | null): boolean {
  if (node?.type === 'ArrayExpression') return node.elements.length <= 2 && node.elements.some(isPath)
  if (node?.type === 'ObjectExpression')
    return node.properties.some((one) => one.type === 'Property' && isPath(one.value))
  return node !== null && paths.has(textOf(node) ?? '')
}

/** What a file declares or lists. */
function contentsOf(file: string, text: string) {
  const constants: Constant[] = []
  let hasAnyOrigin = false
  let pathsListed = 0
  const visitor = new Visitor({
    VariableDeclarator({ id, init }) {
      if (id.type === 'Identifier' && init) constants.push({ name: id.name, values: numbersOf(init) })
    },
    Property({ key, value }) {
      const isHeader = textOf(key)?.toLowerCase() === 'access-control-allow-origin'
      hasAnyOrigin ||= isHeader && textOf(value) !== undefined
    },
    ArrayExpression({ elements }) {
      pathsListed = Math.max(pathsListed, elements.filter(isPath).length)
    },
  })
  visitor.visit(parseSync(file, text).program)
  return { constants, hasAnyOrigin, pathsListed }
}

const unitOf = (name: string): number | undefined =>
  Object.entries(units).find(([unit]) => name.toUpperCase().endsWith(unit))?.[1]

/** A number with a home. `named`: what a copy of it would be called; `ms`: its time, or `count`: its size. */
type Homed = { readonly home: string; readonly named: RegExp } & (
  | { readonly ms: number }
  | { readonly count: number }
)

const homed: readonly Homed[] = [
  {
    home: 'schemas/values/stream-times.ts',
    named: /replay|recent|oldest|feed|backfill/i,
    ms: REPLAY_SECONDS * 1_000,
  },
  { home: 'schemas/values/stream-times.ts', named: /recent|backfill/i, count: RECENT_SWAPS },
  { home: 'schemas/api/service.ts', named: /rebuild|publish/i, ms: REBUILD_EVERY_SECONDS * 1_000 },
  { home: 'market/rules.ts', named: /board|^limit/i, count: BOARD_SIZE },
]

const isCopy = (one: Homed, { name, values }: Constant): boolean =>
  one.named.test(name) &&
  values.some((value) => ('ms' in one ? value * (unitOf(name) ?? 1_000) === one.ms : value === one.count))

/** Files that repeat what has its home elsewhere, each with what it repeats. */
function secondHomes(files: ReadonlyMap<string, string>): readonly string[] {
  const found: string[] = []
  for (const [file, text] of files) {
    const { constants, hasAnyOrigin, pathsListed } = contentsOf(file, text)
    if (hasAnyOrigin && file !== 'schemas/api/headers.ts') found.push(`${file}: access-control-allow-origin`)
    if (pathsListed > 2 && file !== 'schemas/pages/site-pages.ts') found.push(`${file}: a list of pages`)
    for (const constant of constants) {
      if (homed.some((one) => one.home !== file && isCopy(one, constant)))
        found.push(`${file}: ${constant.name}`)
    }
  }
  return found
}

describe('a number that means time or size', () => {
  it('has one home, as the header for any origin and the list of pages have', () => {
    expect(sources.size).toBeGreaterThan(300)
    expect(secondHomes(sources)).toEqual([])
  })

  it.each([
    ['the 24 hours of the stream', 'const RECENT_SECONDS = 24 * 3_600'],
    ['the same in milliseconds', 'const REPLAY_MS = 86_400_000'],
    ['the number of recent swaps', 'const RECENT_SWAPS = 10_000'],
    ['the interval of the rebuild', 'const REBUILD_EVERY_MS = 60_000'],
    ['the size of a board', 'const BOARD_ROWS = 100'],
    ['the bound of the limit', 'const limit = rows(100)'],
    ['the header for any origin', "const headers = { 'Access-Control-Allow-Origin': '*' }"],
    ['the navigation', "const links = [['/', 'Boards'], ['/rising', 'Rising'], ['/live', 'Live']]"],
    ['the list of pages', "const all = [{ path: '/' }, { path: '/search' }, { path: '/docs/api' }]"],
  ])('is found in a second file: %s', (_, text) => {
    const file = 'dev/local/planted.ts'
    const found = secondHomes(new Map([[file, text]]))
    expect(new Set(found.map((one) => one.split(':')[0]))).toEqual(new Set([file]))
  })
})
