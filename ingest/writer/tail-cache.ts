/** Caches of tokens and post owners as of the last sealed minute, in front of the tables. */
import { LRUCache } from 'lru-cache'
import { noPosts } from '../../market/fold/post-owners.ts'
import type { PriorState, PriorToken } from '../../market/prior.ts'
import type { Address, Minute, PostOwner } from '../../market/segment.ts'
import type { TokenStore } from '../../store/items/tokens.ts'
import type { TailState } from './tail-state.ts'

/** Maximum tokens and post owners in memory; others are read from the tables when a log mentions them. */
const KEPT_TOKENS = 20_000

/** Bounded caches of tokens and owners as of the tail state. */
export type TailCache = {
  tokens(addresses: readonly Address[], minute: Minute): Promise<ReadonlyMap<Address, PriorToken>>
  owners(addresses: readonly Address[]): Promise<ReadonlyMap<Address, PostOwner>>
  settle(after: PriorState, hour: number): void
}

/** Opens the caches with the tail state's contents. */
export function openTailCache(store: TokenStore, { wallets }: TailState): TailCache {
  const tokens = new LRUCache<Address, PriorToken>({ maxSize: KEPT_TOKENS, sizeCalculation: () => 1 })
  const owners = new LRUCache<Address, PostOwner>({ maxSize: KEPT_TOKENS, sizeCalculation: () => 1 })
  /** Tokens traded in the hour: their wallet hours are stored nowhere. */
  const ofHour = new Map<Address, PriorToken>()
  let hourOfTail = wallets?.hour ?? 0
  const withWallets = (known: PriorToken): PriorToken => {
    const own = wallets?.hour === known.hour ? wallets.ofToken.get(known.token.address) : undefined
    return own ? { ...known, wallets: own } : known
  }
  return {
    async tokens(addresses, minute) {
      // Taken before the others are read, which may evict them.
      const cached = new Map([...entriesOf(tokens, addresses), ...entriesOf(ofHour, addresses)])
      const missing = addresses.filter((address) => !cached.has(address))
      if (missing.length === 0) return cached
      const stored = await store.known(missing, minute)
      const read = new Map([...stored].map(([address, known]) => [address, withWallets(known)]))
      keep(tokens, read)
      return new Map([...cached, ...read])
    },
    async owners(addresses) {
      const cached = entriesOf(owners, addresses)
      const missing = addresses.filter((address) => !cached.has(address))
      if (missing.length === 0) return cached
      const stored = await store.owners(missing)
      const read = new Map(missing.map((address) => [address, stored.get(address) ?? noPosts]))
      keep(owners, read)
      return new Map([...cached, ...read])
    },
    settle(after, hour) {
      if (hour !== hourOfTail) ofHour.clear()
      hourOfTail = hour
      for (const [address, known] of after.tokens) if (known.wallets.size > 0) ofHour.set(address, known)
      keep(tokens, after.tokens)
      keep(owners, after.owners)
    },
  }
}

function keep<V extends {}>(cache: LRUCache<Address, V>, entries: ReadonlyMap<Address, V>): void {
  for (const [address, value] of entries) cache.set(address, value)
}

function entriesOf<V extends {}>(
  cache: Pick<ReadonlyMap<Address, V>, 'get'>,
  addresses: readonly Address[],
): ReadonlyMap<Address, V> {
  const entries = new Map<Address, V>()
  for (const address of addresses) {
    const value = cache.get(address)
    if (value !== undefined) entries.set(address, value)
  }
  return entries
}
