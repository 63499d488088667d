import { beforeEach, describe, expect, it } from 'vitest'
import type { Chain } from '../../ingest/chains.ts'
import { topicOf } from '../../ingest/events.ts'
import {
  BlockNotYetAvailableError,
  MalformedLogError,
  RangeChangedError,
  RpcUnavailableError,
  WrongBeatError,
} from '../../ingest/faults.ts'
import { type Range, readHeader, readRange } from '../../ingest/range.ts'
import { openRegistry, type Registry, type RegistryStore } from '../../ingest/registry.ts'
import { assertChain } from '../../ingest/rpc.ts'
import type { Address, Fact, Hash } from '../../market/segment.ts'
import { address, hash } from '../support/facts.ts'
import { type MockChain, mockChain, openMockChain, POOL_MANAGER } from '../support/mock-chain.ts'
import {
  created,
  initialized,
  migrated,
  poolSwapped,
  provided,
  renamed,
  type Sketch,
  swapped,
  trader,
  transferred,
  zora,
} from '../support/mock-market.ts'

const hook = address(0x40)
const alice: Sketch = { coin: address(0xa11ce), quote: zora, poolId: hash(0xa1), hook }
const post: Sketch = { coin: address(0x9057), quote: alice.coin, poolId: hash(0xb1), hook, name: 'Post' }
const trend: Sketch = { coin: address(0x7e4d), quote: zora, poolId: hash(0xc1), hook }
const stranger = address(0xbad)

const emptyStore: RegistryStore = {
  tokens: async () => new Map(),
  pools: async () => new Map(),
  hooks: async () => new Set(),
}

/** A store that has these tokens. */
const storeOf = (...sketches: readonly Sketch[]): RegistryStore => ({
  tokens: async (asked) =>
    new Map(sketches.filter(({ coin }) => asked.includes(coin)).map(({ coin }) => [coin, coin])),
  pools: async (asked) =>
    new Map(
      sketches
        .filter(({ poolId }) => asked.includes(poolId))
        .map(({ poolId, coin, hook }) => [poolId, { token: coin, hook }]),
    ),
  hooks: async () => new Set(sketches.map((sketch) => sketch.hook)),
})

let chain: MockChain
let registry: Registry

const read = async (
  from: number,
  to: number,
  given: { chain?: Chain; registry?: Registry } = {},
): Promise<Range> => {
  const source = { rpc: chain.rpc, chain: given.chain ?? mockChain, registry: given.registry ?? registry }
  const range = await readRange(source, from === 0 ? null : chain.block(from - 1), to)
  if (range === 'reorged') throw new Error('reorged')
  return range
}

const factsIn = (range: Range): readonly Fact[] => range.blocks.flatMap(({ facts }) => facts)
const kinds = (range: Range): readonly string[] => factsIn(range).map((fact) => fact.is)
const topicFrom = (one: Address): Hash => `0x${one.slice(2).padStart(64, '0')}`

beforeEach(() => {
  chain = openMockChain(200)
  registry = openRegistry(emptyStore, mockChain)
})

describe('a creation and what surrounds it', () => {
  const launch = () => {
    chain.emit(10, [
      renamed(alice.coin, 'Name'),
      transferred(alice.coin, hook),
      initialized(alice, 123n),
      provided(alice, 50n),
      provided(alice, 0n),
      created(alice),
    ])
    const transaction = hash(0x12)
    chain.emit(12, [
      poolSwapped(alice.poolId, hook, 124n),
      { ...swapped(alice), transaction },
      { ...transferred(alice.coin), transaction },
    ])
  }

  it('is learnt before the rest is judged: logs before the creation log are facts', async () => {
    launch()
    expect(kinds(await read(5, 20))).toEqual([
      'renamed',
      'transferred',
      'initialized',
      'provided',
      'launched',
      'moved',
      'swapped',
      'transferred',
    ])
  })

  it('is described by its event', async () => {
    launch()
    const launched = factsIn(await read(5, 20)).find((fact) => fact.is === 'launched')
    expect(launched).toMatchObject({
      blockNumber: 10,
      logIndex: 5,
      coin: {
        address: alice.coin,
        kind: 'creator',
        creator: address(0xcc),
        name: 'Name',
        symbol: 'symbol',
        quote: zora,
        poolId: alice.poolId,
        hook,
        isCurrency0: false,
        launchedAt: { blockNumber: 10, logIndex: 5, timestamp: 6_020 },
      },
    })
  })

  it('may be a post, priced in a token', async () => {
    chain.emit(10, [created(post, 'post')])
    const [launched] = factsIn(await read(5, 20))
    expect(launched).toMatchObject({ coin: { kind: 'post', quote: alice.coin, isCurrency0: true } })
  })

  it('has a trade with absolute amounts, the price after it and its time', async () => {
    launch()
    const range = await read(5, 20)
    const block = range.blocks.find(({ block }) => block.number === 12)
    expect(block?.block).toEqual(chain.block(12))
    expect(block?.facts[1]).toMatchObject({
      is: 'swapped',
      token: alice.coin,
      poolId: alice.poolId,
      isBuy: true,
      amountToken: 300n,
      amountQuote: 7n,
      sqrtPriceX96: 99n,
      swapSender: null,
    })
  })

  it('is asked for in two passes, between two looks at the last block and the one before the range', async () => {
    launch()
    await read(5, 20, { chain: { ...mockChain, internalSenders: [address(0x11)] } })
    const blocks = { fromBlock: '0x5', toBlock: '0x14' }
    const { swapped, coinTransfer, creatorCoinCreated, coinCreated, liquidityMigrated } = topicOf
    const look = [
      { method: 'eth_getBlockByNumber', params: ['0x14', false] },
      { method: 'eth_getBlockByNumber', params: ['0x4', false] },
    ]
    expect(chain.asked).toEqual([
      ...look,
      {
        method: 'eth_getLogs',
        params: [
          {
            topics: [
              [
                swapped,
                coinTransfer,
                creatorCoinCreated,
                coinCreated,
                liquidityMigrated,
                topicOf.nameAndSymbolUpdated,
              ],
            ],
            ...blocks,
          },
        ],
      },
      {
        method: 'eth_getLogs',
        params: [
          {
            address: [POOL_MANAGER],
            topics: [[topicOf.poolSwap, topicOf.modifyLiquidity], null, [topicFrom(hook)]],
            ...blocks,
          },
        ],
      },
      {
        method: 'eth_getLogs',
        params: [{ address: [POOL_MANAGER], topics: [[topicOf.initialize], [alice.poolId]], ...blocks }],
      },
      ...look,
    ])
  })
})

describe('senders of the PoolManager', () => {
  it('are the hooks that the range itself taught, beside known and internal ones', async () => {
    const newHook = address(0x99)
    const internal = address(0x11)
    const chainOf = { ...mockChain, internalSenders: [internal] }
    const known = openRegistry(storeOf(alice), chainOf)
    const fresh: Sketch = { ...post, hook: newHook }
    chain.emit(10, [initialized(fresh, 5n), provided(fresh, 7n), created(fresh, 'post')])
    chain.emit(11, [poolSwapped(alice.poolId, internal, 6n), poolSwapped(alice.poolId, stranger, 7n)])
    const range = await read(5, 20, { chain: chainOf, registry: known })
    expect(kinds(range)).toEqual(['initialized', 'provided', 'launched', 'moved'])
    expect(JSON.stringify(chain.asked)).toContain(
      JSON.stringify([topicFrom(internal), topicFrom(hook), topicFrom(newHook)]),
    )
  })

  it('move prices, but only hooks provide liquidity', async () => {
    const internal = address(0x11)
    const chainOf = { ...mockChain, internalSenders: [internal] }
    const known = openRegistry(storeOf(alice), chainOf)
    chain.emit(10, [
      provided(alice, 7n, internal),
      poolSwapped(alice.poolId, internal, 6n),
      provided(alice, -3n),
    ])
    const range = await read(5, 20, { chain: chainOf, registry: known })
    expect(factsIn(range)).toMatchObject([
      { is: 'moved', sqrtPriceX96: 6n },
      { is: 'provided', tickLower: -200, tickUpper: 400, liquidityDelta: -3n },
    ])
  })

  it('are not asked for while there are none', async () => {
    await read(5, 20)
    expect(chain.asked.filter(({ method }) => method === 'eth_getLogs')).toHaveLength(1)
  })
})

describe('what is not genuine', () => {
  it.each([
    ['a creation by a foreign contract', created(alice, 'creator', stranger)],
    ['a transfer of an unknown token', transferred(stranger)],
    ['a rename of an unknown token', renamed(stranger, 'Alice')],
    ['a migration by an unknown token', migrated(alice, post, stranger)],
    ['a trade told by a foreign contract', swapped(alice, { from: stranger })],
    ['a trade told by another hook', swapped(alice, { from: address(0x41) })],
    ['a trade of an unknown pool (a trend coin) by a known hook', swapped(trend)],
    ['a price move of an unknown pool', poolSwapped(trend.poolId, hook, 5n)],
  ])('is dropped: %s', async (_what, emitted) => {
    const other: Sketch = { ...post, hook: address(0x41) }
    const known = openRegistry(storeOf(alice, other), mockChain)
    chain.emit(10, [emitted])
    const range = await read(5, 20, { registry: known })
    expect(kinds(range)).toEqual([])
    expect((await known.hooks()).has(stranger)).toBe(false)
  })

  it('is dropped undecoded: garbled data of a foreign contract disturb nobody', async () => {
    chain.emit(10, [transferred(stranger), swapped(alice, { from: stranger })])
    chain.distort = (call, answer) =>
      call.method === 'eth_getLogs' ? (answer as object[]).map((log) => ({ ...log, data: '0x' })) : answer
    expect(kinds(await read(5, 20))).toEqual([])
  })

  it('is an error by name where the emitter is genuine, after it was asked for again', async () => {
    chain.emit(10, [transferred(alice.coin)])
    chain.distort = (call, answer) =>
      call.method === 'eth_getLogs' ? (answer as object[]).map((log) => ({ ...log, data: '0x' })) : answer
    const known = openRegistry(storeOf(alice), mockChain)
    await expect(read(5, 20, { registry: known })).rejects.toThrow(MalformedLogError)
    expect(chain.asked.filter(({ params }) => JSON.stringify(params).includes(topicOf.swapped))).toHaveLength(
      3,
    )
  })

  it('cleans hostile names, and reads invalid UTF-8 as replacement characters', async () => {
    const known = openRegistry(storeOf(alice), mockChain)
    chain.emit(10, [renamed(alice.coin, 'safe\u202Eecilla\u0000')])
    chain.emit(11, [renamed(alice.coin, 'ABCD')])
    chain.distort = (call, answer) =>
      call.method === 'eth_getLogs'
        ? (answer as { data: string }[]).map((log) => ({
            ...log,
            data: log.data.replaceAll('41424344', '41ff4344'),
          }))
        : answer
    const range = await read(5, 20, { registry: known })
    expect(factsIn(range)).toMatchObject([
      { is: 'renamed', name: 'safeecilla' },
      { is: 'renamed', name: 'A\uFFFDCD', symbol: 'A\uFFFDCD' },
    ])
  })
})

describe('a migration', () => {
  const newHook = address(0x50)
  const moved: Sketch = { ...alice, poolId: hash(0xa2), hook: newHook }

  it('teaches the new pool and its hook, also for logs before it', async () => {
    const known = openRegistry(storeOf(alice), mockChain)
    chain.emit(10, [
      provided(alice, -50n),
      initialized(moved, 5n),
      provided(moved, 50n),
      migrated(alice, moved),
      swapped(moved),
    ])
    const range = await read(5, 20, { registry: known })
    expect(factsIn(range)).toMatchObject([
      { is: 'provided', poolId: alice.poolId, liquidityDelta: -50n },
      { is: 'initialized', token: alice.coin, poolId: moved.poolId, sqrtPriceX96: 5n },
      { is: 'provided', token: alice.coin, poolId: moved.poolId, liquidityDelta: 50n },
      {
        is: 'migrated',
        token: alice.coin,
        poolId: moved.poolId,
        hook: newHook,
        quote: zora,
        isCurrency0: false,
      },
      { is: 'swapped', token: alice.coin, poolId: moved.poolId },
    ])
  })

  it('may follow the creation within one range', async () => {
    chain.emit(10, [created(alice)])
    chain.emit(11, [migrated(alice, moved)])
    expect(kinds(await read(5, 20))).toEqual(['launched', 'migrated'])
    expect(await registry.hooks()).toEqual(new Set([hook, newHook]))
  })
})

describe('reference pools', () => {
  const v3Pool = address(0x33)
  const poolId = hash(0x44)
  const references: Chain['references'] = [
    {
      ...{ symbol: 'ZORA', name: 'Zora', decimals: 18 },
      address: zora,
      source: { is: 'v4Pool', poolId, isCurrency0: true, dollarDecimals: 6 },
    },
    {
      ...{ symbol: 'ETH', name: 'Ether', decimals: 18 },
      address: address(0),
      source: { is: 'v3Pool', pool: v3Pool, isCurrency0: false, dollarDecimals: 18 },
    },
    {
      ...{ symbol: 'WETH', name: 'Ether', decimals: 18 },
      address: address(6),
      source: { is: 'v3Pool', pool: v3Pool, isCurrency0: false, dollarDecimals: 18 },
    },
    {
      ...{ symbol: 'USDC', name: 'USD', decimals: 6 },
      address: address(7),
      source: { is: 'fixed', usdE36: 10n ** 36n },
    },
  ]
  const v3Swapped = (sqrtPriceX96: bigint, from = v3Pool) => ({
    from,
    event: 'v3Swap' as const,
    args: {
      sender: trader,
      recipient: trader,
      amount0: 1n,
      amount1: -1n,
      sqrtPriceX96,
      liquidity: 1n,
      tick: 1,
    },
  })

  it('give dollars for one whole currency; one pool may price two', async () => {
    // V4: 2^72 is a raw ratio of 2^-48; times 10^12 for 18 against 6 decimals: 0.00355271… dollars.
    // V3: 2^97 is a raw ratio of 4, and the currency is currency1: a quarter dollar.
    chain.emit(10, [
      poolSwapped(poolId, stranger, 2n ** 72n),
      v3Swapped(2n ** 97n),
      v3Swapped(2n ** 97n, stranger),
    ])
    const range = await read(5, 20, { chain: { ...mockChain, references } })
    expect(factsIn(range)).toMatchObject([
      { is: 'rated', quote: zora, usdE36: 10n ** 48n / 2n ** 48n },
      { is: 'rated', quote: address(0), usdE36: 25n * 10n ** 34n },
      { is: 'rated', quote: address(6), usdE36: 25n * 10n ** 34n },
    ])
  })

  it('are asked for by pool id together with the openings of new pools, and by address', async () => {
    chain.emit(10, [created(alice)])
    await read(5, 20, { chain: { ...mockChain, references } })
    const filters = chain.asked
      .filter(({ method }) => method === 'eth_getLogs')
      .map(({ params }) => params[0])
    expect(filters).toMatchObject([
      {},
      { topics: [[topicOf.poolSwap, topicOf.modifyLiquidity], null, [topicFrom(hook)]] },
      {
        address: [POOL_MANAGER],
        topics: [
          [topicOf.initialize, topicOf.poolSwap],
          [poolId, alice.poolId],
        ],
      },
      { address: [v3Pool], topics: [[topicOf.v3Swap]] },
    ])
  })
})

describe('the trader', () => {
  it('is looked up only where neither the hook nor a transfer in the transaction tells', async () => {
    const known = openRegistry(storeOf(alice), mockChain)
    const told = hash(0xfeed)
    chain.emit(10, [
      swapped(alice, { swapSender: trader }),
      { ...swapped(alice), transaction: told },
      { ...transferred(alice.coin), transaction: told },
      swapped(alice),
    ])
    const range = await read(5, 20, { registry: known })
    const trades = factsIn(range).filter((fact) => fact.is === 'swapped')
    expect(trades.map(({ swapSender, transactionFrom }) => [swapSender, transactionFrom])).toEqual([
      [trader, undefined],
      [null, undefined],
      [null, chain.transactionFrom],
    ])
    expect(chain.asked.filter(({ method }) => method === 'eth_getTransactionByHash')).toEqual([
      { method: 'eth_getTransactionByHash', params: [trades[2]?.transactionHash] },
    ])
  })
})

describe('the blocks of a range', () => {
  it('are those with facts, those that end a minute, and the last one', async () => {
    const known = openRegistry(storeOf(alice), mockChain)
    chain.emit(40, [transferred(alice.coin)])
    // 30 blocks a minute: 29, 59 and 89 end one, and are the only headers read beside the ends.
    const range = await read(5, 100, { registry: known })
    expect(range.blocks.map(({ block }) => block)).toEqual([29, 40, 59, 89, 100].map(chain.block))
    expect(range.last).toEqual(chain.block(100))
    const headers = chain.asked.filter(({ method }) => method === 'eth_getBlockByNumber')
    expect(headers.map(({ params }) => Number(params[0]))).toEqual([100, 4, 29, 59, 89, 100, 4])
  })

  it('are the same where the chain keeps no beat: all headers are read', async () => {
    const times = (block: number): number => 1_000 + 7 * block + (block > 30 ? 300 : 0)
    chain = openMockChain(200, times)
    const known = openRegistry(storeOf(alice), mockChain)
    chain.emit(10, [transferred(alice.coin)])
    const range = await read(5, 40, { registry: known, chain: { ...mockChain, timestampOf: null } })
    const ends = [...Array(35).keys()]
      .map((at) => at + 5)
      .filter((at) => Math.floor(times(at) / 60) !== Math.floor(times(at + 1) / 60))
    expect(range.blocks.map(({ block }) => block)).toEqual(
      [...new Set([...ends, 10, 40])].sort((a, b) => a - b).map(chain.block),
    )
  })

  it('begin with the first that can hold a creation', async () => {
    chain.emit(2, [created(alice)])
    expect(kinds(await read(0, 20, { chain: { ...mockChain, creationsFrom: 3 } }))).toEqual([])
    expect(kinds(await read(0, 20))).toEqual(['launched'])
  })

  it('are wrong where the beat is: nothing is read', async () => {
    chain = openMockChain(200, (block) => 6_001 + 2 * block)
    await expect(read(5, 20)).rejects.toThrow(WrongBeatError)
  })
})

describe('a chain that changes', () => {
  const source = () => ({ rpc: chain.rpc, chain: mockChain, registry })

  it('is a reorg where the block before the range is another', async () => {
    const after = chain.block(50)
    chain.fork(50)
    expect(await readRange(source(), after, 60)).toBe('reorged')
    expect(chain.asked.filter(({ method }) => method === 'eth_getLogs')).toEqual([])
  })

  it('is a reorg also when it happens while the logs are read; what they taught is forgotten', async () => {
    const after = chain.block(50)
    chain.emit(52, [created(alice)])
    chain.before = ({ method, params }) => {
      if (method === 'eth_getLogs' && JSON.stringify(params).includes(topicOf.modifyLiquidity)) chain.fork(45)
    }
    expect(await readRange(source(), after, 60)).toBe('reorged')
    expect(await registry.tokens([alice.coin])).toEqual(new Set())
  })

  it('is read again where only the range changed', async () => {
    const after = chain.block(50)
    chain.emit(52, [created(alice)])
    let forks = 0
    chain.before = ({ method, params }) => {
      if (method !== 'eth_getLogs' || !JSON.stringify(params).includes(topicOf.modifyLiquidity)) return
      if (forks === 0) chain.fork(51)
      forks += 1
    }
    const range = await readRange(source(), after, 60)
    expect(range).toMatchObject({ last: chain.block(60) })
    expect(kinds(range as Range)).toEqual([])
    expect(await registry.tokens([alice.coin])).toEqual(new Set())
  })

  it('is not there yet, by name', async () => {
    await expect(readRange(source(), chain.block(198), 201)).rejects.toThrow(BlockNotYetAvailableError)
    expect(await readHeader(chain.rpc, 201)).toBeUndefined()
    expect(await readHeader(chain.rpc, 'latest')).toMatchObject(chain.block(200))
  })
})

describe('an endpoint that errs', () => {
  const onLogs = (change: (log: Record<string, unknown>) => unknown) => {
    chain.emit(10, [transferred(alice.coin)])
    registry = openRegistry(storeOf(alice), mockChain)
    chain.distort = (call, answer) =>
      call.method === 'eth_getLogs' ? (answer as Record<string, unknown>[]).flatMap(change) : answer
  }

  it('repeats a log: it counts once', async () => {
    onLogs((log) => [log, { ...log }])
    expect(kinds(await read(5, 20))).toEqual(['transferred'])
  })

  it.each<[string, (log: Record<string, unknown>) => unknown]>([
    ['of another block', (log) => ({ ...log, blockNumber: '0x1f' })],
    ['without a block', (log) => ({ ...log, blockNumber: null })],
    ['that is removed', (log) => ({ ...log, removed: true })],
    ['without topics', (log) => ({ ...log, topics: undefined })],
    ['two at one place', (log) => [log, { ...log, transactionHash: hash(5) }]],
    ['of two forks of one block', (log) => [log, { ...log, logIndex: '0x9', blockHash: hash(5) }]],
  ])('gives a log %s: the range is not used', async (_what, change) => {
    onLogs(change)
    await expect(read(5, 20)).rejects.toThrow(RangeChangedError)
  })

  it('gives a log of another fork than the header: the range is not used', async () => {
    onLogs((log) => ({ ...log, blockHash: hash(5), blockNumber: '0x14' }))
    await expect(read(5, 20)).rejects.toThrow(RangeChangedError)
  })

  it('fails once: the whole range is read again, from the start', async () => {
    chain.emit(10, [created(alice)])
    let failures = 0
    chain.before = ({ params }) => {
      if (failures > 0 || !JSON.stringify(params).includes(topicOf.initialize)) return
      failures += 1
      throw new RpcUnavailableError('here', 'for a test')
    }
    expect(kinds(await read(5, 20))).toEqual(['launched'])
    expect(chain.asked.slice(-7)[0]).toEqual({ method: 'eth_getBlockByNumber', params: ['0x14', false] })
  })

  it('serves another chain, by name', async () => {
    await assertChain(chain.rpc, mockChain)
    await expect(assertChain(chain.rpc, { ...mockChain, id: 8 })).rejects.toMatchObject({
      name: 'WrongChainError',
      retryable: false,
      expected: 8,
      actual: 7,
    })
  })
})
