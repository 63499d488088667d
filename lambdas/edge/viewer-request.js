// @ts-check
/** CloudFront Function on every viewer request of the API: whether it is answered, by whom, under which address and with what share of the cache. */
import cloudfront from 'cloudfront'
// biome-ignore lint/style/useNodejsImportProtocol: CloudFront knows the module by this name
import crypto from 'crypto'
import { decoded, documentOf, ignoredOf, operationPath } from './canonical.js'
import { unpacked } from './packed-table.js'

/** Headers of this kind are the edge's own word to the origins; a viewer's are deleted. */
const OWN = 'x-z100-'
/** In the cache key: one value for what anyone may be answered, another one for each other request, so that no answer can reach another reader. */
const SCOPE = 'x-z100-scope'
const SHARED = 'shared'
/** Carries the names of ignored parameters to viewer-response. */
const IGNORED = 'x-z100-ignored'
/** Most text of ignored names that is answered, in bytes. */
const IGNORED_LENGTH = 256
/** Why a key is refused: a reason of schemas/errors.ts, or the state that stands in its entry. */
const MISSING = 'missing_api_key'
const INVALID = 'invalid_api_key'
const SUSPENDED = 'suspended'
const MS_PER_HOUR = 3_600_000

/**
 * All that waits is in here, for each function that waits costs another promise.
 * @param {EdgeEvent} event
 * @returns {Promise<EdgeRequest | EdgeResponse>}
 */
export async function handler(event) {
  const request = event.request
  const headers = request.headers
  for (const name in headers) if (name.indexOf(OWN) === 0) delete headers[name]
  if (request.method === 'OPTIONS') return { statusCode: 204, headers: valued(EDGE_PREFLIGHT_HEADERS) }

  const path = operationPath(EDGE_ALIASES[request.uri] || request.uri)
  const isPublic = EDGE_PUBLIC_PATHS.indexOf(path) >= 0
  let account = ''
  if (isPublic) request.uri = path
  else if (EDGE_HAS_KEYS) {
    const key = keyIn(headers['authorization'])
    let entry = ''
    try {
      if (key)
        entry = await cloudfront
          .kvs()
          .get(EDGE_KEY + crypto.createHash('sha256').update(key).digest('base64url'))
    } catch (_) {
      // The store has no such key.
    }
    const parts = entry.split('|')
    const refusal = key === null ? MISSING : refusalOf(parts)
    if (refusal) return refuse(event, refusal)
    // A tier that is counted exactly is answered by the API alone, which also knows every error.
    if (EDGE_CACHED_TIERS.indexOf(/** @type {string} */ (parts[1])) < 0) return toApi(event)
    account = /** @type {string} */ (parts[0])
  }
  const asked = askedBy(request, path)
  if (!asked) return toApi(event, isPublic)
  if (account) {
    const hour = Math.floor(Date.now() / MS_PER_HOUR)
    let exhausted = ''
    try {
      exhausted = await cloudfront.kvs().get(EDGE_EXHAUSTED + account)
    } catch (_) {
      // The account has not had its share of any hour.
    }
    if (exhausted === String(hour)) return toApi(event)
    // biome-ignore lint/suspicious/noConsole: the log is what answers of the edge are counted by
    console.log(`{"z100":"usage","account":"${account}","hour":${hour}}`)
  }
  return toDocument(request, asked)
}

/**
 * The document that a request names, and what else it says; null: it names none.
 * @param {EdgeRequest} request
 * @param {string} path empty when its encoding is malformed
 */
function askedBy(request, path) {
  const packed = EDGE_TABLE[1][path]
  if (!packed || !isRead(request)) return null
  const query = sentQuery(request.querystring)
  const operation = unpacked(EDGE_TABLE, packed, query)
  const document = documentOf(path, operation, query)
  return document ? { document: document, ignored: ignoredOf(operation, query) } : null
}

/** @param {EdgeRequest} request */
function isRead(request) {
  return request.method === 'GET' || request.method === 'HEAD'
}

/**
 * The key that is sent; null: none is, empty: it cannot be one. Whoever sends the header twice sends none that counts.
 * @param {EdgeHeader | undefined} header
 */
function keyIn(header) {
  if (!header || header.value === '') return null
  const found = /^bearer +([^\s,]{1,128})$/i.exec(header.value)
  if (found === null || (header.multiValue && header.multiValue.length > 1)) return ''
  return /** @type {string} */ (found[1])
}

/**
 * Why the holder of an entry is not answered; empty: there is no reason.
 * @param {readonly string[]} entry its parts
 */
function refusalOf(entry) {
  if (entry[2] === SUSPENDED) return SUSPENDED
  if (entry[2] !== 'active') return INVALID
  return entry[3] && Date.now() >= Number(entry[3]) * 1_000 ? 'expired_api_key' : ''
}

/**
 * The bucket answers; the API stands in for a document that is not there (S3 says 403 to who may not list).
 * @param {EdgeRequest} request
 * @param {{ document: string, ignored: readonly string[] }} asked
 */
function toDocument(request, asked) {
  if (asked.ignored.length > 0) {
    const names = asked.ignored.map(encodeURIComponent).join(', ')
    request.headers[IGNORED] = { value: names.slice(0, IGNORED_LENGTH) }
  }
  request.uri = `/${asked.document}`
  request.querystring = {}
  request.headers[SCOPE] = { value: SHARED }
  cloudfront.createRequestOriginGroup({
    originIds: [{ originId: 'published' }, { originId: 'api' }],
    failoverCriteria: { statusCodes: [403, 404] },
  })
  return request
}

/**
 * The API answers; what it says to everyone alike may be kept, unless there are parameters that it must read.
 * @param {EdgeEvent} event
 * @param {boolean} [isPublic]
 */
function toApi(event, isPublic) {
  const request = event.request
  const isAlike = isPublic && isRead(request) && Object.keys(request.querystring).length === 0
  request.headers[SCOPE] = { value: isAlike ? SHARED : event.context.requestId }
  cloudfront.selectRequestOriginById('api')
  return request
}

/**
 * All values by name, decoded once where that is possible; CloudFront hands them over as they were sent.
 * @param {EdgeRequest['querystring']} sent
 */
function sentQuery(sent) {
  /** @type {Record<string, string[]>} */
  const values = Object.create(null)
  for (const encodedName in sent) {
    const one = /** @type {EdgeHeader} */ (sent[encodedName])
    const name = formDecoded(encodedName)
    const all = one.multiValue || [one]
    const texts = values[name] || []
    for (let at = 0; at < all.length; at += 1) {
      texts.push(formDecoded(/** @type {{ value: string }} */ (all[at]).value))
    }
    values[name] = texts
  }
  return values
}

/** @param {string} text */
function formDecoded(text) {
  if (text.indexOf('%') < 0 && text.indexOf('+') < 0) return text
  return decoded(text.replace(/\+/g, ' ')) || text
}

/**
 * @param {EdgeEvent} event
 * @param {string} why
 */
function refuse(event, why) {
  const refusal = EDGE_REFUSALS[why === SUSPENDED ? 1 : 0]
  const id = event.context.requestId
  const headers = valued(EDGE_ANSWER_HEADERS)
  headers['x-request-id'] = { value: id }
  if (refusal.status === 401) headers['www-authenticate'] = { value: 'Bearer' }
  const body = refusal.body.replace(MISSING, why).replace(EDGE_ID, id)
  return { statusCode: refusal.status, headers: headers, body: body }
}

/** @param {Readonly<Record<string, string>>} texts */
function valued(texts) {
  /** @type {Record<string, EdgeHeader>} */
  const headers = {}
  for (const name in texts) headers[name] = { value: /** @type {string} */ (texts[name]) }
  return headers
}
