/** A mock chain, a registry and a reader of ranges in front of them. */
import type { Chain } from '../../ingest/client/chains.ts'
import { openTraits } from '../../ingest/client/endpoint-traits.ts'
import type { Log, LogFilter } from '../../ingest/client/logs.ts'
import type { Rpc } from '../../ingest/client/rpc.ts'
import { topicOf } from '../../ingest/decode/events.ts'
import { noOldTokens } from '../../ingest/decode/old-tokens.ts'
import { openRegistry, type RegistryStore } from '../../ingest/decode/registry.ts'
import { openRanges, type Range, type RangeReader, type Source } from '../../ingest/read/range.ts'
import { followChain, type Progress } from '../../ingest/writer/writer.ts'
import type { Fact } from '../../market/fold/fact.ts'
import type { Address, Block, Hash } from '../../market/segment.ts'
import { depsOver, type IngestStores } from '../support/aws/ingest-stores.ts'
import { type MockChain, mockChain, openMockChain } from '../support/chain/mock-chain.ts'
import {
  createdLog,
  type Emitted,
  initializedLog,
  type Sketch,
  transferLog,
  zora,
} from '../support/chain/raw-logs.ts'
import { address, hash, ONE_X96 } from '../support/market/facts.ts'

export const hook = address(0x40)
export const stranger = address(0xbad)
export const alice: Sketch = { coin: address(0xa11ce), quote: zora, poolId: hash(0xa1), hook }
export const post: Sketch = {
  coin: address(0x9057),
  quote: alice.coin,
  poolId: hash(0xb1),
  hook,
  name: 'Post',
}

/** A token's launch, at the price of one quote. */
export const launchLogs = (sketch: Sketch): readonly Emitted[] => [
  transferLog(sketch.coin),
  initializedLog(sketch, ONE_X96),
  createdLog(sketch),
]

/** A store that has these tokens, their pools and hooks. */
export const storeOf = (...sketches: readonly Sketch[]): RegistryStore => ({
  tokens: async (asked) =>
    new Map(sketches.filter(({ coin }) => asked.includes(coin)).map(({ coin }) => [coin, coin])),
  pools: async (asked) =>
    new Map(
      sketches
        .filter(({ poolId }) => asked.includes(poolId))
        .map(({ poolId, coin, hook }) => [poolId, { token: coin, hook }]),
    ),
  hooks: async () => new Set(sketches.map((sketch) => sketch.hook)),
  allTokens: async () => sketches.map(({ coin }) => coin),
})

export type MockReading = {
  readonly chain: MockChain
  readonly source: Source
  /** The range of these blocks; fails where it is 'reorged'. */
  read(from: number, to: number): Promise<Range>
}

/** What was read; fails where it is 'reorged'. */
export function wholeRange(range: Range | 'reorged'): Range {
  if (range === 'reorged') throw new Error('reorged')
  return range
}

/** All ranges after a block of a chain, up to the head. */
export async function readAll(
  ranges: RangeReader,
  last: Block | null,
  head: number,
): Promise<readonly Range[]> {
  const read: Range[] = []
  for (let after = last; (after?.number ?? -1) < head; after = read.at(-1)!.last)
    read.push(wholeRange(await ranges.read(after, head)))
  return read
}

/** A chain of 200 blocks, read with what the store has. */
export function openReading(
  given: { known?: readonly Sketch[]; rules?: Partial<Chain>; time?: (block: number) => number } = {},
): MockReading {
  const chain = openMockChain(200, given.time)
  const rules = { ...mockChain, ...given.rules }
  const source = {
    rpc: chain.rpc,
    chain: rules,
    registry: openRegistry(storeOf(...(given.known ?? [])), rules, noOldTokens),
  }
  return {
    chain,
    source,
    read: async (from, to) =>
      wholeRange(await openRanges(source).read(from === 0 ? null : chain.block(from - 1), to)),
  }
}

export const factsOfRange = (range: Range): readonly Fact[] => range.blocks.flatMap(({ facts }) => facts)
export const kinds = (range: Range): readonly string[] => factsOfRange(range).map((fact) => fact.is)
export const topicFrom = (one: Address): Hash => `0x${one.slice(2).padStart(64, '0')}`

/** From now on trades are left out of logs that are asked for by topic alone: no two readings agree. */
export function omitTrades(chain: MockChain): void {
  chain.distort = ({ method, params }, answer) =>
    method === 'eth_getLogs' && !(params[0] as LogFilter).address
      ? (answer as Log[]).filter(({ topics }) => topics[0] !== topicOf.swapped)
      : answer
}

/** Two endpoints; the first one is preferred until a reader moves on. */
export function eitherOf(...chains: readonly [MockChain, MockChain]): Rpc {
  let preferred = 0
  const both = ['first', 'second'].map((name, at): Rpc => {
    const { request, batch } = (chains[at] as MockChain).rpc
    const pinned = () => both[preferred] as Rpc
    const next = (): Rpc => {
      if (preferred === at) preferred = 1 - at
      return pinned()
    }
    return { request, batch, pinned, next, fastest: pinned, each: () => both, endpoint: openTraits(name) }
  })
  const now = () => both[preferred] as Rpc
  return {
    ...now(),
    request: (method, params) => now().request(method, params),
    batch: (calls) => now().batch(calls),
    pinned: now,
    next: () => now().next(),
    get endpoint() {
      return now().endpoint
    },
  }
}

/** A writer of the chain as after a start of its process. `isFar`: it is far from the head until it has read all, and reads a minute at a time. */
export function startMockWriter(
  { rpc }: MockChain,
  stores: Pick<IngestStores, 'tokens' | 'log' | 'feed'>,
  isFar = false,
): AsyncGenerator<Progress> {
  const byMinute = (source: Source): RangeReader => {
    const ranges = openRanges(source)
    return {
      ...ranges,
      read: (after, head) => ranges.read(after, Math.min(head, (after?.number ?? -1) + 30)),
    }
  }
  const own = { rpc, chain: mockChain, ...(isFar && { readWith: byMinute, farSeconds: 0 }) }
  return followChain(depsOver(stores, own))
}
