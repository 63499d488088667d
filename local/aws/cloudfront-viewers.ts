import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, Server } from 'node:http'
import { createServer } from 'node:http'
import type { Duplex } from 'node:stream'
import type { AnswerOptions } from './cloudfront-answer.ts'

/** CloudFront's limit on all headers of a request, in bytes (Developer Guide, "Quotas"). */
const HEADERS_LIMIT = 20_480

/** The server that readers meet: whatever they send, in HTTP or not, is answered in the one shape. */
export function viewerServer(options: AnswerOptions, serve: RequestListener): Server {
  // A request without Host gets its answer from `serve`; Node's own would have no body.
  const server = createServer({ maxHeaderSize: HEADERS_LIMIT, requireHostHeader: false }, serve)
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const isTooLong = error.code === 'HPE_HEADER_OVERFLOW'
    const why = isTooLong
      ? `The headers are longer than ${HEADERS_LIMIT} bytes.`
      : 'The request could not be read.'
    refuse(socket, { status: '400 Bad Request', body: (id) => options.errorBody(400, why, id) }, options)
  })
  server.on('connect', (_request, socket) => {
    const status = '405 Method Not Allowed'
    refuse(socket, { status, body: (id) => options.errorBody(405, '', id) }, options)
  })
  server.on('checkExpectation', serve)
  return server
}

type RawAnswer = { readonly status: string; readonly body: (requestId: string) => string }

function refuse(socket: Duplex, { status, body }: RawAnswer, options: AnswerOptions): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const requestId = randomUUID()
  const text = body(requestId)
  const headers = {
    ...options.responseHeaders,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
    'x-request-id': requestId,
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${status}`, ...lines, '', text].join('\r\n'))
}

/** Names that this machine calls itself; a page elsewhere that has its own name point here is not answered. */
const localHost = /^(([\w-]+\.)*localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i

/** Whether a request asks for this machine, once. */
export function isLocalHost(request: IncomingMessage): boolean {
  const { rawHeaders } = request
  let host: string | undefined
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.length !== 4 || rawHeaders[at]?.toLowerCase() !== 'host') continue
    if (host !== undefined) return false
    host = rawHeaders[at + 1]
  }
  return host !== undefined && localHost.test(host)
}
