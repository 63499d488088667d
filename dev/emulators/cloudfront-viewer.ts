/** The viewer side of a distribution: its server, the events for functions, and the responses. */
import { randomUUID } from 'node:crypto'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Duplex } from 'node:stream'
import type { ViewerAnswer } from './cloudfront-cache.ts'
import type { FunctionEvent, FunctionHeaders, FunctionRequest } from './cloudfront-function.ts'
import { viewerAddressOf } from './listening.ts'

/** CloudFront's limit on all headers of a request, in bytes (Developer Guide, "Quotas"). */
const HEADERS_LIMIT = 20_480
/** Retry-After in seconds for a missing answer. */
const RETRY_AFTER_SECONDS = 5

/** A reader, and the id of the answer. */
export type Viewer = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
}

export type AnswerOptions = {
  /** JSON of an error made by the distribution; `message` may be empty. */
  readonly errorBody: (status: number, message: string, requestId: string) => string
  /** Added to every answer. */
  readonly responseHeaders?: Readonly<Record<string, string>>
}

/** The http server for readers; errors, even of malformed HTTP, have the common shape. */
export function viewerServer(options: AnswerOptions, serve: RequestListener): Server {
  // Requests without Host are answered by `serve`; Node's own answer has no body.
  const server = createServer({ maxHeaderSize: HEADERS_LIMIT, requireHostHeader: false }, serve)
  const answers = new WeakMap<Duplex, ServerResponse>()
  server.prependListener('request', ({ socket }, response) => answers.set(socket, response))
  server.on('clientError', (error: UnreadError, socket) => {
    // Within an answer, such as the stream, a second one would corrupt it.
    const answer = answers.get(socket)
    if (answer?.headersSent && !answer.writableFinished) return socket.destroy()
    const [status, why] = unreadable(error)
    refuse(socket, status, (id) => options.errorBody(Number.parseInt(status, 10), why, id), options)
  })
  server.on('connect', (_request, socket) => {
    refuse(socket, '405 Method Not Allowed', (id) => options.errorBody(405, '', id), options)
  })
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  return server
}

type UnreadError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer }

/** Node's parser reports unknown methods and non-HTTP bytes as the same fault. */
function unreadable({ code, rawPacket }: UnreadError): readonly [status: string, message: string] {
  if (code === 'HPE_HEADER_OVERFLOW')
    return ['400 Bad Request', `The headers are longer than ${HEADERS_LIMIT} bytes.`]
  const isRequest = /^[A-Za-z]+ \S+ HTTP\/1\.[01]\r\n/.test(rawPacket?.toString('latin1') ?? '')
  if (code === 'HPE_INVALID_METHOD' && isRequest) return ['405 Method Not Allowed', '']
  return ['400 Bad Request', 'The request could not be read.']
}

function refuse(socket: Duplex, status: string, body: (id: string) => string, options: AnswerOptions): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const requestId = randomUUID()
  const text = body(requestId)
  const headers = {
    ...options.responseHeaders,
    ...failureHeaders(Number.parseInt(status, 10), requestId),
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${status}`, ...lines, '', text].join('\r\n'))
}

/** Sends the response: errors in the common shape, 304 if the reader has these bytes, no body for HEAD. */
export function sendAnswer(viewer: Viewer, answer: ViewerAnswer, options: AnswerOptions): void {
  const { request, response, requestId } = viewer
  const isFailure = answer.failure !== undefined
  // An unreachable origin (502) means to a reader that the service is unavailable.
  const status = isFailure && answer.status === 502 ? 503 : answer.status
  const body = isFailure
    ? Buffer.from(options.errorBody(status, answer.failure ?? '', requestId))
    : answer.body
  const headers = isFailure ? failureHeaders(status, requestId) : answer.headers
  const isUnchanged = status === 200 && isUnchangedFor(request, headers)
  const described: Record<string, string> = {
    ...headers,
    ...options.responseHeaders,
    ...(answer.age === undefined ? {} : { age: String(answer.age) }),
    'x-cache': `${answer.cacheResult} from cloudfront`,
    'x-amz-cf-id': requestId,
    via: '1.1 local (CloudFront)',
  }
  if (isUnchanged || status === 204) delete described['content-length']
  else described['content-length'] = String(body.length)
  response.writeHead(isUnchanged ? 304 : status, described)
  response.end(isUnchanged || request.method === 'HEAD' ? undefined : body)
}

const failureHeaders = (status: number, requestId: string): Record<string, string> => ({
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-request-id': requestId,
  ...(status === 405 ? { allow: 'GET, HEAD' } : {}),
  ...(status === 503 ? { 'retry-after': String(RETRY_AFTER_SECONDS) } : {}),
})

function isUnchangedFor(request: IncomingMessage, headers: Readonly<Record<string, string>>): boolean {
  const { 'if-none-match': tags, 'if-modified-since': since } = request.headers
  const { etag, 'last-modified': lastModified } = headers
  if (tags !== undefined) return etag !== undefined && namesEntity(tags, etag)
  return since !== undefined && Date.parse(lastModified ?? '') <= Date.parse(since)
}

/**
 * Whether an If-None-Match header (`*` or a list of entity tags, RFC 9110 §13.1.2) matches `etag`, by weak comparison:
 * `W/"a"` and `"a"` are the same bytes after decoding.
 */
function namesEntity(header: string, etag: string): boolean {
  if (header.trim() === '*') return true
  const tags = header.match(/(?:W\/)?"[^"]*"|[^\s,"]+/g) ?? []
  return tags.some((tag) => opaque(tag) === opaque(etag))
}

const opaque = (tag: string): string => tag.replace(/^W\//, '').replaceAll('"', '')

/** The viewer-request event of `request` (Developer Guide, "Event structure"): nothing decoded, header names in lower case. */
export function requestEvent(request: IncomingMessage, requestId: string): FunctionEvent {
  const { url = '/', method = 'GET', rawHeaders } = request
  const queryAt = url.includes('?') ? url.indexOf('?') : url.length
  const headers = none()
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    add(headers, (rawHeaders[at] ?? '').toLowerCase(), rawHeaders[at + 1] ?? '')
  }
  const { cookie, ...others } = headers
  return {
    version: '1.0',
    context: {
      distributionDomainName: 'local.cloudfront.net',
      distributionId: 'LOCAL',
      eventType: 'viewer-request',
      requestId,
    },
    viewer: { ip: viewerAddressOf(request).address },
    request: {
      method,
      uri: url.slice(0, queryAt),
      querystring: valuesOf(url.slice(queryAt + 1), '&'),
      headers: others,
      cookies: valuesOf(cookie ? textOf(cookie, '; ') : '', '; '),
    },
  }
}

/** The viewer-response event after `event`, with the request as modified by viewer-request. */
export function responseEvent(
  event: FunctionEvent,
  request: FunctionRequest,
  { status, headers: given }: Pick<ViewerAnswer, 'status' | 'headers'>,
): FunctionEvent {
  const headers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, { value }]))
  return {
    ...event,
    context: { ...event.context, eventType: 'viewer-response' },
    request,
    response: { statusCode: status, headers, cookies: {} },
  }
}

/** Converts an event's headers to plain ones, joining multiple values. */
export const headersFrom = (headers: FunctionHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, all]) => [name, textOf(all, ', ')]))

/** The query of an event as sent. */
export const queryText = ({ querystring }: FunctionRequest): string =>
  Object.entries(querystring)
    .flatMap(([name, all]) =>
      (all.multiValue ?? [all]).map(({ value }) => (value === '' ? name : `${name}=${value}`)),
    )
    .join('&')

function valuesOf(text: string, separator: string): FunctionHeaders {
  const values = none()
  for (const pair of text.split(separator).filter((part) => part !== '')) {
    const at = pair.includes('=') ? pair.indexOf('=') : pair.length
    add(values, pair.slice(0, at), pair.slice(at + 1))
  }
  return values
}

/** Groups values by name in their order; `multiValue` if there are several. */
function add(all: FunctionHeaders, name: string, value: string): void {
  const before = all[name]
  all[name] = before ? { ...before, multiValue: [...(before.multiValue ?? [before]), { value }] } : { value }
}

/** Without a prototype, so that `__proto__` is an ordinary name. */
const none = (): FunctionHeaders => Object.create(null)

const textOf = (all: FunctionHeaders[string], separator: string): string =>
  all.multiValue ? all.multiValue.map(({ value }) => value).join(separator) : all.value

/**
 * The path as used to choose a behaviour (Developer Guide, "Path pattern"; RFC 3986 §6.2.2): unreserved characters
 * decoded, dot segments removed. Origins and functions get it as sent.
 */
export function normalised(path: string): string {
  const plain = path.replace(/%[0-9a-f]{2}/gi, (code) => {
    const letter = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return /[\w.~-]/.test(letter) ? letter : code
  })
  const kept: string[] = []
  for (const part of plain.split('/').slice(1)) {
    if (part === '..') kept.pop()
    else if (part !== '.') kept.push(part)
  }
  return `/${kept.join('/')}`
}
