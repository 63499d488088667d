/** Texts kept for this tab; where the browser refuses to store anything, until the page is left. */

const unstored = new Map<string, string>()

/** The text kept under a name; empty: none. */
export function keptInTab(name: string): string {
  const own = unstored.get(name)
  if (own !== undefined) return own
  try {
    return sessionStorage.getItem(name) ?? ''
  } catch {
    return ''
  }
}

/** Keeps a text; an empty one removes what was kept. */
export function keepInTab(name: string, text: string): void {
  unstored.set(name, text)
  try {
    if (text === '') sessionStorage.removeItem(name)
    else sessionStorage.setItem(name, text)
  } catch {
    // The page has it until it is left.
  }
}
