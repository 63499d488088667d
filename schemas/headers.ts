/** Headers of every answer, whatever its status and whoever made it: any page may read it, and all of its headers. */
export const responseHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': [
    ['Age', 'Allow', 'ETag', 'Link', 'Retry-After', 'X-Cache', 'X-Request-Id', 'X-Ignored-Parameters'],
    ['X-Total-Count', 'X-Total-Capped', 'X-Page-Count', 'X-Current-Page', 'X-Per-Page', 'Server-Timing'],
    ['X-Snapshot-Id', 'X-Data-Block', 'X-Data-Block-Hash', 'X-Data-Time', 'X-Data-Stale'],
    ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'RateLimit', 'RateLimit-Policy'],
  ]
    .flat()
    .join(', '),
  'x-content-type-options': 'nosniff',
}
