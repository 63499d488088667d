/** Parts of the gateway's proxy events. */
import type { IncomingMessage } from 'node:http'

/** All values of each header, as sent. */
export function headersOf({ rawHeaders }: IncomingMessage): Record<string, string[]> {
  const names = rawHeaders.filter((_, at) => at % 2 === 0)
  const all = grouped(names.map((name, at) => [name, rawHeaders[2 * at + 1] ?? '']))
  return { ...all, 'X-Forwarded-Proto': ['http'] }
}

/** All values of each parameter, decoded once; null: there are none. */
export function queryOf(text: string): Record<string, string[]> | null {
  const pairs = text.split('&').filter((part) => part !== '')
  if (pairs.length === 0) return null
  return grouped(
    pairs.map((pair) => {
      const [name = '', ...value] = pair.split('=')
      return [decoded(name), decoded(value.join('='))]
    }),
  )
}

/** Without a prototype, so that `__proto__` is an ordinary name. */
function grouped(pairs: readonly (readonly [name: string, value: string])[]): Record<string, string[]> {
  const all: Record<string, string[]> = Object.create(null)
  for (const [name, value] of pairs) all[name] = [...(all[name] ?? []), value]
  return all
}

/** Malformed percent-encoding is passed on unchanged. */
function decoded(text: string): string {
  const spaced = text.replace(/\+/g, ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}
