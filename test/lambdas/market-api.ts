/** Two creator tokens in ZORA ($1) and a post in the first, behind the read API. */
import { afterAll, expect } from 'vitest'
import type { Address, Segment, Swap, Token, TokenState } from '../../market/segment.ts'
import type { OperationName } from '../../schemas/api/operations.ts'
import { API_POOL_MANAGER, type ApiStack, schemaFaults, startApiStack } from '../support/aws/api-stack.ts'
import {
  candleAt,
  hash,
  nthAddress,
  ONE_X96,
  segmentOf,
  stateWith,
  swapWith,
  tokenAt,
  WHOLE,
} from '../support/market/facts.ts'

// Prices are powers of two: 2^96 is one quote a token, 2^97 a quarter.
export const MARKET_FROM = 29_000_160 // a full hour, a multiple of 15 and 5
const QUARTER = 2n ** 97n

export const ann = tokenAt(1, MARKET_FROM, { name: 'Ann', symbol: 'ANN' })
export const bob = tokenAt(2, MARKET_FROM, { name: 'Bob & Co', symbol: 'BOB' })
export const annsPost = tokenAt(3, MARKET_FROM + 10, {
  kind: 'post',
  name: 'A walk in Seoul',
  symbol: 'WALK',
  quote: ann.address,
  creator: ann.creator,
})
export const late = tokenAt(4, MARKET_FROM + 40, { name: 'Late', symbol: 'LATE' })

export const supply = 1_000n * WHOLE
const traded = (sqrtPriceX96: bigint, trades: number, dollars: number): TokenState =>
  stateWith({
    sqrtPriceX96,
    supply,
    selfHeld: supply / 2n,
    holders: 2,
    cumTrades: trades,
    cumVolumeMicroUsd: BigInt(dollars) * 1_000_000n,
    reserveQuote: 10n * WHOLE,
    athUsdE36: 10n ** 36n,
  })

const swapOf = (token: Token, minute: number, at: { log: number; isBuy?: boolean; cents: number }): Swap =>
  swapWith({
    blockNumber: minute * 30 + 5,
    blockHash: hash(minute),
    timestamp: minute * 60 + 10,
    logIndex: at.log,
    transactionHash: hash(minute * 100 + at.log),
    isBuy: at.isBuy ?? true,
    token: token.address,
    poolId: token.poolId,
    quote: token.quote,
    amountToken: 3n * WHOLE + 1n,
    amountQuote: 2n * WHOLE,
    volumeMicroUsd: BigInt(at.cents) * 10_000n,
    paidUsdE36: 5n * 10n ** 35n,
  })

const candle = (cents: bigint, sqrt = ONE_X96) => candleAt(cents * 10n ** 34n, sqrt)
const balance = (holder: Address, tokens: bigint) => ({
  token: ann.address,
  holder,
  before: 0n,
  after: tokens * WHOLE,
})

/** The minutes of the market. */
const minutes: readonly Segment[] = [
  segmentOf(MARKET_FROM, {
    born: [ann, bob],
    rows: [
      [ann.address, traded(ONE_X96, 0, 0), candle(100n)],
      [bob.address, traded(ONE_X96, 0, 0), candle(100n)],
    ],
    hooks: [nthAddress(900)],
    balances: [
      balance(nthAddress(60), 300n),
      balance(nthAddress(61), 100n),
      // Nobody's: the pool, the hook, the token itself.
      ...[API_POOL_MANAGER, nthAddress(900), ann.address].map((holder) => balance(holder, 999n)),
    ],
  }),
  segmentOf(MARKET_FROM + 10, {
    born: [annsPost],
    rows: [[annsPost.address, traded(ONE_X96, 0, 0), candle(100n)]],
  }),
  segmentOf(MARKET_FROM + 20, {
    rows: [
      [ann.address, traded(QUARTER, 2, 50), candle(25n, QUARTER)],
      [bob.address, traded(ONE_X96, 1, 7), candle(100n)],
    ],
    swaps: [
      swapOf(ann, MARKET_FROM + 20, { log: 1, cents: 4_999 }),
      swapOf(ann, MARKET_FROM + 20, { log: 2, cents: 1, isBuy: false }),
      swapOf(bob, MARKET_FROM + 20, { log: 3, cents: 700 }),
    ],
  }),
  segmentOf(MARKET_FROM + 30, {
    rows: [[annsPost.address, traded(ONE_X96, 1, 3), candle(25n)]],
    swaps: [swapOf(annsPost, MARKET_FROM + 30, { log: 1, cents: 300 })],
  }),
]

/** A minute after the applied one: another price, and a new token. */
export const unseen = segmentOf(MARKET_FROM + 40, {
  born: [late],
  rows: [
    [ann.address, traded(ONE_X96, 9, 99), candle(100n)],
    [late.address, traded(ONE_X96, 1, 1), candle(100n)],
  ],
  swaps: [swapOf(ann, MARKET_FROM + 40, { log: 1, cents: 4_900 })],
})

export const annPath = `/v1/tokens/${ann.address}`

/** The API over the minutes, their swaps in the feed, and a published snapshot. */
async function startMarketApi(): Promise<ApiStack> {
  const api = await startApiStack()
  api.state.now = (MARKET_FROM + 32) * 60
  for (const segment of minutes) await api.seal(segment)
  const feed = minutes.flatMap(({ swaps, last }) => (swaps.length > 0 ? [{ swaps, last }] : []))
  for (const [at, { swaps, last }] of feed.entries())
    await api.feed({ seq: at + 1, is: 'block', block: last, swaps })
  await api.publish()
  return api
}

/** Starts it for a file's tests, after which it is stopped. */
export async function useMarketApi() {
  const api = await startMarketApi()
  afterAll(() => api.stop())
  return {
    api,
    ask: (path: string, init?: RequestInit) => api.ask(path, init),
    /** An answer that has the form of its operation. */
    async answered(operation: OperationName, path: string, init?: RequestInit) {
      const reply = await api.ask(path, init)
      expect([path, reply.status, schemaFaults(operation, reply.body)]).toEqual([path, 200, ''])
      return reply
    },
    rowsOf: async (path: string) => (await api.ask(path)).body as Record<string, unknown>[],
  }
}
