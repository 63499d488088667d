import { appliedOf } from '../api/documents.ts'
import { ApiError, type ErrorCode, errorBody, errorCodes } from '../api/errors.ts'
import { type AnswerHeaderName, answerHeaders } from '../api/headers.ts'
import type { Operation } from '../api/operation.ts'
import type { OperationName } from '../api/operations.ts'
import type { Json, JsonSchema } from '../values/field.ts'
import * as parameters from '../values/parameters.ts'
import { type DescribedRefusal, errorSchema, refusals } from './openapi-refusals.ts'
import {
  componentName,
  mapValues,
  pageOf,
  refTo,
  schemaComponents,
  withRefs,
  withVariants,
} from './openapi-schemas.ts'

const bodyOf = (error: Error) => errorBody(error, '0f6a1e0c-3a55-4b6f-9f0e-2d6c1b7a9e42')
const isAnswerHeader = (name: string): name is AnswerHeaderName => Object.hasOwn(answerHeaders, name)

/** The media type of every answer that is described. */
export const JSON_TYPE = 'application/json'

const provenance: readonly AnswerHeaderName[] = [
  'X-Snapshot-Id',
  'X-Data-Block',
  'X-Data-Block-Hash',
  'X-Data-Time',
]
const pages: readonly AnswerHeaderName[] = [
  'X-Total-Count',
  'X-Page-Count',
  'X-Current-Page',
  'X-Per-Page',
  'Link',
]
const limits: readonly AnswerHeaderName[] = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
]
const always: readonly AnswerHeaderName[] = ['X-Request-Id', 'X-Cache', 'Age']
const ofAnswers: readonly AnswerHeaderName[] = [
  ...always,
  ...(['ETag', 'Server-Timing', 'X-Ignored-Parameters'] as const),
]

const isList = ({ body }: Operation): boolean => body['type'] === 'array'
/** Operations whose answers say nothing of the market: only a deployment changes them. */
export const timeless: ReadonlySet<string> = new Set<OperationName>(['openapi'])
const takes = ({ rest }: Operation, parameter: parameters.Parameter): boolean => rest.includes(parameter)

/** Names of the headers of a 200. */
function headerNamesOf(name: string, operation: Operation): readonly AnswerHeaderName[] {
  return [
    ...ofAnswers,
    ...(timeless.has(name) ? [] : [...provenance, 'X-Data-Stale' as const]),
    ...(isList(operation) ? [...pages, 'X-Total-Capped' as const] : []),
    ...(takes(operation, parameters.addresses) ? ['X-Unknown-Addresses' as const] : []),
    ...(name === ('screener' satisfies OperationName) ? ['X-Left-Out' as const] : []),
    ...appliedTo(operation),
    ...(operation.needs === 'nothing' ? [] : limits),
  ]
}

/** Parts of the request that an answer repeats. */
function appliedTo(operation: Operation): readonly AnswerHeaderName[] {
  const { sort, period } = appliedOf(operation, {})
  return [...(sort ? ['X-Applied-Sort' as const] : []), ...(period ? ['X-Applied-Period' as const] : [])]
}

const headersFrom = (names: readonly AnswerHeaderName[]): Record<string, Json> =>
  Object.fromEntries(names.map((name) => [name, refTo('headers', componentName(name))]))

const cacheHeader = (operation: Operation): Json => ({
  description: operation.documentParameters
    ? 'The first value for the canonical request, which any cache may store; the second for any other parameters.'
    : operation.lastingCacheControl
      ? 'The second value if the answer can no longer change.'
      : 'How long the answer may be cached.',
  required: true,
  schema: {
    type: 'string',
    enum: [
      ...new Set([
        operation.cacheControl,
        ...(operation.documentParameters ? ['no-store'] : []),
        ...(operation.lastingCacheControl ? [operation.lastingCacheControl] : []),
      ]),
    ],
  },
})

/** Rows of boards in the variants that `include_changes` and `values` ask for, by operation. */
const otherRows: Readonly<Record<string, readonly string[]>> = {
  creators: ['BoardRowWithoutChanges', 'CreatorRowDisplay'],
  posts: ['BoardRowWithoutChanges', 'PostRowDisplay'],
  all: ['BoardRowWithoutChanges', 'CreatorRowDisplay', 'PostRowDisplay'],
} satisfies Partial<Record<OperationName, readonly string[]>>

/**
 * The bodies that parameters can ask for instead of the plain one. Beside the response's schema and not in it: a type of
 * two shapes has the fields of neither.
 */
function otherFormsOf(name: string, operation: Operation): { readonly [key: string]: Json } {
  const plain = name === 'all' ? (schemaComponents['Boards'] ?? null) : withRefs(operation.body)
  const body = withVariants(plain, ['BoardRow', ...(otherRows[name] ?? [])])
  const isPaged = takes(operation, parameters.envelope)
  const all = [...(otherRows[name] ? [body] : []), ...(isPaged ? [pageOf(body as JsonSchema)] : [])]
  return all.length > 0 ? { 'x-other-forms': all } : {}
}

/** The responses of an operation by status; `default`: errors of the network before it. */
export function responsesOf(name: string, operation: Operation, example: Json | undefined): Json {
  const headers = { 'Cache-Control': cacheHeader(operation), ...headersFrom(headerNamesOf(name, operation)) }
  return {
    '200': {
      description: `${operation.description}.`,
      headers,
      content: {
        [JSON_TYPE]: { schema: withRefs(operation.body), ...(example === undefined ? {} : { example }) },
      },
      ...otherFormsOf(name, operation),
    },
    '304': refTo('responses', NOT_MODIFIED),
    ...Object.fromEntries(
      statusesOf(operation).map((status) => [status, refTo('responses', refusals[status]?.name ?? OTHER)]),
    ),
    default: refTo('responses', OTHER),
  }
}

/** Errors that an operation can answer. */
function statusesOf({ needs, path, mayBeAbsent }: Operation): readonly string[] {
  const isOpen = needs === 'nothing'
  return Object.keys(refusals).filter((status) => {
    if (status === '404') return path.includes('{') || mayBeAbsent === true
    return !(isOpen && ['401', '403', '429'].includes(status))
  })
}

/** Optional in errors: the API names the newest snapshot, the edge and the gateway do not. */
const newestSnapshot = Object.fromEntries(
  ([...provenance, 'X-Data-Stale'] as const).map((name) => {
    const { description, schema } = answerHeaders[name]
    return [name, { description, schema }]
  }),
)

function refusalResponse({ description, examples }: DescribedRefusal): Json {
  const errors = Object.values(examples)
  const codes = new Set(errors.map((error) => bodyOf(error).error.code))
  const own = errors.flatMap((error) => (error instanceof ApiError ? Object.keys(error.headers) : []))
  return {
    description,
    headers: { ...headersFrom([...always, ...own.filter(isAnswerHeader), ...limits]), ...newestSnapshot },
    content: {
      [JSON_TYPE]: {
        schema: errorSchema([...codes]),
        examples: mapValues(examples, (error) => ({ value: bodyOf(error) as Json })),
      },
    },
  }
}

/** The responses without a refusal of their own. */
const [NOT_MODIFIED, OTHER] = ['NotModified', 'OtherError']

/** The responses that operations refer to. */
export const responseComponents: Readonly<Record<string, Json>> = {
  [NOT_MODIFIED]: {
    description:
      'Unchanged: If-None-Match named the current ETag. No body; the headers are those of the 200.',
    headers: headersFrom(['ETag', ...limits]),
  },
  ...Object.fromEntries(Object.values(refusals).map((each) => [each.name, refusalResponse(each)])),
  [OTHER]: {
    description: 'Any other error of the service or its network, in the same shape.',
    content: { [JSON_TYPE]: { schema: errorSchema(Object.keys(errorCodes) as ErrorCode[]) } },
  },
}

/** The headers that responses refer to. */
export const headerComponents: Readonly<Record<string, Json>> = Object.fromEntries(
  Object.entries(answerHeaders).map(([name, header]) => [
    componentName(name),
    { description: header.description, required: 'isSure' in header, schema: header.schema },
  ]),
)
