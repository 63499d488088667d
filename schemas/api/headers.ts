import type { JsonSchema } from '../values/field.ts'
import { ALLOWED_METHODS } from './errors.ts'

/** A header of an answer, as OpenAPI describes it. `isSure`: required wherever it is listed. */
export type AnswerHeader = {
  readonly description: string
  readonly schema: JsonSchema
  readonly isSure?: true
}

const text: JsonSchema = { type: 'string' }
const whole: JsonSchema = { type: 'integer', minimum: 0 }
const one: JsonSchema = { type: 'integer', minimum: 1 }
const time: JsonSchema = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$' }

/** Headers of answers; pages of other origins may read each of them (CORS). */
export const answerHeaders = {
  Age: { description: 'Seconds that the answer has been in a cache.', schema: whole },
  Allow: { description: 'The methods that every path supports.', schema: text, isSure: true },
  ETag: {
    description: 'Identifies these bytes: send it as If-None-Match, and an unchanged answer is a 304.',
    schema: text,
    isSure: true,
  },
  Link: {
    description:
      'Pages around this one (RFC 8288): first, prev, next, last; only next for lists that page by time or cursor.',
    schema: text,
  },
  'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: one, isSure: true },
  'Server-Timing': { description: 'Milliseconds that reading took.', schema: text },
  'X-Cache': { description: 'Whether the answer came from a cache.', schema: text },
  'X-Request-Id': {
    description: 'Identifies this request; errors repeat it as request_id.',
    schema: text,
    isSure: true,
  },
  'X-Ignored-Parameters': {
    description: 'Parameters that this operation does not know, percent-encoded, separated by commas.',
    schema: text,
  },
  'X-Unknown-Addresses': {
    description: 'Of the addresses asked for, those of no token, separated by commas.',
    schema: text,
  },
  'X-Total-Count': {
    description:
      'Rows in the list; for lists that page by time or cursor, those from this page on. With X-Total-Capped, at least this many.',
    schema: whole,
    isSure: true,
  },
  'X-Total-Capped': {
    description: 'X-Total-Count is only what is known; the list may go on at the link to its next page.',
    schema: { type: 'string', const: 'true' },
  },
  'X-Left-Out': {
    description: 'Tokens traded in the last 24 hours that the screener has no place for.',
    schema: whole,
    isSure: true,
  },
  'X-Page-Count': { description: 'Pages of the list at this limit.', schema: whole, isSure: true },
  'X-Current-Page': { description: 'Number of this page, starting at 1.', schema: one, isSure: true },
  'X-Per-Page': { description: 'Rows of a page: the limit.', schema: one, isSure: true },
  'X-Applied-Sort': {
    description: 'The sort key and order: `market_cap;desc`.',
    schema: { type: 'string', pattern: '^\\w+;(asc|desc)$' },
    isSure: true,
  },
  'X-Applied-Period': { description: 'The period of the answer: `24h`.', schema: text, isSure: true },
  'X-Snapshot-Id': {
    description: 'Id of the snapshot that the figures come from.',
    schema: text,
    isSure: true,
  },
  'X-Data-Block': { description: 'Last block included in the figures.', schema: whole, isSure: true },
  'X-Data-Block-Hash': {
    description: 'Its hash.',
    schema: { type: 'string', pattern: '^0x[0-9a-f]{64}$' },
    isSure: true,
  },
  'X-Data-Time': { description: 'The time of the figures, ISO 8601.', schema: time, isSure: true },
  'X-Data-Stale': {
    description: 'The figures are older than five minutes; v1/status says why.',
    schema: { type: 'string', const: 'true' },
  },
  'X-RateLimit-Limit': { description: 'Requests allowed per UTC hour.', schema: one },
  'X-RateLimit-Remaining': { description: 'Requests left in this hour.', schema: whole },
  'X-RateLimit-Reset': { description: 'End of the hour, Unix seconds.', schema: whole },
  RateLimit: { description: 'What is left, as a structured field.', schema: text },
  'RateLimit-Policy': { description: 'The limit, as a structured field.', schema: text },
} as const satisfies Record<string, AnswerHeader>

export type AnswerHeaderName = keyof typeof answerHeaders

/** Most text of ignored names that is answered, in bytes; the edge's function has the same bound. */
const IGNORED_LENGTH = 256

/** The value of X-Ignored-Parameters. */
export const ignoredText = (ignored: readonly string[]): string =>
  ignored.map(encodeURIComponent).join(', ').slice(0, IGNORED_LENGTH)

/** Values of the rate limit headers, as text. `end`: of the hour, in Unix seconds; `left`: seconds until then. */
export type RateHeaders = {
  readonly limit: string
  readonly remaining: string
  readonly end: string
  readonly left: string
}

/** Both families of headers: X-RateLimit-*, and those of draft-ietf-httpapi-ratelimit-headers. */
export const rateHeaders = ({ limit, remaining, end, left }: RateHeaders): Record<string, string> => ({
  'X-RateLimit-Limit': limit,
  'X-RateLimit-Remaining': remaining,
  'X-RateLimit-Reset': end,
  'RateLimit-Policy': `"hourly";q=${limit};w=3600`,
  RateLimit: `"hourly";r=${remaining};t=${left}`,
})

/** Headers of a request that pages of other origins may send: any. The wildcard does not cover Authorization (Fetch §4.9). */
export const requestHeaders = ['*', 'Authorization'] as const

/** Pages of any origin may read an answer. */
export const forAnyOrigin = { 'access-control-allow-origin': '*' } as const

/** Headers of the answer to a preflight request, of API and stream alike. */
export const preflightHeaders: Readonly<Record<string, string>> = {
  ...forAnyOrigin,
  'access-control-allow-methods': ALLOWED_METHODS,
  'access-control-allow-headers': requestHeaders.join(', '),
  'access-control-max-age': '86400',
}

/** Headers of every answer, whatever its status and whoever made it: any page may read it, and all of its headers. */
export const responseHeaders: Readonly<Record<string, string>> = {
  ...forAnyOrigin,
  'access-control-expose-headers': Object.keys(answerHeaders).join(', '),
  'x-content-type-options': 'nosniff',
}
