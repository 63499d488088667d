import { InvalidParameterError, RouteNotFoundError } from '../schemas/errors.ts'
import type { FixedName } from '../schemas/fixed-operations.ts'
import { documents, type Operation, type OperationName, operations } from '../schemas/operations.ts'
import type { Parameter } from '../schemas/parameters.ts'
import { everyOperation, type ReadName } from '../schemas/read-operations.ts'
import { canonical, provided } from './canonical-form.ts'
import { decoded } from './edge/canonical.js'
import type { Asked } from './endpoints/endpoint.ts'

export type RouteName = OperationName | ReadName | FixedName

/** A request that names an operation, before its parameters are checked. */
export type Route = {
  readonly name: RouteName
  readonly operation: Operation
  readonly id: string
  readonly sent: Query
}

/** All values sent by name, decoded. */
export type Query = Readonly<Record<string, readonly string[]>>

type Template = { readonly name: RouteName; readonly operation: Operation; readonly parts: readonly string[] }

const templates: readonly Template[] = Object.entries(everyOperation).map(([name, operation]) => ({
  name: name as RouteName,
  operation,
  parts: operation.path.split('/'),
}))

const canonicalTable = Object.fromEntries(
  Object.values(everyOperation).map(({ path, axes, rest }) => [path, { axes: axes ?? [], rest }]),
)

/**
 * The operation of a path as it was sent. `isForDocument`: the edge asks on behalf of a document that its bucket lacks, so
 * the path is the document's. Throws RouteNotFoundError, or InvalidParameterError for malformed percent-encoding.
 */
export function findRoute(path: string, query: Query, isForDocument: boolean): Route {
  if (decoded(path) === null) {
    const facts = { provided: path.slice(0, 128), allowed: 'percent-encoded UTF-8' }
    throw new InvalidParameterError({ parameter: 'path', ...facts })
  }
  const sent = path.split('/').map((part) => decoded(part) ?? '')
  if (sent.at(-1) === '') sent.pop()
  const found = (isForDocument && documentRoute(sent.join('/'))) || namedRoute(sent, query)
  if (!found) throw new RouteNotFoundError(path)
  return found
}

/** A path without an id is compared as a whole, as at the edge; an id may hold an encoded slash. */
function namedRoute(sent: readonly string[], query: Query): Route | undefined {
  const whole = sent.join('/')
  const named = templates.find(({ operation }) => operation.path === whole)
  if (named) return { name: named.name, operation: named.operation, id: '', sent: query }
  for (const { name, operation, parts } of templates) {
    const isPart = (part: string, at: number) =>
      part === sent[at] || (part === '{id}' && (sent[at] ?? '') !== '')
    if (parts.length !== sent.length || !parts.every(isPart)) continue
    return { name, operation, id: sent[parts.indexOf('{id}')] ?? '', sent: query }
  }
  return undefined
}

/** A document's own path is the request that it answers. */
function documentRoute(path: string): Route | undefined {
  const document = documents.find(({ name }) => `/${name}` === path)
  if (!document) return undefined
  const operation: Operation = operations[document.operation]
  const sent = (operation.axes ?? []).map(({ names }, at) => [names[0], [document.axes[at] ?? '']] as const)
  return { name: document.operation, operation, id: '', sent: Object.fromEntries(sent) }
}

/** What a route asks for, in canonical spelling and checked, and which names of its query nobody knows. */
export type Spelt = {
  readonly asked: Asked
  readonly ignored: readonly string[]
  readonly changed: Readonly<Record<string, string>>
}

/** Checks the parameters of a route. Throws InvalidParameterError for the first that is not allowed. */
export function spell({ operation, id, sent }: Route): Spelt {
  const spelling = canonical(canonicalTable, operation.path, sent)
  if (!spelling) throw new RouteNotFoundError(operation.path)
  if (spelling.invalid) throw new InvalidParameterError(spelling.invalid)
  const parameters = [...(operation.axes ?? []), ...operation.rest]
  const query = parameters.map((parameter) => {
    const value = spelling.parameters[parameter.names[0]] ?? parameter.fallback ?? undefined
    check(parameter, value)
    return [parameter.names[0], value] as const
  })
  return {
    asked: { id, query: Object.fromEntries(query) },
    ignored: spelling.ignored,
    changed: spelling.parameters,
  }
}

function check({ names, values, form, isRequired }: Parameter, value: string | undefined): void {
  const allowed = form?.allowed ?? values?.join(', ') ?? ''
  if (value === undefined) {
    if (isRequired) throw new InvalidParameterError({ parameter: names[0], provided: null, allowed })
  } else if (form && !form.admits(value)) {
    throw new InvalidParameterError({ parameter: names[0], provided: provided(value), allowed })
  }
}
