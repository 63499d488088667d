import type { IncomingMessage } from 'node:http'

/** A bound on requests, as AWS WAF has it: at most `limit` in a window, gathered by the viewer's address or its Authorization. */
export type RateRule = {
  readonly by: 'address' | 'authorization'
  /** Only requests whose Authorization holds this text. */
  readonly authorizationHolds?: string
  readonly limit: number
  readonly windowSeconds: number
}

/** Whether a request is beyond one of the bounds; each call counts it. Windows here begin at multiples of their length. */
export function openRateRules(
  rules: readonly RateRule[],
  now: () => number,
): (request: IncomingMessage) => boolean {
  const bounds = rules.map((rule) => ({ rule, window: 0, counts: new Map<string, number>() }))
  return ({ headers, socket }) => {
    const authorization = headers.authorization ?? ''
    let isOver = false
    for (const bound of bounds) {
      const { by, authorizationHolds = '', limit, windowSeconds } = bound.rule
      const gatheredBy = by === 'address' ? (socket.remoteAddress ?? '') : authorization
      if (gatheredBy === '' || !authorization.includes(authorizationHolds)) continue
      const window = Math.floor(now() / (windowSeconds * 1_000))
      if (window !== bound.window) {
        bound.window = window
        bound.counts.clear()
      }
      const count = (bound.counts.get(gatheredBy) ?? 0) + 1
      bound.counts.set(gatheredBy, count)
      isOver ||= count > limit
    }
    return isOver
  }
}
