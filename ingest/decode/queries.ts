/** The log filters: in the first pass the platform's own events, by topic or by address; in the second the PoolManager's and the reference pools'. */
import type { Address, Hash, PoolName } from '../../market/segment.ts'
import { chunked } from '../../store/aws/parallel.ts'
import type { Chain } from '../client/chains.ts'
import {
  type BlockSpan,
  inOrder,
  type Log,
  type LogFilter,
  readAllLogs,
  topicOfAddress,
} from '../client/logs.ts'
import type { Rpc } from '../client/rpc.ts'
import { type Creations, readCreations, type TimesOf } from './creations.ts'
import { emittedByTokens, hookTopics, topicOf } from './events.ts'
import type { Registry } from './registry.ts'

/** The first pass. No address, since there are too many tokens; the emitter is checked afterwards. */
const platformQuery: LogFilter = {
  topics: [[...hookTopics, topicOf.creatorCoinCreated, topicOf.coinCreated, ...emittedByTokens]],
}

/** The reference pools: of Uniswap V3 by address, of V4 by id. */
export function ratePoolsOf({ references }: Chain) {
  const pools = unique(references.flatMap(({ sources }) => sources.map(({ pool }) => pool)))
  return { v3: pools.filter((pool) => !isPoolId(pool)), v4: pools.filter(isPoolId) }
}

/** Whether a pool is in the PoolManager (V4) and no contract of its own (V3). */
export const isPoolId = (pool: PoolName): boolean => pool.length === '0x'.length + 64

/** The second pass: logs of the platform's senders in the PoolManager, openings of the range's new pools, trades of reference pools. */
export function poolQueries(
  chain: Chain,
  known: {
    readonly senders: readonly Address[]
    readonly newPools: readonly Hash[]
    readonly v3Pools: readonly Address[]
  },
  addressesAFilter: number,
): readonly LogFilter[] {
  const { poolManager } = chain
  const { v4: v4Pools } = ratePoolsOf(chain)
  // One filter for both: the pool id is the same topic in Initialize and Swap.
  const byPool = v4Pools.length === 0 ? [topicOf.initialize] : [topicOf.initialize, topicOf.poolSwap]
  return [
    ...nonempty(known.senders.map(topicOfAddress)).map((senders) => ({
      address: [poolManager],
      topics: [[topicOf.poolSwap, topicOf.modifyLiquidity], null, senders],
    })),
    ...nonempty(unique([...v4Pools, ...known.newPools])).map((ids) => ({
      address: [poolManager],
      topics: [byPool, ids],
    })),
    ...chunked(known.v3Pools, addressesAFilter).map((address) => ({ address, topics: [[topicOf.v3Swap]] })),
  ]
}

/** The second pass in another form: all logs of these pools and of the PoolManager's reference pools. */
export function queriesOfPools(chain: Chain, poolIds: readonly Hash[]): readonly LogFilter[] {
  return nonempty(unique([...ratePoolsOf(chain).v4, ...poolIds])).map((ids) => ({
    address: [chain.poolManager],
    topics: [[topicOf.initialize, topicOf.poolSwap, topicOf.modifyLiquidity], ids],
  }))
}

/** A superset of all these queries in one filter, for a block at a time. */
export function headQuery(chain: Chain): LogFilter {
  const isOfV3 = ratePoolsOf(chain).v3.length > 0
  const ofPools = [topicOf.poolSwap, topicOf.modifyLiquidity, topicOf.initialize]
  return { topics: [[...(platformQuery.topics[0] ?? []), ...ofPools, ...(isOfV3 ? [topicOf.v3Swap] : [])]] }
}

/** The values of a topic as one filter; none for no values, which would mean any. */
const nonempty = <T>(values: readonly T[]): readonly (readonly T[])[] => (values.length > 0 ? [values] : [])

const unique = <T>(values: readonly T[]): readonly T[] => [...new Set(values)]

/** The logs of the first pass in order, and the creations among them. */
type PlatformLogs = { readonly logs: readonly Log[]; readonly creations: Creations }

type Source = { readonly rpc: Rpc; readonly chain: Chain; readonly registry: Registry }

/** A form of the first pass: by topic, by address, or some of it each way. */
export type PlatformMode = {
  readonly byTopic: readonly LogFilter[]
  /** Addresses known so far, and the topics of their queries. */
  readonly addresses: (source: Source) => Promise<readonly Address[]>
  readonly topics: LogFilter['topics']
}

export const platformModes = {
  /** One query, whoever emitted the logs. */
  usual: { byTopic: [platformQuery], addresses: async () => [], topics: [] },
  /** For endpoints that require addresses: the factory, the hooks and every known token. */
  byAddress: {
    byTopic: [],
    addresses: async ({ chain, registry }) => [
      chain.factory,
      ...(await registry.hooks()),
      ...(await registry.allTokens()),
    ],
    topics: platformQuery.topics,
  },
  /** For a second reading: logs of tokens by topic; those of the factory, the hooks and V3 pools by address. */
  bothWays: {
    byTopic: [{ topics: [emittedByTokens] }],
    addresses: async ({ chain, registry }) => [
      chain.factory,
      ...ratePoolsOf(chain).v3,
      ...(await registry.hooks()),
    ],
    topics: [[...hookTopics, topicOf.creatorCoinCreated, topicOf.coinCreated, topicOf.v3Swap]],
  },
} as const satisfies Readonly<Record<string, PlatformMode>>

/** Completes the first pass of which the logs by topic are given; by address, then also for the addresses found in these logs, until there are no more. */
export async function readPlatform(
  source: Source,
  span: BlockSpan,
  first: { readonly mode: PlatformMode; readonly logs: readonly Log[]; readonly timesOf: TimesOf },
): Promise<PlatformLogs> {
  const { rpc } = source
  const { addresses, topics } = first.mode
  const asked = new Set<Address>()
  let { logs } = first
  for (;;) {
    const fresh = unique(await addresses(source)).filter((address) => !asked.has(address))
    for (const address of fresh) asked.add(address)
    const filters = chunked(fresh, rpc.endpoint.addressesAFilter).map((address) => ({ address, topics }))
    logs = inOrder([...logs, ...(await readAllLogs(rpc, span, filters))])
    const creations = await readCreations(logs, source, first.timesOf)
    const known = await addresses(source)
    if (known.every((address) => asked.has(address))) return { logs, creations }
  }
}
