const NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/'

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const characters: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
}

/** Text as it may stand in an element; control characters as references, as S3 writes them. */
export function escapeXml(text: string): string {
  return text
    .replace(/[&<>"]/g, (character) => entities[character] ?? character)
    .replace(/[\r\n]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** The text an element's content stands for. */
export function unescapeXml(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name) return characters[name] ?? whole
    return String.fromCodePoint(Number.parseInt(hex ?? decimal, hex ? 16 : 10))
  })
}

/** `<name>parts</name>`; the parts are XML already. */
export function element(name: string, parts: readonly string[]): string {
  return `<${name}>${parts.join('')}</${name}>`
}

/** A whole document around one root element, in the namespace of S3. */
export function document(root: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root.replace(/^<(\w+)>/, `<$1 xmlns="${NAMESPACE}">`)}`
}

/** The contents of every `<name>` in `text`, unread. Enough for the one request document that is understood here (Delete). */
export function contentsOf(text: string, name: string): string[] {
  const pattern = new RegExp(`<${name}(?:\\s[^>]*)?>([\\s\\S]*?)</${name}>`, 'g')
  return [...text.matchAll(pattern)].map((match) => match[1] ?? '')
}
