import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import {
  type CacheOptions,
  compressed,
  normaliseAcceptEncoding,
  openEdgeCache,
  type ViewerAnswer,
} from './cloudfront-cache.ts'
import type { Controlled } from './cloudfront-control.ts'
import {
  compileAll,
  type EdgeFunctions,
  type EdgeFunctionTexts,
  type FunctionRequest,
  type FunctionResponse,
  type KeyValues,
  type OriginChoice,
} from './cloudfront-function.ts'
import { askOrigin, failed, forwardable, type OriginAnswer, passThrough } from './cloudfront-origin.ts'
import {
  type AnswerOptions,
  headersFrom,
  normalised,
  queryText,
  requestEvent,
  responseEvent,
  sendAnswer,
  type Viewer,
  viewerServer,
} from './cloudfront-viewer.ts'
import { type Emulator, listen } from './listening.ts'
import { openRateRules, type RateRule } from './rate-rules.ts'
import { BodyTooLargeError, bodyOf } from './request-body.ts'

/** A behaviour; see lambdas/edge/distribution.ts for its fields. */
export type Behaviour = {
  readonly pattern: string
  readonly origin: string
  /** Name of the functions that run. */
  readonly runs?: string
  readonly forwardsTo: readonly string[]
  readonly keyHeaders: readonly string[] | null
  readonly fallbackOrigin?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly isPrivate?: true
}

export type CloudfrontOptions = AnswerOptions &
  Omit<CacheOptions, 'now'> & {
    readonly port?: number
    /** Where it listens, and its name behind a proxy: see `listen`. */
    readonly host?: string | undefined
    readonly publicHost?: string | undefined
    readonly functions: EdgeFunctionTexts
    /** The cookie that private behaviours pass on. */
    readonly privateCookie?: string
    /** Base address by origin. */
    readonly origins: Readonly<Record<string, string>>
    /** Additional request headers by origin. */
    readonly originHeaders?: Readonly<Record<string, Readonly<Record<string, string>>>>
    readonly rateRules?: readonly RateRule[]
    /** The message of a 429 by one of these rules. */
    readonly rateMessage?: string
    readonly behaviours: readonly Behaviour[]
    /** Default root object. */
    readonly rootObject?: string
    /** Key-value store of the functions. */
    readonly keyValueStore?: KeyValues
    /** Called with each log line of the functions: request id, space, text. */
    readonly onFunctionLog?: (line: string) => void
    /** Unix ms. */
    readonly now?: () => number
    /** Called with errors that a reader only sees as a 500. */
    readonly onDefect?: (error: unknown) => void
  }

/** CloudFront's limit on a URL, in bytes (Developer Guide, "Quotas"). */
const URL_LIMIT = 8192

/** CloudFront refuses it (Developer Guide, "Request and response behavior": GET requests that include a body). */
const isGetWithBody = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  (Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined)

/** A local CloudFront distribution over http. Throws if its functions do not compile. */
export async function startCloudfront(options: CloudfrontOptions): Promise<Emulator & Controlled> {
  const { now = Date.now, behaviours } = options
  const countRequest = openRateRules(options.rateRules ?? [], now)
  const { answerTo, answerPrivate, passOn, invalidate } = openDistribution({ ...options, now })
  const server = viewerServer(options, (request, response) => {
    const { url = '' } = request
    const path = normalised(url.split('?', 1)[0] ?? '')
    const behaviour = behaviours.find(({ pattern }) => matches(pattern, path))
    const viewer = { request, response, requestId: randomUUID() }
    const common = behaviour?.isPrivate ? {} : options.responseHeaders
    const responseHeaders = { ...common, ...behaviour?.headers }
    const send = (answer: ViewerAnswer) => sendAnswer(viewer, answer, { ...options, responseHeaders })
    if (!behaviour || !url.startsWith('/')) send(failure(400, ''))
    else if (countRequest(request)) send(failure(429, options.rateMessage ?? ''))
    else if (isGetWithBody(request)) send(failure(403, 'A GET may have no body here.'))
    else if (url.length > URL_LIMIT) send(failure(400, `The address is longer than ${URL_LIMIT} bytes.`))
    else if (behaviour.keyHeaders === null && !behaviour.isPrivate) passOn(viewer, behaviour, send)
    else {
      const answered = behaviour.isPrivate ? answerPrivate(viewer, behaviour) : answerTo(viewer, behaviour)
      answered.then(send, (error: unknown) => {
        if (error instanceof BodyTooLargeError) return send(failure(413, `${error.message}.`))
        options.onDefect?.(error)
        send(failure(500, ''))
      })
    }
  })
  const emulator = await listen('cloudfront', server, {
    port: options.port,
    host: options.host,
    publicHost: options.publicHost,
    isForPages: true,
    refuse: (request, response) => {
      const answer = failure(404, 'There is no service of this name here.')
      sendAnswer({ request, response, requestId: randomUUID() }, answer, options)
    },
  })
  return { ...emulator, invalidate }
}

/** An error made by the distribution itself; the message may be empty. */
const failure = (status: number, message: string): ViewerAnswer => ({
  ...failed(status, message),
  cacheResult: 'Error',
})

type Send = (answer: ViewerAnswer) => void
type Passing = {
  readonly options: CloudfrontOptions
  readonly functions: EdgeFunctions | undefined
  readonly send: Send
}

/** A behaviour without a cache: the stream, and what takes messages. */
function passOn(viewer: Viewer, behaviour: Behaviour, { options, functions, send }: Passing): void {
  const { request, requestId } = viewer
  const added = { ...options.responseHeaders, 'x-cache': 'Miss from cloudfront', 'x-amz-cf-id': requestId }
  const passed = (id: string, path: string, sent?: Readonly<Record<string, string>>) =>
    passThrough({ ...viewer, added, ...(sent ? { sent } : {}) }, `${options.origins[id]}${path}`, () =>
      send(failure(503, '')),
    )
  if (!functions) return void passed(behaviour.origin, request.url ?? '')
  const { result, origin } = functions.request(requestEvent(request, requestId))
  if ('statusCode' in result) return void send(generated(result))
  const [id = behaviour.origin] = origin?.originIds ?? []
  const query = queryText(result)
  const sent = { ...headersFrom(result.headers), ...options.originHeaders?.[id] }
  passed(id, `${result.uri}${query === '' ? '' : `?${query}`}`, sent)
}

/** The behaviours: functions, cache, origins. */
function openDistribution(options: CloudfrontOptions & { readonly now: () => number }) {
  const functions = compileAll(options.functions, { ...options, onLog: options.onFunctionLog })
  const cache = openEdgeCache(options)

  const fromCache = (behaviour: Behaviour, request: FunctionRequest, choice: OriginChoice) => {
    const accepted = normaliseAcceptEncoding(request.headers['accept-encoding']?.value ?? '')
    const values = (behaviour.keyHeaders ?? []).map((name) => request.headers[name]?.value ?? '')
    const key = [behaviour.pattern, request.uri, accepted, ...values].join('\n')
    return cache.answer(key, async (etag) =>
      compressed(await fromOrigins({ behaviour, request, choice, etag }, options), accepted),
    )
  }

  const answerTo = async ({ request, requestId }: Viewer, behaviour: Behaviour): Promise<ViewerAnswer> => {
    const event = requestEvent(request, requestId)
    const run = functions.get(behaviour.runs ?? '')
    if (!run) {
      if (request.method !== 'GET' && request.method !== 'HEAD') return failure(405, '')
      const { rootObject } = options
      const isRoot = event.request.uri === '/' && rootObject !== undefined
      const asked = isRoot ? { ...event.request, uri: `/${rootObject}` } : event.request
      return fromCache(behaviour, asked, groupOf(behaviour))
    }
    const { result, origin } = run.request(event)
    if ('statusCode' in result) return generated(result)
    const answer = await fromCache(behaviour, result, origin ?? groupOf(behaviour))
    // CloudFront does not run it on one of 400 or more.
    if (answer.status >= 400 || !run.response) return answer
    const { result: response } = run.response(responseEvent(event, result, measured(answer)))
    return { ...answer, headers: headersFrom(response.headers ?? {}) }
  }

  /** With its body and cookie, past the cache. */
  const answerPrivate = async (
    { request, requestId }: Viewer,
    behaviour: Behaviour,
  ): Promise<ViewerAnswer> => {
    const event = requestEvent(request, requestId)
    const { result } = functions.get(behaviour.runs ?? '')?.request(event) ?? { result: event.request }
    if ('statusCode' in result) return generated(result)
    const { [options.privateCookie ?? '']: cookie } = result.cookies
    const body = await bodyOf(request)
    const answer = await askOrigin({
      url: `${options.origins[behaviour.origin]}${result.uri}`,
      method: result.method,
      headers: {
        ...headersSent(result, true),
        ...options.originHeaders?.[behaviour.origin],
        ...(cookie ? { cookie: `${options.privateCookie}=${cookie.value}` } : {}),
        'content-length': String(body.length),
      },
      body,
    })
    return { ...readable(answer), cacheResult: 'Miss' }
  }

  return {
    answerTo,
    passOn: (viewer: Viewer, behaviour: Behaviour, send: Send) =>
      passOn(viewer, behaviour, { options, functions: functions.get(behaviour.runs ?? ''), send }),
    answerPrivate,
    /** Entries are keyed by the path after the functions have rewritten it. */
    invalidate: (paths: readonly string[]) =>
      cache.invalidate((key) => paths.some((path) => matches(path, key.split('\n')[1] ?? ''))),
  }
}

/** The behaviour's own origin, then its fallback. */
const groupOf = ({ origin, fallbackOrigin }: Behaviour): OriginChoice => ({
  originIds: fallbackOrigin === undefined ? [origin] : [origin, fallbackOrigin],
  failoverOn: [400, 403, 404],
})

/** An answer as functions see it. */
const measured = (answer: ViewerAnswer): ViewerAnswer => ({
  ...answer,
  headers: { ...answer.headers, 'content-length': String(answer.body.length) },
})

/** An answer made by a function. */
const generated = ({ statusCode, headers = {}, body = '' }: FunctionResponse): ViewerAnswer => ({
  status: statusCode,
  headers: headersFrom(headers),
  body: Buffer.from(body),
  cacheResult: 'FunctionGeneratedResponse',
})

type Wanted = {
  readonly behaviour: Behaviour
  readonly request: FunctionRequest
  readonly choice: OriginChoice
  /** Of the cached answer, which an origin's 304 confirms. */
  readonly etag: string | undefined
}

/** Asks the first origin, and the next one if its status is in the failover list; the last answer counts. */
async function fromOrigins(
  { behaviour, request, choice, etag }: Wanted,
  options: CloudfrontOptions,
): Promise<OriginAnswer> {
  let answer = failed(502, '')
  for (const id of choice.originIds) {
    const isForwarded = behaviour.forwardsTo.includes(id)
    const query = isForwarded ? queryText(request) : ''
    answer = await askOrigin({
      url: `${options.origins[id]}${request.uri}${query === '' ? '' : `?${query}`}`,
      // HEAD fills the cache like GET. Other methods end here, since these origins are read-only.
      method: request.method === 'HEAD' ? 'GET' : request.method,
      headers: {
        ...headersSent(request, isForwarded),
        ...options.originHeaders?.[id],
        ...(etag === undefined ? {} : { 'if-none-match': etag }),
      },
    })
    if (!choice.failoverOn.includes(answer.status)) break
  }
  return behaviour.runs === undefined ? answer : readable(answer)
}

/** The answer, unless it is an error that is not JSON, such as XML of a bucket. */
function readable(answer: OriginAnswer): OriginAnswer {
  const isJson = /^application\/json\b/.test(answer.headers['content-type'] ?? '')
  return answer.status < 400 || isJson ? answer : failed(503, '')
}

/** Headers about the request body, conditions and ranges, which are handled between the reader and the cache. */
const notForwarded =
  /^(if-none-match|if-modified-since|if-match|range|accept-encoding|content-length|expect)$/

function headersSent(request: FunctionRequest, isForwarded: boolean): Record<string, string> {
  const all = isForwarded ? Object.entries(forwardable(headersFrom(request.headers))) : []
  return Object.fromEntries(all.filter(([name]) => !notForwarded.test(name)))
}

/** `*` at the end of a pattern is a wildcard. */
const matches = (pattern: string, path: string): boolean =>
  pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern
