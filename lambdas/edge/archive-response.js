// @ts-check
/** CloudFront Function on every answer with a file of the archive: logs its bytes and who reads them, for count-edge-usage.ts. */

/**
 * @param {EdgeResponseEvent} event
 * @returns {EdgeResponse}
 */
export function handler(event) {
  const request = event.request
  const headers = event.response.headers
  for (const name in headers) if (name.indexOf('x-amz-') === 0 || name === 'server') delete headers[name]
  const readers = request.headers[EDGE.READERS_HEADER]
  if (readers) {
    const bytes = Math.max(EDGE.LEAST_BYTES, sent(request, event.response))
    const day = Math.floor(Date.now() / 86400000)
    // biome-ignore lint/suspicious/noConsole: answers of the edge are counted by this log
    console.log(`{"z100":"archive","readers":"${readers.value}","day":${day},"bytes":${bytes}}`)
  }
  return event.response
}

/**
 * Bytes of the body: the file's length, or that of the range that was asked for. A missing length counts as a large file.
 * @param {EdgeRequest} request
 * @param {EdgeResponse} response
 */
function sent(request, response) {
  if (request.method === 'HEAD' || response.statusCode === 304) return 0
  const length = response.headers['content-length']
  const whole = length ? Number(length.value) : EDGE.UNKNOWN_BYTES
  const range = request.headers['range']
  const asked = range && /^bytes=(\d+)-(\d+)$/.exec(range.value)
  if (!asked || response.statusCode !== 206) return whole
  return Math.min(whole, Math.max(0, Number(asked[2]) - Number(asked[1]) + 1))
}
