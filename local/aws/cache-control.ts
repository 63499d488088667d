/** Bounds of a cache policy, in seconds; the default holds when the origin says nothing. */
export type LifetimeBounds = {
  readonly minSeconds: number
  readonly defaultSeconds: number
  readonly maxSeconds: number
}

/** How long an answer may be served, in seconds from when it was stored: fresh, then while it is renewed, then while the origin fails. */
export type Lifetime = {
  readonly freshSeconds: number
  readonly whileRevalidateSeconds: number
  readonly ifErrorSeconds: number
}

/**
 * The lifetime of an answer by its headers, as CloudFront reads them (Developer Guide, "Manage how long content stays in the cache");
 * null: not to be kept. s-maxage outweighs max-age, both outweigh Expires; without stale-if-error a copy bridges errors up to the maximum.
 */
export function lifetimeOf(
  headers: Readonly<Record<string, string>>,
  bounds: LifetimeBounds,
  nowMs: number,
): Lifetime | null {
  const directives = parseCacheControl(headers['cache-control'] ?? '')
  const isPrivate = ['no-store', 'no-cache', 'private'].some((name) => directives.has(name))
  const expires =
    headers['expires'] === undefined ? Number.NaN : (Date.parse(headers['expires']) - nowMs) / 1000
  const asked = [directives.get('s-maxage'), directives.get('max-age'), expires, bounds.defaultSeconds]
  const seconds = isPrivate ? 0 : (asked.find((candidate) => Number.isFinite(candidate)) ?? 0)
  const bounded = (value: number) => Math.min(Math.max(value, bounds.minSeconds), bounds.maxSeconds)
  const freshSeconds = bounded(seconds)
  if (freshSeconds <= 0) return null
  return {
    freshSeconds,
    whileRevalidateSeconds: bounded(directives.get('stale-while-revalidate') ?? 0),
    ifErrorSeconds: bounded(directives.get('stale-if-error') ?? bounds.maxSeconds),
  }
}

/** Directives in lower case with their seconds; NaN for those without a number. */
function parseCacheControl(header: string): Map<string, number> {
  const directives = header.split(',').map((part) => part.trim().toLowerCase())
  return new Map(
    directives.map((directive) => {
      const [name = '', value = ''] = directive.split('=')
      return [name.trim(), /^"?\d+"?$/.test(value.trim()) ? Number(value.replaceAll('"', '')) : Number.NaN]
    }),
  )
}
