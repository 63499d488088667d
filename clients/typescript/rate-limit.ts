/** What an answer says of the account's limit in this UTC hour. */
export type RateLimit = {
  readonly limit: number
  readonly remaining: number
  /** When the hour ends. */
  readonly resetAt: Date
}

/** The limit that headers state; null: none, as on answers from the edge's cache. */
export function rateLimitIn(headers: Headers): RateLimit | null {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
    headers.get(`x-ratelimit-${name}`),
  )
  if (!limit || !remaining || !reset) return null
  return { limit: Number(limit), remaining: Number(remaining), resetAt: new Date(Number(reset) * 1_000) }
}
