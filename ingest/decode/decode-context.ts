/**
 * Context for judging logs: the tokens, pools and hooks that they refer to, and the sender of a transaction whose trader
 * nothing else names.
 */
import { isAddress } from 'viem'
import type { Fact, FactOf } from '../../market/fold/fact.ts'
import type { Address, Hash } from '../../market/segment.ts'
import type { Chain } from '../client/chains.ts'
import type { SentTransaction } from '../client/endpoint-traits.ts'
import { RangeChangedError, RpcUnavailableError } from '../client/faults.ts'
import { inOrder, type Log } from '../client/logs.ts'
import type { Rpc } from '../client/rpc.ts'
import { kindOfCreation } from './cold-events.ts'
import { readCreations, type TimesOf } from './creations.ts'
import { type DecodeContext, factsOfLog } from './decode.ts'
import { rewardTopics, tokenTopics, topicOf } from './events.ts'
import { rewardedToken } from './hot-events.ts'
import type { Registry } from './registry.ts'

type Source = { readonly rpc: Rpc; readonly chain: Chain; readonly registry: Registry }

const poolPlace: ReadonlyMap<Hash, 1 | 3> = new Map([
  [topicOf.swapped, 3],
  [topicOf.initialize, 1],
  [topicOf.poolSwap, 1],
  [topicOf.modifyLiquidity, 1],
])

/** Pools named by the logs; of trades, only those reported by a hook. */
export function poolIdsIn(logs: readonly Log[], hooks: ReadonlySet<Address>): ReadonlySet<Hash> {
  const ids = new Set<Hash>()
  for (const { address, topics } of logs) {
    const [topic = '0x'] = topics
    const place = poolPlace.get(topic)
    const id = place && topics[place]
    if (id && (topic !== topicOf.swapped || hooks.has(address))) ids.add(id)
  }
  return ids
}

/** Looks up the tokens and pools that the logs refer to, at once. */
export async function decodeContextOf(
  logs: readonly Log[],
  { chain, registry }: Omit<Source, 'rpc'>,
): Promise<DecodeContext> {
  const hooks = await registry.hooks()
  const named = new Set<Address>()
  for (const log of logs) {
    const [topic = '0x'] = log.topics
    if (tokenTopics.includes(topic)) named.add(log.address)
    else if (rewardTopics.includes(topic) && hooks.has(log.address)) named.add(rewardedToken(log))
  }
  const ids = poolIdsIn(logs, hooks)
  const [tokens, pools] = await Promise.all([registry.tokens(named), registry.pools(ids)])
  return { chain, tokens, pools, hooks }
}

/** The facts of logs that were requested individually. Throws IngestError. */
export async function factsIn(
  logs: readonly Log[],
  source: Source,
  timesOf: TimesOf,
): Promise<readonly Fact[]> {
  const ordered = inOrder(logs)
  const creations = await readCreations(ordered, source, timesOf)
  const context = await decodeContextOf(ordered, source)
  const facts = ordered.flatMap((log) => creations.facts.get(log) ?? factsOfLog(log, context))
  return withSenders(source.rpc, facts, context)
}

const platformTopics: ReadonlySet<Hash> = new Set([
  topicOf.swapped,
  topicOf.liquidityMigrated,
  ...kindOfCreation.keys(),
])

/** Transactions in which the platform's senders, or others in its pools, used the PoolManager, even without effect. */
export function poolTransactionsIn(
  logs: readonly Log[],
  { chain, hooks, pools }: DecodeContext,
): readonly PoolTransaction[] {
  const senders = new Set([...hooks, ...chain.internalSenders].map((address) => address.slice(2)))
  const isOfPlatform = (sender: string | null | undefined) => senders.has(sender?.slice(26) ?? '')
  const platform = new Set<Hash>()
  const atPools = new Map<Hash, { readonly blockNumber: number; unreported: number }>()
  const reported = new Map<Hash, number>()
  for (const { address, topics, transactionHash, blockNumber } of logs) {
    const [topic = '0x', pool = '0x', sender] = topics
    if (platformTopics.has(topic)) platform.add(transactionHash)
    // Older hooks report the platform's own swaps, too.
    const isReport = topic === topicOf.swapped && pools.get(topics[3] ?? '0x')?.hook === address
    if (isReport && !isOfPlatform(topics[1]))
      reported.set(transactionHash, (reported.get(transactionHash) ?? 0) + 1)
    const isPoolLog = topic === topicOf.poolSwap || topic === topicOf.modifyLiquidity
    if (!isPoolLog || address !== chain.poolManager) continue
    const isOurs = isOfPlatform(sender)
    const isTrade = !isOurs && topic === topicOf.poolSwap && pools.has(pool)
    if (!isOurs && !isTrade) continue
    const known = atPools.get(transactionHash) ?? { blockNumber, unreported: 0 }
    if (isTrade) known.unreported += 1
    atPools.set(transactionHash, known)
  }
  return [...atPools].map(([transactionHash, { blockNumber, unreported }]) => ({
    transactionHash,
    blockNumber,
    hasPlatformLog: platform.has(transactionHash),
    hasUnreportedTrade: unreported > (reported.get(transactionHash) ?? 0),
  }))
}

/**
 * Adds `transactionFrom` to each swap of an untrusted router, and of a router that names nobody in a transaction without
 * a transfer of the token; swaps of hooks are no trades. A token launched through a pass-through contract of the platform
 * is its creator's own if the creator sent the transaction to that contract. Any other sender consented to nothing: the
 * contract that they called may launch what it likes. Throws RangeChangedError for a transaction that is gone.
 */
export async function withSenders(
  rpc: Rpc,
  facts: readonly Fact[],
  { hooks, chain }: Pick<DecodeContext, 'hooks' | 'chain'>,
): Promise<readonly Fact[]> {
  const moved = new Set<string>()
  for (const fact of facts) if (fact.is === 'transferred') moved.add(fact.transactionHash + fact.token)
  const isUnnamed = (fact: Fact): fact is FactOf<'swapped'> => {
    if (fact.is !== 'swapped' || hooks.has(fact.sender)) return false
    if (fact.swapSender === null) return !moved.has(fact.transactionHash + fact.token)
    return fact.swapSender === 'untrusted'
  }
  const isPassed = (fact: Fact): fact is FactOf<'launched'> =>
    fact.is === 'launched' && chain.passThroughs.some((each) => each === fact.coin.launchedBy)

  const unknown = facts.filter((fact) => isUnnamed(fact) || isPassed(fact))
  if (unknown.length === 0) return facts
  const sent = await readSent(rpc, [...new Set(unknown.map((fact) => fact.transactionHash))])
  return facts.map((fact) => {
    const transaction = sent.get(fact.transactionHash)
    if (!transaction) return fact
    if (isUnnamed(fact)) return { ...fact, transactionFrom: transaction.from }
    const isTheirs = isPassed(fact) && fact.coin.launchedBy === transaction.to
    return isTheirs && fact.coin.creator === transaction.from
      ? { ...fact, coin: { ...fact.coin, launchedBy: transaction.from } }
      : fact
  })
}

async function readSent(
  rpc: Rpc,
  hashes: readonly Hash[],
): Promise<ReadonlyMap<Hash, SentTransaction | undefined>> {
  // A hash identifies a transaction including its sender on every fork, so results are cached.
  const known = rpc.endpoint.sent
  const sent = new Map(hashes.map((hash) => [hash, known.get(hash)]))
  const unknown = hashes.filter((hash) => !sent.get(hash))
  const answers =
    unknown.length === 0
      ? []
      : await rpc.batch(unknown.map((hash) => ({ method: 'eth_getTransactionByHash', params: [hash] })))
  for (const [at, hash] of unknown.entries()) {
    const { from, to } = (answers[at] ?? {}) as { readonly [end in 'from' | 'to']?: unknown }
    if (typeof from !== 'string') throw new RangeChangedError(`transaction ${hash} is gone`)
    if (!isAddress(from, { strict: false }))
      throw new RpcUnavailableError(rpc.endpoint.name, `the sender of transaction ${hash} is no address`)
    const receiver = typeof to === 'string' ? (to.toLowerCase() as Address) : null
    sent.set(hash, { from: from.toLowerCase() as Address, to: receiver })
    known.set(hash, sent.get(hash))
  }
  return sent
}

/** A transaction with logs of the PoolManager in the platform's pools, whether they changed anything or not. */
export type PoolTransaction = {
  readonly transactionHash: Hash
  readonly blockNumber: number
  /** It also has a trade, a creation or a migration, of whatever token. */
  readonly hasPlatformLog: boolean
  /** More swaps of others in the platform's pools than the hooks reported. Only a reading by pools sees these. */
  readonly hasUnreportedTrade: boolean
}
