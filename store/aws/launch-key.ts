import type { Address } from '../../market/segment.ts'
import { bare, padded } from './tables.ts'

/** Sort key of a token in a look-up: creation order, then address. */
export const lookupSort = (token: {
  readonly address: Address
  readonly launchedAt: { readonly blockNumber: number; readonly logIndex: number }
}): string => launchKey({ ...token.launchedAt, address: bare(token.address) })

/** The same from its parts; the address without 0x. */
export const launchKey = (place: {
  readonly blockNumber: number
  readonly logIndex: number
  readonly address: string
}): string => [padded(place.blockNumber, 12), padded(place.logIndex, 8), place.address].join('#')

/** The parts of such a key. */
export function launchPlace(key: string): Parameters<typeof launchKey>[0] {
  const [block = '', index = '', address = ''] = key.split('#')
  return { blockNumber: Number(block), logIndex: Number(index), address }
}
