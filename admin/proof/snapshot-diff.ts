import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Option } from 'commander'
import type { Manifest } from '../../schemas/api/service.ts'
import { manifestKey } from '../../store/aws/tables.ts'
import { type CommandCall, type CommandGroup, commandOf, type ExitCode } from '../base/command.ts'
import { manifestOf, openStores, type ServiceStores } from '../base/deployment.ts'
import { OperatorFault } from '../base/terminal.ts'
import { type DocumentDiff, diffDocuments, type RowChange, type RowName } from './difference.ts'
import { rebuildAt, unlike } from './repair.ts'

type DiffFlags = { readonly document?: string }

/** Documents by name. */
type Side = ReadonlyMap<string, string>

/** Rows and fields that are printed of each kind; --document shows all. */
const SHOWN = 5

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
  // Both are looked up before either is rebuilt, which may take long.
  const [buildA, buildB] = [await sideOf(a, call), await sideOf(b, call)]
  const [before, after] = [await buildA(), await buildB()]
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

/** How to read one side: a snapshot's id is rebuilt from the log; anything else is a directory. Throws where there is no such snapshot. */
async function sideOf(name: string, call: CommandCall<DiffFlags>): Promise<() => Promise<Side>> {
  if (!/^\d{8}T\d{4}Z-[0-9a-f]{8}$/.test(name) || existsSync(join(name, manifestKey)))
    return directorySide(name)
  const stores = await openStores(await call.deployment())
  const manifest = await manifestOf(name, stores)
  return () => rebuiltSide({ id: name, stores, manifest }, call)
}

async function rebuiltSide(
  {
    id,
    stores,
    manifest,
  }: { readonly id: string; readonly stores: ServiceStores; readonly manifest: Manifest },
  call: CommandCall<DiffFlags>,
): Promise<Side> {
  const rebuilt = await rebuildAt(stores, manifest, call.progress)
  for (const name of unlike(manifest, rebuilt)) {
    call.warn(
      `${name} of ${id} is built from the log, and was published with another digest: see admin verify`,
    )
  }
  return new Map([...rebuilt.documents].map(([name, { bytes }]) => [name, Buffer.from(bytes).toString()]))
}

async function directorySide(dir: string): Promise<() => Promise<Side>> {
  const names = await namesIn(dir)
  return () => textsIn(dir, names)
}

async function textsIn(dir: string, names: readonly string[]): Promise<Side> {
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
      { cause: error },
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

export const groups: readonly CommandGroup[] = [
  { name: 'snapshot', description: 'Published snapshots', commands: [diffCommand] },
]
