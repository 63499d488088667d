import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { bodyOf } from './request-body.ts'

/** A request to a control API of AWS: path parameters, query and body as text. */
export type WireCall = {
  readonly bound: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

/** `body`: a string is sent as is, anything else as JSON. */
export type WireAnswer = {
  readonly status?: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** An operation, such as `GET /usageplans/{plan}/keys`; each name is one encoded path segment. */
export type WireRoutes = Readonly<Record<string, (call: WireCall) => WireAnswer | Promise<WireAnswer>>>

/** An error of the service. */
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

const jsonError = ({ status, code, message }: WireError): WireAnswer => ({
  status,
  headers: { 'x-amzn-errortype': code },
  body: { message, Message: message },
})

/** A server of these operations. Requests must be signed, but signatures are not checked; unknown operations are 501. */
export function wireServer(routes: WireRoutes, errorAnswer = jsonError): Server {
  const toError = (error: unknown) =>
    error instanceof WireError ? error : new WireError(500, 'InternalServerException', String(error))
  return createServer((request, response) => {
    answerOf(routes, request)
      .catch((error: unknown) => errorAnswer(toError(error)))
      .then((answer) => send(response, answer))
  })
}

async function answerOf(routes: WireRoutes, request: IncomingMessage): Promise<WireAnswer> {
  const text = String(await bodyOf(request))
  const { headers, method, url = '/' } = request
  if (!headers.authorization) throw new WireError(403, 'AccessDeniedException', 'The request is not signed')
  const { pathname, searchParams: query } = new URL(url, 'http://local')
  for (const [route, answer] of Object.entries(routes)) {
    const bound = boundBy(route, `${method} ${pathname}`)
    if (bound) return answer({ bound, query, headers, text })
  }
  throw new WireError(501, 'NotImplemented', `${method} ${pathname} is not understood here`)
}

function boundBy(route: string, asked: string): Record<string, string> | null {
  const [wanted, sent] = [route.split('/'), asked.split('/')]
  if (wanted.length !== sent.length) return null
  const bound: Record<string, string> = {}
  for (const [at, part] of wanted.entries()) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    if (name) bound[name] = decodeURIComponent(sent[at] ?? '')
    else if (part !== sent[at]) return null
  }
  return bound
}

/** The body of a JSON call. Throws a ValidationException if it is not an object. */
export function jsonOf({ text }: WireCall): Readonly<Record<string, unknown>> {
  const body: unknown = text === '' ? {} : JSON.parse(text)
  if (typeof body === 'object' && body !== null) return body as Record<string, unknown>
  throw new WireError(400, 'ValidationException', 'The body is no object')
}

function send(response: ServerResponse, { status = 200, headers = {}, body = {} }: WireAnswer): void {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  response.writeHead(status, {
    'content-type': typeof body === 'string' ? 'text/xml' : 'application/json',
    'content-length': String(bytes.length),
    'x-amzn-requestid': randomUUID(),
    ...headers,
  })
  response.end(bytes)
}

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
  '\n': '&#10;',
}

/** `<name>parts</name>`; the parts are XML already. */
export const element = (name: string, parts: readonly string[]): string =>
  `<${name}>${parts.join('')}</${name}>`

/** `<name>text</name>` of any text. */
export const textElement = (name: string, text: string | number): string =>
  element(name, [String(text).replace(/[&<>"\r\n]/g, (character) => references[character] ?? character)])

/** A whole document around one root element of a namespace. */
export const xmlDocument = (root: string, namespace: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${root.replace('>', ` xmlns="${namespace}">`)}`

/** The text of every element of that name, in a document without character references. */
export const textsOf = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text = '']) => text)
