/** What has to be known to judge logs: the tokens, pools and hooks that they claim to speak of. */
import type { Fact } from '../market/fact.ts'
import type { Address, Hash } from '../market/segment.ts'
import type { Trace } from './agreement.ts'
import type { Chain } from './chains.ts'
import { kindOfCreation } from './cold-events.ts'
import { factsOf, type Scene } from './decode.ts'
import { topicOf } from './events.ts'
import { learn } from './learn.ts'
import { inOrder, type Log } from './logs.ts'
import type { Registry } from './registry.ts'
import type { Rpc } from './rpc.ts'
import { withSenders } from './transaction-senders.ts'

type Source = { readonly rpc: Rpc; readonly chain: Chain; readonly registry: Registry }

const poolPlace: ReadonlyMap<Hash, 1 | 3> = new Map([
  [topicOf.swapped, 3],
  [topicOf.initialize, 1],
  [topicOf.poolSwap, 1],
  [topicOf.modifyLiquidity, 1],
])

/** The pools that the logs name; trades only those that a hook tells of. */
export const poolIdsIn = (logs: readonly Log[], hooks: ReadonlySet<Address>): ReadonlySet<Hash> => {
  const ids = new Set<Hash>()
  for (const { address, topics } of logs) {
    const [topic = '0x'] = topics
    const place = poolPlace.get(topic)
    const id = place && topics[place]
    if (id && (topic !== topicOf.swapped || hooks.has(address))) ids.add(id)
  }
  return ids
}

/** Looks up, at once, the tokens and pools that the logs claim to speak of. */
export const sceneOf = async (
  logs: readonly Log[],
  { chain, registry }: Omit<Source, 'rpc'>,
): Promise<Scene> => {
  const hooks = await registry.hooks()
  const emitters = new Set<Address>()
  for (const { address, topics } of logs) {
    const [topic = '0x'] = topics
    if (topic === topicOf.coinTransfer || topic === topicOf.nameAndSymbolUpdated) emitters.add(address)
  }
  const ids = poolIdsIn(logs, hooks)
  const [tokens, pools] = await Promise.all([registry.tokens(emitters), registry.pools(ids)])
  return { chain, tokens, pools, hooks }
}

/** The facts that logs state which were asked for by themselves. `timeAt`: Unix seconds of their blocks. Throws IngestError. */
export const factsIn = async (
  logs: readonly Log[],
  source: Source,
  timeAt: (blockNumber: number) => number,
): Promise<readonly Fact[]> => {
  const ordered = inOrder(logs)
  const lessons = await learn(ordered, source, timeAt)
  const scene = await sceneOf(ordered, source)
  const facts = ordered.flatMap((log) => lessons.facts.get(log) ?? factsOf(log, scene))
  return withSenders(source.rpc, facts)
}

const platformTopics: ReadonlySet<Hash> = new Set([
  topicOf.swapped,
  topicOf.liquidityMigrated,
  ...kindOfCreation.keys(),
])

/** The transactions in which the platform's senders, or others in its pools, were at the PoolManager, whether that changed anything or not. */
export const tracesOf = (logs: readonly Log[], { chain, hooks, pools }: Scene): readonly Trace[] => {
  const senders = new Set([...hooks, ...chain.internalSenders].map((address) => address.slice(2)))
  const platform = new Set<Hash>()
  const atPools = new Map<Hash, { readonly blockNumber: number; untold: number }>()
  const told = new Map<Hash, number>()
  for (const { address, topics, transactionHash, blockNumber } of logs) {
    const [topic = '0x', pool = '0x', sender] = topics
    if (platformTopics.has(topic)) platform.add(transactionHash)
    if (topic === topicOf.swapped && pools.get(topics[3] ?? '0x')?.hook === address)
      told.set(transactionHash, (told.get(transactionHash) ?? 0) + 1)
    const isPoolLog = topic === topicOf.poolSwap || topic === topicOf.modifyLiquidity
    if (!isPoolLog || address !== chain.poolManager) continue
    const isOurs = senders.has(sender?.slice(26) ?? '')
    const isTrade = !isOurs && topic === topicOf.poolSwap && pools.has(pool)
    if (!isOurs && !isTrade) continue
    const known = atPools.get(transactionHash) ?? { blockNumber, untold: 0 }
    if (isTrade) known.untold += 1
    atPools.set(transactionHash, known)
  }
  return [...atPools].map(([transactionHash, { blockNumber, untold }]) => ({
    ...{ transactionHash, blockNumber },
    hasPlatformLog: platform.has(transactionHash),
    hasUntoldTrade: untold > (told.get(transactionHash) ?? 0),
  }))
}
