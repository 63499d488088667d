import { hasSyntax, spelt } from '../values/parameter-syntax.ts'
import { type Parameter, strict } from '../values/parameters.ts'
import { ignoredOf, type Query, readParameter } from './canonical.js'
import { ECHO_LENGTH, InvalidParameterError, UnknownParameterError } from './errors.ts'

/** The query of a request, checked and in canonical spelling. */
export type CheckedQuery = {
  /** Every parameter that was sent or has a default, by its first name. */
  readonly query: Readonly<Record<string, string | undefined>>
  /** Those that differ from their default, sorted by name; never `strict`. */
  readonly changed: Readonly<Record<string, string>>
  /** Unknown parameter names, sorted. */
  readonly ignored: readonly string[]
}

/** Reads the query of a request, for the API and the stream. Throws InvalidParameterError for the first parameter that is not allowed; with `strict` UnknownParameterError for one that nobody knows. */
export function readQuery(parameters: readonly Parameter[], sent: Query): CheckedQuery {
  // Lists as axios and PHP write them: taken for unknown names, their values would be dropped in silence.
  const known = new Set(parameters.flatMap(({ names }) => names))
  const bracketed = Object.keys(sent).find((name) => known.has(/^([^[]+)\[/.exec(name)?.[1] ?? ''))
  if (bracketed !== undefined)
    throw new InvalidParameterError(refused(bracketed, sent[bracketed] ?? [], PLAIN_NAME))
  const read = parameters.map((parameter) => {
    const value = checkedValue(parameter, sent)
    const isChanged = !readParameter(parameter, sent).isDefault && value !== parameter.fallback
    return { name: parameter.names[0], isChanged, value }
  })
  const ignored = ignoredOf({ documentParameters: [], rest: parameters }, sent)
  const [unknown] = ignored
  const isStrict = read.some(({ name, isChanged }) => name === strict.names[0] && isChanged)
  if (isStrict && unknown !== undefined) {
    const allowed = parameters.flatMap(({ names }) => names).join(', ')
    throw new UnknownParameterError(refused(unknown, sent[unknown] ?? [], allowed))
  }
  const changed = read.filter(({ name, isChanged }) => isChanged && name !== strict.names[0])
  return {
    query: Object.fromEntries(read.map(({ name, value }) => [name, value])),
    changed: Object.fromEntries(
      changed.map(({ name, value }) => [name, value ?? ''] as const).sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
    ignored,
  }
}

/** The value of a parameter; undefined: it was not sent and has no default. */
function checkedValue(parameter: Parameter, query: Query): string | undefined {
  const { names, values, syntax, isRequired } = parameter
  const { sent, value, isAllowed } = readParameter(parameter, query)
  const allowed = syntax?.allowed ?? values?.join(', ') ?? ''
  if (sent !== undefined) {
    const texts = query[sent] ?? []
    if (texts.length > 1) throw new InvalidParameterError(refused(sent, texts, 'one value'))
    if (!isAllowed || (syntax && value !== null && !hasSyntax(syntax, value))) {
      throw new InvalidParameterError(refused(sent, texts, allowed))
    }
  }
  if (value === null && isRequired) {
    throw new InvalidParameterError({ parameter: names[0], provided: null, allowed })
  }
  return value === null ? undefined : syntax ? spelt(syntax, value) : value
}

const PLAIN_NAME = 'one value under its name without brackets'

/** The part of a refusal that describes the value sent. */
const refused = (name: string, texts: readonly string[], allowed: string) => ({
  parameter: name.slice(0, ECHO_LENGTH),
  provided: provided(texts.join(', ')),
  allowed,
})

/** A value as it is repeated to its sender: an integer as a number, anything else as text of bounded length. */
const provided = (text: string): string | number =>
  /^-?\d{1,15}$/.test(text) ? Number(text) : text.slice(0, ECHO_LENGTH)
