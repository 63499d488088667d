/** What is known of the platform's tokens, pools and hooks: what the store has, and what was learnt from blocks that are not stored yet. */
import type { Address, Hash } from '../market/segment.ts'
import type { LogStore } from '../store/log.ts'
import { allOf, mapParallel } from '../store/parallel.ts'
import type { Chain } from './chains.ts'
import { noOldTokens, type OldTokens } from './old-tokens.ts'
import { openShelf, type Shelf } from './shelf.ts'

/** A pool of a known token, and the hook that speaks for it. */
export type KnownPool = { readonly token: Address; readonly hook: Address }

/** Where stored tokens, pools and hooks are read: `TokenStore` of store/ is one. What is not in an answer does not exist. */
export type RegistryStore = {
  tokens(addresses: readonly Address[]): Promise<ReadonlyMap<Address, unknown>>
  pools(ids: readonly Hash[]): Promise<ReadonlyMap<Hash, KnownPool>>
  hooks(): Promise<ReadonlySet<Address>>
  /** Every token that is stored. Read where endpoints want addresses, and only there; absent: none is. */
  allTokens?(): Promise<readonly Address[]>
}

/** A creation or a migration: from this block on the pool and its hook speak for the token. */
export type Learnt = KnownPool & { readonly poolId: Hash; readonly blockNumber: number }

/** Answers what is genuine. What a creation or migration taught is known at once, and in memory until the store has it. */
export type Registry = {
  learn(learnt: Learnt): void
  /** Learns those of the addresses, unknown so far, that are older than the log, and what they are priced in. `before`: a block before their first logs. Throws IngestError. */
  learnOld(addresses: Iterable<Address>, before: number): Promise<void>
  /** Those of the addresses that are tokens of the platform. */
  tokens(addresses: Iterable<Address>): Promise<ReadonlySet<Address>>
  /** Those of the pools that are or were a token's. */
  pools(ids: Iterable<Hash>): Promise<ReadonlyMap<Hash, KnownPool>>
  /** All learnt hooks, stored or not. */
  hooks(): Promise<ReadonlySet<Address>>
  /** Every token, stored or learnt; of a range that was abandoned, too. */
  allTokens(): Promise<ReadonlySet<Address>>
  /** Senders whose PoolManager logs are read: the hooks and the chain's internal senders, sorted. */
  senders(): Promise<readonly Address[]>
  /** Says that a range from this block on is read next. After a gap another process may have stored what was unknown here: the store is asked again. */
  begin(fromBlock: number): void
  /** Says that the range was read, up to this block: what it taught stays. */
  complete(toBlock: number): void
  /** Says that the range from this block on was not read to its end: what it taught, and no completed range did, is forgotten. */
  abandon(fromBlock: number): void
  /** Takes back what was learnt after this block. Where the store had it already, call this when the store has rolled it back, too. */
  forgetAfter(blockNumber: number): void
  /** Says that the store has what was learnt up to this block. */
  settle(blockNumber: number): void
}

// About 200 B an entry: 20 MB when both shelves are full.
const cachedEntries = 50_000

/** Opens the registry of one chain in front of the store. Keeps a bounded number of entries, however many tokens exist. */
export const openRegistry = (
  store: RegistryStore,
  chain: Chain,
  oldTokens: OldTokens = noOldTokens,
): Registry => {
  const tokens = openShelf<Address, true>(async (addresses) => {
    const stored = await store.tokens(addresses)
    return new Map([...stored.keys()].map((address) => [address, true]))
  }, cachedEntries)
  const pools = openShelf<Hash, KnownPool>((ids) => store.pools(ids), cachedEntries)
  const hooks = openHooks(store)
  const all = [tokens, pools, hooks]
  let everyToken: Set<Address> | undefined
  // Of completed ranges, and of what the store has: both only as far as this process knows.
  let readBlock: number | undefined
  let settledBlock: number | undefined
  const clear = (): void => {
    for (const shelf of all) shelf.clear()
  }

  const learn = ({ token, poolId, hook, blockNumber }: Learnt): void => {
    tokens.learn(token, true, blockNumber)
    pools.learn(poolId, { token, hook }, blockNumber)
    hooks.learn(hook, blockNumber)
    everyToken?.add(token)
  }

  return {
    learn,
    learnOld: async (addresses, before) => {
      const asked = [...addresses]
      const known = await tokens.find(asked)
      const unknown = asked.filter((address) => !known.has(address))
      for (const { token } of (await oldTokens.find(unknown, before)).values()) {
        const { address, poolId, hook, launchedAt } = token
        learn({ token: address, poolId, hook, blockNumber: launchedAt.blockNumber })
      }
    },
    tokens: async (addresses) => new Set((await tokens.find(addresses)).keys()),
    pools: (ids) => pools.find(ids),
    hooks: hooks.all,
    allTokens: async () => {
      everyToken ??= new Set([...((await store.allTokens?.()) ?? []), ...tokens.learnt()])
      return everyToken
    },
    senders: async () => [...new Set([...(await hooks.all()), ...chain.internalSenders])].sort(),
    begin: (fromBlock) => {
      if (readBlock !== undefined && fromBlock <= readBlock + 1) return
      if (readBlock !== undefined) clear()
      readBlock = fromBlock - 1
    },
    complete: (toBlock) => {
      readBlock = Math.max(toBlock, readBlock ?? toBlock)
    },
    abandon: (fromBlock) => {
      // What was read again taught nothing new; the blocks after it may be under way.
      if (readBlock !== undefined && fromBlock <= readBlock) return
      for (const shelf of all) shelf.forgetAfter(readBlock ?? -1)
    },
    forgetAfter: (blockNumber) => {
      for (const shelf of all) shelf.forgetAfter(blockNumber)
      readBlock = Math.min(blockNumber, readBlock ?? blockNumber)
      // Above what this process has seen stored, the store is as it was, and so is what is cached of it.
      if (settledBlock !== undefined && blockNumber >= settledBlock) return
      clear()
      settledBlock = undefined
    },
    settle: (blockNumber) => {
      for (const shelf of all) shelf.settle(blockNumber)
      settledBlock = Math.max(blockNumber, settledBlock ?? blockNumber)
    },
  }
}

/** Segments read at the same time. */
const PARALLEL_READS = 16

/** Every token that a minute of the log touched, rolled back or not. Reads every segment: only endpoints that want addresses are worth it. */
export async function tokensOfLog(
  log: Pick<LogStore, 'entriesAfter' | 'readSegment'>,
): Promise<readonly Address[]> {
  const entries = (await allOf(log.entriesAfter(0))).filter((entry) => entry.is === 'sealed')
  const tokens = await mapParallel(entries, PARALLEL_READS, async ({ segment }) =>
    (await log.readSegment(segment)).tokens.map(({ after }) => after.address),
  )
  return [...new Set(tokens.flat())]
}

type Hooks = Pick<Shelf<Address, true>, 'clear' | 'forgetAfter' | 'settle'> & {
  learn(hook: Address, blockNumber: number): void
  all(): Promise<ReadonlySet<Address>>
}

/** Hooks are few and asked for together: the stored ones are read whole. */
const openHooks = (store: RegistryStore): Hooks => {
  const learnt = new Map<Address, number>()
  let stored: ReadonlySet<Address> | undefined
  return {
    learn: (hook, blockNumber) => {
      learnt.set(hook, Math.min(blockNumber, learnt.get(hook) ?? blockNumber))
    },
    all: async () => {
      stored ??= await store.hooks()
      return new Set([...stored, ...learnt.keys()])
    },
    clear: () => {
      stored = undefined
    },
    forgetAfter: (blockNumber) => {
      for (const [hook, learntAt] of learnt) if (learntAt > blockNumber) learnt.delete(hook)
    },
    settle: (blockNumber) => {
      const settled = [...learnt.keys()].filter((hook) => (learnt.get(hook) ?? 0) <= blockNumber)
      for (const hook of settled) learnt.delete(hook)
      if (stored) stored = new Set([...stored, ...settled])
    },
  }
}
