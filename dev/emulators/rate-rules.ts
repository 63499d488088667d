/** Rate limits of the edge, as in AWS WAF. */
import type { IncomingMessage } from 'node:http'
import { viewerAddressOf } from './listening.ts'

/** At most `limit` requests per window and address, of those whose Authorization contains a text and whose path begins with one. */
export type RateRule = {
  readonly authorizationHolds?: string
  readonly pathBegins?: readonly string[]
  /** The requests whose path begins with none of them. */
  readonly isElse?: boolean
  readonly limit: number
  readonly windowSeconds: number
}

/** Counts requests: the function takes one and returns whether it exceeds a limit. Windows here start at multiples of their length. `now`: Unix ms. */
export function openRateRules(
  rules: readonly RateRule[],
  now: () => number,
): (request: IncomingMessage) => boolean {
  const bounds = rules.map((rule) => ({ rule, window: 0, counts: new Map<string, number>() }))
  return (request) => {
    const { url = '', headers } = request
    const { authorization = '' } = headers
    const { address } = viewerAddressOf(request)
    const counted = bounds.filter(
      ({ rule }) => authorization.includes(rule.authorizationHolds ?? '') && isCounted(rule, url),
    )
    return counted.some((bound) => {
      const window = Math.floor(now() / (bound.rule.windowSeconds * 1_000))
      if (window !== bound.window) bound.counts.clear()
      bound.window = window
      const count = (bound.counts.get(address) ?? 0) + 1
      bound.counts.set(address, count)
      return count > bound.rule.limit
    })
  }
}

const isCounted = ({ pathBegins, isElse = false }: RateRule, url: string): boolean =>
  pathBegins === undefined || pathBegins.some((begin) => url.startsWith(begin)) !== isElse
