/** Which logs are asked for: in the first pass all of the platform's own events, by topic or by address, in the second the PoolManager's and the reference pools'. */
import type { Address, Hash } from '../market/segment.ts'
import { chunked } from '../store/parallel.ts'
import type { Chain } from './chains.ts'
import { type Creations, readCreations } from './creations.ts'
import { emittedByTokens, topicOf } from './events.ts'
import {
  type BlockSpan,
  inOrder,
  type Log,
  type LogFilter,
  readAllLogs,
  readLogs,
  topicOfAddress,
} from './logs.ts'
import type { Registry } from './registry.ts'
import type { Rpc } from './rpc.ts'

/** The first pass. No address: tokens are too many to name, so who emitted a log is judged when it is here. */
export const platformQuery: LogFilter = {
  topics: [[topicOf.swapped, topicOf.creatorCoinCreated, topicOf.coinCreated, ...emittedByTokens]],
}

/** The part of it that tokens emit. */
export const tokenQuery: LogFilter = {
  topics: [emittedByTokens],
}

/** The part of it that the factory and the hooks emit, of these addresses; and of the second pass the trades of V3 pools among them. */
export const marketQueries = (
  addresses: readonly Address[],
  addressesAFilter: number,
): readonly LogFilter[] =>
  chunked(addresses, addressesAFilter).map((address) => ({
    address,
    topics: [[topicOf.swapped, topicOf.creatorCoinCreated, topicOf.coinCreated, topicOf.v3Swap]],
  }))

/** The reference pools of Uniswap V3. */
export const v3PoolsOf = ({ references }: Chain): readonly Address[] =>
  unique(references.flatMap(({ source }) => (source.is === 'v3Pool' ? [source.pool] : [])))

/** The first pass in another form, for endpoints that want addresses, and to ask a range a second time: the same events of these addresses. */
export const platformQueriesOf = (
  addresses: readonly Address[],
  addressesAFilter: number,
): readonly LogFilter[] =>
  chunked(addresses, addressesAFilter).map((address) => ({ address, topics: platformQuery.topics }))

// Values of a topic in one filter; endpoints bound the size of a filter without saying where.
const VALUES_A_TOPIC = 200

/** The second pass: what the platform's senders did in the PoolManager, the opening of the range's new pools, the trades of reference pools. */
export const poolQueries = (
  chain: Chain,
  known: {
    readonly senders: readonly Address[]
    readonly newPools: readonly Hash[]
    readonly v3Pools: readonly Address[]
  },
  addressesAFilter: number,
): readonly LogFilter[] => {
  const { references, poolManager } = chain
  const sources = references.map(({ source }) => source)
  const v4Pools = unique(sources.flatMap((source) => (source.is === 'v4Pool' ? [source.poolId] : [])))
  // One question for both: the pool id is the same topic in Initialize and Swap.
  const byPool = v4Pools.length === 0 ? [topicOf.initialize] : [topicOf.initialize, topicOf.poolSwap]
  return [
    ...chunked(known.senders.map(topicOfAddress), VALUES_A_TOPIC).map((senders) => ({
      address: [poolManager],
      topics: [[topicOf.poolSwap, topicOf.modifyLiquidity], null, senders],
    })),
    ...chunked(unique([...v4Pools, ...known.newPools]), VALUES_A_TOPIC).map((ids) => ({
      address: [poolManager],
      topics: [byPool, ids],
    })),
    ...chunked(known.v3Pools, addressesAFilter).map((address) => ({ address, topics: [[topicOf.v3Swap]] })),
  ]
}

/** The second pass in another form: all that happened in these pools, and in the reference pools of the PoolManager. */
export const queriesOfPools = (chain: Chain, poolIds: readonly Hash[]): readonly LogFilter[] => {
  const references = chain.references.flatMap(({ source }) => (source.is === 'v4Pool' ? [source.poolId] : []))
  return chunked(unique([...references, ...poolIds]), VALUES_A_TOPIC).map((ids) => ({
    address: [chain.poolManager],
    topics: [[topicOf.initialize, topicOf.poolSwap, topicOf.modifyLiquidity], ids],
  }))
}

/** Every log that any of these queries gives, and more, in one: for a block at a time. */
export const headQuery = ({ references }: Chain): LogFilter => {
  const isOfV3 = references.some(({ source }) => source.is === 'v3Pool')
  const ofPools = [topicOf.poolSwap, topicOf.modifyLiquidity, topicOf.initialize]
  return {
    topics: [[...(platformQuery.topics[0] ?? []), ...ofPools, ...(isOfV3 ? [topicOf.v3Swap] : [])]],
  }
}

const unique = <T>(values: readonly T[]): readonly T[] => [...new Set(values)]

/** The logs of the first pass in order, and the creations among them. */
export type PlatformLogs = { readonly logs: readonly Log[]; readonly creations: Creations }

type Source = { readonly rpc: Rpc; readonly chain: Chain; readonly registry: Registry }
type TimeAt = (blockNumber: number) => number

/** By topic alone: one query, whoever emitted the logs. */
export const readByTopic = async (source: Source, span: BlockSpan, timeAt: TimeAt): Promise<PlatformLogs> => {
  const logs = inOrder(await readLogs(source.rpc, span, platformQuery))
  return { logs, creations: await readCreations(logs, source, timeAt) }
}

/** By address: the factory, the hooks and every known token, in chunks; then those that these logs made known, until there are no more. */
export const readByAddress = async (
  source: Source,
  span: BlockSpan,
  timeAt: TimeAt,
): Promise<PlatformLogs> => {
  const { chain, registry } = source
  return readWhileLearning(source, span, {
    timeAt,
    found: [],
    addresses: async () => [chain.factory, ...(await registry.hooks()), ...(await registry.allTokens())],
    queriesOf: platformQueriesOf,
  })
}

/** By both, to ask a second time: what tokens emit by topic, what the factory and the hooks emit by address. */
export const readBothWays = async (
  source: Source,
  span: BlockSpan,
  timeAt: TimeAt,
): Promise<PlatformLogs> => {
  const { rpc, chain, registry } = source
  return readWhileLearning(source, span, {
    timeAt,
    found: await readLogs(rpc, span, tokenQuery),
    addresses: async () => [chain.factory, ...v3PoolsOf(chain), ...(await registry.hooks())],
    queriesOf: marketQueries,
  })
}

/** Asks for the logs of addresses, then for those of the addresses that these made known, until there are no more. */
const readWhileLearning = async (
  source: Source,
  span: BlockSpan,
  reading: {
    readonly timeAt: TimeAt
    /** What was read before. */
    readonly found: readonly Log[]
    /** All that are known by now. */
    readonly addresses: () => Promise<readonly Address[]>
    readonly queriesOf: (addresses: readonly Address[], addressesAFilter: number) => readonly LogFilter[]
  },
): Promise<PlatformLogs> => {
  const asked = new Set<Address>()
  let logs = reading.found
  for (;;) {
    const fresh = unique(await reading.addresses()).filter((address) => !asked.has(address))
    for (const address of fresh) asked.add(address)
    const more = await readAllLogs(
      source.rpc,
      span,
      reading.queriesOf(fresh, source.rpc.endpoint.addressesAFilter),
    )
    logs = inOrder([...logs, ...more])
    const creations = await readCreations(logs, source, reading.timeAt)
    const known = await reading.addresses()
    if (known.every((address) => asked.has(address))) return { logs, creations }
  }
}
