import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { LifetimeBounds } from './cache-control.ts'
import type { Answer, AnswerOptions, Viewer } from './cloudfront-answer.ts'
import { answerOf, failure, generated, readable, sendAnswer } from './cloudfront-answer.ts'
import type { CacheAnswer } from './cloudfront-cache.ts'
import { EdgeCache } from './cloudfront-cache.ts'
import type { Controlled } from './cloudfront-control.ts'
import { headersFrom, requestEvent, responseEvent } from './cloudfront-event.ts'
import type { EdgeFunction, FunctionEvent, FunctionRequest, KeyValues } from './cloudfront-function.ts'
import { compileFunction, type FunctionResponse, type OriginChoice } from './cloudfront-function.ts'
import type { OriginAnswer } from './cloudfront-origin.ts'
import { askOrigin, forwardable, passThrough } from './cloudfront-origin.ts'
import { matches, normalised } from './cloudfront-paths.ts'
import { openRateRules, type RateRule } from './cloudfront-rates.ts'
import { isLocalHost, viewerServer } from './cloudfront-viewers.ts'
import { compressed, normaliseAcceptEncoding } from './compression.ts'
import type { StandIn } from './listening.ts'
import { listen } from './listening.ts'

/** One path pattern and how its requests are answered; see lambdas/edge/distribution.ts for what each part means. */
export type Behaviour = {
  readonly pattern: string
  readonly origin: string
  readonly hasFunctions: boolean
  readonly forwardsTo: readonly string[]
  readonly cache:
    | (LifetimeBounds & { readonly keyHeaders: readonly string[]; readonly isQueryInKey: boolean })
    | null
  readonly standIn?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly refusals: { readonly missing: Refusal; readonly absent: Refusal }
}

export type Refusal = { readonly status: number; readonly message: string }

export type CloudfrontOptions = AnswerOptions & {
  readonly port?: number
  readonly functions: { readonly viewerRequest: string; readonly viewerResponse: string }
  /** Base address by origin; one without an address is absent and answers 503. */
  readonly origins: Readonly<Record<string, string | undefined>>
  /** Headers that an origin is sent beside the viewer's, by origin. */
  readonly originHeaders?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Bounds on requests, before anything else is done with them; see lambdas/edge/rate-rules.ts. */
  readonly rateRules?: readonly RateRule[]
  readonly behaviours: readonly Behaviour[]
  /** What `/` means. */
  readonly rootObject?: string
  readonly errorTtlSeconds?: Readonly<Record<number, number>>
  /** Longest gap between two packets, by origin. */
  readonly responseTimeoutSeconds?: Readonly<Record<string, number>>
  /** What the viewer-request function is associated with. */
  readonly keyValueStore?: KeyValues
  /** Told of each line of the functions' logs: the request's id, a space, the text. */
  readonly onFunctionLog?: (line: string) => void
  /** Unix ms. */
  readonly now?: () => number
  /** Told of what a reader only sees as a 500. */
  readonly onDefect?: (error: unknown) => void
}

/** CloudFront's limit on an address, in bytes (Developer Guide, "Quotas"). */
const URL_LIMIT = 8192
/** Bodies kept in memory. */
const CACHE_BYTES = 64 * 1024 * 1024
/** CloudFront's default error caching minimum TTL is 10 s for these. */
const DEFAULT_ERROR_TTL = { 404: 10, 500: 10, 502: 10, 503: 10, 504: 10 }
/** A behaviour, and all that holds for each of its answers: the headers added, and how its cache knows them apart. */
type Rule = Behaviour & {
  readonly added: AnswerOptions
  readonly bounds: LifetimeBounds
  readonly keyHeaders: readonly string[]
  readonly isQueryInKey: boolean
}
type Exchange = Viewer & { readonly behaviour: Rule }

/** One distribution of CloudFront on this machine, over http. It compiles the functions first: rejects when they do not. */
export async function startCloudfront(options: CloudfrontOptions): Promise<StandIn & Controlled> {
  const distribution = new Distribution(options)
  const server = viewerServer(options, (request, response) => distribution.serve(request, response))
  const standIn = await listen('cloudfront', server, options.port)
  return { ...standIn, invalidate: (paths) => distribution.invalidate(paths) }
}

class Distribution {
  readonly #options: CloudfrontOptions
  readonly #rules: readonly Rule[]
  readonly #cache: EdgeCache
  readonly #viewerRequest: EdgeFunction
  readonly #viewerResponse: EdgeFunction
  readonly #isOverBound: (request: IncomingMessage) => boolean

  constructor(options: CloudfrontOptions) {
    this.#options = options
    this.#rules = options.behaviours.map((behaviour) => ruleOf(behaviour, options))
    const { functions, keyValueStore, onFunctionLog: onLog, now } = options
    this.#viewerRequest = compileFunction(functions.viewerRequest, { keyValueStore, onLog, now })
    this.#viewerResponse = compileFunction(functions.viewerResponse, { onLog, now })
    const errorTtlSeconds = options.errorTtlSeconds ?? DEFAULT_ERROR_TTL
    this.#isOverBound = openRateRules(options.rateRules ?? [], options.now ?? Date.now)
    this.#cache = new EdgeCache({ maxBytes: CACHE_BYTES, errorTtlSeconds, now: options.now ?? Date.now })
  }

  serve(request: IncomingMessage, response: ServerResponse): void {
    const { url = '' } = request
    const path = normalised(url.split('?', 1)[0] ?? '')
    const behaviour = this.#rules.find(({ pattern }) => matches(pattern, path))
    const requestId = randomUUID()
    const viewer = { request, response, requestId }
    if (!isLocalHost(request)) this.#send(viewer, failure(404, 'There is no service of this name here.'))
    else if (!behaviour || !url.startsWith('/')) this.#send(viewer, failure(400, ''))
    else if (this.#isOverBound(request))
      this.#send(viewer, failure(429, 'Too many requests from one address or with one key.'))
    else if (url.length > URL_LIMIT)
      this.#send(viewer, failure(400, `The address is longer than ${URL_LIMIT} bytes.`))
    else if (behaviour.cache === null) this.#stream({ request, response, requestId, behaviour })
    else this.#serveAnswer({ request, response, requestId, behaviour })
  }

  /** An answer that is there at once is sent at once: a promise costs more than finding it in the cache. */
  #serveAnswer(exchange: Exchange): void {
    const sent = (answer: Answer) => this.#send(exchange, answer, exchange.behaviour)
    const failed = (error: unknown) => {
      this.#options.onDefect?.(error)
      this.#send(exchange, failure(500, ''))
    }
    try {
      const answer = this.#answer(exchange)
      if (answer instanceof Promise) answer.then(sent, failed)
      else sent(answer)
    } catch (error) {
      failed(error)
    }
  }

  /** Entries are known by the address that the functions made of the reader's. */
  invalidate(paths: readonly string[]): number {
    return this.#cache.invalidate((key) => paths.some((path) => matches(path, key.split('\n')[1] ?? '')))
  }

  #send(viewer: Viewer, answer: Answer, behaviour?: Rule): void {
    sendAnswer(viewer, answer, behaviour?.added ?? this.#options)
  }

  #stream(exchange: Exchange): void {
    const { absent } = exchange.behaviour.refusals
    const base = this.#options.origins[exchange.behaviour.origin]
    if (base === undefined) {
      this.#send(exchange, failure(absent.status, absent.message))
    } else {
      const added = {
        ...this.#options.responseHeaders,
        'x-cache': 'Miss from cloudfront',
        'x-amz-cf-id': exchange.requestId,
      }
      const timeoutMs = this.#timeoutMsOf(exchange.behaviour.origin)
      const to = { url: `${base}${exchange.request.url}`, timeoutMs }
      passThrough({ ...exchange, added }, to, () => this.#send(exchange, failure(503, '')))
    }
  }

  #timeoutMsOf(origin: string): number | undefined {
    const seconds = this.#options.responseTimeoutSeconds?.[origin]
    return seconds === undefined ? undefined : 1000 * seconds
  }

  #answer(exchange: Exchange): Answer | Promise<Answer> {
    const event = requestEvent(exchange.request, exchange.requestId)
    const { behaviour } = exchange
    if (!behaviour.hasFunctions) {
      const isRead = exchange.request.method === 'GET' || exchange.request.method === 'HEAD'
      if (!isRead) return failure(405, '')
      const found = this.#fromCache(behaviour, this.#rooted(event.request), groupOf(behaviour))
      return found instanceof Promise ? found.then(answerOf) : answerOf(found)
    }
    const { result, origin } = this.#viewerRequest(event)
    if ('statusCode' in result) return generated(result)
    const found = this.#fromCache(behaviour, result, origin)
    const answered = (cached: CacheAnswer) => this.#responded(event, result, answerOf(cached))
    return found instanceof Promise ? found.then(answered) : answered(found)
  }

  /** What viewer-response makes of an answer; CloudFront does not run it on one of 400 or more. */
  #responded(event: FunctionEvent, request: FunctionRequest, answer: Answer): Answer {
    if (answer.status >= 400) return answer
    const { result } = this.#viewerResponse(responseEvent(event, request, answer))
    return { ...answer, headers: headersFrom((result as FunctionResponse).headers ?? {}) }
  }

  #rooted(request: FunctionRequest): FunctionRequest {
    const { rootObject } = this.#options
    return request.uri === '/' && rootObject ? { ...request, uri: `/${rootObject}` } : request
  }

  /** At once what is kept and holds: most answers, and a promise of one costs more than the look. */
  #fromCache(
    behaviour: Rule,
    request: FunctionRequest,
    origin: OriginChoice | null,
  ): CacheAnswer | Promise<CacheAnswer> {
    const { bounds, keyHeaders, isQueryInKey } = behaviour
    const accepted = normaliseAcceptEncoding(request.headers['accept-encoding']?.value ?? '')
    let key = `${behaviour.pattern}\n${request.uri}\n${isQueryInKey ? queryText(request) : ''}\n${accepted}`
    for (const name of keyHeaders) key += `\n${request.headers[name]?.value ?? ''}`
    const fresh = this.#cache.fresh(key)
    if (fresh) return fresh
    const choice = origin ?? { originIds: [behaviour.origin], failoverOn: [] }
    return this.#cache.answer({
      key,
      bounds,
      fetch: async (etag) =>
        compressed(await this.#fromOrigins({ behaviour, request, choice, etag }), accepted),
    })
  }

  /** The first origin, or the next one when it answers a status the choice fails over on; what the last one answers stands. */
  async #fromOrigins(wanted: {
    behaviour: Behaviour
    request: FunctionRequest
    choice: OriginChoice
    etag: string | undefined
  }): Promise<OriginAnswer> {
    const { behaviour, request, choice, etag } = wanted
    let refusal = behaviour.refusals.absent
    for (const id of choice.originIds) {
      const base = this.#options.origins[id]
      if (base === undefined) break
      const isForwarded = behaviour.forwardsTo.includes(id)
      const query = queryText(request)
      const answer = await askOrigin({
        url: `${base}${request.uri}${isForwarded && query !== '' ? `?${query}` : ''}`,
        // A HEAD fills the cache as a GET does; what is neither ends here with its body, for these origins are read-only.
        method: request.method === 'HEAD' ? 'GET' : request.method,
        headers: { ...originHeaders(request, isForwarded, etag), ...this.#options.originHeaders?.[id] },
        timeoutMs: this.#timeoutMsOf(id),
      })
      if (id === choice.originIds.at(-1) || !choice.failoverOn.includes(answer.status)) {
        return behaviour.hasFunctions ? readable(answer) : answer
      }
      refusal = behaviour.refusals.missing
    }
    return { status: refusal.status, headers: {}, body: Buffer.alloc(0), failure: refusal.message }
  }
}

/** An origin group of a behaviour: its origin, then what stands in for it. */
const groupOf = ({ origin, standIn }: Behaviour): OriginChoice | null =>
  standIn === undefined ? null : { originIds: [origin, standIn], failoverOn: [400, 403, 404] }

function ruleOf(behaviour: Behaviour, options: CloudfrontOptions): Rule {
  const { keyHeaders, isQueryInKey, ...bounds } = behaviour.cache ?? noCache
  const responseHeaders = { ...options.responseHeaders, ...behaviour.headers }
  return { ...behaviour, added: { ...options, responseHeaders }, bounds, keyHeaders, isQueryInKey }
}

const noCache = { minSeconds: 0, defaultSeconds: 0, maxSeconds: 0, keyHeaders: [], isQueryInKey: true }

/** Of a body that ends here, and of conditions and ranges, which are between the reader and the cache; the cache has its own condition, and compresses by itself. */
const notForwarded = [
  ...['if-none-match', 'if-modified-since', 'if-match', 'range', 'accept-encoding'],
  ...['content-length', 'expect'],
]

function originHeaders(
  request: FunctionRequest,
  isForwarded: boolean,
  etag: string | undefined,
): Record<string, string> {
  const sent = isForwarded ? forwardable(headersFrom(request.headers)) : {}
  for (const name of notForwarded) {
    delete sent[name]
  }
  return etag === undefined ? sent : { ...sent, 'if-none-match': etag }
}

function queryText(request: FunctionRequest): string {
  return Object.entries(request.querystring)
    .flatMap(([name, all]) =>
      (all.multiValue ?? [all]).map(({ value }) => (value === '' ? name : `${name}=${value}`)),
    )
    .join('&')
}
