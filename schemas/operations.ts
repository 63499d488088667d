import { BOARD_SIZE, DISCOVER_SIZE } from '../market/rules.ts'
import { trendingSorts } from '../market/trending.ts'
import type { Tier } from './access.ts'
import { launchFields, risingFields } from './discover-row.ts'
import { type JsonSchema, rowSchema, sortKeys } from './field.ts'
import { constituentsFields } from './index-constituents.ts'
import { allFields, statsFields, volumeFields } from './market-totals.ts'
import type { Parameter } from './parameters.ts'
import * as parameters from './parameters.ts'
import { statusSchema } from './service.ts'
import { boardFields, trendingFields } from './token-row.ts'
import { indexFields } from './z100-index.ts'

/**
 * One request of the API. `axes` are the parameters that name a published document, in the order of its name, and `rest`
 * the others; an operation with neither `axes` nor a document of its own has `axes: null` and is read from the tables.
 */
export type Operation = {
  readonly path: `/v1/${string}`
  readonly says: string
  readonly needs: 'nothing' | 'key'
  /** The least tier that may ask; absent: any. */
  readonly tier?: Tier
  /** Its answers are not counted against the hour's limit. */
  readonly isUncounted?: true
  readonly axes: readonly Parameter[] | null
  readonly rest: readonly Parameter[]
  /** JSON Schema of the answer to a canonical request. */
  readonly body: JsonSchema
  /** Absent: JSON. */
  readonly mediaType?: string
  readonly cacheControl: string
}

/** A document is overwritten once a minute: fresh for 20 s, and better old than none. */
const DOCUMENT_CACHE = 'public, max-age=20, stale-while-revalidate=10, stale-if-error=86400'

const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', maxItems: BOARD_SIZE, items })

const paging = [parameters.limit, parameters.offset]
const forms = [parameters.envelope, parameters.snapshot, parameters.strict]

const boardSorts = Object.keys(sortKeys(boardFields))

const board = (noun: string, path: `/v1/${string}`, ownSort: string): Operation => ({
  path,
  says: `The 100 ${noun} of the board, with their changes over a period`,
  needs: 'key',
  axes: [parameters.period],
  rest: [
    ...paging,
    parameters.sortBy(boardSorts, 'rank', [ownSort]),
    parameters.sortOrder,
    parameters.includeChanges,
    parameters.values,
    ...forms,
  ],
  body: listOf(rowSchema(boardFields)),
  cacheControl: DOCUMENT_CACHE,
})

/** A list of discovery: the document holds its first rows, as many as the limit's fallback says. */
const discovery = (says: string, path: `/v1/${string}`, items: JsonSchema): Operation => ({
  path,
  says,
  needs: 'key',
  axes: [],
  rest: [parameters.discoverLimit, parameters.offset, ...forms],
  body: { ...listOf(items), maxItems: DISCOVER_SIZE },
  cacheControl: DOCUMENT_CACHE,
})

/** Every operation of the API, by name. */
export const operations = {
  creators: board('creators', '/v1/z100/creators', 'value'),
  posts: board('posts', '/v1/z100/posts', 'engagement'),
  index: {
    path: '/v1/z100/index',
    says: 'The Z100 Index, and what both boards traded in a period',
    needs: 'key',
    axes: [parameters.period],
    rest: [parameters.strict],
    body: rowSchema(indexFields),
    cacheControl: DOCUMENT_CACHE,
  },
  constituents: {
    path: '/v1/z100/index/constituents',
    says: 'All members of the Z100 Index, the heaviest first, with their quantities and weights',
    needs: 'key',
    axes: [],
    rest: [parameters.strict],
    body: rowSchema(constituentsFields),
    cacheControl: DOCUMENT_CACHE,
  },
  all: {
    path: '/v1/all',
    says: 'Both boards and the index in a period, in one answer',
    needs: 'key',
    axes: [parameters.period],
    rest: [parameters.includeChanges, parameters.values, parameters.snapshot, parameters.strict],
    body: rowSchema(allFields),
    cacheControl: DOCUMENT_CACHE,
  },
  trending: {
    path: '/v1/market/trending',
    says: 'The first 100 of the tokens traded in a timeframe',
    needs: 'key',
    axes: [parameters.timeframe, parameters.sortBy(trendingSorts, 'volume', ['rank'])],
    rest: [...paging, parameters.sortOrder, ...forms],
    body: listOf(rowSchema(trendingFields)),
    cacheControl: DOCUMENT_CACHE,
  },
  volume: {
    path: '/v1/market/volume',
    says: 'Volume of all tokens in a period, in equal steps, and that of the period before',
    needs: 'key',
    axes: [parameters.period],
    rest: [parameters.strict],
    body: rowSchema(volumeFields),
    cacheControl: DOCUMENT_CACHE,
  },
  stats: {
    path: '/v1/market/stats',
    says: 'The whole market in figures',
    needs: 'key',
    axes: [],
    rest: [parameters.strict],
    body: rowSchema(statsFields),
    cacheControl: DOCUMENT_CACHE,
  },
  rising: discovery(
    'Tokens that more wallets move further in the last hour than in the day before it',
    '/v1/discover/rising',
    rowSchema(risingFields),
  ),
  launches: discovery(
    'Tokens created in the last 7 days, newest first',
    '/v1/discover/new-launches',
    rowSchema(launchFields),
  ),
  status: {
    path: '/v1/status',
    says: 'The newest snapshot and whether all of it is published',
    needs: 'nothing',
    axes: [],
    rest: [parameters.strict],
    body: statusSchema,
    cacheControl: DOCUMENT_CACHE,
  },
} as const satisfies Record<string, Operation>

export type OperationName = keyof typeof operations

/** A published document: its name is the path and the values of its axes; also its key in the bucket. */
export type DocumentName = `v1/${string}`
export type PublishedDocument = {
  readonly name: DocumentName
  readonly operation: OperationName
  /** Values of the axes, in their order. */
  readonly axes: readonly string[]
}

/** The name under which an operation's document with these values of its axes is published and stored. */
export const documentName = ({ path }: Pick<Operation, 'path'>, axes: readonly string[]): string =>
  [path.slice(1), ...axes].join('/')

/** Every document that is published, in the order of the operations. */
export const documents: readonly PublishedDocument[] = Object.entries<Operation>(operations).flatMap(
  ([name, operation]) =>
    (operation.axes ? combinations(operation.axes) : []).map((axes) => ({
      name: documentName(operation, axes) as DocumentName,
      operation: name as OperationName,
      axes,
    })),
)

/** Every choice of one value for each axis, words that mean the fallback left out. */
function combinations(axes: readonly Parameter[]): readonly (readonly string[])[] {
  return axes.reduce<readonly (readonly string[])[]>(
    (chosen, { values, same = [] }) =>
      chosen.flatMap((before) =>
        (values ?? []).filter((value) => !same.includes(value)).map((value) => [...before, value]),
      ),
    [[]],
  )
}

/** A parameter as the edge knows it. */
export type EdgeParameter = Pick<Parameter, 'values' | 'fallback' | 'same'> & {
  readonly names: readonly string[]
}

/** What the edge needs to spell a request in its canonical form: by path, the axes of its documents and the other parameters. */
export const edgeTable: Readonly<
  Record<string, { readonly axes: readonly EdgeParameter[]; readonly rest: readonly EdgeParameter[] }>
> = Object.fromEntries(
  Object.values<Operation>(operations).flatMap(({ path, axes, rest }) =>
    axes ? [[path, { axes: axes.map(forEdge), rest: rest.map(forEdge) }]] : [],
  ),
)

function forEdge({ names, values, fallback, same }: Parameter): EdgeParameter {
  return same?.length ? { names, values, fallback, same } : { names, values, fallback }
}
