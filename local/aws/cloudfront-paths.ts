/**
 * A path as behaviours are chosen by it (Developer Guide, "Path pattern"; RFC 3986 §6.2.2): letters and digits that need no encoding
 * without it, and no dot segments. Everyone else gets it as it was sent.
 */
export function normalised(path: string): string {
  if (path.startsWith('/') && !/%|\/\./.test(path)) return path
  const plain = path.replace(/%[0-9a-f]{2}/gi, (code) => {
    const letter = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return /[\w.~-]/.test(letter) ? letter : code
  })
  const kept: string[] = []
  for (const part of plain.split('/').slice(1)) {
    if (part === '..') kept.pop()
    else if (part !== '.') kept.push(part)
  }
  return `/${kept.join('/')}`
}

/** `*` at the end of a pattern stands for anything. */
export function matches(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern
}
