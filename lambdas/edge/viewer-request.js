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
const INVALID = 'invalid_api_key'
const SUSPENDED = 'suspended'
const MS_PER_HOUR = 3_600_000

/**
 * @param {EdgeEvent} event
 * @returns {Promise<EdgeRequest | EdgeResponse>}
 */
export async function handler(event) {
  const request = event.request
  const headers = request.headers
  Object.keys(headers).forEach((name) => {
    if (name.indexOf(OWN) === 0) delete headers[name]
  })
  if (request.method === 'OPTIONS') return { statusCode: 204, headers: EDGE_PREFLIGHT_HEADERS }

  const path = operationPath(EDGE_ALIASES[request.uri] || request.uri) || ''
  const isPublic = EDGE_PUBLIC_PATHS.indexOf(path) >= 0
  let account = null
  if (isPublic) request.uri = path
  else if (EDGE_HAS_KEYS) {
    const key = await keyOf(headers['authorization'])
    if (typeof key === 'string') return refuse(event, key)
    // A tier that is counted exactly is answered by the API alone, which also knows every error.
    if (EDGE_CACHED_TIERS.indexOf(key[1]) < 0) return toApi(event)
    account = key[0]
  }
  const asked = askedBy(request, path)
  if (!asked) return toApi(event, isPublic)
  const isExhausted = account !== null && (await countHere(account))
  return isExhausted ? toApi(event) : toDocument(request, asked)
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
 * Who asks, or the name of the refusal. Whoever sends the header twice sends none that counts.
 * @param {EdgeHeader | undefined} header
 * @returns {Promise<[account: string, tier: string] | string>}
 */
async function keyOf(header) {
  if (!header || header.value === '') return 'missing_api_key'
  const found = /^bearer +([^\s,]{1,128})$/i.exec(header.value)
  if (found === null || (header.multiValue && header.multiValue.length > 1)) return INVALID
  const digest = crypto
    .createHash('sha256')
    .update(/** @type {string} */ (found[1]))
    .digest('base64url')
  const entry = await entryOf(EDGE_KEY + digest)
  const parts = entry.split('|')
  if (parts[2] === SUSPENDED) return SUSPENDED
  if (parts[2] !== 'active') return INVALID
  if (parts[3] && Date.now() >= Number(parts[3]) * 1_000) return 'expired_api_key'
  return /** @type {[account: string, tier: string]} */ (parts)
}

/**
 * Counts an answer of the edge by a line of the log, unless the account has had its hour's share: then it is exhausted.
 * @param {string} account
 */
async function countHere(account) {
  const hour = Math.floor(Date.now() / MS_PER_HOUR)
  const exhausted = await entryOf(EDGE_EXHAUSTED + account)
  if (exhausted === String(hour)) return true
  // biome-ignore lint/suspicious/noConsole: the log is what answers of the edge are counted by
  console.log(JSON.stringify({ z100: 'usage', account: account, hour: hour }))
  return false
}

/** A key that the store lacks throws. @param {string} key */
async function entryOf(key) {
  try {
    const value = await cloudfront.kvs().get(key)
    return value
  } catch (_) {
    return ''
  }
}

/**
 * The bucket answers; the API stands in for a document that is not there (S3 says 403 to who may not list).
 * @param {EdgeRequest} request
 * @param {{ document: string, ignored: readonly string[] }} asked
 */
function toDocument(request, asked) {
  const ignored = asked.ignored.map(encodeURIComponent).join(', ').slice(0, IGNORED_LENGTH)
  if (ignored !== '') request.headers[IGNORED] = { value: ignored }
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
  const values = Object.create(null)
  Object.keys(sent).forEach((encodedName) => {
    const all = /** @type {EdgeHeader} */ (sent[encodedName])
    const name = formDecoded(encodedName)
    const texts = (all.multiValue || [all]).map((one) => formDecoded(one.value))
    values[name] = (values[name] || []).concat(texts)
  })
  return values
}

/** @param {string} text */
function formDecoded(text) {
  const whole = decoded(text.replace(/\+/g, ' '))
  return whole === null ? text : whole
}

/**
 * @param {EdgeEvent} event
 * @param {string} why
 */
function refuse(event, why) {
  const refusal = EDGE_REFUSALS[why === SUSPENDED ? 1 : 0]
  const id = event.context.requestId
  const details = { help: refusal.help, reason: why === SUSPENDED ? undefined : why }
  const error = { code: refusal.code, message: refusal.message, details: details, request_id: id }
  /** @type {Record<string, EdgeHeader>} */
  const headers = Object.assign({ 'x-request-id': { value: id } }, EDGE_ANSWER_HEADERS)
  if (refusal.status === 401) headers['www-authenticate'] = { value: 'Bearer' }
  return { statusCode: refusal.status, headers: headers, body: JSON.stringify({ error: error }) }
}
