/** Reads requests for the stream, and builds the http answers other than the stream itself. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ALLOWED_METHODS, ApiError, errorBody, InvalidParameterError } from '../schemas/errors.ts'
import { ignoredText, responseHeaders } from '../schemas/headers.ts'
import { readQuery } from '../schemas/request-form.ts'
import { lastEventId, streamParameters } from '../schemas/stream.ts'
import { swapFilters } from '../schemas/swap.ts'
import { acceptsGzip } from './gzip.ts'
import type { ReaderWish } from './reader.ts'

/** A parsed request. `lastId` null: start at the head. `ignored`: unknown parameters. */
export type StreamRequest = {
  readonly wish: ReaderWish
  readonly lastId: string | null
  readonly ignored: readonly string[]
}

/** Reads a request for the stream. Throws InvalidParameterError for the first invalid parameter. */
export function askedOf({ headers }: Pick<IncomingMessage, 'headers'>, sent: URLSearchParams): StreamRequest {
  const values = Object.fromEntries([...sent.keys()].map((name) => [name, sent.getAll(name)]))
  const { query, changed, ignored } = readQuery(streamParameters, values)
  const header = headers['last-event-id']
  return {
    wish: wishOf(changed, acceptsGzip(headers['accept-encoding'])),
    lastId: (typeof header === 'string' && header.trim()) || (query[lastEventId.names[0]] ?? null),
    ignored,
  }
}

const ALL: ReaderWish = { key: '', admits: null, isZipped: false }
const ALL_ZIPPED: ReaderWish = { key: 'gzip', admits: null, isZipped: true }

/** Filters are in a fixed order, so that equal requests have equal keys. */
function wishOf(changed: Readonly<Record<string, string>>, isGzipAccepted: boolean): ReaderWish {
  const given = swapFilters.flatMap(({ parameter: { names }, admits }) => {
    const value = changed[names[0]]
    return value === undefined ? [] : [{ text: `${names[0]}=${value}`, admits: admits(value) }]
  })
  if (given.length === 0) return isGzipAccepted ? ALL_ZIPPED : ALL
  return {
    key: given.map(({ text }) => text).join('&'),
    isZipped: false,
    admits: ({ line, symbol }) =>
      line !== null && given.every(({ admits }) => admits(line.swap, (_, folded) => folded === symbol)),
  }
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** Headers of every answer. */
export const commonHeaders = (): Record<string, string> => ({
  ...responseHeaders,
  'cache-control': 'no-store, no-transform',
  'x-request-id': randomUUID(),
})

/** Headers of the stream: no cache, transformation or buffering on the way. */
export const streamHeaders = ({ ignored, wish }: StreamRequest): Record<string, string> => ({
  ...commonHeaders(),
  'content-type': 'text/event-stream; charset=utf-8',
  'x-accel-buffering': 'no',
  vary: 'Accept-Encoding',
  ...(wish.isZipped ? { 'content-encoding': 'gzip' } : {}),
  ...(ignored.length > 0 ? { 'x-ignored-parameters': ignoredText(ignored) } : {}),
})

/** Response head of a stream that ends with the connection: without chunked framing, the bytes are the same for every reader. */
export function streamHead(asked: StreamRequest): string {
  return headText('200 OK', { date: new Date().toUTCString(), ...streamHeaders(asked) })
}

const headText = (status: string, headers: Readonly<Record<string, string | number>>): string => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status}\r\n${lines.join('')}connection: close\r\n\r\n`
}

/** Answers an error in the common error shape. */
export function refuseRequest(response: ServerResponse, error: unknown): void {
  const [status, own] = error instanceof ApiError ? [error.status, error.headers] : [500, {}]
  const headers = commonHeaders()
  answer(response, status, errorBody(error, headers['x-request-id'] ?? ''), { ...headers, ...own })
}

/**
 * The same for malformed requests and for headers that are too long. If an answer was already begun, only the connection
 * is closed, since another answer would corrupt it.
 */
export function refuseBytes(socket: Socket): void {
  if (!socket.writable || socket.bytesWritten > 0) {
    socket.destroy()
    return
  }
  const error = new InvalidParameterError({
    parameter: 'request',
    provided: null,
    allowed: 'HTTP/1.1, at most 16 KB of headers',
  })
  const headers = commonHeaders()
  const body = JSON.stringify(errorBody(error, headers['x-request-id'] ?? ''))
  const more = { 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(body) }
  socket.end(headText('400 Bad Request', { ...headers, ...more }) + body)
}

/** CORS headers. */
export function preflight(response: ServerResponse): void {
  response.writeHead(204, {
    ...commonHeaders(),
    'access-control-allow-methods': ALLOWED_METHODS,
    'access-control-allow-headers': 'Cache-Control, Last-Event-ID',
    'access-control-max-age': '86400',
  })
  response.end()
}

/** Answers JSON; for HEAD only the headers. */
export function answer(
  response: ServerResponse,
  status: number,
  value: object,
  headers: Readonly<Record<string, string>> = commonHeaders(),
): void {
  const body = Buffer.from(JSON.stringify(value))
  response.writeHead(status, { ...headers, 'content-type': JSON_TYPE, 'content-length': body.length })
  response.end(response.req.method === 'HEAD' ? undefined : body)
}
