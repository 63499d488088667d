/** Entries of the store by key, with those on top that were learnt from blocks not stored yet. Bounded, however many entries the store has. */
import { LRUCache } from 'lru-cache'

/** A read-through cache that also remembers absence, under entries that belong to blocks. */
export type Shelf<K, V> = {
  /** From this block on the entry exists, whatever the store says. */
  learn(key: K, value: V, blockNumber: number): void
  /** Entries of these keys: what was learnt, else what is cached, else what one read of the store says. */
  find(keys: Iterable<K>): Promise<ReadonlyMap<K, V>>
  /** The keys that were learnt and are not the store's yet. */
  learnt(): Iterable<K>
  /** Drops what is cached of the store. */
  clear(): void
  /** Drops what was learnt after this block. */
  forgetAfter(blockNumber: number): void
  /** What was learnt up to this block is now the store's. */
  settle(blockNumber: number): void
}

/** Opens a shelf that caches at most `entries` answers of `read`, which leaves out what does not exist. */
export const openShelf = <K extends {}, V extends {}>(
  read: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>,
  entries: number,
): Shelf<K, V> => {
  const learnt = new Map<K, { readonly value: V; readonly blockNumber: number }>()
  const cache = new LRUCache<K, { readonly value: V | undefined }>({ max: entries })
  return {
    learn: (key, value, blockNumber) => {
      const known = learnt.get(key)
      if (!known || blockNumber < known.blockNumber) learnt.set(key, { value, blockNumber })
    },
    find: async (keys) => {
      const found = new Map<K, V>()
      const missing: K[] = []
      for (const key of new Set(keys)) {
        const entry = learnt.get(key) ?? cache.get(key)
        if (!entry) missing.push(key)
        else if (entry.value !== undefined) found.set(key, entry.value)
      }
      if (missing.length === 0) return found
      const stored = await read(missing)
      for (const key of missing) {
        const value = stored.get(key)
        cache.set(key, { value })
        if (value !== undefined) found.set(key, value)
      }
      return found
    },
    learnt: () => learnt.keys(),
    clear: () => cache.clear(),
    forgetAfter: (blockNumber) => {
      for (const [key, entry] of learnt) if (entry.blockNumber > blockNumber) learnt.delete(key)
    },
    settle: (blockNumber) => {
      for (const [key, entry] of learnt) {
        if (entry.blockNumber > blockNumber) continue
        learnt.delete(key)
        cache.set(key, { value: entry.value })
      }
    },
  }
}
