import { appliedOf } from './documents.ts'
import { type ErrorCode, errorCodes } from './errors.ts'
import type { Json, JsonSchema } from './field.ts'
import { type AnswerHeaderName, answerHeaders } from './headers.ts'
import { type DescribedRefusal, errorSchema, refusalExamples, refusals } from './openapi-errors.ts'
import { listOrPage, mapValues, refTo, withForms, withRefs } from './openapi-schemas.ts'
import type { Operation, OperationName } from './operations.ts'
import * as parameters from './parameters.ts'

const JSON_TYPE = 'application/json'

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
/** Operations whose answers are of no moment of the chain. */
const timeless: ReadonlySet<string> = new Set<OperationName>(['openapi', 'llms', 'robots'])
const takes = ({ rest }: Operation, parameter: parameters.Parameter): boolean => rest.includes(parameter)

/** Names of the headers of a 200. */
function headerNamesOf(name: string, operation: Operation): readonly AnswerHeaderName[] {
  return [
    ...ofAnswers,
    ...(timeless.has(name) ? [] : [...provenance, 'X-Data-Stale' as const]),
    ...(isList(operation) ? [...pages, 'X-Total-Capped' as const] : []),
    ...appliedTo(operation),
    ...(operation.needs === 'nothing' ? [] : limits),
  ]
}

/** What an answer repeats of its request. */
function appliedTo(operation: Operation): readonly AnswerHeaderName[] {
  const { sort, period } = appliedOf(operation, {})
  return [...(sort ? ['X-Applied-Sort' as const] : []), ...(period ? ['X-Applied-Period' as const] : [])]
}

const headersFrom = (names: readonly AnswerHeaderName[]): Record<string, Json> =>
  Object.fromEntries(names.map((name) => [name, refTo('headers', name)]))

const cacheHeader = (operation: Operation): Json => ({
  description: operation.axes
    ? 'The first of these for the canonical request, which any cache may keep; the other for any other parameters.'
    : 'How long the answer may be kept.',
  required: true,
  schema: {
    type: 'string',
    enum: [...new Set([operation.cacheControl, ...(operation.axes ? ['no-store'] : [])])],
  },
})

/** What an operation answers with 200: its body in every form that its parameters can ask for. */
function schemaOf(name: string, operation: Operation): Json {
  const forms: Readonly<Record<string, readonly string[]>> = {
    creators: ['BoardRow', 'BoardRowWithoutChanges', 'CreatorRowDisplay'],
    posts: ['BoardRow', 'BoardRowWithoutChanges', 'PostRowDisplay'],
  }
  const canonical = withRefs(operation.body)
  const body = forms[name] ? withForms(canonical, forms[name]) : canonical
  return takes(operation, parameters.envelope) ? listOrPage(body as JsonSchema) : body
}

/** The responses of an operation, by status; `default` is what stands between it and its reader. */
export function responsesOf(name: string, operation: Operation, example: Json | undefined): Json {
  const media = operation.mediaType?.split(';')[0] ?? JSON_TYPE
  const headers = { 'Cache-Control': cacheHeader(operation), ...headersFrom(headerNamesOf(name, operation)) }
  return {
    '200': {
      description: `${operation.says}.`,
      headers,
      content: {
        [media]: { schema: schemaOf(name, operation), ...(example === undefined ? {} : { example }) },
      },
    },
    '304': refTo('responses', '304'),
    ...Object.fromEntries(statusesOf(operation).map((status) => [status, refTo('responses', status)])),
    default: refTo('responses', 'default'),
  }
}

/** Refusals that an operation knows. */
function statusesOf({ needs, path }: Operation): readonly string[] {
  const isOpen = needs === 'nothing'
  return Object.keys(refusals).filter((status) => {
    if (status === '404') return path.includes('{')
    return !(isOpen && ['401', '403', '429'].includes(status))
  })
}

/** A refusal of the API itself names the newest snapshot; the edge and the gateway know of none. */
const newestSnapshot = Object.fromEntries(
  ([...provenance, 'X-Data-Stale'] as const).map((name) => {
    const { says, schema } = answerHeaders[name]
    return [name, { description: says, schema }]
  }),
)

const refusalResponse = (refusal: DescribedRefusal): Json => ({
  description: refusal.says,
  headers: { ...headersFrom([...always, ...refusal.headers, ...limits]), ...newestSnapshot },
  content: { [JSON_TYPE]: { schema: errorSchema(refusal.codes), examples: refusalExamples(refusal) } },
})

/** The responses that operations refer to. */
export const responseComponents: Readonly<Record<string, Json>> = {
  '304': {
    description:
      'The reader has these bytes already: If-None-Match named them. It has no body, and the headers of the 200.',
    headers: headersFrom(['ETag', ...limits]),
  },
  ...mapValues(refusals, refusalResponse),
  default: {
    description: 'Any other refusal, of the service or of the network before it: the same shape.',
    content: { [JSON_TYPE]: { schema: errorSchema(Object.keys(errorCodes) as ErrorCode[]) } },
  },
}

/** The headers that responses refer to. */
export const headerComponents: Readonly<Record<string, Json>> = mapValues(
  answerHeaders,
  (header: (typeof answerHeaders)[AnswerHeaderName]) => ({
    description: header.says,
    required: 'isSure' in header,
    schema: header.schema,
  }),
)
