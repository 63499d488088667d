import { LRUCache } from 'lru-cache'
import type { TokenName } from '../../market/feed-entry.ts'
import type { Address } from '../../market/segment.ts'
import type { TokenStore } from './tokens.ts'

/** Cached names, and milliseconds after which a name is looked up again: a token may be renamed. */
const KEPT_TOKENS = 20_000
const FRESH_MS = 10_000
/** Tokens looked up for one answer, half a read unit each. Of more, the others are as they were last known. */
const TOKENS_EACH = 30

/** The names of stored tokens. */
export type CurrentNames = {
  /** Those of these tokens that are known; tokens that are not stored yet are missing. */
  read(addresses: readonly Address[]): Promise<ReadonlyMap<Address, TokenName>>
}

/** Opens the names of a table; `clock` gives milliseconds. */
export function openCurrentNames(
  tokens: Pick<TokenStore, 'tokens'>,
  clock: () => number = Date.now,
): CurrentNames {
  const known = new LRUCache<Address, { readonly name: TokenName | null; readonly readAt: number }>({
    max: KEPT_TOKENS,
  })
  const readAtOf = (address: Address) => known.get(address)?.readAt ?? 0
  return {
    async read(addresses) {
      const now = clock()
      const stale = addresses.filter((address) => now - readAtOf(address) >= FRESH_MS)
      const read = stale.sort((a, b) => readAtOf(a) - readAtOf(b)).slice(0, TOKENS_EACH)
      const found = read.length > 0 ? await tokens.tokens(read) : new Map<Address, TokenName>()
      for (const address of read) known.set(address, { name: found.get(address) ?? null, readAt: now })
      return new Map(
        addresses.flatMap((address) => {
          const name = known.get(address)?.name
          return name ? [[address, name] as const] : []
        }),
      )
    },
  }
}
