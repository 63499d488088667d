/** A read-through cache of the store, under entries of blocks that are not committed yet. Bounded, however many entries the store has. */
import { LRUCache } from 'lru-cache'

/** The store's answers are cached, absence too. */
export type OverlayCache<K, V> = {
  /** From this block on the entry exists, even if the store lacks it. */
  add(key: K, value: V, blockNumber: number): void
  /** Entries of these keys: uncommitted ones, else cached ones, else what one read of the store gives. */
  find(keys: Iterable<K>): Promise<ReadonlyMap<K, V>>
  /** Keys of entries that the store does not have yet. */
  uncommitted(): Iterable<K>
  /** Drops the cached entries of the store. */
  clear(): void
  /** Drops uncommitted entries after this block. */
  forgetAfter(blockNumber: number): void
  /** The store now has the entries up to this block. */
  settle(blockNumber: number): void
}

/** Opens one that caches at most `entries` answers of `read`, which leaves out what does not exist. */
export function openOverlayCache<K extends {}, V extends {}>(
  read: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>,
  entries: number,
): OverlayCache<K, V> {
  const uncommitted = new Map<K, { readonly value: V; readonly blockNumber: number }>()
  const cache = new LRUCache<K, { readonly value: V | undefined }>({ max: entries })
  return {
    add: (key, value, blockNumber) => {
      const known = uncommitted.get(key)
      if (!known || blockNumber < known.blockNumber) uncommitted.set(key, { value, blockNumber })
    },
    find: async (keys) => {
      const found = new Map<K, V>()
      const missing: K[] = []
      for (const key of new Set(keys)) {
        const entry = uncommitted.get(key) ?? cache.get(key)
        if (!entry) missing.push(key)
        else if (entry.value !== undefined) found.set(key, entry.value)
      }
      if (missing.length === 0) return found
      const stored = await read(missing)
      for (const key of missing) {
        // What was added while the store was read is newer.
        const newer = uncommitted.get(key) ?? cache.get(key)
        const { value } = newer ?? { value: stored.get(key) }
        if (!newer) cache.set(key, { value })
        if (value !== undefined) found.set(key, value)
      }
      return found
    },
    uncommitted: () => uncommitted.keys(),
    clear: () => cache.clear(),
    forgetAfter: (blockNumber) => {
      for (const [key, entry] of uncommitted) if (entry.blockNumber > blockNumber) uncommitted.delete(key)
    },
    settle: (blockNumber) => {
      for (const [key, entry] of uncommitted) {
        if (entry.blockNumber > blockNumber) continue
        uncommitted.delete(key)
        cache.set(key, { value: entry.value })
      }
    },
  }
}
