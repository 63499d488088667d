import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { APIGatewayProxyResult } from 'aws-lambda'
import { headersOf, queryOf } from './gateway-event.ts'
import { type Emulator, listen } from './listening.ts'
import { BodyTooLargeError, bodyOf } from './request-body.ts'

/** The part of a proxy event that the functions read. */
export type GatewayEvent = {
  readonly resource: string
  /** Percent-encoded, as sent. */
  readonly path: string
  readonly httpMethod: string
  readonly multiValueHeaders: Record<string, string[]>
  /** Decoded once, with + as a space; null if there are none. */
  readonly multiValueQueryStringParameters: Record<string, string[]> | null
  /** As sent; null if it is empty. */
  readonly body: string | null
  readonly isBase64Encoded: false
  readonly requestContext: {
    readonly requestId: string
    /** The authorizer's context, whose values are strings. */
    readonly authorizer: Readonly<Record<string, string>> | null
  }
}

/** A REQUEST authorizer: its function, and the cache time of its verdict per value of its identity headers. */
export type Authorizer = {
  readonly handler: (event: GatewayEvent & { readonly methodArn: string }) => Promise<unknown>
  readonly ttlSeconds: number
  /** Unix ms. */
  readonly now?: () => number
}

/** A verdict: whether the request may pass, the hidden key it counts under, and the context for the function. */
export type AuthorizerVerdict = {
  readonly isAllowed: boolean
  readonly usageKey: string
  readonly context: Readonly<Record<string, string | number | boolean>>
}

/** The authorizer threw, or returned an invalid answer. */
export class AuthorizerFailedError extends Error {
  override readonly name = 'AuthorizerFailedError'
}

/** Maximum cached verdicts. */
const KEPT_MAX = 10_000

/** Asks the authorizer, or returns the cached verdict. 'missing': an identity header is absent, so it is not asked. */
export function openAuthorizer({ handler, ttlSeconds, now = Date.now }: Authorizer) {
  const kept = new Map<string, { verdict: AuthorizerVerdict; until: number }>()
  return async (event: GatewayEvent, headers: readonly string[]): Promise<AuthorizerVerdict | 'missing'> => {
    const values = headers.map((name) => valuesOf(event, name))
    if (values.includes('')) return 'missing'
    const identity = JSON.stringify([headers, values])
    const before = kept.get(identity)
    if (before && now() < before.until) return before.verdict
    const verdict = await ask(handler, event).catch((error: unknown) => {
      throw new AuthorizerFailedError(String(error), { cause: error })
    })
    if (kept.size >= KEPT_MAX) kept.clear()
    kept.set(identity, { verdict, until: now() + ttlSeconds * 1_000 })
    return verdict
  }
}

const valuesOf = ({ multiValueHeaders }: GatewayEvent, header: string): string =>
  Object.entries(multiValueHeaders)
    .filter(([name]) => name.toLowerCase() === header)
    .flatMap(([, values]) => values)
    .join(',')

type Returned = {
  policyDocument: { Statement: readonly { Effect: unknown; Resource: unknown }[] }
  usageIdentifierKey?: string
  context?: AuthorizerVerdict['context']
}

/** A policy must cover the whole stage, since the verdict is cached for every path. */
async function ask(handler: Authorizer['handler'], event: GatewayEvent): Promise<AuthorizerVerdict> {
  const methodArn = `arn:aws:execute-api:us-east-1:000000000000:local/prod/${event.httpMethod}${event.path}`
  const returned = await handler({ ...event, methodArn })
  const { policyDocument, usageIdentifierKey = '', context = {} } = returned as Returned
  const { Effect: effect, Resource: resource } = policyDocument.Statement[0] ?? {}
  const isPolicy = (effect === 'Allow' || effect === 'Deny') && String(resource).endsWith('/*')
  if (!isPolicy) throw new AuthorizerFailedError('a policy of the whole stage was expected')
  return { isAllowed: effect === 'Allow', usageKey: usageIdentifierKey, context }
}

/** A Lambda function behind the API, called in this process. */
export type ProxyFunction = (event: GatewayEvent) => Promise<APIGatewayProxyResult>

/** A resource, such as `/v1/{proxy+}`, and the function for all its methods. The first match applies. */
export type GatewayRoute = {
  readonly resource: string
  readonly handler: ProxyFunction
  /**
   * Identity headers of the authorizer; a request without one is refused directly. None: no authorizer. If Authorization
   * is one, keys must be on a usage plan.
   */
  readonly identity: readonly string[]
}

/** A gateway response, with `$context.…` placeholders. Without a status the gateway's default applies. */
export type ResponseTemplate = {
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type GatewayOptions = {
  readonly routes: readonly GatewayRoute[]
  /** Gateway responses by kind; DEFAULT_4XX and DEFAULT_5XX are required. */
  readonly responses: Readonly<Record<string, ResponseTemplate>>
  readonly authorizer: Authorizer
  /** The usage plans; the authorizer's usageIdentifierKey must be on one. */
  readonly usagePlans: { knows(value: string): boolean }
  /** @default 29,000: the integration timeout of a REST API */
  readonly timeoutMs?: number
  /** Called with errors that a reader only sees as a 502. */
  readonly onDefect?: (error: unknown) => void
}

/** Limit of a REST API on all headers, in bytes (Developer Guide, "Quotas"). */
const HEADERS_LIMIT = 10_240
const TIMEOUT_MS = 29_000

/** Headers of a function's answer that the gateway renames (API Gateway Developer Guide, "Important notes"). */
const remapped = new Set(['connection', 'content-md5', 'date', 'server', 'www-authenticate'])

/** A local REST API of API Gateway over http. */
export async function startGateway(options: GatewayOptions): Promise<Emulator> {
  const authorize = openAuthorizer(options.authorizer)
  const server = createServer({ maxHeaderSize: HEADERS_LIMIT }, (request, response) => {
    const requestId = randomUUID()
    answerTo({ request, requestId, authorize }, options)
      .catch((error: unknown) => {
        if (error instanceof BodyTooLargeError) return failures.tooLarge
        options.onDefect?.(error)
        return error instanceof AuthorizerFailedError ? failures.authorizer : failures.own
      })
      .then((answer) => send({ request, response, requestId }, answer, options.responses))
  })
  // The edge passes readers' headers on, including the Origin of a page.
  return listen('gateway', server, { isForPages: true })
}

type Result = {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}
/** A failure answered by the gateway: its kind, and the status if the gateway response has none. */
type Failure = { readonly kind: string; readonly status: number; readonly verdict?: AuthorizerVerdict }

const failures = {
  noResource: { kind: 'MISSING_AUTHENTICATION_TOKEN', status: 403 },
  late: { kind: 'INTEGRATION_TIMEOUT', status: 504 },
  malformed: { kind: 'INTEGRATION_FAILURE', status: 502 },
  missing: { kind: 'UNAUTHORIZED', status: 401 },
  denied: { kind: 'ACCESS_DENIED', status: 403 },
  unknown: { kind: 'INVALID_API_KEY', status: 403 },
  tooLarge: { kind: 'REQUEST_TOO_LARGE', status: 413 },
  authorizer: { kind: 'AUTHORIZER_FAILURE', status: 500 },
  own: { kind: 'DEFAULT_5XX', status: 500 },
} as const satisfies Record<string, Failure>

type Received = {
  readonly request: IncomingMessage
  readonly requestId: string
  readonly authorize: ReturnType<typeof openAuthorizer>
}

async function answerTo(
  { request, requestId, authorize }: Received,
  { routes, timeoutMs = TIMEOUT_MS, onDefect, usagePlans }: GatewayOptions,
): Promise<Result | Failure> {
  const [path = '/', ...search] = (request.url ?? '/').split('?')
  const route = routes.find(({ resource }) => isOf(resource, path))
  if (!route) return failures.noResource
  const { resource, identity } = route
  const event: GatewayEvent = {
    resource,
    path,
    httpMethod: request.method ?? 'GET',
    multiValueHeaders: headersOf(request),
    multiValueQueryStringParameters: queryOf(search.join('?')),
    body: (await bodyOf(request)).toString() || null,
    isBase64Encoded: false,
    requestContext: { requestId, authorizer: null },
  }
  const verdict = identity.length > 0 ? await authorize(event, identity) : undefined
  if (verdict === 'missing') return failures.missing
  if (verdict && !verdict.isAllowed) return { ...failures.denied, verdict }
  if (verdict && identity.includes('authorization') && !usagePlans.knows(verdict.usageKey))
    return { ...failures.unknown, verdict }
  const timer = new AbortController()
  const late = sleep(timeoutMs, failures.late, { signal: timer.signal, ref: false })
  late.catch(() => undefined)
  try {
    const answered = route.handler(authorized(event, verdict)).then(resultFrom)
    return await Promise.race([answered, late])
  } catch (error) {
    onDefect?.(error)
    return failures.malformed
  } finally {
    timer.abort()
  }
}

function authorized(event: GatewayEvent, verdict: AuthorizerVerdict | undefined): GatewayEvent {
  if (verdict === undefined) return event
  const values = Object.entries(verdict.context).map(([name, value]) => [name, String(value)])
  return { ...event, requestContext: { ...event.requestContext, authorizer: Object.fromEntries(values) } }
}

/** Whether a path belongs to a resource, such as `/v1/{proxy+}` or `/v1/pages/{id}`. */
function isOf(resource: string, path: string): boolean {
  const [, base, isGreedy] = /^(.*\/)\{\w+(\+?)\}$/.exec(resource) ?? []
  if (base === undefined) return resource === path
  const rest = path.startsWith(base) ? path.slice(base.length) : ''
  return rest !== '' && (isGreedy === '+' || !rest.includes('/'))
}

const resultFrom = ({ statusCode, headers = {}, body }: APIGatewayProxyResult): Result => ({
  statusCode,
  headers: Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [renamed(name), String(value)] as const),
  ),
  body: Buffer.from(body),
})

const renamed = (name: string): string =>
  remapped.has(name.toLowerCase()) ? `x-amzn-Remapped-${name}` : name

function send(
  { request, response, requestId }: { request: IncomingMessage; response: ServerResponse; requestId: string },
  answer: Result | Failure,
  responses: GatewayOptions['responses'],
): void {
  const { statusCode, headers, body } = 'kind' in answer ? responseTo(answer, requestId, responses) : answer
  const hasLength = statusCode !== 204 && statusCode !== 304
  response.writeHead(statusCode, {
    ...headers,
    'x-amzn-RequestId': requestId,
    ...(hasLength ? { 'content-length': String(body.length) } : {}),
  })
  response.end(request.method === 'HEAD' || !hasLength ? undefined : body)
}

/** The gateway response of a failure, with `$context.…` replaced. */
function responseTo(
  { kind, status, verdict }: Failure,
  requestId: string,
  responses: GatewayOptions['responses'],
): Result {
  const found = responses[kind] ?? responses[status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX']
  const filled = (text: string) =>
    text.replace(/\$context\.(authorizer\.)?([\w.]+)/g, (_, isOfAuthorizer: string, name: string) =>
      String((isOfAuthorizer ? verdict?.context[name] : name === 'requestId' ? requestId : '') ?? ''),
    )
  const headers = Object.entries(found?.headers ?? {}).map(([name, value]) => [name, filled(value)])
  return {
    statusCode: found?.status ?? status,
    headers: Object.fromEntries(headers),
    body: Buffer.from(filled(found?.body ?? '')),
  }
}
