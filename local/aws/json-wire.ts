import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'

/** A request of AWS's JSON over REST: what its path bound, its query and its body. */
export type WireCall = {
  readonly bound: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: Readonly<Record<string, unknown>>
}

export type WireAnswer = {
  readonly status?: number
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

/** An operation: `/usageplans/{plan}/keys`, each name standing for one encoded part of the path. */
export type WireRoute = {
  readonly method: string
  readonly path: string
  readonly answer: (call: WireCall) => WireAnswer | Promise<WireAnswer>
}

/** An error as the service names it. */
export class WireError extends Error {
  override readonly name = 'WireError'
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** A server of these operations. A request must be signed, by whom is not asked; what is no operation is answered 501. */
export function wireServer(routes: readonly WireRoute[]): Server {
  return createServer((request, response) => {
    answerOf(routes, request)
      .catch(refusal)
      .then((answer) => send(response, answer))
  })
}

async function answerOf(routes: readonly WireRoute[], request: IncomingMessage): Promise<WireAnswer> {
  const body = await bodyOf(request)
  if (!request.headers.authorization)
    throw new WireError(403, 'AccessDeniedException', 'The request is not signed')
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://local')
  for (const { method, path, answer } of routes) {
    const bound = method === request.method ? boundBy(path, pathname) : null
    if (bound) return answer({ bound, query: searchParams, headers: request.headers, body })
  }
  throw new WireError(501, 'NotImplemented', `${request.method} ${pathname} is not understood here`)
}

function boundBy(template: string, path: string): Record<string, string> | null {
  const [wanted, sent] = [template.split('/'), path.split('/')]
  if (wanted.length !== sent.length) return null
  const bound: Record<string, string> = {}
  for (const [at, part] of wanted.entries()) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    if (name) bound[name] = decodeURIComponent(sent[at] ?? '')
    else if (part !== sent[at]) return null
  }
  return bound
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = ''
  for await (const part of request) text += String(part)
  if (text === '') return {}
  const body: unknown = JSON.parse(text)
  if (typeof body === 'object' && body !== null) return body as Record<string, unknown>
  throw new WireError(400, 'ValidationException', 'The body is no object')
}

function refusal(error: unknown): WireAnswer {
  const known =
    error instanceof WireError ? error : new WireError(500, 'InternalServerException', String(error))
  const { status, code, message } = known
  return { status, headers: { 'x-amzn-errortype': code }, body: { message, Message: message } }
}

function send(response: ServerResponse, { status = 200, headers = {}, body = {} }: WireAnswer): void {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
    'x-amzn-requestid': randomUUID(),
    ...headers,
  })
  response.end(text)
}
