import { HOST_HEADER, keyBeginning, readerTiers, tiers } from '../../schemas/access.ts'
import type { EdgeTable } from '../../schemas/canonical.js'
import { statusBody } from '../../schemas/errors.ts'
import { responseHeaders } from '../../schemas/headers.ts'
import { type Operation, operations } from '../../schemas/operations.ts'
import { SITE_ROOT_OBJECT, siteHeaders, TOKEN_PAGES } from '../../schemas/site.ts'
import { type EdgeAccess, edgeFunctions } from './function-text.ts'

/** One path pattern of the distribution and how its requests are answered. The stack and the local edge both read it. */
export type EdgeBehaviour = {
  /** `*` at its end matches anything; the first behaviour that matches holds. */
  readonly pattern: string
  /** Where requests go unless a function chooses. */
  readonly origin: string
  /** Whether viewer-request and viewer-response run; such requests are let in with any method, for the function to refuse. */
  readonly hasFunctions: boolean
  /** Plain http is refused: a redirect would come after a key was sent in clear. The others are redirected. */
  readonly isHttpsOnly: boolean
  /** Origins that get the viewer's headers and query; the others get the bare address. */
  readonly forwardsTo: readonly string[]
  /** Request headers that are part of the cache key, beside the path and the normalised Accept-Encoding; null: nothing is kept, and all is passed through byte by byte as it comes. */
  readonly keyHeaders: readonly string[] | null
  /** Asked for what the origin refuses with 400, 403 or 404: S3 answers errors as XML. */
  readonly fallbackOrigin?: string
  /** Headers of its answers beside those of every answer. */
  readonly headers?: Readonly<Record<string, string>>
  /** What a reader is told when the object is not there yet, and when no such origin serves here. */
  readonly refusals: { readonly missing: EdgeRefusal; readonly absent: EdgeRefusal }
}

export type EdgeRefusal = { readonly status: number; readonly message: string }

/**
 * Most seconds that an answer is kept, stale-while-revalidate and stale-if-error among them: a day lets these bridge an outage
 * of the publisher. One without Cache-Control is not kept; a minimum would override the no-store of API answers.
 */
const MOST_KEPT_SECONDS = 86_400
const notHere: EdgeRefusal = { status: 404, message: 'There is nothing at this address.' }

/** The functions choose who answers: the bucket or the API. */
const answered = (pattern: string): EdgeBehaviour => ({
  pattern,
  origin: 'api',
  hasFunctions: true,
  isHttpsOnly: true,
  forwardsTo: ['api'],
  keyHeaders: ['x-z100-scope', HOST_HEADER],
  refusals: {
    missing: { status: 503, message: 'The first snapshot is not published yet.' },
    absent: {
      status: 503,
      message: 'Only documents are served here: requests with the default limit, offset, sort and order.',
    },
  },
})

/** Each event reaches its reader as it comes: nothing is kept, compressed or gathered on the way. */
const streamed = (pattern: string): EdgeBehaviour => ({
  pattern,
  origin: 'stream',
  hasFunctions: false,
  isHttpsOnly: true,
  forwardsTo: ['stream'],
  keyHeaders: null,
  refusals: { missing: notHere, absent: { status: 503, message: 'The stream is not served here.' } },
})

/** The API and everything that begins like it. */
export const API_PATHS = '/v1*'

export const behaviours: readonly EdgeBehaviour[] = [
  // Before `/v1*`, which would take it: the first pattern that matches holds.
  streamed('/v1/stream/*'),
  answered(API_PATHS),
  // Misspelt by a machine: it is told so in JSON, not by a page.
  answered('/V1*'),
  answered('//*'),
  answered('/llms.txt'),
  { ...answered('/robots.txt'), isHttpsOnly: false },
  { ...answered('/sitemap.xml'), isHttpsOnly: false },
  { ...answered(`${TOKEN_PAGES}*`), isHttpsOnly: false, headers: siteHeaders },
  streamed('/stream*'),
  {
    pattern: '*',
    origin: 'site',
    hasFunctions: false,
    isHttpsOnly: false,
    // A bucket: it knows addresses alone. What stands after the question mark is the page's own.
    forwardsTo: [],
    keyHeaders: [],
    fallbackOrigin: 'api',
    headers: siteHeaders,
    refusals: { missing: notHere, absent: notHere },
  },
]

/**
 * Longest gap between two packets of an origin that its reader waits through, in seconds; the default of CloudFront is 30.
 * The stream says something every 15 s; an API Gateway gives up after 29 s.
 */
export const responseTimeoutSeconds: Readonly<Record<string, number>> = { stream: 60 }

/**
 * Seconds an error of an origin is kept, by status: it shields a sick origin, and who asks for pages that are not there costs
 * one look a minute each. A 404 of the API is kept under its request's own scope, so that nobody else meets it.
 */
export const errorTtlSeconds: Readonly<Record<number, number>> = { 404: 60, 500: 1, 502: 1, 503: 1, 504: 1 }

/** JSON for an error the distribution itself makes; `message` may be empty for the code's own. */
export function edgeErrorBody(status: number, message: string, requestId: string): string {
  return JSON.stringify(statusBody(status, message, requestId))
}

/** Who may read what at the edge. `isCounted`: every tier is counted exactly, at the price of an API call for each answer. */
export function edgeAccess(isCounted = false): EdgeAccess {
  const isPublic = Object.values<Operation>(operations).filter(({ needs }) => needs === 'nothing')
  return {
    publicPaths: isPublic.map(({ path }) => path),
    cachedTiers: readerTiers.filter((tier) => tiers[tier].isCached && !isCounted),
  }
}

/** The whole distribution over the operations of `table`, as the stack and the local edge take it; null `access`: no key is asked for, which is for tests alone. Throws as edgeFunctions does. */
export function distribution(table: EdgeTable, access: EdgeAccess | null) {
  return {
    functions: edgeFunctions(table, access),
    behaviours,
    rootObject: SITE_ROOT_OBJECT,
    responseHeaders,
    mostKeptSeconds: MOST_KEPT_SECONDS,
    errorTtlSeconds,
    responseTimeoutSeconds,
    errorBody: edgeErrorBody,
  }
}

/**
 * A bound on requests at the edge, before its functions run. AWS WAF looks at it every few seconds, so a burst may pass it for
 * some 30 s: it is a brake, not a count.
 */
export type EdgeRateRule = {
  readonly name: string
  /** What requests are gathered by: the reader's address, or the text of the header Authorization. */
  readonly by: 'address' | 'authorization'
  /** Only requests whose Authorization holds this text. */
  readonly authorizationHolds?: string
  /** Most requests in a window. */
  readonly limit: number
  readonly windowSeconds: 60 | 120 | 300 | 600
}

export const rateRules: readonly EdgeRateRule[] = [
  { name: 'address', by: 'address', limit: 12_000, windowSeconds: 300 },
  // Answers from the cache are counted some seconds late: this bounds what one key gets beyond its hour meanwhile.
  { name: 'key', by: 'authorization', limit: 3_000, windowSeconds: 60 },
  // Some 40 pages in five minutes; every visitor has the same key.
  {
    ...{ name: 'site', by: 'address', limit: 600, windowSeconds: 300 },
    authorizationHolds: keyBeginning('site'),
  },
]

/** What is answered beyond a bound. A firewall knows no id of the request. */
export const tooManyRequests = {
  status: 429,
  headers: { 'retry-after': '60', 'access-control-allow-origin': '*', 'cache-control': 'no-store' },
  body: JSON.stringify(statusBody(429, 'Too many requests from one address or with one key.', '')),
} as const
