// @ts-check
/**
 * CloudFront Function on every response of an origin below 400: turns a document's metadata into response headers. These
 * date from when its bytes last changed, since CloudFront takes no metadata from a 304. So nothing here tells whether the
 * publisher is alive; v1/status does.
 */

/** Metadata of a published object, and the header that it becomes. */
const NAMES = /** @type {Record<string, string>} */ ({
  'x-amz-meta-snapshot': 'x-snapshot-id',
  'x-amz-meta-block': 'x-data-block',
  'x-amz-meta-block-hash': 'x-data-block-hash',
  'x-amz-meta-time': 'x-data-time',
  'x-amz-meta-sort': 'x-applied-sort',
  'x-amz-meta-period': 'x-applied-period',
  'x-amz-meta-left-out': 'x-left-out',
})
const TOTAL = 'x-amz-meta-total'
const LIMIT = 'x-amz-meta-limit'
/** Rows of a page, unless the object's metadata differs. */
const DEFAULT_LIMIT = 100

/**
 * @param {EdgeResponseEvent} event
 * @returns {EdgeResponse}
 */
export function handler(event) {
  const headers = event.response.headers
  if (headers[TOTAL]) addPages(headers, event.request.uri)
  // An answer of the API has an id; one from the bucket gets the id of its request.
  if (!headers['x-request-id']) headers['x-request-id'] = { value: event.context.requestId }
  const ignored = event.request.headers['x-z100-ignored']
  if (ignored) headers['x-ignored-parameters'] = { value: ignored.value }

  for (const name in headers) {
    const isBucketsOwn = name.indexOf('x-amz-') === 0
    const header = isBucketsOwn && NAMES[name]
    if (header) headers[header] = { value: /** @type {EdgeHeader} */ (headers[name]).value }
    if (isBucketsOwn || name === 'server') delete headers[name]
  }
  return event.response
}

/**
 * A document is the first page of its list. Documents with further pages have no parameters in their path, so it is the list's
 * address.
 * @param {Record<string, EdgeHeader>} headers
 * @param {string} uri
 */
function addPages(headers, uri) {
  const total = Number(textOf(headers, TOTAL, 0))
  const limit = Number(textOf(headers, LIMIT, DEFAULT_LIMIT))
  headers['x-total-count'] = { value: String(total) }
  headers['x-page-count'] = { value: String(Math.ceil(total / limit)) }
  headers['x-current-page'] = { value: '1' }
  headers['x-per-page'] = { value: String(limit) }
  if (total <= limit) return
  const last = (Math.ceil(total / limit) - 1) * limit
  const links = [
    ['first', 0],
    ['next', limit],
    ['last', last],
  ].map((link) => `<${uri}?limit=${limit}&offset=${link[1]}${pin(headers)}>; rel="${link[0]}"`)
  headers['link'] = { value: links.join(', ') }
}

/**
 * Holds the further pages to the snapshot of this one while it can be read; a document that has not changed since needs none.
 * @param {Record<string, EdgeHeader>} headers
 */
function pin(headers) {
  const made = headers['x-amz-meta-time']
  const snapshot = headers['x-amz-meta-snapshot']
  if (!made || !snapshot || !(Date.now() - Date.parse(made.value) < EDGE.PINNED_MS)) return ''
  return `&snapshot=${snapshot.value}`
}

/**
 * @param {Record<string, EdgeHeader>} headers
 * @param {string} name
 * @param {number} absent
 */
function textOf(headers, name, absent) {
  const header = headers[name]
  return header ? header.value : absent
}
