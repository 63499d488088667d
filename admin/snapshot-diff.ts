import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Option } from 'commander'
import { manifestKey } from '../store/tables.ts'
import { type CommandCall, type CommandGroup, commandOf, type ExitCode } from './command.ts'
import { openStores } from './deployment.ts'
import { identities } from './difference.ts'
import { manifestOf, readPublished } from './published.ts'
import { rebuildAt, unlike } from './repair.ts'
import { OperatorFault } from './terminal.ts'

type DiffFlags = { readonly document?: string }

/** Documents by name. */
type Side = ReadonlyMap<string, string>

/** Rows and fields that are printed of each kind; --document shows all. */
const SHOWN = 5

/** `admin snapshot diff`: 0 the same, 1 not the same, 2 one of them cannot be read. */
const diffCommand = commandOf<DiffFlags>({
  usage: 'diff <a> <b>',
  description:
    'Compares two snapshots, each an id or a directory: rows that entered, left, and fields that changed.',
  options: [
    new Option('--document <name>', 'only this document (v1/z100/creators/24h), with every row and field'),
  ],
  run: runDiff,
})

async function runDiff(call: CommandCall<DiffFlags>): Promise<ExitCode> {
  const { document } = call.options
  const [a, b] = call.args.map(String) as [string, string]
  const [before, after] = [await sideOf(a, call), await sideOf(b, call)]
  const names = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => name === (document ?? name),
  )
  if (names.length === 0)
    throw new OperatorFault(
      'UnknownDocument',
      `neither snapshot has a document ${JSON.stringify(document ?? '')}`,
    )
  const diffs = names.flatMap((name) => diffDocuments(name, before.get(name), after.get(name)) ?? [])
  if (call.isJson) call.say(JSON.stringify(diffs))
  else {
    for (const diff of diffs) for (const line of linesOf(diff, document ? Infinity : SHOWN)) call.say(line)
    call.say(`${diffs.length} of ${names.length} documents differ`)
  }
  return diffs.length > 0 ? 1 : 0
}

/** What is a snapshot's id is looked up and built from the log; anything else is a directory. */
async function sideOf(of: string, call: CommandCall<DiffFlags>): Promise<Side> {
  if (!/^\d{8}T\d{4}Z-[0-9a-f]{8}$/.test(of) || (await isSnapshotDir(of))) return directorySide(of)
  const stores = openStores(await call.deployment())
  const manifest = await manifestOf(of, await readPublished(stores), stores)
  const rebuilt = await rebuildAt(stores, manifest, call.progress)
  for (const name of unlike(manifest, rebuilt)) {
    call.warn(
      `${name} of ${of} is built from the log, and was published with another digest: see admin verify`,
    )
  }
  return new Map([...rebuilt.documents].map(([name, { bytes }]) => [name, Buffer.from(bytes).toString()]))
}

const isSnapshotDir = (dir: string): Promise<boolean> =>
  readFile(join(dir, manifestKey)).then(
    () => true,
    () => false,
  )

async function directorySide(dir: string): Promise<Side> {
  const names = await namesIn(dir)
  const texts = await Promise.all(
    names.map(async (name) => [name, await readFile(join(dir, name), 'utf8')] as const),
  )
  return new Map(texts)
}

async function namesIn(dir: string): Promise<readonly string[]> {
  try {
    const manifest = JSON.parse(await readFile(join(dir, manifestKey), 'utf8')) as { documents: object }
    return Object.keys(manifest.documents)
  } catch (error) {
    throw new OperatorFault(
      'NotASnapshot',
      `${dir} does not hold a snapshot: its ${manifestKey} cannot be read`,
      {
        cause: error,
      },
    )
  }
}

function* linesOf({ document, entered, left, changed }: DocumentDiff, shown: number): Generator<string> {
  yield `${document}: ${entered.length} entered, ${left.length} left, ${changed.length} changed`
  yield* few(entered, shown, (row) => `  + ${nameOf(row)}`)
  yield* few(left, shown, (row) => `  - ${nameOf(row)}`)
  yield* few(changed, shown, (change) => `  ~ ${changeText(change, shown)}`)
}

function* few<Item>(
  items: readonly Item[],
  shown: number,
  lineOf: (item: Item) => string,
): Generator<string> {
  for (const item of items.slice(0, shown)) yield lineOf(item)
  if (items.length > shown) yield `    and ${items.length - shown} more`
}

const nameOf = ({ list, name, place }: RowName): string => `${list ? `${list} ` : ''}${place}. ${name}`

function changeText({ row, fields }: RowChange, shown: number): string {
  const texts = fields
    .slice(0, shown)
    .map(({ field, before, after }) => `${field} ${textOf(before)} → ${textOf(after)}`)
  const more = fields.length > shown ? `, and ${fields.length - shown} more` : ''
  return `${row ? `${nameOf(row)}: ` : ''}${texts.join(', ')}${more}`
}

const textOf = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value))

/** What a document's lists and fields have become from one snapshot to another. Values are as in the documents. */
export type DocumentDiff = {
  readonly document: string
  /** Rows that only the second, or only the first, has. */
  readonly entered: readonly RowName[]
  readonly left: readonly RowName[]
  readonly changed: readonly RowChange[]
}

/** A row: its list within the document (empty: the document is the list), what names it, and its place from 1. */
export type RowName = { readonly list: string; readonly name: string; readonly place: number }

/** Fields of one row; of the document itself, `row` is null. Fields of objects within it have dots. */
export type RowChange = { readonly row: RowName | null; readonly fields: readonly FieldChange[] }

export type FieldChange = { readonly field: string; readonly before: unknown; readonly after: unknown }

type Fields = Readonly<Record<string, unknown>>
type Row = { readonly name: RowName; readonly fields: ReadonlyMap<string, unknown> }
type Flat = { readonly fields: Map<string, unknown>; readonly rows: Map<string, Row> }

/** Compares two versions of a document; null: nothing changed. An absent version has neither rows nor fields. */
export function diffDocuments(
  document: string,
  before: string | undefined,
  after: string | undefined,
): DocumentDiff | null {
  if (before === after) return null
  const [old, young] = [flatOf(before), flatOf(after)]
  const only = (some: Flat, others: Flat) =>
    [...some.rows].filter(([id]) => !others.rows.has(id)).map(([, { name }]) => name)
  const own = changesOf(old.fields, young.fields)
  const rows = [...young.rows].flatMap(([id, { name, fields }]): RowChange[] => {
    const was = old.rows.get(id)
    const changes = was ? changesOf(was.fields, fields) : []
    return changes.length > 0 ? [{ row: name, fields: changes }] : []
  })
  return {
    document,
    entered: only(young, old),
    left: only(old, young),
    changed: [...(own.length > 0 ? [{ row: null, fields: own }] : []), ...rows],
  }
}

function changesOf(
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
): readonly FieldChange[] {
  const fields = [...new Set([...after.keys(), ...before.keys()])]
  return fields
    .map((field) => ({ field, before: before.get(field), after: after.get(field) }))
    .filter((one) => !Object.is(one.before, one.after))
}

/** A document as its own fields and the rows of its lists. A list of plain values is a field of its own. */
function flatOf(text: string | undefined): Flat {
  const flat: Flat = { fields: new Map(), rows: new Map() }
  if (text !== undefined) flatten(JSON.parse(text) as unknown, '', flat)
  return flat
}

function flatten(value: unknown, path: string, into: Flat): void {
  if (Array.isArray(value) && value.every((one) => identityOf(one) !== undefined)) {
    for (const [at, row] of value.entries()) {
      const name: RowName = { list: path, name: identityOf(row) ?? '', place: at + 1 }
      into.rows.set(`${path} ${name.name}`, { name, fields: fieldsOf(row) })
    }
  } else if (isObject(value)) {
    for (const [key, below] of Object.entries(value)) flatten(below, path ? `${path}.${key}` : key, into)
  } else into.fields.set(path, Array.isArray(value) ? JSON.stringify(value) : value)
}

function fieldsOf(row: unknown): ReadonlyMap<string, unknown> {
  const flat: Flat = { fields: new Map(), rows: new Map() }
  if (isObject(row)) for (const [key, value] of Object.entries(row)) flatten(value, key, flat)
  return flat.fields
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function identityOf(row: unknown): string | undefined {
  if (!isObject(row)) return undefined
  const key = identities.find((identity) => row[identity] !== undefined)
  return key && String(row[key])
}

export const groups: readonly CommandGroup[] = [
  { name: 'snapshot', description: 'Published snapshots', commands: [diffCommand] },
]
