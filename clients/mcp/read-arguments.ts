import { ECHO_LENGTH, InvalidParameterError, UnknownParameterError } from '../../schemas/api/errors.ts'
import { readQuery } from '../../schemas/api/request-query.ts'
import { type Argument, argumentsOf, operationOf, rowKeys } from './tool-schemas.ts'
import type { Tool } from './tools.ts'

/** What a model sent: a number may be text, what is absent null, and a list its JSON text. */
export type Given = Readonly<Record<string, unknown>>

/** What a tool is asked for. */
export type Asked = {
  readonly id: string | undefined
  /** Parameters that differ from those of the operation, by their first names. */
  readonly query: Readonly<Record<string, string>>
  /** The keys to answer; null: all. */
  readonly fields: readonly string[] | null
}

/** Reads the arguments of a tool as the API reads its parameters. Throws InvalidParameterError, or UnknownParameterError for an argument that the tool does not have. */
export function readArguments(tool: Tool, given: Given): Asked {
  const { fields, ...others } = given
  const { id, ...values } = readValues(argumentsOf(tool), others, ['fields'])
  const { documentParameters, rest } = operationOf(tool)
  const fallbacks = new Map(
    [...(documentParameters ?? []), ...rest].map(({ names, fallback }) => [names[0], fallback]),
  )
  const query = Object.entries(values).filter(([name, value]) => value !== fallbacks.get(name))
  const sorted = tool.sorts?.[values['sort_by'] ?? '']
  return {
    id,
    query: Object.fromEntries(query),
    fields: readFields(tool, fields) ?? (sorted && tool.fields ? [...tool.fields, sorted] : tool.fields),
  }
}

/** The values of arguments that were given or have a default, by the first names of their parameters. */
export function readValues(
  known: readonly Argument[],
  given: Given,
  others: readonly string[] = [],
): Readonly<Record<string, string>> {
  const sent = Object.fromEntries(
    Object.entries(given)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [name, [textOf(name, value)]]),
  )
  const { query, ignored } = readQuery(
    known.map(({ parameter }) => parameter),
    sent,
  )
  const [unknown] = ignored
  if (unknown !== undefined) {
    const allowed = [...known.map(({ name }) => name), ...others].join(', ')
    throw new UnknownParameterError({ parameter: unknown, provided: sent[unknown]?.[0] ?? '', allowed })
  }
  const found = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return Object.fromEntries(found)
}

/** A value as it stands in a query. */
function textOf(name: string, value: unknown): string {
  const [only, ...more] = Array.isArray(value) ? value : [value]
  if (more.length === 0 && ['string', 'number', 'boolean'].includes(typeof only)) return String(only)
  const provided = JSON.stringify(value).slice(0, ECHO_LENGTH)
  throw new InvalidParameterError({ parameter: name, provided, allowed: 'one text or number' })
}

/** The keys that are asked for: a list, its JSON text, or words with commas; null: none are. */
function readFields(tool: Tool, given: unknown): readonly string[] | null {
  const keys = (Array.isArray(given) ? given.map(String) : wordsIn(String(given ?? '')))
    .map((key) => key.trim().toLowerCase())
    .filter((key) => key !== '')
  if (keys.length === 0) return null
  if (keys.includes('*')) return ['*']
  const known = Object.keys(rowKeys(tool))
  const unknown = keys.filter((key) => !known.includes(key))
  if (unknown.length === 0) return keys
  const provided = unknown.join(', ').slice(0, ECHO_LENGTH)
  throw new InvalidParameterError({
    parameter: 'fields',
    provided,
    allowed: `["*"] or some of ${known.join(', ')}`,
  })
}

const wordsIn = (text: string): readonly string[] => text.replace(/["'[\]\s]+/g, ' ').split(/[ ,]+/)
