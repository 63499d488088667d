import { createHash } from 'node:crypto'
import type { APIGatewayProxyResult } from 'aws-lambda'
import { asOf } from '../../market/window.ts'
import { HOST_HEADER, UNKNOWN_KEYS } from '../../schemas/api/access.ts'
import type { Query } from '../../schemas/api/canonical.js'
import { appliedOf } from '../../schemas/api/documents.ts'
import { ApiError, errorBody } from '../../schemas/api/errors.ts'
import { ignoredText, responseHeaders } from '../../schemas/api/headers.ts'
import type { Operation } from '../../schemas/api/operation.ts'
import type { CheckedQuery } from '../../schemas/api/request-query.ts'
import { staleAfter } from '../../schemas/api/service.ts'
import { isoTime } from '../../schemas/values/kinds.ts'
import type { SnapshotInfo } from '../../store/published/documents.ts'
import type { ApiEvent } from './admission.ts'
import { type ApiAnswer, isSet, type Page } from './endpoint.ts'

/** A request to the API. Header names are in lower case. */
export type ApiRequest = {
  readonly id: string
  readonly method: string
  /** As sent to the edge, still percent-encoded. */
  readonly path: string
  readonly query: Query
  readonly headers: Readonly<Record<string, string>>
}

/** A valid request id of a client. */
const CLIENT_ID = /^[\w.:-]{1,64}$/

/** The request of a REST proxy event. */
export function requestFrom(event: ApiEvent): ApiRequest {
  const headers = Object.entries(event.multiValueHeaders ?? {}).map(
    ([name, values]) => [name.toLowerCase(), (values ?? []).join(', ')] as const,
  )
  const query = Object.entries(event.multiValueQueryStringParameters ?? {})
  const sent = headers.find(([name]) => name === 'x-request-id')?.[1] ?? ''
  return {
    id: CLIENT_ID.test(sent) ? sent : event.requestContext.requestId,
    method: event.httpMethod,
    path: event.path.startsWith(`${UNKNOWN_KEYS}/`) ? event.path.slice(UNKNOWN_KEYS.length) : event.path,
    query: Object.fromEntries(query.map(([name, values]) => [name, values ?? []])),
    headers: Object.fromEntries(headers),
  }
}

/** The service's address as the reader used it; the gateway passes the protocol. */
export const siteOf = (headers: ApiRequest['headers']): string =>
  `${headers['x-forwarded-proto'] ?? 'https'}://${headers[HOST_HEADER] ?? ''}`

/** The outcome of a request. `readMs`: milliseconds until the answer was ready. */
export type Outcome = {
  readonly request: ApiRequest
  readonly answer: ApiAnswer
  readonly asked: CheckedQuery
  readonly operation: Operation
  readonly path: string
  /** Unix seconds. */
  readonly now: number
  readonly readMs: number
  /** Others may be answered with it: it names no request. */
  readonly isShared: boolean
}

const NEVER_KEPT = 'no-store'
const JSON_TYPE = 'application/json; charset=utf-8'

/** The response for an answer: 200, or 304 if the reader has these bytes. */
export function respond(outcome: Outcome): APIGatewayProxyResult {
  const { request, answer, asked, operation, readMs, isShared } = outcome
  const body = 'text' in answer ? answer.text : listText(answer.page, outcome)
  const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`
  const headers = {
    ...responseHeaders,
    ...(isShared ? {} : { 'X-Request-Id': request.id, 'Server-Timing': `read;dur=${readMs.toFixed(1)}` }),
    'Cache-Control': cacheControlOf(operation, answer),
    ETag: etag,
    ...provenanceHeaders(answer.at, answer.isPast ? null : outcome.now),
    ...appliedHeaders(operation, asked),
    ...('page' in answer ? pageHeaders(answer.page, outcome) : {}),
    ...ignoredHeader(asked.ignored),
    ...answer.headers,
  }
  if (names(request.headers['if-none-match'], etag)) return { statusCode: 304, headers, body: '' }
  return { statusCode: 200, headers: { ...headers, 'Content-Type': operation.mediaType ?? JSON_TYPE }, body }
}

/** Parameterised answers are never cached; a document's cache times apply to answers from the bucket. */
const cacheControlOf = (
  { documentParameters, cacheControl, lastingCacheControl }: Operation,
  { isLasting = false }: ApiAnswer,
): string => (isLasting && lastingCacheControl) || (documentParameters ? NEVER_KEPT : cacheControl)

/** The response for an error, in the common error shape. */
export function errorResponse(request: Pick<ApiRequest, 'id'>, error: unknown): APIGatewayProxyResult {
  const own = error instanceof ApiError ? error.headers : {}
  return {
    statusCode: error instanceof ApiError ? error.status : 500,
    headers: { ...functionHeaders(request.id), ...own, 'Content-Type': JSON_TYPE },
    body: JSON.stringify(errorBody(error, request.id)),
  }
}

/** Headers of every answer of a function. */
export const functionHeaders = (id: string): Record<string, string> => ({
  ...responseHeaders,
  'Cache-Control': NEVER_KEPT,
  'X-Request-Id': id,
})

function listText(page: Page, outcome: Outcome): string {
  const { list, total, limit, offset, isCapped = false } = page
  if (!isSet(outcome.asked, 'envelope')) return list
  const [, next] = linksOf(page).find(([rel]) => rel === 'next') ?? []
  const meta = {
    ...{ total, page: pageNumber(offset, limit), per_page: limit, capped: isCapped },
    next: next ? addressWith(outcome, next) : null,
  }
  return `{"data":${list},"meta":${JSON.stringify(meta)}}`
}

const pageNumber = (offset: number, limit: number): number => Math.floor(offset / limit) + 1

/** Headers about the chain time of an answer. `now` in Unix seconds; null: the answer is meant to be of an earlier time. */
export function provenanceHeaders(at: SnapshotInfo | null, now: number | null): Record<string, string> {
  if (at === null) return {}
  const time = asOf(at.minute)
  return {
    'X-Snapshot-Id': at.id,
    'X-Data-Block': String(at.blockNumber),
    'X-Data-Block-Hash': at.blockHash,
    'X-Data-Time': isoTime(time),
    ...(now !== null && now - time > staleAfter(at.everySeconds) ? { 'X-Data-Stale': 'true' } : {}),
  }
}

function appliedHeaders(operation: Operation, { query }: CheckedQuery): Record<string, string> {
  const { sort, period } = appliedOf(operation, query)
  return { ...(sort ? { 'X-Applied-Sort': sort } : {}), ...(period ? { 'X-Applied-Period': period } : {}) }
}

function pageHeaders(page: Page, outcome: Outcome): Record<string, string> {
  const { total, limit, offset } = page
  const links = linksOf(page).map(([rel, at]) => `<${addressWith(outcome, at)}>; rel="${rel}"`)
  return {
    'X-Total-Count': String(total),
    'X-Page-Count': String(Math.ceil(total / limit)),
    'X-Current-Page': String(pageNumber(offset, limit)),
    'X-Per-Page': String(limit),
    ...(page.isCapped ? { 'X-Total-Capped': 'true' } : {}),
    ...(links.length > 0 ? { Link: links.join(', ') } : {}),
  }
}

type Parameters = Readonly<Record<string, string>>

/** Parameters of the neighbouring pages; none if the whole list is on this page. No link leads to an empty page. */
function linksOf(page: Page): readonly (readonly [string, Parameters])[] {
  const { total, limit, offset, shown = limit, pinned, next, onward } = page
  if (onward !== undefined) return onward ? [['next', onward]] : []
  const goesOn = offset + shown < total || (page.isCapped === true && next !== undefined)
  if (!goesOn && (total === 0 || (offset === 0 && total <= shown))) return []
  const last = Math.max(0, Math.ceil(total / limit) - 1) * limit
  const at = (from: number): Parameters => ({ offset: String(from), ...pinned })
  return [
    ['first', at(0)],
    ...(offset > 0 ? [['prev', at(Math.min(last, Math.max(0, offset - limit)))] as const] : []),
    ...(goesOn ? [['next', next ?? at(offset + shown)] as const] : []),
    // Of a list that is longer than it was counted, the last page is unknown.
    ...(page.isCapped ? [] : [['last', at(last)] as const]),
  ]
}

/** The address of a neighbouring page, of parameters that the operation takes. One by offset is of the same snapshot. */
function addressWith({ path, asked, answer }: Outcome, parameters: Parameters): string {
  const { offset: _, snapshot: _asked, ...kept } = asked.changed
  const wanted = {
    ...kept,
    limit: asked.query['limit'],
    ...parameters,
    ...(answer.at && !answer.isPast && 'offset' in parameters ? { snapshot: answer.at.id } : {}),
    ...(isSet(asked, 'strict') ? { strict: 'true' } : {}),
  }
  const taken = Object.entries(wanted).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[0] in asked.query,
  )
  const query = new URLSearchParams(taken)
  return `${path}?${query}`
}

const ignoredHeader = (ignored: readonly string[]): Record<string, string> =>
  ignored.length === 0 ? {} : { 'X-Ignored-Parameters': ignoredText(ignored) }

/** RFC 9110 §13.1.2: weak comparison; `*` matches anything. */
function names(condition: string | undefined, etag: string): boolean {
  if (condition === undefined) return false
  return condition.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
}
