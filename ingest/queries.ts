/** Which logs are asked for: in the first pass all of the platform's own events, in the second the PoolManager's and the reference pools'. */
import type { Address, Hash } from '../market/segment.ts'
import type { Chain } from './chains.ts'
import { topicOf } from './events.ts'
import type { LogFilter } from './logs.ts'

/** The first pass. No address: tokens are too many to name, so who emitted a log is judged when it is here. */
export const platformQuery: LogFilter = {
  topics: [
    [
      topicOf.swapped,
      topicOf.coinTransfer,
      topicOf.creatorCoinCreated,
      topicOf.coinCreated,
      topicOf.liquidityMigrated,
      topicOf.nameAndSymbolUpdated,
    ],
  ],
}

/** The part of it that tokens emit. */
export const tokenQuery: LogFilter = {
  topics: [[topicOf.coinTransfer, topicOf.liquidityMigrated, topicOf.nameAndSymbolUpdated]],
}

/** The part of it that the factory and the hooks emit, of these addresses; and of the second pass the trades of V3 pools among them. */
export const marketQueries = (addresses: readonly Address[]): readonly LogFilter[] =>
  chunked(addresses, VALUES_A_TOPIC).map((address) => ({
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
  learnt: {
    readonly senders: readonly Address[]
    readonly newPools: readonly Hash[]
    readonly v3Pools: readonly Address[]
  },
): readonly LogFilter[] => {
  const { references, poolManager } = chain
  const sources = references.map(({ source }) => source)
  const v4Pools = unique(sources.flatMap((source) => (source.is === 'v4Pool' ? [source.poolId] : [])))
  // One question for both: the pool id is the same topic in Initialize and Swap.
  const byPool = v4Pools.length === 0 ? [topicOf.initialize] : [topicOf.initialize, topicOf.poolSwap]
  return [
    ...chunked(learnt.senders.map(topicFrom), VALUES_A_TOPIC).map((senders) => ({
      address: [poolManager],
      topics: [[topicOf.poolSwap, topicOf.modifyLiquidity], null, senders],
    })),
    ...chunked(unique([...v4Pools, ...learnt.newPools]), VALUES_A_TOPIC).map((ids) => ({
      address: [poolManager],
      topics: [byPool, ids],
    })),
    ...chunked(learnt.v3Pools, VALUES_A_TOPIC).map((address) => ({ address, topics: [[topicOf.v3Swap]] })),
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

const topicFrom = (address: Address): Hash => `0x${address.slice(2).padStart(64, '0')}`

const unique = <T>(values: readonly T[]): readonly T[] => [...new Set(values)]

const chunked = <T>(values: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(values.length / size) }, (_, at) => values.slice(at * size, (at + 1) * size))
