import { keyBeginning } from '../../schemas/access.ts'
import { statusBody } from '../../schemas/errors.ts'

/**
 * A bound on requests at the edge, before its functions run. AWS WAF looks at it every few seconds, so a burst may pass it for
 * some 30 s: it is a brake, not a count.
 */
export type RateRule = {
  readonly name: string
  /** What requests are gathered by: the reader's address, or the text of the header Authorization. */
  readonly by: 'address' | 'authorization'
  /** Only requests whose Authorization holds this text. */
  readonly authorizationHolds?: string
  /** Most requests in a window. */
  readonly limit: number
  readonly windowSeconds: 60 | 120 | 300 | 600
}

export const rateRules: readonly RateRule[] = [
  { name: 'address', by: 'address', limit: 12_000, windowSeconds: 300 },
  // Answers from the cache are counted some seconds late: this bounds what one key gets beyond its hour meanwhile.
  { name: 'key', by: 'authorization', limit: 3_000, windowSeconds: 60 },
  // Some 40 pages in five minutes; every visitor has the same key.
  {
    ...{ name: 'site', by: 'address', limit: 600, windowSeconds: 300 },
    authorizationHolds: keyBeginning('site'),
  },
]

/** What is answered beyond a bound. A firewall knows no id of the request. */
export const tooManyRequests = {
  status: 429,
  headers: { 'retry-after': '60', 'access-control-allow-origin': '*', 'cache-control': 'no-store' },
  body: JSON.stringify(statusBody(429, 'Too many requests from one address or with one key.', '')),
} as const
