import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import { Agent, request as httpRequest } from 'node:http'

/** What an origin said, read whole. Header names are in lower case. */
export type OriginAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** In place of a body: why there is none, for an answer made by the distribution itself. */
  readonly failure?: string
}

export type OriginRequest = {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  /** Longest gap between two packets. @default 30,000: CloudFront's response timeout */
  readonly timeoutMs?: number | undefined
}

const RESPONSE_TIMEOUT_MS = 30_000

/** Headers of one connection, not of the message (RFC 9110 §7.6.1). */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

const keptConnections = new Agent({ keepAlive: true })

/** The origin could not be reached, or broke off. */
export class OriginUnreachableError extends Error {
  constructor(url: string, cause: unknown) {
    super(`The origin of ${url} does not answer`, { cause })
    this.name = 'OriginUnreachableError'
  }
}

/** The origin has said nothing for its response timeout. */
class SilentOriginError extends Error {
  override readonly name = 'SilentOriginError'
}

/** Asks an origin and reads its answer. Throws OriginUnreachableError. */
export async function askOrigin(asked: OriginRequest): Promise<OriginAnswer> {
  try {
    const response = await open(asked)
    const parts: Buffer[] = []
    for await (const part of response) parts.push(part)
    return { status: response.statusCode ?? 502, headers: headersOf(response), body: Buffer.concat(parts) }
  } catch (error) {
    throw new OriginUnreachableError(asked.url, error)
  }
}

/** A kept-alive connection may have been closed by the origin just now: that alone is tried once more, on a new one, as its fellows may be closed, too. */
async function open(asked: OriginRequest): Promise<IncomingMessage> {
  const first = send(asked, keptConnections)
  return responseOf(first).catch((error: unknown) => {
    if (!first.reusedSocket) throw error
    return responseOf(send(asked, false))
  })
}

function send(asked: OriginRequest, agent: Agent | false): ClientRequest {
  const request = connect(asked, agent)
  request.setTimeout(asked.timeoutMs ?? RESPONSE_TIMEOUT_MS, () => request.destroy())
  request.end()
  return request
}

function responseOf(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve)
    request.on('error', reject)
    request.once('close', () => reject(new OriginUnreachableError(request.path, 'closed')))
  })
}

/** The path is sent as it is: `URL` would resolve dot segments. */
function connect({ url, method, headers }: OriginRequest, agent: Agent | false): ClientRequest {
  const { hostname, port } = new URL(url)
  const path = url.replace(/^https?:\/\/[^/]*/, '') || '/'
  return httpRequest({ agent, hostname, port, path, method, headers })
}

/** A reader whose answer is passed through, and what every answer gets. */
export type PassedViewer = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly added: Readonly<Record<string, string>>
}

/**
 * Passes a request and its answer through byte by byte, as they come; ends the one when the other ends. Never rejects:
 * an origin that cannot be reached is `unreachable`, one that breaks off or falls silent breaks the reader's connection.
 */
export function passThrough(
  { request, response, added }: PassedViewer,
  to: { readonly url: string; readonly timeoutMs?: number | undefined },
  unreachable: () => void,
): void {
  const headers = { ...forwardable(request.headers), 'x-forwarded-for': forwardedFor(request) }
  const onward = connect({ url: to.url, method: request.method ?? 'GET', headers }, false)
  onward.setTimeout(to.timeoutMs ?? RESPONSE_TIMEOUT_MS, () => onward.destroy(new SilentOriginError(to.url)))
  onward.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, { ...headersOf(answer), ...added })
    response.flushHeaders()
    answer.pipe(response)
    answer.on('error', () => response.destroy())
  })
  onward.on('error', () => (response.headersSent ? response.destroy() : unreachable()))
  response.on('close', () => onward.destroy())
  request.pipe(onward)
}

/** The addresses a request came by, the reader's last: what stands before it is the reader's own word. */
export function forwardedFor(request: IncomingMessage): string {
  const sent = request.headers['x-forwarded-for'] ?? []
  return [...[sent].flat(), request.socket.remoteAddress ?? '127.0.0.1'].join(', ')
}

/** The headers a distribution sends on: not those of the connection, nor the viewer's Host. */
export function forwardable(headers: IncomingMessage['headers']): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => !hopByHop.has(name) && name !== 'host')
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]))
}

function headersOf(response: IncomingMessage): Record<string, string> {
  return forwardable(response.headers)
}
