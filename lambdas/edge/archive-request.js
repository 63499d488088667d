// @ts-check
/**
 * CloudFront Function on every request for a file of the archive, or a picture of a link: where keys are needed, it lets accounts
 * in whose bytes of the day are not used up. archive-response.js tells how many an answer has.
 */
import cloudfront from 'cloudfront'
// biome-ignore lint/style/useNodejsImportProtocol: CloudFront knows the module by this name
import crypto from 'crypto'
import {
  addressed,
  answerPreflight,
  edgeCaller,
  edgeRefusal,
  isRead,
  refuseUntil,
  stored,
} from './callers-and-refusals.js'

/** Ranges are read by the bytes that a query needs, so they reach S3. */
const UNSENT = /^(x-z100-|x-amz-|if-match$|if-unmodified-since$)/
/** What lies directly in the archive says what there is, the manifest and the views, and is open like pictures of links. */
const KEYED = /^\/archive\/v1\/.*\//
const HOURS = 24
const MS_PER_DAY = 86400000

/**
 * @param {EdgeEvent} event
 * @returns {Promise<EdgeRequest | EdgeResponse>}
 */
export async function handler(event) {
  const request = addressed(event, UNSENT)
  if (request.method === 'OPTIONS') return answerPreflight(EDGE.PREFLIGHT_HEADERS)
  if (!isRead(request)) return edgeRefusal(event, 'method', { method: request.method })
  request.querystring = {}
  if (!EDGE.IS_ARCHIVE_OPEN && KEYED.test(request.uri)) {
    const refusal = await admit(event)
    if (refusal) return refusal
  }
  delete request.headers['authorization']
  // The API words the answer for a missing file; S3's would be XML.
  cloudfront.createRequestOriginGroup({
    originIds: [{ originId: 'published' }, { originId: 'api' }],
    failoverCriteria: { statusCodes: [403, 404] },
  })
  return request
}

/**
 * The refusal, or nothing, after noting in the request who reads.
 * @param {EdgeEvent} event
 * @returns {Promise<EdgeResponse | null>}
 */
async function admit(event) {
  const caller = await edgeCaller(event)
  if (caller.refusal) return caller.refusal
  const tier = caller.tier || (caller.account && EDGE.FIRST_TIER)
  const limit = EDGE.ARCHIVE_BYTES[tier]
  // The store learns of a key within seconds; the pages' key reads no files.
  if (limit === undefined) return edgeRefusal(event, 'unauthorized', { reason: 'invalid_api_key' })
  const day = Math.floor(Date.now() / MS_PER_DAY)
  const readers = [caller.account]
  if (tier === EDGE.FIRST_TIER) readers.push(`@${networkMark(event.viewer.ip)}`, EDGE.EVERYBODY)
  for (let at = 0; at < readers.length; at += 1) {
    const until = (await stored(EDGE.ARCHIVED + readers[at])).split('|')
    // The entry has the last hour of its day, and the limit that was reached.
    const isOfToday = until[0] === String((day + 1) * HOURS - 1)
    if (isOfToday && (at > 0 || until[1] === String(limit)))
      return refuseUntil(event, 'archive', { limit: Number(until[1]), endMs: (day + 1) * MS_PER_DAY })
  }
  event.request.headers[EDGE.READERS_HEADER] = { value: readers.join(' ') }
  return null
}

/**
 * A mark of the network that an address is in, an IPv4 /24 or an IPv6 /48: no log of the edge has addresses.
 * @param {string} ip
 */
function networkMark(ip) {
  const groups = ip.split('::')[0] || ''
  const network = ip.indexOf(':') < 0 ? ip.split('.').slice(0, 3) : `${groups}:0:0`.split(':').slice(0, 3)
  return crypto.createHash('sha256').update(network.join()).digest('base64url').slice(0, 8)
}
