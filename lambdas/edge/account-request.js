// @ts-check
/**
 * CloudFront Function on every request of the account page's operations: tells the origin who asks and at which host. All else
 * is the function's behind the gateway to decide.
 */

/** Headers by which the edge speaks to the origins, and one that the gateway would take for a signature of AWS. */
const UNSENT = /^(x-z100-|x-amz-|authorization$)/

/**
 * @param {EdgeEvent} event
 * @returns {EdgeRequest}
 */
export function handler(event) {
  const request = event.request
  for (const name in request.headers) if (UNSENT.test(name)) delete request.headers[name]
  request.headers[EDGE.VIEWER_HEADER] = { value: event.viewer.ip }
  const host = request.headers['host']
  if (host) request.headers[EDGE.HOST_HEADER] = { value: host.value.toLowerCase() }
  request.querystring = {}
  return request
}
