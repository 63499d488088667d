import fc from 'fast-check'
import type { FeedEntry } from '../../market/feed-entry.ts'
import {
  type Address,
  type Block,
  type Candle,
  type Hash,
  type LiquidityRange,
  type MinuteRow,
  type ReferenceRate,
  type RunningTotals,
  type Segment,
  type StateField,
  type Swap,
  stateFields,
  type Token,
  type TokenState,
} from '../../market/segment.ts'
import { anyText } from '../support/described/any-text.ts'

/** Arbitrary words of the house: whatever their types allow, hostile names included. They fit together only by accident. */

const hex = <T extends Address | Hash>(bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((b) => `0x${Buffer.from(b).toString('hex')}` as T)

export const anyAddress = hex<Address>(20)
export const anyHash = hex<Hash>(32)
const u32 = fc.nat(2 ** 32 - 1)
const u128 = fc.bigInt(0n, 2n ** 128n - 1n)
const u256 = fc.bigInt(0n, 2n ** 256n - 1n)
const bits = { u32, u128, u256 }

/** Names that have broken codecs before, and any other text that has no lone surrogates. */
const name = fc.oneof(
  anyText(40),
  fc.constantFrom('__proto__', '123n', '{"$bigint":"1"}', '"\\', '\u2028</script>', 'NaN', '', '0', '\u0000'),
)

export const anyBlock: fc.Arbitrary<Block> = fc.record({ number: fc.nat(), hash: anyHash, timestamp: u32 })

export const state: fc.Arbitrary<TokenState> = fc.record(
  Object.fromEntries(Object.entries(stateFields).map(([field, kind]) => [field, bits[kind]])) as unknown as {
    [N in StateField]: fc.Arbitrary<TokenState[N]>
  },
)

export const ranges: fc.Arbitrary<LiquidityRange[]> = fc.array(
  fc.record({
    tickLower: fc.integer({ min: -887_272, max: 887_272 }),
    tickUpper: fc.integer({ min: -887_272, max: 887_272 }),
    liquidity: fc.bigInt(-(2n ** 127n), 2n ** 127n - 1n),
  }),
  { maxLength: 5 },
)

export const candle: fc.Arbitrary<Candle> = fc.record({
  ...{ open: u256, high: u256, low: u256, close: u256 },
  ...{ firstSqrt: u256, highSqrt: u256, lowSqrt: u256 },
})

const position = { blockNumber: fc.nat(), logIndex: fc.nat(99_999), transactionHash: anyHash }

export const anyToken: fc.Arbitrary<Token> = fc.record({
  address: anyAddress,
  kind: fc.constantFrom('creator', 'post'),
  creator: anyAddress,
  launchedBy: fc.option(anyAddress),
  name,
  symbol: name,
  nameSince: fc.option(u32),
  symbolSince: fc.option(u32),
  uri: fc.option(name),
  quote: anyAddress,
  poolId: anyHash,
  hook: anyAddress,
  isCurrency0: fc.boolean(),
  launchedAt: fc.record({ ...position, timestamp: u32 }),
  launch: fc.record({ priceUsdE36: fc.option(u256), supply: u256 }),
  migrations: fc.array(fc.record({ blockNumber: fc.nat(), timestamp: u32, fromPool: anyHash }), {
    maxLength: 3,
  }),
})

export const swap: fc.Arbitrary<Swap> = fc.record({
  ...position,
  blockHash: anyHash,
  timestamp: u32,
  token: anyAddress,
  poolId: anyHash,
  quote: anyAddress,
  isBuy: fc.boolean(),
  amountToken: u128,
  amountQuote: u128,
  trader: anyAddress,
  from: anyAddress,
  to: anyAddress,
  volumeMicroUsd: u128,
  paidUsdE36: u256,
  timestampMs: fc.option(fc.integer({ min: 0, max: 2 ** 42 }), { nil: null }),
})

export const row: fc.Arbitrary<MinuteRow> = fc.record({
  token: anyAddress,
  before: state,
  after: state,
  rangesBefore: ranges,
  ranges,
  candle: fc.option(candle),
})

const posts = fc.record({
  quote: fc.option(anyAddress),
  counted: u256,
  plain: u256,
  count: u32,
  lastSwapMinute: u32,
})
const postOwner = fc.record({
  oldestCreatorToken: fc.option(anyAddress),
  posts: fc.array(posts, { maxLength: 2 }),
})

const totals: fc.Arbitrary<RunningTotals> = fc.record({
  coverageFrom: fc.option(u32),
  firstMinute: fc.option(u32),
  creators: u32,
  posts: u32,
  holders: u32,
  volume: u256,
  buyVolume: u256,
  creatorVolume: u256,
  trades: u32,
  buys: u32,
  references: fc
    .array(
      fc.tuple(
        anyAddress,
        fc.record({
          creatorCounted: u256,
          creatorPlain: u256,
          postCounted: u256,
          postPlain: u256,
          liquidity: u256,
        }),
      ),
      { maxLength: 2 },
    )
    .map((pairs) => new Map(pairs)),
})

const rate: fc.Arbitrary<ReferenceRate> = fc.record({
  observedUsdE36: u256,
  heldUsdE36: u256,
  outside: fc.nat(5),
  drifted: fc.nat(20),
  sources: fc.array(
    fc.record({
      pool: anyHash,
      quote: anyAddress,
      isCurrency0: fc.boolean(),
      sqrtPriceX96: u256,
      liquidity: u256,
      swappedAt: fc.nat(),
    }),
    { maxLength: 2 },
  ),
  decimals: fc.nat(18),
})

export const segment: fc.Arbitrary<Segment> = fc.record({
  minute: fc.nat(99_999_999),
  firstBlock: fc.nat(),
  last: anyBlock,
  tokens: fc.array(fc.record({ before: fc.option(anyToken), after: anyToken }), { maxLength: 2 }),
  rows: fc.array(
    fc.tuple(row, anyToken).map(([row, description]) => ({ ...row, description })),
    { maxLength: 3 },
  ),
  rules: fc.nat(9),
  owners: fc.array(fc.record({ owner: anyAddress, before: postOwner, after: postOwner }), { maxLength: 2 }),
  totals: fc.record({ before: totals, after: totals }),
  swaps: fc.array(swap, { maxLength: 3 }),
  balances: fc.array(fc.record({ token: anyAddress, holder: anyAddress, before: u256, after: u256 }), {
    maxLength: 3,
  }),
  references: fc.array(fc.tuple(anyAddress, rate), { maxLength: 3 }).map((pairs) => new Map(pairs)),
  hooks: fc.array(anyAddress, { maxLength: 2 }),
  facts: fc.nat(),
})

export const feedEntry: fc.Arbitrary<FeedEntry> = fc.oneof(
  fc.record({
    seq: fc.nat(),
    is: fc.constant('block' as const),
    block: anyBlock,
    swaps: fc.array(swap, { maxLength: 4 }),
  }),
  fc.record({ seq: fc.nat(), is: fc.constant('retract' as const), block: anyBlock }),
)
