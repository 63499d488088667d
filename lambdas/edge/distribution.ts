import { HOST_HEADER, keyBeginning } from '../../schemas/api/access.ts'
import { ACCOUNT_API, sessionCookies } from '../../schemas/api/account.ts'
import { statusBody } from '../../schemas/api/errors.ts'
import { forAnyOrigin, responseHeaders } from '../../schemas/api/headers.ts'
import { MCP_PATH } from '../../schemas/api/mcp.ts'
import { EMBED_PAGES, embedHeaders } from '../../schemas/pages/embeds.ts'
import { DRAWN_PREVIEWS } from '../../schemas/pages/previews.ts'
import { REDIRECTS, SITE_ROOT_OBJECT, siteHeaders, TOKEN_PAGES } from '../../schemas/pages/site.ts'
import { HEARTBEAT_SECONDS } from '../../schemas/values/stream-times.ts'
import { objectPrefixes } from '../../store/aws/tables.ts'
import { type EdgeSettings, edgeFunctions } from './function-text.ts'

export { openResources } from '../api/routes.ts'

/** A behaviour of the distribution: a path pattern and how its requests are answered. Used by the stack and the local edge. */
export type EdgeBehaviour = {
  /** `*` at the end is a wildcard; the first matching behaviour applies. */
  readonly pattern: string
  /** The origin, unless a function chooses one. */
  readonly origin: string
  /** The functions that run, if any. Any method is then let in, since the function refuses the others. */
  readonly runs?: keyof ReturnType<typeof edgeFunctions>
  /** Plain http is refused, because a redirect would come after the key was sent in clear. Otherwise http is redirected. */
  readonly isHttpsOnly: boolean
  /** Origins that receive the viewer's headers and query; the others receive the path only. */
  readonly forwardsTo: readonly string[]
  /**
   * Request headers in the cache key, besides the path and the normalised Accept-Encoding; null: responses are streamed
   * and never cached.
   */
  readonly keyHeaders: readonly string[] | null
  /** Origin to try if the first answers 400, 403 or 404, because S3's errors are XML. */
  readonly fallbackOrigin?: string
  /** Additional response headers. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Answers are of one visitor: any method, the body and the session's cookie reach the origin, nothing is cached, and no page
   * of another origin may read them. @default false
   */
  readonly isPrivate?: true
}

/**
 * Maximum cache time in seconds, including stale-while-revalidate and stale-if-error: a day, to bridge an outage of the
 * publisher. Answers without Cache-Control are not cached; a minimum TTL would override the no-store of API answers.
 */
const MOST_KEPT_SECONDS = 86_400

/**
 * The path of the origin `missing` at the gateway, which has no resource there and answers 404 with a page. Without it the
 * raw path of an address such as `/v1/../manifest`, which is the site's, would be one of the API's, and lack its key.
 */
export const MISSING_PATH = '/-'

/** The functions choose the origin: the bucket or the API. */
const answered = (pattern: string): EdgeBehaviour => ({
  pattern,
  origin: 'api',
  runs: 'api',
  isHttpsOnly: true,
  forwardsTo: ['api'],
  keyHeaders: ['x-z100-scope', HOST_HEADER],
})

/** Events are passed on immediately: no caching, compression or buffering. */
const streamed = (pattern: string): EdgeBehaviour => ({
  pattern,
  origin: 'stream',
  isHttpsOnly: true,
  forwardsTo: ['stream'],
  keyHeaders: null,
})

/** Pages in their bucket, which only uses the path: the query belongs to the page's script. */
const page = (pattern: string): EdgeBehaviour => ({
  pattern,
  origin: 'site',
  isHttpsOnly: false,
  forwardsTo: [],
  keyHeaders: [],
  fallbackOrigin: 'missing',
  headers: siteHeaders,
})

/** The API and every path that begins like it. */
export const API_PATHS = '/v1*'

/** Files in the bucket of documents, below a prefix of their own. Where one is missing the API says so, since S3's errors are XML. */
const filed = (prefix: string): EdgeBehaviour => ({
  pattern: `/${prefix}*`,
  origin: 'published',
  isHttpsOnly: false,
  forwardsTo: [],
  runs: 'archive',
  keyHeaders: [],
})

export const behaviours: readonly EdgeBehaviour[] = [
  // Before `/v1*`, which would match it too.
  streamed('/v1/stream/*'),
  answered(API_PATHS),
  // A client's misspelling is answered in JSON, not with a page.
  answered('/V1*'),
  answered('//*'),
  // Its answers are never cached, and what it is sent is its own to read.
  { ...answered(MCP_PATH), runs: 'tools', keyHeaders: null },
  answered('/llms.txt'),
  ...Object.keys(REDIRECTS).map((path) => ({ ...answered(path), isHttpsOnly: false })),
  { ...answered('/robots.txt'), isHttpsOnly: false },
  { ...answered('/sitemap.xml'), isHttpsOnly: false },
  { ...answered(`${TOKEN_PAGES}*`), isHttpsOnly: false, headers: siteHeaders },
  { ...page(`/${EMBED_PAGES}*`), headers: embedHeaders },
  streamed('/stream*'),
  // With a key, which may not be sent in clear.
  { ...filed(objectPrefixes.archive), isHttpsOnly: true },
  filed(DRAWN_PREVIEWS),
  {
    pattern: `${ACCOUNT_API}*`,
    origin: 'account',
    runs: 'account',
    isPrivate: true,
    isHttpsOnly: true,
    forwardsTo: ['account'],
    keyHeaders: null,
    headers: { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' },
  },
  page('*'),
]

/**
 * Longest pause between two packets of an origin, in seconds; CloudFront's default is 30, and API Gateway gives up after
 * 29 s.
 */
export const responseTimeoutSeconds: Readonly<Record<string, number>> = { stream: 4 * HEARTBEAT_SECONDS }

/**
 * Seconds for which an origin's error is cached, by status: this protects a failing origin, and a missing page costs one
 * look-up a minute. A 404 of the API is cached in the scope of its own request, so no other reader gets it.
 */
const errorTtlSeconds: Readonly<Record<number, number>> = { 404: 60, 500: 1, 502: 1, 503: 1, 504: 1 }

/** JSON of an error made by the distribution itself; an empty `message` means the code's default. */
export function edgeErrorBody(status: number, message: string, requestId: string): string {
  return JSON.stringify(statusBody(status, message, requestId))
}

/** The complete distribution, for the stack and the local edge. Throws as edgeFunctions does. */
export function distribution(settings: EdgeSettings = {}) {
  return {
    functions: edgeFunctions(settings),
    behaviours,
    /** The only cookie that an origin gets, of private behaviours. */
    privateCookie: sessionCookies.https.name,
    rootObject: SITE_ROOT_OBJECT,
    responseHeaders,
    mostKeptSeconds: MOST_KEPT_SECONDS,
    errorTtlSeconds,
    errorBody: edgeErrorBody,
    rateMessage: RATE_MESSAGE,
  }
}

/**
 * A rate limit at the edge, before its functions run. AWS WAF evaluates it every few seconds, so a burst can exceed it
 * for about 30 s: a brake, not an exact count.
 */
export type EdgeRateRule = {
  readonly name: string
  /** Requests are grouped by the reader's address or by the header Authorization. */
  readonly by: 'address' | 'authorization'
  /** Only requests whose Authorization contains this text. */
  readonly authorizationHolds?: string
  /** Only requests whose path begins with one of these; with `isElse`, with none of them. */
  readonly pathBegins?: readonly string[]
  readonly isElse?: true
  /** Maximum requests in a window. */
  readonly limit: number
  readonly windowSeconds: 60 | 120 | 300 | 600
}

export const rateRules: readonly EdgeRateRule[] = [
  // A seventh more than the highest tier has, spread over its hour.
  { name: 'address', by: 'address', limit: 1_900, windowSeconds: 300 },
  // Pages, tools and the stream, which need no key.
  {
    name: 'open',
    by: 'address',
    limit: 1_000,
    windowSeconds: 300,
    pathBegins: ['/v1/', `/${objectPrefixes.archive}`, ACCOUNT_API],
    isElse: true,
  },
  // What is long and needs no key.
  {
    name: 'large',
    by: 'address',
    limit: 40,
    windowSeconds: 300,
    pathBegins: [
      ...['/v1/openapi.json', '/docs/api', `/${objectPrefixes.archive}manifest.json`],
      ...['/llms.txt', '/v1/llms.txt', '/sitemap.xml', '/v1/sitemap.xml'],
    ],
  },
  // Bounds the excess over a key's limit, since answers from the cache are counted some seconds late.
  { name: 'key', by: 'authorization', limit: 3_000, windowSeconds: 60 },
  // An account page that stays open asks once a minute; signing in asks four times.
  { name: 'account', by: 'address', limit: 150, windowSeconds: 300, pathBegins: [ACCOUNT_API] },
  // About 25 pages in five minutes; all visitors share one key.
  { name: 'site', by: 'address', limit: 400, windowSeconds: 300, authorizationHolds: keyBeginning('site') },
]

const RATE_MESSAGE = 'Too many requests from one address or with one key.'

/** The answer beyond a limit. The firewall does not know the request's id. */
export const tooManyRequests = {
  status: 429,
  headers: { 'retry-after': '60', ...forAnyOrigin, 'cache-control': 'no-store' },
  body: JSON.stringify(statusBody(429, RATE_MESSAGE, '')),
} as const
