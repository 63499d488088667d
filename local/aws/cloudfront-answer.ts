import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CacheAnswer } from './cloudfront-cache.ts'
import { headersFrom } from './cloudfront-event.ts'
import type { FunctionResponse } from './cloudfront-function.ts'
import type { OriginAnswer } from './cloudfront-origin.ts'
import { isUnmodifiedSince, namesEntity } from './entity-tag.ts'

/** An answer before it meets the reader's conditions. `failure`: its body is the error shape with this message; `age`: of one that was kept, in seconds. */
export type Answer = OriginAnswer & { readonly cacheResult: string; readonly age?: number }

/** A reader, and the id the answer to this request has. */
export type Viewer = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
}

export type AnswerOptions = {
  /** JSON of an error the distribution makes itself; `message` may be empty. */
  readonly errorBody: (status: number, message: string, requestId: string) => string
  /** Added to every answer. */
  readonly responseHeaders?: Readonly<Record<string, string>>
}

/** What a reader is told to wait for an answer that is missing now. */
const RETRY_AFTER_SECONDS = 5

/** An error the distribution answers itself; the message may be empty. */
export function failure(status: number, message: string): Answer {
  return { status, headers: {}, body: Buffer.alloc(0), failure: message, cacheResult: 'Error' }
}

/** What the cache or an origin gave. */
export function answerOf({ answer, result, ageSeconds }: CacheAnswer): Answer {
  const isFromCache = result === 'Hit' || result === 'RefreshHit'
  return { ...answer, cacheResult: result, ...(isFromCache ? { age: Math.floor(ageSeconds) } : {}) }
}

/** What a function made. */
export function generated(response: FunctionResponse): Answer {
  const { body = '' } = response
  const data = typeof body === 'string' ? { encoding: 'utf8' as const, data: body } : body
  const bytes = Buffer.from(data.data, data.encoding === 'base64' ? 'base64' : 'utf8')
  return {
    status: response.statusCode,
    headers: headersFrom(response.headers ?? {}),
    body: bytes,
    cacheResult: 'FunctionGeneratedResponse',
  }
}

/** The answer, unless it is an error in another tongue than JSON: a bucket speaks XML, a proxy HTML. */
export function readable(answer: OriginAnswer): OriginAnswer {
  const isJson = /^application\/json\b/.test(answer.headers['content-type'] ?? '')
  if (answer.status < 400 || isJson) return answer
  return { status: 503, headers: {}, body: Buffer.alloc(0), failure: '' }
}

/** Ends the exchange: the error shape for a failure, 304 when the reader has these bytes, no body for HEAD. */
export function sendAnswer(viewer: Viewer, answer: Answer, options: AnswerOptions): void {
  const { request, response, requestId } = viewer
  // An origin that cannot be reached is 502 between machines; to a reader the service is unavailable.
  const status = answer.failure !== undefined && answer.status === 502 ? 503 : answer.status
  const body =
    answer.failure === undefined
      ? answer.body
      : Buffer.from(options.errorBody(status, answer.failure, requestId))
  const told = answer.failure === undefined ? answer.headers : failureHeaders(status, requestId)
  const isUnchanged = status === 200 && isUnchangedFor(request, told)
  const own: Record<string, string> = {
    ...options.responseHeaders,
    'x-cache': `${answer.cacheResult} from cloudfront`,
    'x-amz-cf-id': requestId,
    via: '1.1 local (CloudFront)',
    'content-length': String(body.length),
  }
  if (answer.age !== undefined) own['age'] = String(answer.age)
  response.writeHead(isUnchanged ? 304 : status, linesOf(told, own, !isUnchanged && status !== 204))
  response.end(isUnchanged || request.method === 'HEAD' ? undefined : body)
}

/** Names and values in turn, as node:http takes them with least ado: what is the distribution's own to say goes before what was told. */
function linesOf(
  told: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>>,
  hasLength: boolean,
): string[] {
  const lines: string[] = []
  for (const name in told) {
    if (!Object.hasOwn(own, name)) lines.push(name, told[name] ?? '')
  }
  for (const name in own) {
    if (hasLength || name !== 'content-length') lines.push(name, own[name] ?? '')
  }
  return lines
}

function failureHeaders(status: number, requestId: string): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-request-id': requestId,
    ...(status === 405 ? { allow: 'GET, HEAD' } : {}),
    ...(status === 503 ? { 'retry-after': String(RETRY_AFTER_SECONDS) } : {}),
  }
}

function isUnchangedFor(request: IncomingMessage, headers: Readonly<Record<string, string>>): boolean {
  const { 'if-none-match': tags, 'if-modified-since': since } = request.headers
  if (tags === undefined && since === undefined) return false
  const { etag, 'last-modified': lastModified } = headers
  if (tags !== undefined) return etag !== undefined && namesEntity(tags, etag)
  return since !== undefined && lastModified !== undefined && isUnmodifiedSince(since, lastModified)
}
