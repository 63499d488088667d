/**
 * Whether an If-None-Match or If-Match header (`*` or a list of entity tags, RFC 9110 §13.1) names `etag`, weakly compared:
 * `W/"a"` and `"a"` are the same bytes after decoding. Tags without quotes are taken too, as S3 does.
 */
export function namesEntity(header: string, etag: string): boolean {
  if (header.trim() === '*') return true
  const tags = header.match(/(?:W\/)?"[^"]*"|[^\s,"]+/g) ?? []
  return tags.some((tag) => opaque(tag) === opaque(etag))
}

const opaque = (tag: string): string => tag.replace(/^W\//, '').replaceAll('"', '')
