import type { EdgeParameter, EdgeTable } from './canonical.js'
import { type Operation, operations, type PublishedName } from './operations.ts'
import type { Parameter } from './parameters.ts'

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

/** What the edge needs to spell a request in its canonical form: by path, the parameters that name its documents and the other parameters. */
export const edgeTable: EdgeTable = Object.fromEntries(
  Object.values<Operation>(operations).flatMap(({ path, documentParameters, rest }) =>
    documentParameters
      ? [[path, { documentParameters: documentParameters.map(forEdge), rest: rest.map(forEdge) }]]
      : [],
  ),
)

function forEdge({ names, values, fallback, same }: Parameter): EdgeParameter {
  return same?.length ? { names, values, fallback, same } : { names, values, fallback }
}

/** What of a request its answer repeats: the order of its list, `market_cap;desc`, and the length of time that it is of. */
export type AppliedParameters = { readonly sort?: string; readonly period?: string }

/** Where a list's order is chosen and what it is ordered by is not: swaps stand in the order of time. */
const OWN_SORT = 'timestamp'

/** What an operation does with a request: of its parameters in canonical spelling, by their first names; absent ones have their default. */
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
