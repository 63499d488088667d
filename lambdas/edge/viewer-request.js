// @ts-check
/** CloudFront Function on every viewer request of /v1/*: who answers it, under which address and with what share of the cache. */
import cloudfront from 'cloudfront'
import { canonical, decoded } from './canonical.js'

/** In the cache key: one value for documents, another one for each other request, so that no answer can reach another reader. */
const SCOPE = 'x-z100-scope'
/** Carries the names of ignored parameters to viewer-response. */
const IGNORED = 'x-z100-ignored'
/** Most text of ignored names that is answered, in bytes. */
const IGNORED_LENGTH = 256

/**
 * @param {EdgeEvent} event
 * @returns {EdgeRequest | EdgeResponse}
 */
export function handler(event) {
  const request = event.request
  delete request.headers[SCOPE]
  delete request.headers[IGNORED]
  if (request.method === 'OPTIONS') return preflight()

  const query = sentQuery(request.querystring)
  if (decoded(request.uri) === null) return refuseEncoding(event, 'path', request.uri)
  const asked = canonical(EDGE_TABLE, request.uri, query.values)
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return refuse(event, 'METHOD_NOT_ALLOWED', { method: request.method })
  }
  if (query.malformed !== null) return refuseEncoding(event, query.malformed, query.malformed)
  // The API knows the other operations, and what is none.
  if (asked === null) return toApi(event)
  if (asked.invalid !== null) return refuse(event, 'INVALID_PARAMETER', asked.invalid)

  const ignored = asked.ignored.map(encodeURIComponent).join(', ').slice(0, IGNORED_LENGTH)
  if (ignored !== '') request.headers[IGNORED] = { value: ignored }
  return asked.document === null ? toApi(event) : toDocument(request, asked.document)
}

/**
 * The bucket answers; the API stands in for a document that is not there (S3 says 403 to who may not list).
 * @param {EdgeRequest} request
 * @param {string} name
 */
function toDocument(request, name) {
  request.uri = `/${name}`
  request.querystring = {}
  request.headers[SCOPE] = { value: 'shared' }
  cloudfront.createRequestOriginGroup({
    originIds: [{ originId: 'published' }, { originId: 'api' }],
    failoverCriteria: { statusCodes: [403, 404] },
  })
  return request
}

/** @param {EdgeEvent} event */
function toApi(event) {
  event.request.headers[SCOPE] = { value: event.context.requestId }
  cloudfront.selectRequestOriginById('api')
  return event.request
}

/**
 * All values by name, decoded once; CloudFront hands them over as they were sent.
 * @param {EdgeRequest['querystring']} sent
 */
function sentQuery(sent) {
  const values = Object.create(null)
  let malformed = null
  Object.keys(sent).forEach((encodedName) => {
    const all = /** @type {{value: string, multiValue?: {value: string}[]}} */ (sent[encodedName])
    const texts = (all.multiValue || [all]).map((one) => formDecoded(one.value))
    const name = formDecoded(encodedName)
    if (name === null || texts.indexOf(null) >= 0) malformed = encodedName
    else values[name] = (values[name] || []).concat(texts)
  })
  return { values: values, malformed: malformed }
}

/** @param {string} text */
function formDecoded(text) {
  return decoded(text.replace(/\+/g, ' '))
}

function preflight() {
  return answer(204, {
    'access-control-allow-methods': EDGE_ALLOWED_METHODS,
    'access-control-allow-headers': 'Authorization, If-None-Match, If-Modified-Since',
    'access-control-max-age': '86400',
  })
}

/**
 * @param {EdgeEvent} event
 * @param {string} parameter
 * @param {string} provided
 */
function refuseEncoding(event, parameter, provided) {
  return refuse(event, 'INVALID_PARAMETER', {
    parameter: parameter.slice(0, 128),
    provided: provided.slice(0, 128),
    allowed: 'percent-encoded UTF-8',
  })
}

/**
 * @param {EdgeEvent} event
 * @param {string} code
 * @param {object} details
 */
function refuse(event, code, details) {
  const known = /** @type {{status: number, message: string}} */ (EDGE_ERRORS[code])
  const id = event.context.requestId
  const error = { code: code, message: known.message, details: details, request_id: id }
  const response = answer(known.status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-request-id': id,
  })
  if (known.status === 405) response.headers['allow'] = { value: EDGE_ALLOWED_METHODS }
  response.body = JSON.stringify({ error: error })
  return response
}

/**
 * @param {number} status
 * @param {Record<string, string>} own
 * @returns {EdgeResponse}
 */
function answer(status, own) {
  const texts = Object.assign({}, EDGE_RESPONSE_HEADERS, own)
  const headers = Object.keys(texts).reduce(
    (all, name) => {
      all[name] = { value: String(texts[name]) }
      return all
    },
    /** @type {EdgeHeaders} */ ({}),
  )
  return { statusCode: status, headers: headers }
}
