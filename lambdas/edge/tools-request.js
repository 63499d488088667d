// @ts-check
/** CloudFront Function on every message to the tools for agents: they read the service with the sender's key, which is counted then. */
import cloudfront from 'cloudfront'
import { addressed, answerPreflight, edgeRefusal } from './callers-and-refusals.js'

const UNSENT = /^(x-z100-|x-amz-)/

/**
 * @param {EdgeEvent} event
 * @returns {EdgeRequest | EdgeResponse}
 */
export function handler(event) {
  const request = addressed(event, UNSENT)
  if (JSON.stringify([request.headers, request.cookies]).length > EDGE.HEADERS_LIMIT)
    return edgeRefusal(event, 'headers', {})
  if (request.method === 'OPTIONS') return answerPreflight(EDGE.PREFLIGHT_HEADERS)
  if (request.method !== 'POST') return edgeRefusal(event, 'message', { method: request.method })
  cloudfront.selectRequestOriginById('api')
  return request
}
