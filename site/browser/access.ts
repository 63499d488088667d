/** The key that a page asks with: the reader's own, kept for this tab alone, else the one that the operator published. */

/** Whose key it is. */
export type Access = { readonly key: string | null; readonly from: 'reader' | 'site' | 'none' }

/** What `/config.json` may say. */
type Config = { readonly key?: unknown }

const STORED = 'z100.key'
const listeners = new Set<() => void>()
let config: Promise<string | null> | undefined

/** The key in force. */
export async function accessOf(): Promise<Access> {
  const own = sessionStorage.getItem(STORED)
  if (own) return { key: own, from: 'reader' }
  config ??= siteKey()
  const key = await config
  return { key, from: key === null ? 'none' : 'site' }
}

/** Takes the reader's key; an empty one gives way to the site's. */
export function useKey(key: string): void {
  if (key === '') sessionStorage.removeItem(STORED)
  else sessionStorage.setItem(STORED, key)
  for (const listener of listeners) listener()
}

/** Calls back when another key is in force. */
export const onAccess = (listener: () => void): void => void listeners.add(listener)

/** A site without configuration has no key of its own. */
async function siteKey(): Promise<string | null> {
  const response = await fetch('/config.json')
  if (!response.ok) return null
  const { key } = (await response.json()) as Config
  return typeof key === 'string' && key !== '' ? key : null
}
