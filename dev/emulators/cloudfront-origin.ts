import { once } from 'node:events'
import {
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { buffer } from 'node:stream/consumers'
import { viewerAddressOf } from './listening.ts'

/** An origin's complete answer. Header names are in lower case. */
export type OriginAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** Instead of a body: the reason, for an answer made by the distribution itself. */
  readonly failure?: string
}

export type OriginRequest = {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/** Hop-by-hop headers (RFC 9110 §7.6.1), and the viewer's Host. */
const notSentOn =
  /^(connection|host|keep-alive|proxy-(authenticate|authorization|connection)|te|trailer|transfer-encoding|upgrade)$/

/** An answer without a body. */
export const failed = (status: number, failure: string): OriginAnswer => ({
  status,
  headers: {},
  body: Buffer.alloc(0),
  failure,
})

/** Requests an origin and reads its answer; 502 if it cannot be reached or breaks off. */
export async function askOrigin(asked: OriginRequest): Promise<OriginAnswer> {
  try {
    const sent = connect(asked).end(asked.body)
    // A connection that is reset within the answer is a fault of the request, too.
    sent.on('error', () => undefined)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const headers = forwardable(response.headers)
    return { status: response.statusCode ?? 502, headers, body: await buffer(response) }
  } catch {
    return failed(502, '')
  }
}

/** Sends the path unchanged; `URL` would resolve dot segments. */
function connect({ url, method, headers }: OriginRequest): ClientRequest {
  const { hostname, port } = new URL(url)
  const path = url.replace(/^https?:\/\/[^/]*/, '') || '/'
  return httpRequest({ hostname, port, path, method, headers })
}

/** A reader whose answer is passed through, and the headers added to every answer. */
export type PassedViewer = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly added: Readonly<Record<string, string>>
  /** Request headers for the origin. @default those of the reader */
  readonly sent?: Readonly<Record<string, string>>
}

/**
 * Streams a request and its answer; each side ends with the other. Never rejects: for an origin that cannot be reached
 * `unreachable` is called; if it breaks off, the reader's connection is closed.
 */
export function passThrough(
  { request, response, added, sent }: PassedViewer,
  url: string,
  unreachable: () => void,
): void {
  // Ends with the reader's address; anything before it was sent by the reader.
  const { address, isTold } = viewerAddressOf(request)
  const came = [request.headers['x-forwarded-for'] ?? [], isTold ? [] : address].flat()
  const headers = { ...forwardable(sent ?? request.headers), 'x-forwarded-for': came.join(', ') }
  const onward = connect({ url, method: request.method ?? 'GET', headers })
  onward.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, { ...forwardable(answer.headers), ...added })
    response.flushHeaders()
    answer.pipe(response)
    answer.on('error', () => response.destroy())
  })
  onward.on('error', () => (response.headersSent ? response.destroy() : unreachable()))
  response.on('close', () => onward.destroy())
  request.pipe(onward)
}

/** Headers that an intermediary sends on. */
export function forwardable(headers: IncomingMessage['headers']): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => !notSentOn.test(name))
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]))
}
