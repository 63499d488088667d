/** Older hooks report the platform's own swaps, too: those of hooks that sell fees, and of the order book. None is a trade. */
import { expect, test } from 'vitest'
import { decodeContextOf, poolTransactionsIn } from '../../../ingest/decode/decode-context.ts'
import { openRanges, type Source } from '../../../ingest/read/range.ts'
import { followChain } from '../../../ingest/writer/writer.ts'
import type { Address, Hash, Segment } from '../../../market/segment.ts'
import { depsOver, memoryStores, segmentsOf, untilIdle } from '../../support/aws/ingest-stores.ts'
import { mockChain, openMockChain } from '../../support/chain/mock-chain.ts'
import {
  createdLog,
  type Emitted,
  initializedLog,
  logOf,
  poolSwappedLog,
  renamedLog,
  swapLog,
  transferLog,
} from '../../support/chain/raw-logs.ts'
import { address, hash } from '../../support/market/facts.ts'
import { alice, factsOfRange, openReading, post } from '../mock-reading.ts'

const book = address(0x777c)
const postHook = address(0x50)
const oldPost = { ...post, hook: postHook }
const router = address(0x40e7)

test('a swap by the order book that a hook reports moves the price and is no trade', async () => {
  const { chain, read } = openReading({ known: [alice], rules: { internalSenders: [book] } })
  const filled = [poolSwappedLog(alice.poolId, book, 6n), swapLog(alice, { sender: book, sqrtPriceX96: 6n })]
  chain.emit(10, [...filled, swapLog(alice, { sender: router, sqrtPriceX96: 7n })])
  expect(factsOfRange(await read(5, 20))).toMatchObject([
    { is: 'moved', sqrtPriceX96: 6n },
    { is: 'moved', sqrtPriceX96: 6n },
    { is: 'swapped', sqrtPriceX96: 7n, sender: router },
  ])
})

test('the sender of a transaction is not looked up for a sale of fees', async () => {
  const { chain, read } = openReading({ known: [alice, oldPost] })
  chain.emit(10, [swapLog(alice, { sender: postHook, isTrusted: false })])
  await read(5, 20)
  expect(chain.asked.filter(({ method }) => method === 'eth_getTransactionByHash')).toEqual([])
})

test('a sale of fees does not stand in for a trade that no hook reports', async () => {
  const { source } = openReading({ known: [alice, oldPost] })
  const [traded, sold] = [
    poolSwappedLog(alice.poolId, router, 5n),
    poolSwappedLog(alice.poolId, postHook, 6n),
  ]
  const seen = async (...emitted: readonly Emitted[]) => {
    const logs = emitted.map((one, logIndex) => logOf(one, { logIndex }))
    const [transaction] = poolTransactionsIn(logs, await decodeContextOf(logs, source))
    return transaction
  }
  const sale = swapLog(alice, { sender: postHook })
  expect(await seen(traded, sold, sale)).toMatchObject({ hasUnreportedTrade: true, hasPlatformLog: true })
  expect(await seen(traded, sold, sale, swapLog(alice))).toMatchObject({ hasUnreportedTrade: false })
})

/** A post's first trade, in the transaction that creates it and its hook: the fees are sold before the creation is told. */
const bornWithTrade = (transaction: Hash): readonly Emitted[] =>
  [
    renamedLog(oldPost.coin, 'Post'),
    initializedLog(oldPost, 9n),
    swapLog(alice, { sender: postHook, sqrtPriceX96: 11n, isTrusted: false }),
    swapLog(oldPost, { sender: router, sqrtPriceX96: 12n }),
    transferLog(oldPost.coin),
    createdLog(oldPost, 'post'),
  ].map((one) => ({ ...one, transaction }))

async function segmentsRead(blocksARange: number, isRestarted: boolean): Promise<readonly Segment[]> {
  const chain = openMockChain(200)
  chain.emit(3, [renamedLog(alice.coin, 'Alice'), initializedLog(alice, 5n), createdLog(alice)])
  chain.emit(40, bornWithTrade(hash(0xb0)))
  chain.emit(41, [swapLog(alice, { sender: postHook, sqrtPriceX96: 13n, isTrusted: false })])
  chain.emit(95, [
    swapLog(oldPost, { sender: router, sqrtPriceX96: 15n }),
    swapLog(alice, { sender: postHook, sqrtPriceX96: 14n }),
    swapLog(alice, { sender: address(0x99), sqrtPriceX96: 16n }),
  ])
  const stores = memoryStores()
  const inParts = (source: Source) => {
    const ranges = openRanges(source)
    const read = (after: Parameters<typeof ranges.read>[0], head: number) =>
      ranges.read(after, Math.min(head, (after?.number ?? -1) + blocksARange))
    return { ...ranges, read }
  }
  const open = () => followChain(depsOver(stores, { rpc: chain.rpc, chain: mockChain, readWith: inParts }))
  if (isRestarted)
    for await (const progress of open())
      if (progress.is === 'sealed' && (progress.entry.last?.number ?? 0) >= 59) break
  await untilIdle(open())
  return segmentsOf(stores)
}

test.each([
  [1, false],
  [7, false],
  [30, true],
  [200, false],
])(
  'read %i blocks at a time, sales of fees are no trades, even before their hook’s first token is created (restarted: %s)',
  async (blocks, isRestarted) => {
    const segments = await segmentsRead(blocks, isRestarted)
    const trades = segments.flatMap(({ swaps }) => swaps)
    const placed = trades.map(({ blockNumber, token }): [number, Address] => [blockNumber, token])
    expect(placed).toEqual([
      [40, oldPost.coin],
      [95, oldPost.coin],
      [95, alice.coin],
    ])
    const rowsOfAlice = segments.flatMap(({ rows }) => rows).filter(({ token }) => token === alice.coin)
    expect(rowsOfAlice.map(({ after }) => [after.sqrtPriceX96, after.cumTrades])).toEqual([
      [5n, 0],
      [13n, 0],
      [16n, 1],
    ])
  },
)
