import { describe, expect, it } from 'vitest'
import { type Chain, chains } from '../../../ingest/client/chains.ts'
import { MalformedLogError } from '../../../ingest/client/faults.ts'
import { topicOf } from '../../../ingest/decode/events.ts'
import {
  createdLog,
  initializedLog,
  migratedLog,
  POOL_MANAGER,
  poolSwappedLog,
  providedLog,
  renamedLog,
  type Sketch,
  swapLog,
  trader,
  transferLog,
  uriUpdatedLog,
  zora,
} from '../../support/chain/raw-logs.ts'
import { address, hash } from '../../support/market/facts.ts'
import {
  alice,
  factsOfRange,
  hook,
  kinds,
  type MockReading,
  openReading,
  post,
  stranger,
  topicFrom,
} from '../mock-reading.ts'

const trend: Sketch = { coin: address(0x7e4d), quote: zora, poolId: hash(0xc1), hook }
const otherHook = address(0x41)

/** The endpoint's logs come with other data. */
function distortData({ chain }: MockReading, change: (data: string) => string): void {
  chain.distort = (call, answer) =>
    call.method === 'eth_getLogs'
      ? (answer as { data: string }[]).map((log) => ({ ...log, data: change(log.data) }))
      : answer
}

describe('a log that is not genuine', () => {
  it.each([
    ['a creation by a foreign contract', createdLog(alice, 'creator', stranger)],
    ['a transfer of an unknown token', transferLog(stranger)],
    ['a rename of an unknown token', renamedLog(stranger, 'Alice')],
    ['a migration by an unknown token', migratedLog(alice, post, stranger)],
    ['a trade told by a foreign contract', swapLog(alice, { from: stranger })],
    ['a trade told by another hook', swapLog(alice, { from: otherHook })],
    ['a trade of an unknown pool (a trend coin) by a known hook', swapLog(trend)],
    ['a price move of an unknown pool', poolSwappedLog(trend.poolId, hook, 5n)],
  ])('is dropped: %s', async (_what, emitted) => {
    const { chain, source, read } = openReading({ known: [alice, { ...post, hook: otherHook }] })
    chain.emit(10, [emitted])
    expect(kinds(await read(5, 20))).toEqual([])
    expect((await source.registry.hooks()).has(stranger)).toBe(false)
  })

  it("does not include swaps by any of Base's order books, which no hook reports; those by its router are no price moves", async () => {
    const { internalSenders } = chains.base
    const { chain, read } = openReading({ known: [alice], rules: { internalSenders } })
    const router = '0x77777777eb762cf86f634763e79d17de44330887'
    const books = [
      '0xed29e55a73b3d907eb57f0c7b89019b37dd1a1c8',
      '0x77777774d70b1e9d6f705f99da7c02e4e768df09',
      '0x7777777a5906659b67ce61511489ae76da63920f',
      '0x7777777c783bad88dacaf9a19e04238341e4497b',
    ] as const
    const prices = [5n, 6n, 7n, 8n]
    chain.emit(10, [
      poolSwappedLog(alice.poolId, router, 4n),
      ...books.map((book, n) => poolSwappedLog(alice.poolId, book, prices[n]!)),
    ])
    const moves = prices.map((sqrtPriceX96) => ({ is: 'moved', sqrtPriceX96 }))
    expect(factsOfRange(await read(5, 20))).toMatchObject(moves)
  })

  it('is dropped before decoding, with any data', async () => {
    const reading = openReading({ known: [alice] })
    reading.chain.emit(10, [
      transferLog(stranger),
      swapLog(alice, { from: stranger }),
      renamedLog(stranger, 'x'),
      uriUpdatedLog(stranger, 'ipfs://x'),
      createdLog(alice, 'creator', stranger),
      migratedLog(alice, post, stranger),
    ])
    distortData(reading, () => '0x')
    expect(kinds(await reading.read(5, 20))).toEqual([])
  })

  it.each([
    ['a transfer', transferLog(alice.coin)],
    ['a trade', swapLog(alice)],
    ['a rename', renamedLog(alice.coin, 'x')],
    ['a new contract URI', uriUpdatedLog(alice.coin, 'ipfs://x')],
    ['a migration', migratedLog(alice, { ...alice, poolId: hash(5) })],
    ['a creation', createdLog(post, 'post')],
    ['liquidity', providedLog(alice, 5n)],
  ])('is a fault after further attempts if the emitter is genuine: %s', async (_what, emitted) => {
    const reading = openReading({ known: [alice] })
    reading.chain.emit(10, [emitted])
    distortData(reading, () => '0x')
    await expect(reading.read(5, 20)).rejects.toThrow(MalformedLogError)
    const asked = reading.chain.asked.filter(({ params }) => JSON.stringify(params).includes(topicOf.swapped))
    expect(asked).toHaveLength(3)
  })

  it('is no contract URI that is kept', async () => {
    const reading = openReading({ known: [alice] })
    const given = ['ipfs://bafy', 'javascript:alert(1)', `https://${'a'.repeat(600)}`, '']
    for (const [at, uri] of given.entries()) reading.chain.emit(10 + at, [uriUpdatedLog(alice.coin, uri)])
    expect(factsOfRange(await reading.read(5, 20))).toMatchObject([
      { is: 'uriUpdated', token: alice.coin, uri: 'ipfs://bafy' },
      ...given.slice(1).map(() => ({ is: 'uriUpdated', uri: null })),
    ])
  })

  it('is removed from names; invalid UTF-8 becomes replacement characters', async () => {
    const reading = openReading({ known: [alice] })
    reading.chain.emit(10, [renamedLog(alice.coin, 'safe\u202Eecilla\u0000')])
    reading.chain.emit(11, [renamedLog(alice.coin, 'ABCD')])
    distortData(reading, (data) => data.replaceAll('41424344', '41ff4344'))
    expect(factsOfRange(await reading.read(5, 20))).toMatchObject([
      { is: 'renamed', name: 'safeecilla' },
      { is: 'renamed', name: 'A\uFFFDCD', symbol: 'A\uFFFDCD' },
    ])
  })
})

describe('a migration', () => {
  const newHook = address(0x50)
  const moved: Sketch = { ...alice, poolId: hash(0xa2), hook: newHook }

  it('registers the new pool and its hook, also for logs before it', async () => {
    const { chain, read } = openReading({ known: [alice] })
    chain.emit(10, [
      providedLog(alice, -50n),
      initializedLog(moved, 5n),
      providedLog(moved, 50n),
      migratedLog(alice, moved),
      swapLog(moved),
    ])
    const { coin: token, poolId } = moved
    expect(factsOfRange(await read(5, 20))).toMatchObject([
      { is: 'provided', poolId: alice.poolId, liquidityDelta: -50n },
      { is: 'initialized', token, poolId, sqrtPriceX96: 5n },
      { is: 'provided', token, poolId, liquidityDelta: 50n },
      { is: 'migrated', token, poolId, hook: newHook, quote: zora, isCurrency0: false },
      { is: 'swapped', token, poolId, quote: zora },
    ])
  })

  it('may follow the creation within one range', async () => {
    const { chain, source, read } = openReading()
    chain.emit(10, [createdLog(alice)])
    chain.emit(11, [migratedLog(alice, moved)])
    expect(kinds(await read(5, 20))).toEqual(['launched', 'migrated'])
    expect(await source.registry.hooks()).toEqual(new Set([hook, newHook]))
  })
})

describe('reference pools', () => {
  const v3Pool = address(0x33)
  const poolId = hash(0x44)
  const dollar = { symbol: 'USDC', name: 'USD', decimals: 6, address: address(7) }
  const v3 = { pool: v3Pool, isCurrency0: false, quote: dollar.address }
  const v4 = { pool: poolId, isCurrency0: true, quote: dollar.address }
  const references: Chain['references'] = [
    { symbol: 'ZORA', name: 'Zora', decimals: 18, address: zora, sources: [v4, v3] },
    { symbol: 'ETH', name: 'Ether', decimals: 18, address: address(0), sources: [v3] },
    { ...dollar, sources: [], fixedUsdE36: 10n ** 36n },
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
      liquidity: 2n,
      tick: 1,
    },
  })

  it('give the price and the liquidity of each swap, once, however many currencies they price', async () => {
    const { chain, read } = openReading({ rules: { references } })
    chain.emit(10, [
      poolSwappedLog(poolId, stranger, 2n ** 72n),
      v3Swapped(2n ** 97n),
      v3Swapped(2n ** 97n, stranger),
    ])
    const facts = factsOfRange(await read(5, 20))
    expect(facts).toMatchObject([
      { is: 'rated', pool: poolId, sqrtPriceX96: 2n ** 72n, liquidity: 9n },
      { is: 'rated', pool: v3Pool, sqrtPriceX96: 2n ** 97n, liquidity: 2n },
    ])
    expect(facts).toHaveLength(2)
  })

  it('are requested by pool id together with the initializations of new pools, and by address', async () => {
    const { chain, read } = openReading({ rules: { references } })
    chain.emit(10, [createdLog(alice)])
    await read(5, 20)
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
