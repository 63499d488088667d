/** The platform's tokens, pools and hooks: from the store, and registered from blocks that are not stored yet. */
import type { Address, Hash } from '../../market/segment.ts'
import { allOf, mapParallel } from '../../store/aws/parallel.ts'
import type { LogStore } from '../../store/log/log.ts'
import type { Chain } from '../client/chains.ts'
import type { OldTokens } from './old-tokens.ts'
import { type OverlayCache, openOverlayCache } from './overlay-cache.ts'

/** A pool of a known token, and the hook that may emit its trades. */
export type KnownPool = { readonly token: Address; readonly hook: Address }

/**
 * Source of stored tokens, pools and hooks, such as store/'s `TokenStore`. Missing from an answer means that it does not
 * exist.
 */
export type RegistryStore = {
  tokens(addresses: readonly Address[]): Promise<ReadonlyMap<Address, unknown>>
  pools(ids: readonly Hash[]): Promise<ReadonlyMap<Hash, KnownPool>>
  hooks(): Promise<ReadonlySet<Address>>
  /** All stored tokens, only needed for endpoints that require addresses. */
  allTokens(): Promise<readonly Address[]>
}

/** A creation or a migration: from this block on, the pool and its hook belong to the token. */
export type Registration = KnownPool & { readonly poolId: Hash; readonly blockNumber: number }

/** The genuine tokens, pools and hooks. Creations and migrations are included at once, and kept in memory until the store has them. */
export type Registry = {
  register(registration: Registration): void
  /**
   * Registers unknown addresses that are tokens older than the log, and their quotes. `before`: a block before their first
   * logs. Throws IngestError.
   */
  registerOld(addresses: Iterable<Address>, before: number): Promise<void>
  /** The platform's tokens among the addresses. */
  tokens(addresses: Iterable<Address>): Promise<ReadonlySet<Address>>
  /** The current and former pools of tokens among these. */
  pools(ids: Iterable<Hash>): Promise<ReadonlyMap<Hash, KnownPool>>
  /** All known hooks, stored or not. */
  hooks(): Promise<ReadonlySet<Address>>
  /** Every token, stored or registered, including those of abandoned ranges. */
  allTokens(): Promise<ReadonlySet<Address>>
  /** Senders whose PoolManager logs are read: hooks and the chain's internal senders, sorted. */
  senders(): Promise<readonly Address[]>
  /** The range was read up to this block; its registrations stay. */
  complete(toBlock: number): void
  /** The range from this block on was abandoned; registrations of that range only are dropped. */
  abandon(fromBlock: number): void
  /**
   * Forgets what was registered after this block, and what is cached of the store: call it once the store has rolled back
   * what is forgotten, or holds what another process read.
   */
  forgetAfter(blockNumber: number): void
  /** The store has everything registered up to this block. */
  settle(blockNumber: number): void
}

// About 200 B per entry: 20 MB if both caches are full.
const cachedEntries = 50_000

/** Opens the registry of one chain in front of the store. Memory is bounded, however many tokens exist. */
export function openRegistry(store: RegistryStore, chain: Chain, oldTokens: OldTokens): Registry {
  const tokens = openOverlayCache<Address, true>(async (addresses) => {
    const stored = await store.tokens(addresses)
    return new Map([...stored.keys()].map((address) => [address, true]))
  }, cachedEntries)
  const pools = openOverlayCache<Hash, KnownPool>((ids) => store.pools(ids), cachedEntries)
  const hooks = openHooks(store)
  const all = [tokens, pools, hooks]
  /** Every token, once it was asked for; while the stored ones are read, those registered meanwhile. */
  let everyToken: Set<Address> | undefined
  let reading: Promise<ReadonlySet<Address>> | undefined
  /** End of the completed ranges. */
  let readBlock = -1

  const register = ({ token, poolId, hook, blockNumber }: Registration): void => {
    tokens.add(token, true, blockNumber)
    pools.add(poolId, { token, hook }, blockNumber)
    hooks.add(hook, blockNumber)
    everyToken?.add(token)
  }

  const readAll = async (): Promise<ReadonlySet<Address>> => {
    everyToken = new Set(tokens.uncommitted())
    for (const token of await store.allTokens()) everyToken.add(token)
    return everyToken
  }

  return {
    register,
    registerOld: async (addresses, before) => {
      const asked = [...addresses]
      const known = await tokens.find(asked)
      const unknown = asked.filter((address) => !known.has(address))
      for (const { token } of (await oldTokens.find(unknown, before)).values()) {
        const { address, poolId, hook, launchedAt } = token
        register({ token: address, poolId, hook, blockNumber: launchedAt.blockNumber })
      }
    },
    tokens: async (addresses) => new Set((await tokens.find(addresses)).keys()),
    pools: (ids) => pools.find(ids),
    hooks: hooks.all,
    allTokens: () => {
      reading ??= readAll().catch((error: unknown) => {
        reading = undefined
        throw error
      })
      return reading
    },
    senders: async () => [...new Set([...(await hooks.all()), ...chain.internalSenders])].sort(),
    complete: (toBlock) => {
      readBlock = Math.max(toBlock, readBlock)
    },
    abandon: (fromBlock) => {
      // A repeated range registers nothing new; later blocks may be under way.
      if (fromBlock <= readBlock) return
      for (const cache of all) cache.forgetAfter(readBlock)
    },
    forgetAfter: (blockNumber) => {
      readBlock = Math.min(blockNumber, readBlock)
      for (const cache of all) {
        cache.forgetAfter(blockNumber)
        cache.clear()
      }
    },
    settle: (blockNumber) => {
      for (const cache of all) cache.settle(blockNumber)
    },
  }
}

/** Parallel reads of segments. */
const PARALLEL_READS = 16

/**
 * Every token touched by a minute of the log, rolled back or not. Reads every segment, so it is only used for endpoints
 * that require addresses.
 */
export async function tokensOfLog(
  log: Pick<LogStore, 'entriesAfter' | 'readSegment'>,
): Promise<readonly Address[]> {
  const entries = (await allOf(log.entriesAfter(0))).filter((entry) => entry.is === 'sealed')
  const tokens = await mapParallel(entries, PARALLEL_READS, async ({ segment }) =>
    (await log.readSegment(segment)).tokens.map(({ after }) => after.address),
  )
  return [...new Set(tokens.flat())]
}

type Hooks = Pick<OverlayCache<Address, true>, 'clear' | 'forgetAfter' | 'settle'> & {
  add(hook: Address, blockNumber: number): void
  all(): Promise<ReadonlySet<Address>>
}

/** Hooks are few, so the stored ones are read all at once. */
function openHooks(store: RegistryStore): Hooks {
  const uncommitted = new Map<Address, number>()
  /** What the store has: as last read, and what was settled since that began. */
  let stored: ReadonlySet<Address> | undefined
  const settled = new Set<Address>()
  return {
    add: (hook, blockNumber) => {
      uncommitted.set(hook, Math.min(blockNumber, uncommitted.get(hook) ?? blockNumber))
    },
    all: async () => {
      stored ??= await store.hooks()
      return new Set([...stored, ...settled, ...uncommitted.keys()])
    },
    clear: () => {
      stored = undefined
      settled.clear()
    },
    forgetAfter: (blockNumber) => {
      for (const [hook, addedAt] of uncommitted) if (addedAt > blockNumber) uncommitted.delete(hook)
    },
    settle: (blockNumber) => {
      for (const [hook, addedAt] of uncommitted) {
        if (addedAt > blockNumber) continue
        uncommitted.delete(hook)
        settled.add(hook)
      }
    },
  }
}
