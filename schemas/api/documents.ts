import type { Parameter } from '../values/parameters.ts'
import type { EdgeTable } from './canonical.js'
import type { Operation } from './operation.ts'
import { operations, type PublishedName } from './operations.ts'

/** A published document: its name is the path and the values of its parameters; also its key in the bucket. */
type DocumentName = `v1/${string}`
type PublishedDocument = {
  readonly name: DocumentName
  readonly operation: PublishedName
  /** Values of the parameters that name it, in their order. */
  readonly parameterValues: readonly string[]
}

/** The name under which an operation's document with these values of its parameters is published and stored. */
export const documentName = ({ path }: Pick<Operation, 'path'>, parameterValues: readonly string[]): string =>
  [path.slice(1), ...parameterValues].join('/')

/** Both boards of the period whose price change is change_7d. */
export const weekBoards = {
  creators: documentName(operations.creators, ['7d']),
  posts: documentName(operations.posts, ['7d']),
} as const

/** Between a document's name and a UTC hour, such as `2026-11-01T10`: the edge asks the API for the document as of then. */
export const PAST_MARK = '/as-of/'

/** The document and the `as_of` (undefined: now) that a name such as the edge asks for stands for. */
export function pastDocument(name: string): { readonly name: string; readonly asOf: string | undefined } {
  const [document = '', hour] = name.split(PAST_MARK)
  return { name: document, asOf: hour && `${hour}:00Z` }
}

/** Every document that is published, in the order of the operations. */
export const documents: readonly PublishedDocument[] = Object.entries<Operation>(operations).flatMap(
  ([name, operation]) =>
    (operation.documentParameters ? combinations(operation.documentParameters) : []).map(
      (parameterValues) => ({
        name: documentName(operation, parameterValues) as DocumentName,
        operation: name as PublishedName,
        parameterValues,
      }),
    ),
)

/** Every choice of one value for each parameter, words that mean the fallback left out. */
function combinations(parameters: readonly Parameter[]): readonly (readonly string[])[] {
  return parameters.reduce<readonly (readonly string[])[]>(
    (chosen, { values, same = [] }) =>
      chosen.flatMap((before) =>
        (values ?? []).filter((value) => !same.includes(value)).map((value) => [...before, value]),
      ),
    [[]],
  )
}

/**
 * What the edge needs to spell a request in its canonical form: by path, the parameters that name its documents and the
 * others, of which it only checks for the default.
 */
export const edgeTable: EdgeTable = Object.fromEntries(
  Object.values<Operation>(operations).flatMap(({ path, documentParameters, rest }) => {
    if (!documentParameters) return []
    const named = documentParameters.map(({ names, values, ...each }) => ({
      names,
      values,
      ...defaultOf(each),
    }))
    const others = rest.map(({ names, ...each }) => ({ names, ...defaultOf(each) }))
    return [[path, { documentParameters: named, rest: others }]]
  }),
)

function defaultOf({ fallback, same }: Pick<Parameter, 'fallback' | 'same'>) {
  return same?.length ? { fallback, same } : { fallback }
}

/** Parameters that an answer repeats in headers: the order of its list, `market_cap;desc`, and its period. */
export type AppliedParameters = { readonly sort?: string; readonly period?: string }

/** The sort of lists that only take an order: swaps are ordered by time. */
const OWN_SORT = 'timestamp'

/** The sort and period of a request, from its parameters in canonical spelling by first name; absent ones have their default. */
export function appliedOf(
  { documentParameters, rest }: Pick<Operation, 'documentParameters' | 'rest'>,
  sent: Readonly<Record<string, string | undefined>>,
): AppliedParameters {
  const known = [...(documentParameters ?? []), ...rest].map(
    ({ names, fallback }) => [names[0], sent[names[0]] ?? fallback] as const,
  )
  const { timeframe, sort_by: sort, sort_order: order } = Object.fromEntries(known)
  return {
    ...(order ? { sort: `${sort ?? OWN_SORT};${order}` } : {}),
    ...(timeframe ? { period: timeframe } : {}),
  }
}
