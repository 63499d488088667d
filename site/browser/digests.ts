/** A document's bytes, held against the digest that its snapshot states. */
import { accessOf } from './access.ts'
import { addressOf } from './document-address.ts'

/** What came of a check. `other`: what came is of a later snapshot, or of an earlier one out of a cache. */
export type Verdict = { readonly is: 'same' | 'different' | 'other' | 'refused'; readonly says: string }

/** Asks for a document and compares the sha256 of what came with the one that is stated. Throws what fetch throws. */
export async function check(
  document: string,
  stated: { readonly sha256: string; readonly snapshot_id: string },
): Promise<Verdict> {
  const { key } = await accessOf()
  const headers = key === null ? {} : { Authorization: `Bearer ${key}` }
  const response = await fetch(addressOf(document), { headers, cache: 'no-cache' })
  if (!response.ok) return { is: 'refused', says: `refused with ${response.status}` }
  const bytes = await response.arrayBuffer()
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  const hex = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  if (hex === stated.sha256) return { is: 'same', says: 'these bytes' }
  const came = response.headers.get('x-snapshot-id')
  return came === stated.snapshot_id
    ? { is: 'different', says: `got ${hex}` }
    : { is: 'other', says: `what came is of snapshot ${came}: load the page again in half a minute` }
}
