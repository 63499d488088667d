/** Reads requests for the stream, and builds the http answers other than the stream itself. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Address } from '../market/segment.ts'
import { ApiError, errorBody, InvalidParameterError } from '../schemas/api/errors.ts'
import { ignoredText, preflightHeaders, responseHeaders } from '../schemas/api/headers.ts'
import { readQuery } from '../schemas/api/request-query.ts'
import { lastEventId, streamEvents, streamParameters } from '../schemas/api/stream.ts'
import { isOfToken, swapFilters } from '../schemas/records/swap.ts'
import { tokenFilter } from '../schemas/values/parameters.ts'
import type { StreamEvent } from './events.ts'
import { acceptsGzip } from './gzip.ts'
import type { ReaderWish } from './reader.ts'
import { cursorFrom, isAfter } from './ring.ts'

/** A parsed request. `lastId` null: start at the head. `ignored`: unknown parameters. */
export type StreamRequest = {
  readonly wish: ReaderWish
  readonly lastId: string | null
  readonly ignored: readonly string[]
}

/**
 * Reads a request for the stream. Throws as readQuery does. A header names the last
 * event; without one, the query does.
 */
export function askedOf({ headers }: Pick<IncomingMessage, 'headers'>, sent: URLSearchParams): StreamRequest {
  const { query, changed, ignored } = readQuery(streamParameters, valuesOf(sent))
  const header = headers['last-event-id']
  return {
    wish: wishOf(changed, acceptsGzip(headers['accept-encoding'])),
    lastId: (typeof header === 'string' && header.trim()) || (query[LAST_ID] ?? null),
    ignored,
  }
}

const LAST_ID = lastEventId.names[0]

/** Clients spell it lastEventId, last-event-id, Last-Event-ID … */
const isLastId = (name: string): boolean => name.toLowerCase().replace(/[-_]/g, '') === 'lasteventid'

/**
 * All values by name. A client that adds the id to an address which already has one means the newer: of several ids the
 * furthest counts.
 */
function valuesOf(sent: URLSearchParams): Record<string, readonly string[]> {
  const names = [...sent.keys()]
  const values = Object.fromEntries(
    names.filter((name) => !isLastId(name)).map((name) => [name, sent.getAll(name)]),
  )
  const ids = [...sent].flatMap(([name, value]) => (isLastId(name) ? [value.trim()] : []))
  return ids.length === 0 ? values : { ...values, [LAST_ID]: [ids.reduce(furthest)] }
}

/** The later one of two ids; a text that is none is before any id. */
function furthest(one: string, other: string): string {
  const [a, b] = [cursorFrom(one), cursorFrom(other)]
  if (!a || !b) return a ? one : other
  return isAfter(a, b) ? one : other
}

const isSwap = ({ line }: StreamEvent): boolean => line !== null
const ALL: ReaderWish = { key: '', admits: isSwap, isFiltered: false, isZipped: false }
const ALL_ZIPPED: ReaderWish = { ...ALL, key: 'gzip', isZipped: true }
const EVENTS = streamEvents.names[0]
const TOKEN = tokenFilter.names[0]

/** Filters are in a fixed order, so that equal requests have equal keys. */
function wishOf(changed: Readonly<Record<string, string>>, isGzipAccepted: boolean): ReaderWish {
  const given = swapFilters.flatMap(({ parameter: { names }, admits }) => {
    const value = changed[names[0]]
    return value === undefined ? [] : [{ text: `${names[0]}=${value}`, admits: admits(value) }]
  })
  const events = (changed[EVENTS] ?? 'swap').split(',').sort()
  const [hasSwaps, hasLaunches] = [events.includes('swap'), events.includes('launch')]
  if (given.length === 0 && !hasLaunches) return isGzipAccepted ? ALL_ZIPPED : ALL
  const isOf = changed[TOKEN] === undefined ? () => true : isOfToken(changed[TOKEN])
  return {
    key: [...given.map(({ text }) => text), ...(hasLaunches ? events : [])].join('&'),
    isZipped: false,
    isFiltered: given.length > 0 || !hasSwaps,
    admits({ line, launch, symbol }) {
      const hasSymbol = (_: Address, folded: string) => folded === symbol
      if (launch)
        return hasLaunches && isOf({ token: launch.token.address, poolId: launch.token.poolId }, hasSymbol)
      return hasSwaps && line !== null && given.every(({ admits }) => admits(line.swap, hasSymbol))
    },
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

function headText(status: string, headers: Readonly<Record<string, string | number>>): string {
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
  response.writeHead(204, { ...commonHeaders(), ...preflightHeaders })
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
