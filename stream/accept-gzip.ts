/** Names of gzip in Accept-Encoding; the second is the old one (RFC 9110 §8.4.1.3). */
const names = ['gzip', 'x-gzip', '*']

/**
 * Whether an Accept-Encoding asks for gzip, and not for plain bytes rather (RFC 9110 §12.5.3). Without the header plain
 * bytes are sent; a weight that is none refuses its coding.
 */
export function acceptsGzip(header = ''): boolean {
  const weights = new Map(header.split(',').map(weightOf))
  const [gzip = 0] = names.flatMap((name) => weights.get(name) ?? [])
  return gzip > 0 && gzip >= (weights.get('identity') ?? 0)
}

/** A coding and its weight. */
function weightOf(part: string): readonly [coding: string, weight: number] {
  const [coding = '', ...parameters] = part.toLowerCase().split(';')
  const [, text] = /^q=([01](?:\.\d{0,3})?)$/.exec(parameters.join(';').trim()) ?? []
  return [coding.trim(), parameters.length === 0 ? 1 : Number(text ?? 0)]
}
