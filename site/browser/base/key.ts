/** The key that a page reads with. */

import { ApiError } from '../../../clients/typescript/index.ts'
import { keepInTab, keptInTab } from './tab-store.ts'
import { abortAfter } from './timeout.ts'

/** Time limit of a request; after it the page reports a timeout, and retries with the next snapshot. */
export const TIMEOUT_SECONDS = 15

/** The key used by a page: the reader's own, stored for this tab only, else the one that the operator published. */
export type Access = { readonly key: string | null; readonly from: 'reader' | 'site' | 'none' }

/** The content of `/config.json`. */
type Config = { readonly key?: unknown }

const STORED = 'z100.key'

const listeners = new Set<() => void>()

let config: Promise<string | null> | undefined

/** The current key. Rejects while it is unknown whether the site has one. */
export async function accessOf(): Promise<Access> {
  const own = keptInTab(STORED)
  if (own !== '') return { key: own, from: 'reader' }
  config ??= siteKey().catch((error: unknown) => {
    config = undefined
    throw error
  })
  const key = await config
  return { key, from: key === null ? 'none' : 'site' }
}

/** Sets the reader's key; an empty one restores the site's. */
export function useKey(key: string): void {
  keepInTab(STORED, key)
  for (const listener of listeners) listener()
}

/** Calls back when the key changes. */
export const onAccess = (listener: () => void): void => void listeners.add(listener)

/** A site without configuration has no key of its own. */
async function siteKey(): Promise<string | null> {
  const response = await fetch('/config.json', { signal: abortAfter(TIMEOUT_SECONDS) })
  if (response.status >= 500) throw new ApiError(response, await response.text())
  if (!response.ok) return null
  const { key } = (await response.json()) as Config
  return typeof key === 'string' && key !== '' ? key : null
}
