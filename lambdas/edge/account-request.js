// @ts-check
/**
 * CloudFront Function on every request of the account page's operations: tells the origin who asks and at which host. All else
 * is the function's behind the gateway to decide.
 */
import { addressed } from './callers-and-refusals.js'

/** Headers by which the edge speaks to the origins, and one that the gateway would take for a signature of AWS. */
const UNSENT = /^(x-z100-|x-amz-|authorization$)/

/**
 * @param {EdgeEvent} event
 * @returns {EdgeRequest}
 */
export function handler(event) {
  const request = addressed(event, UNSENT)
  request.querystring = {}
  // The gateway has no resource for the beginning itself; the function answers that it is no operation.
  if (request.uri === EDGE.ACCOUNT_API) request.uri += '-'
  return request
}
