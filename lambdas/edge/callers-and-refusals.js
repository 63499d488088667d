// @ts-check
/** Who sends a request, and how the edge refuses one: for the functions on viewers’ requests. */
import cloudfront from 'cloudfront'
// biome-ignore lint/style/useNodejsImportProtocol: CloudFront knows the module by this name
import crypto from 'crypto'

/**
 * Removes the headers by which the edge speaks to its origins and those that would change what S3 answers, and names the
 * reader and the host.
 * @param {EdgeEvent} event
 * @param {RegExp} unsent
 */
export function addressed(event, unsent) {
  const request = event.request
  for (const name in request.headers) if (unsent.test(name)) delete request.headers[name]
  request.headers[EDGE.VIEWER_HEADER] = { value: event.viewer.ip }
  const host = request.headers['host']
  if (host) request.headers[EDGE.HOST_HEADER] = { value: host.value.toLowerCase() }
  return request
}

/** @param {EdgeRequest} request */
export function isRead(request) {
  return request.method === 'GET' || request.method === 'HEAD'
}

/**
 * Who sends a request, by its key: the refusal if it has none or the key has ended; otherwise the key's digest and, if the
 * store knows the key, the account and its tier. The tier is empty once it has ended, since the API knows what follows.
 * @typedef {{ refusal?: EdgeResponse, digest: string, account: string, tier: string }} EdgeCaller
 * @param {EdgeEvent} event
 * @returns {Promise<EdgeCaller>}
 */
export async function edgeCaller(event) {
  const header = event.request.headers['authorization']
  const key = keyIn(header)
  if (key === '') {
    const reason = !header || header.value === '' ? 'missing_api_key' : 'invalid_api_key'
    return refused(event, 'unauthorized', { reason: reason })
  }
  const digest = crypto.createHash('sha256').update(key).digest('base64url')
  const parts = (await stored(EDGE.KEY + digest)).split('|')
  const places = EDGE.ENTRY
  if (parts[places.state] === 'suspended') return refused(event, 'suspended', {})
  if (isOver(parts[places.endsAt])) return refused(event, 'unauthorized', { reason: 'expired_api_key' })
  const tier = isOver(parts[places.tierEndsAt]) ? '' : parts[places.tier] || ''
  return { digest: digest, account: parts[places.account] || '', tier: tier }
}

/**
 * @param {EdgeEvent} event
 * @param {RefusalName} name
 * @param {Facts} facts
 */
function refused(event, name, facts) {
  return { refusal: edgeRefusal(event, name, facts), digest: '', account: '', tier: '' }
}

/**
 * The key of the header; empty: it cannot be a key, or the header was sent twice.
 * @param {EdgeHeader | undefined} header
 */
function keyIn(header) {
  const found = header && /^bearer +(z100_[a-z]{4}_[0-9a-z]{33})$/i.exec(header.value)
  if (!header || !found || (header.multiValue && header.multiValue.length > 1)) return ''
  return found[1] || ''
}

/** @param {string | undefined} at Unix seconds; empty: never */
function isOver(at) {
  return at && Date.now() >= Number(at) * 1000
}

/**
 * An entry of the store; empty if there is none or the store fails.
 * @param {string} name
 */
export async function stored(name) {
  try {
    return await cloudfront.kvs().get(name)
  } catch (_) {
    return ''
  }
}

/**
 * A limit is reached until a time.
 * @param {EdgeEvent} event
 * @param {RefusalName} name
 * @param {{ limit: number, endMs: number }} until the end in Unix ms
 */
export function refuseUntil(event, name, until) {
  const resetAt = new Date(until.endMs).toISOString().replace('.000Z', 'Z')
  const response = edgeRefusal(event, name, { limit: until.limit, reset_at: resetAt })
  const left = Math.ceil((until.endMs - Date.now()) / 1000)
  for (const name in response.headers) {
    const header = /** @type {EdgeHeader} */ (response.headers[name])
    header.value = header.value
      .replace(EDGE.LIMIT, String(until.limit))
      .replace(EDGE.LEFT, String(left))
      .replace(EDGE.END, String(until.endMs / 1000))
  }
  return response
}

/**
 * @typedef {keyof typeof EDGE.REFUSALS} RefusalName
 * @typedef {Readonly<Record<string, string | number>>} Facts
 * @param {EdgeEvent} event
 * @param {RefusalName} name
 * @param {Facts} facts details of this request; the limit is in the message as well
 */
export function edgeRefusal(event, name, facts) {
  const refusal = EDGE.REFUSALS[name]
  const id = event.context.requestId
  const headers = valuedHeaders(
    Object.assign({}, EDGE.ANSWER_HEADERS, refusal.headers, { 'x-request-id': id }),
  )
  const error = Object.assign({}, refusal.error, {
    message: refusal.error.message.replace(EDGE.LIMIT, String(facts['limit'])),
    details: Object.assign({}, refusal.error.details, facts),
    request_id: id,
  })
  return { statusCode: refusal.status, headers: headers, body: JSON.stringify({ error: error }) }
}

/**
 * The answer to a preflight request.
 * @param {Readonly<Record<string, string>>} headers
 */
export function answerPreflight(headers) {
  return { statusCode: 204, headers: valuedHeaders(headers) }
}

/** @param {Readonly<Record<string, string>>} texts */
export function valuedHeaders(texts) {
  /** @type {Record<string, EdgeHeader>} */
  const headers = {}
  for (const name in texts) headers[name] = { value: /** @type {string} */ (texts[name]) }
  return headers
}
