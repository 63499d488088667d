/**
 * Whether an If-None-Match or If-Match header (`*` or a list of entity tags, RFC 9110 §13.1) names `etag`.
 * Weakly compared: `W/"a"` and `"a"` are the same bytes after decoding. Tags without quotes are taken too, as S3 does.
 */
export function namesEntity(header: string, etag: string): boolean {
  if (header.trim() === '*') return true
  const tags = header.match(/(?:W\/)?"[^"]*"|[^\s,"]+/g) ?? []
  return tags.some((tag) => opaque(tag) === opaque(etag))
}

function opaque(tag: string): string {
  return tag.replace(/^W\//, '').replaceAll('"', '')
}

/** Whether a resource of `lastModified` (an HTTP date) is no newer than the If-Modified-Since header; a date that cannot be read never holds. */
export function isUnmodifiedSince(header: string, lastModified: string): boolean {
  return Date.parse(lastModified) <= Date.parse(header)
}
