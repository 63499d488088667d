/** Caches of tokens and post owners as of the last sealed minute, in front of the tables. */
import { LRUCache } from 'lru-cache'
import { noPosts, type PostOwner } from '../market/post-owners.ts'
import type { Address, Known, Minute, Prior } from '../market/segment.ts'
import type { TokenStore } from '../store/tokens.ts'
import type { Checkpoint } from './pending.ts'

/** Maximum tokens and post owners in memory; others are read from the tables when a log mentions them. */
const KEPT_TOKENS = 20_000

/** Bounded caches of tokens and owners as of the checkpoint. */
export type KnownAtTail = {
  tokens(addresses: readonly Address[], minute: Minute): Promise<ReadonlyMap<Address, Known>>
  owners(addresses: readonly Address[]): Promise<ReadonlyMap<Address, PostOwner>>
  settle(after: Prior, hour: number): void
}

/** Opens the caches with the checkpoint's contents. */
export function openKnown(store: TokenStore, { wallets }: Checkpoint): KnownAtTail {
  const tokens = new LRUCache<Address, Known>({ maxSize: KEPT_TOKENS, sizeCalculation: () => 1 })
  const owners = new LRUCache<Address, PostOwner>({ maxSize: KEPT_TOKENS, sizeCalculation: () => 1 })
  /** Tokens traded in the hour: their wallet hours are stored nowhere. */
  const ofHour = new Map<Address, Known>()
  let hourOfTail = wallets?.hour ?? 0
  const withWallets = (known: Known): Known => {
    const own = wallets?.hour === known.hour ? wallets.ofToken.get(known.token.address) : undefined
    return own ? { ...known, wallets: own } : known
  }
  return {
    async tokens(addresses, minute) {
      const missing = addresses.filter((address) => !ofHour.has(address) && !tokens.has(address))
      const read = missing.length > 0 ? await store.known(missing, minute) : new Map<Address, Known>()
      keep(tokens, new Map([...read].map(([address, known]) => [address, withWallets(known)])))
      return new Map([...entriesOf(tokens, addresses), ...entriesOf(ofHour, addresses)])
    },
    async owners(addresses) {
      const missing = addresses.filter((address) => !owners.has(address))
      if (missing.length > 0) {
        const found = await store.owners(missing)
        keep(owners, new Map(missing.map((address) => [address, found.get(address) ?? noPosts])))
      }
      return entriesOf(owners, addresses)
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
