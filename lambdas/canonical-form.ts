import type { EdgeOperation, EdgeTable, Query, Read } from './edge/canonical.js'
import { documentOf, ignoredOf, operationPath, readParameter } from './edge/canonical.js'

/** A request in canonical form: at the edge as much of it as names a document, here the rest. */
export type Canonical = {
  /** The operation's. */
  readonly path: string
  /** `v1/z100/creators/24h`; null: the request names none, or is invalid. */
  readonly document: string | null
  /** Those that differ from their default, sorted by name; never `strict`. */
  readonly parameters: Readonly<Record<string, string>>
  /** Names sent that the operation does not know, sorted. */
  readonly ignored: readonly string[]
  /** The first parameter that is not allowed; with `strict`, one that nobody knows. */
  readonly invalid: InvalidDetails | null
}

/** What a reader is told of a parameter that is not allowed. */
export type InvalidDetails = {
  readonly parameter: string
  readonly provided: string | number
  readonly allowed: string
}

/** The canonical form of a path as it was sent and a query; null: no operation of the table has the path. */
export function canonical(table: EdgeTable, path: string, query: Query): Canonical | null {
  const name = operationPath(path)
  const operation = Object.hasOwn(table, name) ? table[name] : undefined
  if (operation === undefined) return null
  const read = [...operation.axes, ...operation.rest].map((parameter) => ({
    name: String(parameter.names[0]),
    ...readParameter(parameter, query),
  }))
  const ignored = ignoredOf(operation, query)
  const changed = read.filter((one) => !one.isDefault && one.name !== 'strict')
  const invalid = firstInvalid(operation, query, { read, ignored })
  return {
    path: name,
    document: invalid ? null : documentOf(name, operation, query),
    parameters: Object.fromEntries(
      changed.map((one) => [one.name, String(one.value)] as const).sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
    ignored,
    invalid,
  }
}

function firstInvalid(
  { axes, rest }: EdgeOperation,
  query: Query,
  asked: {
    readonly read: readonly (Read & { readonly name: string })[]
    readonly ignored: readonly string[]
  },
): InvalidDetails | null {
  const parameters = [...axes, ...rest]
  const details = (name: string, allowed: string) => ({
    parameter: name.slice(0, ECHO_LENGTH),
    provided: provided((query[name] ?? []).join(', ')),
    allowed,
  })
  for (const [at, { sent = '', isAllowed }] of asked.read.entries()) {
    if (isAllowed) continue
    const isRepeated = (query[sent] ?? []).length > 1
    return details(sent, isRepeated ? 'one value' : (parameters[at]?.values ?? []).join(', '))
  }
  const isStrict = asked.read.some((one) => one.name === 'strict' && !one.isDefault)
  const [unknown] = asked.ignored
  if (!isStrict || unknown === undefined) return null
  return details(unknown, parameters.flatMap(({ names }) => names).join(', '))
}

/** Longest name or value that is repeated to its sender, in UTF-16 units. */
const ECHO_LENGTH = 128

/** A value as it is repeated to its sender: an integer as a number, anything else as text of bounded length. */
export const provided = (text: string): string | number =>
  /^-?\d{1,15}$/.test(text) ? Number(text) : text.slice(0, ECHO_LENGTH)
