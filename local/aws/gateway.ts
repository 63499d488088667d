import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { APIGatewayProxyEvent } from 'aws-lambda'
import { type Matched, matchResource, proxyEvent } from './gateway-event.ts'
import { listen, type StandIn } from './listening.ts'

/** A Lambda function behind the API, called in this process. What it returns is checked, not trusted. */
export type ProxyFunction = (event: APIGatewayProxyEvent) => Promise<unknown>

/** A resource, such as `/v1/{proxy+}`, and the function that answers every method on it. The first that matches holds. */
export type Route = { readonly resource: string; readonly handler: ProxyFunction }

export type GatewayOptions = {
  readonly port?: number
  readonly routes: readonly Route[]
  /** The gateway's own answers (gateway responses): JSON of an error; `message` may be empty. */
  readonly errorBody: (status: number, message: string, requestId: string) => string
  /** Added to the gateway's own answers. */
  readonly responseHeaders?: Readonly<Record<string, string>>
  /** @default 29,000: the integration timeout of a REST API */
  readonly timeoutMs?: number
  /** Told of what a reader only sees as a 502. */
  readonly onDefect?: (error: unknown) => void
}

/** Limits of a REST API, in bytes (API Gateway Developer Guide, "Quotas"). */
const HEADERS_LIMIT = 10_240
const BODY_LIMIT = 10 * 1024 * 1024
const TIMEOUT_MS = 29_000

/** Headers of a function's answer that the gateway renames (API Gateway Developer Guide, "Important notes"). */
const remapped = new Set(['connection', 'content-md5', 'date', 'server', 'www-authenticate'])

/** One REST API of API Gateway on this machine, over http. */
export async function startGateway(options: GatewayOptions): Promise<StandIn> {
  const server = createServer({ maxHeaderSize: HEADERS_LIMIT }, (request, response) => {
    const requestId = randomUUID()
    answerTo({ request, requestId }, options)
      .catch((error: unknown) => {
        options.onDefect?.(error)
        return failure(500)
      })
      .then((answer) => send({ request, response, requestId }, answer, options))
  })
  return listen('gateway', server, options.port)
}

/** What a function returned, in good form; or an error of the gateway's own. */
type Result = {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: Buffer
}
type Failure = { readonly failed: number }
const failure = (failed: number): Failure => ({ failed })

/** A function returned something that is no proxy result. */
export class MalformedResultError extends Error {
  override readonly name = 'MalformedResultError'
}

async function answerTo(
  { request, requestId }: { request: IncomingMessage; requestId: string },
  { routes, timeoutMs = TIMEOUT_MS, onDefect }: GatewayOptions,
): Promise<Result | Failure> {
  const found = findRoute(routes, (request.url ?? '/').split('?')[0] ?? '/')
  if (!found) return failure(404)
  const body = await bodyOf(request)
  if (!body) return failure(413)
  const event = proxyEvent(request, found.matched, { requestId, body, nowMs: Date.now() })
  try {
    const result = await within(timeoutMs, found.route.handler(event))
    return result === LATE ? failure(504) : resultFrom(result)
  } catch (error) {
    onDefect?.(error)
    return failure(502)
  }
}

function findRoute(routes: readonly Route[], path: string): { route: Route; matched: Matched } | undefined {
  for (const route of routes) {
    const matched = matchResource(route.resource, path)
    if (matched) return { route, matched }
  }
  return undefined
}

const LATE: unique symbol = Symbol('late')

const isLate = (): typeof LATE => LATE

async function within<T>(ms: number, work: Promise<T>): Promise<T | typeof LATE> {
  const timer = new AbortController()
  const late = sleep(ms, undefined, { signal: timer.signal, ref: false }).then(isLate, isLate)
  return Promise.race([work, late]).finally(() => timer.abort())
}

/** The whole body; undefined when it is longer than the gateway takes. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request) {
    bytes += (part as Buffer).length
    if (bytes > BODY_LIMIT) return undefined
    parts.push(part as Buffer)
  }
  return Buffer.concat(parts)
}

/** Checks what a function returned. Throws MalformedResultError. */
function resultFrom(returned: unknown): Result {
  const { statusCode, headers, multiValueHeaders, body, isBase64Encoded } = asRecord(returned)
  if (!Number.isInteger(statusCode)) throw new MalformedResultError('statusCode is no integer')
  if (body !== undefined && body !== null && typeof body !== 'string') {
    throw new MalformedResultError('body is no text')
  }
  const single = Object.entries(asRecord(headers ?? {})).map(
    ([name, value]) => [name, textOf(value)] as const,
  )
  const multiple = Object.entries(asRecord(multiValueHeaders ?? {})).map(([name, values]) => {
    if (!Array.isArray(values)) throw new MalformedResultError(`multiValueHeaders.${name} is no list`)
    return [name, values.map(textOf)] as const
  })
  return {
    statusCode: Number(statusCode),
    headers: Object.fromEntries([...single, ...multiple].map(([name, value]) => [renamed(name), value])),
    body: Buffer.from(body ?? '', isBase64Encoded === true ? 'base64' : 'utf8'),
  }
}

function asRecord(value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>
  }
  throw new MalformedResultError('an object was expected')
}

function textOf(value: unknown): string {
  if (['string', 'number', 'boolean'].includes(typeof value)) return String(value)
  throw new MalformedResultError('a header is neither text, number nor flag')
}

const renamed = (name: string): string =>
  remapped.has(name.toLowerCase()) ? `x-amzn-Remapped-${name}` : name

function send(
  { request, response, requestId }: { request: IncomingMessage; response: ServerResponse; requestId: string },
  answer: Result | Failure,
  { errorBody, responseHeaders }: GatewayOptions,
): void {
  const own = { 'x-amzn-RequestId': requestId, 'x-amz-apigw-id': requestId }
  const { statusCode, headers, body } =
    'failed' in answer
      ? {
          statusCode: answer.failed,
          headers: {
            'content-type': 'application/json; charset=utf-8',
            'cache-control': 'no-store',
            'x-request-id': requestId,
            ...responseHeaders,
          },
          body: Buffer.from(errorBody(answer.failed, '', requestId)),
        }
      : answer
  const isBodiless = request.method === 'HEAD' || statusCode === 204 || statusCode === 304
  response.writeHead(statusCode, {
    ...(headers as Record<string, string | string[]>),
    ...own,
    ...(statusCode === 204 || statusCode === 304 ? {} : { 'content-length': String(body.length) }),
  })
  response.end(isBodiless ? undefined : body)
}
