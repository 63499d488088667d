import { describe, expect, it, vi } from 'vitest'
import { emittedByTokens, hookTopics, topicOf } from '../../../ingest/decode/events.ts'
import type { Address } from '../../../market/segment.ts'
import type { MockChain } from '../../support/chain/mock-chain.ts'
import {
  createdLog,
  initializedLog,
  nobody,
  POOL_MANAGER,
  poolSwappedLog,
  providedLog,
  renamedLog,
  type Sketch,
  swapLog,
  trader,
  transferLog,
  zora,
} from '../../support/chain/raw-logs.ts'
import { address, hash } from '../../support/market/facts.ts'
import { alice, factsOfRange, hook, kinds, openReading, post, stranger, topicFrom } from '../mock-reading.ts'

describe('a creation and the logs around it', () => {
  const launchOn = (chain: MockChain) => {
    const transaction = hash(0x12)
    chain.emit(10, [
      renamedLog(alice.coin, 'Name'),
      transferLog(alice.coin, [nobody, hook]),
      initializedLog(alice, 123n),
      providedLog(alice, 50n),
      providedLog(alice, 0n),
      createdLog(alice),
    ])
    chain.emit(12, [
      poolSwappedLog(alice.poolId, hook, 124n),
      { ...swapLog(alice), transaction },
      { ...transferLog(alice.coin), transaction },
    ])
  }

  it('is registered before other logs are decoded, also those before it', async () => {
    const { chain, read } = openReading()
    launchOn(chain)
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
    const { chain, read } = openReading()
    launchOn(chain)
    const launched = factsOfRange(await read(5, 20)).find((fact) => fact.is === 'launched')
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
    const { chain, read } = openReading()
    chain.emit(10, [createdLog(post, 'post')])
    const [launched] = factsOfRange(await read(5, 20))
    expect(launched).toMatchObject({ coin: { kind: 'post', quote: alice.coin, isCurrency0: true } })
  })

  it('has a trade with absolute amounts, the price after it and its time', async () => {
    const { chain, read } = openReading()
    launchOn(chain)
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

  it('is read in two passes, between two checks of the last block and the one before the range', async () => {
    const { chain, read } = openReading()
    launchOn(chain)
    await read(5, 20)
    const blocks = { fromBlock: '0x5', toBlock: '0x14' }
    const logsOf = (filter: object) => ({ method: 'eth_getLogs', params: [{ ...filter, ...blocks }] })
    const look = [
      { method: 'eth_getBlockByNumber', params: ['0x14', false] },
      { method: 'eth_getBlockByNumber', params: ['0x4', false] },
    ]
    const { creatorCoinCreated, coinCreated } = topicOf
    expect(chain.asked).toEqual([
      ...look,
      logsOf({ topics: [[...hookTopics, creatorCoinCreated, coinCreated, ...emittedByTokens]] }),
      logsOf({
        address: [POOL_MANAGER],
        topics: [[topicOf.poolSwap, topicOf.modifyLiquidity], null, [topicFrom(hook)]],
      }),
      logsOf({ address: [POOL_MANAGER], topics: [[topicOf.initialize], [alice.poolId]] }),
      ...look,
    ])
  })
})

describe('senders of the PoolManager', () => {
  const internal = address(0x11)

  it('are hooks first seen in the range, known hooks and internal senders', async () => {
    const newHook = address(0x99)
    const { chain, read } = openReading({ known: [alice], rules: { internalSenders: [internal] } })
    const fresh: Sketch = { ...post, hook: newHook }
    chain.emit(10, [initializedLog(fresh, 5n), providedLog(fresh, 7n), createdLog(fresh, 'post')])
    chain.emit(11, [poolSwappedLog(alice.poolId, internal, 6n), poolSwappedLog(alice.poolId, stranger, 7n)])
    expect(kinds(await read(5, 20))).toEqual(['initialized', 'provided', 'launched', 'moved'])
    expect(JSON.stringify(chain.asked)).toContain(
      JSON.stringify([topicFrom(internal), topicFrom(hook), topicFrom(newHook)]),
    )
  })

  it('move prices, but only hooks provide liquidity', async () => {
    const { chain, read } = openReading({ known: [alice], rules: { internalSenders: [internal] } })
    chain.emit(10, [
      providedLog(alice, 7n, { sender: internal }),
      poolSwappedLog(alice.poolId, internal, 6n),
      providedLog(alice, -3n),
    ])
    expect(factsOfRange(await read(5, 20))).toMatchObject([
      { is: 'moved', sqrtPriceX96: 6n },
      { is: 'provided', tickLower: -200, tickUpper: 400, liquidityDelta: -3n },
    ])
  })

  it('are not requested while there are none', async () => {
    const { chain, read } = openReading()
    await read(5, 20)
    expect(chain.asked.filter(({ method }) => method === 'eth_getLogs')).toHaveLength(1)
  })

  it('are requested in parts if there are many', async () => {
    const internalSenders = Array.from({ length: 450 }, (_, at) => address(0x1000 + at))
    const { chain, read } = openReading({ rules: { internalSenders } })
    chain.emit(10, [])
    await read(5, 20)
    const filters = chain.asked.filter(({ method }) => method === 'eth_getLogs').slice(1)
    expect(filters.map(({ params }) => (params[0] as { topics: string[][] }).topics[2]?.length)).toEqual([
      200, 200, 50,
    ])
  })
})

type LaunchWords = { readonly caller: Address; readonly creator: Address; readonly passThrough?: Address }

it.each<[string, LaunchWords, Address]>([
  ['is the creator if they called the factory', { caller: address(1), creator: address(1) }, address(1)],
  ['is the caller if that names somebody else', { caller: address(1), creator: address(2) }, address(1)],
  [
    'is the caller, not the creator who sent the transaction: a click on a stranger’s contract is no consent',
    { caller: address(0xf41), creator: address(0xf40) },
    address(0xf41),
  ],
  [
    'is the creator if they sent the transaction to a pass-through contract of the platform, which called',
    { caller: address(0xf41), creator: address(0xf40), passThrough: address(0xf41) },
    address(0xf40),
  ],
  [
    'is the pass-through contract that a stranger’s contract called in a transaction of the creator',
    { caller: address(0xf42), creator: address(0xf40), passThrough: address(0xf42) },
    address(0xf42),
  ],
  [
    'is the pass-through contract that somebody else than the creator called',
    { caller: address(0xf41), creator: address(3), passThrough: address(0xf41) },
    address(0xf41),
  ],
])('the launcher of a token %s', async (_, { passThrough, ...words }: LaunchWords, launchedBy) => {
  const { chain, read } = openReading({ rules: { passThroughs: passThrough ? [passThrough] : [] } })
  chain.emit(10, [createdLog({ ...alice, ...words })])
  const [launched] = factsOfRange(await read(5, 20))
  expect(launched).toMatchObject({ coin: { creator: words.creator, launchedBy } })
  const isAsked = chain.asked.some(({ method }) => method === 'eth_getTransactionByHash')
  expect(isAsked).toBe(passThrough !== undefined)
})

it('the trader is looked up only for an untrusted router, and if neither the router nor a transfer in the transaction names one', async () => {
  const { chain, read } = openReading({ known: [alice] })
  const [told, untrusted] = [hash(0xfeed), hash(0xfaced)]
  chain.emit(10, [
    swapLog(alice, { swapSender: trader }),
    { ...swapLog(alice), transaction: told },
    { ...transferLog(alice.coin), transaction: told },
    swapLog(alice),
    { ...swapLog(alice, { swapSender: trader, isTrusted: false }), transaction: untrusted },
    { ...transferLog(alice.coin), transaction: untrusted },
    { ...swapLog(alice, { swapSender: nobody, isTrusted: false }), transaction: told },
  ])
  const trades = factsOfRange(await read(5, 20)).filter((fact) => fact.is === 'swapped')
  expect(trades.map(({ swapSender, transactionFrom }) => [swapSender, transactionFrom])).toEqual([
    [trader, undefined],
    [null, undefined],
    [null, chain.transactionFrom],
    ['untrusted', chain.transactionFrom],
    ['untrusted', chain.transactionFrom],
  ])
  expect(chain.asked.filter(({ method }) => method === 'eth_getTransactionByHash')).toEqual([
    { method: 'eth_getTransactionByHash', params: [trades[2]?.transactionHash] },
    { method: 'eth_getTransactionByHash', params: [untrusted] },
    { method: 'eth_getTransactionByHash', params: [told] },
  ])
})

it.each(['0x', '0x12', 'https://z100', 7, null])('the sender of a transaction is never %s', async (from) => {
  const { chain, read } = openReading({ known: [alice] })
  chain.emit(10, [swapLog(alice)])
  chain.distort = ({ method }, answer) => (method === 'eth_getTransactionByHash' ? { from } : answer)
  await expect(read(5, 20)).rejects.toThrow(/sender|is gone/)
})

describe('the blocks of a range', () => {
  it('are those with facts, those that end a minute, and the last one', async () => {
    const { chain, source, read } = openReading({ known: [alice] })
    const batches = vi.spyOn(source.rpc, 'batch')
    chain.emit(40, [transferLog(alice.coin)])
    // 30 blocks a minute: 29, 59 and 89 end one, which their headers and the next ones prove; no other is read.
    const range = await read(5, 100)
    expect(range.blocks.map(({ block }) => block)).toEqual([29, 40, 59, 89, 100].map(chain.block))
    expect(range.last).toEqual(chain.block(100))
    const headers = chain.asked.filter(({ method }) => method === 'eth_getBlockByNumber')
    expect(headers.map(({ params }) => Number(params[0]))).toEqual([100, 4, 29, 30, 59, 60, 89, 90, 100, 4])
    // All of them at once, and the last look at the chain.
    const sizes = batches.mock.calls
      .map(([calls]) => calls)
      .filter(([call]) => call?.method === 'eth_getBlockByNumber')
    expect(sizes.map(({ length }) => length)).toEqual([8, 2])
  })

  it('are the same without a schedule: the ends of minutes are searched', async () => {
    const time = (block: number): number => 1_000 + 7 * block + (block > 30 ? 300 : 0)
    const { chain, read } = openReading({ known: [alice], rules: { schedule: [] }, time })
    chain.emit(10, [transferLog(alice.coin)])
    const range = await read(5, 40)
    const ends = [...Array(35).keys()]
      .map((at) => at + 5)
      .filter((at) => Math.floor(time(at) / 60) !== Math.floor(time(at + 1) / 60))
    expect(range.blocks.map(({ block }) => block)).toEqual(
      [...new Set([...ends, 10, 40])].sort((a, b) => a - b).map(chain.block),
    )
  })

  it('begin with the first that can hold a creation', async () => {
    const late = openReading({ rules: { creationsFrom: 3 } })
    late.chain.emit(2, [createdLog(alice)])
    expect(kinds(await late.read(0, 20))).toEqual([])
    const whole = openReading()
    whole.chain.emit(2, [createdLog(alice)])
    expect(kinds(await whole.read(0, 20))).toEqual(['launched'])
  })

  it('have the times of their headers, with any schedule', async () => {
    const time = (block: number): number => 6_001 + 3 * block
    const { chain, read } = openReading({ known: [alice], time })
    chain.emit(17, [transferLog(alice.coin)])
    const range = await read(5, 60)
    expect(range.blocks.map(({ block }) => block)).toEqual([17, 19, 39, 59, 60].map(chain.block))
  })
})
