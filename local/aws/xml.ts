const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
  '\n': '&#10;',
}

/** `<name>parts</name>`; the parts are XML already. */
export const element = (name: string, parts: readonly string[]): string =>
  `<${name}>${parts.join('')}</${name}>`

/** `<name>text</name>` of any text. */
export const textElement = (name: string, text: string | number): string =>
  element(name, [String(text).replace(/[&<>"\r\n]/g, (character) => references[character] ?? character)])

/** A whole document around one root element of a namespace. */
export const xmlDocument = (root: string, namespace: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${root.replace('>', ` xmlns="${namespace}">`)}`

/** The text of every element of that name; enough for the one request document that is read here. */
export function textsOf(xml: string, name: string): string[] {
  const plain = (text: string) =>
    Object.entries(references).reduce((all, [character, written]) => all.replaceAll(written, character), text)
  return [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map((match) =>
    plain(match[1] ?? ''),
  )
}
