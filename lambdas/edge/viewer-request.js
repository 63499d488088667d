// @ts-check
/**
 * CloudFront Function on every viewer request of the API: checks the key, brings the request into its canonical form, and
 * chooses the origin. Errors that need only the key's entry are answered here, without an API call.
 */
import cloudfront from 'cloudfront'
import { decoded, documentOf, ignoredOf, operationPath } from '../../schemas/api/canonical.js'
import {
  addressed,
  answerPreflight,
  edgeCaller,
  edgeRefusal,
  isRead,
  refuseUntil,
  stored,
  valuedHeaders,
} from './callers-and-refusals.js'

/**
 * A viewer's headers that no origin is sent: those by which the edge speaks to the origins, and those that S3 answers with
 * errors in XML, which no failover catches.
 */
const UNSENT = /^(x-z100-|x-amz-|if-match$|if-unmodified-since$|if-range$|range$)/
/** In the cache key: one value for shared answers, the request's id for all others, so that these reach no other reader. */
const SCOPE = 'x-z100-scope'
const SHARED = 'shared'
/** Carries the names of ignored parameters to viewer-response. */
const IGNORED = 'x-z100-ignored'
/** Maximum length of the ignored names in an answer, in bytes. */
const IGNORED_LENGTH = 256
const MS_PER_HOUR = 3600000
/** The last part of a path that needs no key, where it is an id. */
const ID = /^(\/v1\/token-pages\/)[\w:-]+$/
/** A whole UTC hour: the only times whose documents are shared; the API reads all others. */
const HOUR = /^(\d{4}-\d\d-\d\dT\d\d):00(:00)?Z$/

/**
 * @param {EdgeEvent} event
 * @returns {Promise<EdgeRequest | EdgeResponse>}
 */
export async function handler(event) {
  const request = addressed(event, UNSENT)
  if (JSON.stringify([request.headers, request.cookies]).length > EDGE.HEADERS_LIMIT)
    return edgeRefusal(event, 'headers', {})
  const redirect = EDGE.REDIRECTS[request.uri]
  if (redirect) return { statusCode: 301, headers: valuedHeaders({ location: redirect }) }
  if (request.method === 'OPTIONS') return answerPreflight(EDGE.PREFLIGHT_HEADERS)
  const path = operationPath(EDGE.ALIASES[request.uri] || tokenPage(request.uri) || request.uri)
  if (EDGE.PUBLIC_PATHS.indexOf(path.replace(ID, '$1{id}')) >= 0) return answerPublic(event, path)
  return answerKeyed(event, path)
}

/**
 * The path of the operation that answers with the page of a token, the same for an id in any case; an impossible id becomes
 * `-`. Empty: another address.
 * @param {string} uri
 */
function tokenPage(uri) {
  if (uri.indexOf(EDGE.TOKEN_PAGES) !== 0) return ''
  const id = uri.slice(EDGE.TOKEN_PAGES.length).toLowerCase()
  return `/v1/token-pages/${/^[\w:]{1,80}$/.test(id) ? id : '-'}`
}

/**
 * Operations without a key: the query is dropped, so that it cannot bypass the cache.
 * @param {EdgeEvent} event
 * @param {string} path
 */
function answerPublic(event, path) {
  const request = event.request
  // The gateway would take it for a signature of AWS and complain.
  delete request.headers['authorization']
  if (!isRead(request)) return edgeRefusal(event, 'method', { method: request.method })
  request.uri = path
  request.querystring = {}
  const asked = askedBy(request, path)
  if (asked) return toOrigin(event, asked)
  request.headers[SCOPE] = { value: SHARED }
  cloudfront.selectRequestOriginById('api')
  return request
}

/**
 * @param {EdgeEvent} event
 * @param {string} path empty when its encoding is malformed
 * @returns {Promise<EdgeRequest | EdgeResponse>}
 */
async function answerKeyed(event, path) {
  const request = event.request
  const caller = await edgeCaller(event)
  if (caller.refusal) return caller.refusal
  const account = caller.account
  const tier = caller.tier
  const hour = Math.floor(Date.now() / MS_PER_HOUR)
  const limit = EDGE.LIMITS[tier]
  const isCounted = limit !== undefined && EDGE.UNCOUNTED_PATHS.indexOf(path) < 0
  // The entry contains the limit: an account that is given another one is not refused for the old.
  if (isCounted && (await stored(EDGE.EXHAUSTED + account)) === `${hour}|${limit}`)
    return refuseUntil(event, 'limit', { limit: limit, endMs: (hour + 1) * MS_PER_HOUR })
  if (!isRead(request)) return edgeRefusal(event, 'method', { method: request.method })
  const asked = askedBy(request, path)
  // The API counts requests of the pages by the reader's network; documents are not counted, and of the past it has few.
  if (tier === EDGE.SITE_TIER) return toOrigin(event, asked?.isPast ? null : asked)
  // A tier that is counted exactly is always answered by the API.
  if (EDGE.CACHED_TIERS.indexOf(tier) < 0) {
    const answered = toOrigin(event, null)
    if (account !== '') return answered
    // Made-up keys have a narrow way to the API. Where the store has lost its entries, or fails, nobody's key can be told from them.
    if (await stored(EDGE.WHOLE)) answered.uri = EDGE.UNKNOWN + answered.uri
    // biome-ignore lint/suspicious/noConsole: an alarm counts these lines
    else console.log(EDGE.LOST)
    return answered
  }
  const mark = caller.digest.slice(0, EDGE.KEY_MARK)
  // biome-ignore lint/suspicious/noConsole: answers of the edge are counted by this log
  if (asked) console.log(`{"z100":"usage","account":"${account}","hour":${hour},"key":"${mark}"}`)
  return toOrigin(event, asked)
}

/**
 * The document that a request names, and its ignored parameters; null: none.
 * @param {EdgeRequest} request
 * @param {string} path
 * @returns {Asked | null}
 */
function askedBy(request, path) {
  const places = EDGE.TABLE[path]
  if (!places || !isRead(request)) return null
  const lists = places.map((list) => list.map(parameterAt))
  const operation = /** @type {import('../../schemas/api/canonical.js').EdgeOperation} */ ({
    documentParameters: lists[0],
    rest: lists[1],
  })
  const query = sentQuery(request.querystring)
  const ignored = ignoredOf(operation, query)
  const past = ignored.indexOf(EDGE.AS_OF) < 0 && HOUR.exec((query[EDGE.AS_OF] || []).join())
  if (past) delete query[EDGE.AS_OF]
  const document = documentOf(path, operation, query)
  return document
    ? { document: past ? document + EDGE.PAST_MARK + past[1] : document, isPast: !!past, ignored: ignored }
    : null
}

/** @type {(at: number) => import('../../schemas/api/canonical.js').EdgeParameter} */
function parameterAt(at) {
  const parts = /** @type {string} */ (EDGE.PARAMETERS[at]).split('|')
  const words = parts.map((text) => (text ? text.split(',') : null))
  const fallback = parts[1]
  return {
    names: words[0] || [],
    fallback: fallback === undefined ? null : fallback,
    values: words[2] || null,
    same: words[3] || null,
  }
}

/**
 * A document is answered by the bucket, or by the API if the bucket lacks it (S3 answers 403 without the right to list);
 * one of the past by the API, for all who may ask; everything else by the API, never shared.
 * @typedef {{ document: string, isPast: boolean, ignored: readonly string[] }} Asked
 * @param {EdgeEvent} event
 * @param {Asked | null} asked
 */
function toOrigin(event, asked) {
  const request = event.request
  if (!asked) {
    // The gateway only has routes below /v1/; the API answers 404 for other paths, too.
    if (!/^\/v1\/./.test(request.uri)) request.uri = EDGE.ELSEWHERE + request.uri
    request.headers[SCOPE] = { value: event.context.requestId }
    cloudfront.selectRequestOriginById('api')
    return request
  }
  if (asked.ignored.length > 0) {
    const names = asked.ignored.map(encodeURIComponent).join(', ')
    request.headers[IGNORED] = { value: names.slice(0, IGNORED_LENGTH) }
  }
  request.uri = `/${asked.document}`
  request.querystring = {}
  request.headers[SCOPE] = { value: SHARED }
  if (asked.isPast) cloudfront.selectRequestOriginById('api')
  else
    cloudfront.createRequestOriginGroup({
      originIds: [{ originId: 'published' }, { originId: 'api' }],
      failoverCriteria: { statusCodes: [403, 404] },
    })
  return request
}

/**
 * All values by name, decoded once if possible; CloudFront passes them as they were sent.
 * @param {EdgeRequest['querystring']} sent
 */
function sentQuery(sent) {
  /** @type {Record<string, string[]>} */
  const values = Object.create(null)
  for (const encodedName in sent) {
    const one = /** @type {EdgeHeader} */ (sent[encodedName])
    const name = formDecoded(encodedName)
    const texts = (one.multiValue || [one]).map((each) => formDecoded(each.value))
    values[name] = (values[name] || []).concat(texts)
  }
  return values
}

/** @param {string} text */
function formDecoded(text) {
  return decoded(text.replace(/\+/g, ' ')) || text
}
