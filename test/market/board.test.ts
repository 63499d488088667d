import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emptyState, type Token, type TokenState } from '../../market/segment.ts'
import type { TrendingSort } from '../../market/trending.ts'
import { liquidityAt, priceAt, worthAt } from '../../market/worth.ts'
import { addressOf, references, stateOf, tokenAt } from '../support/market-history.ts'
import { type Entry, edgeFrom, lineageOf, rankedFrom } from '../support/ranked-edge.ts'

const ONE = 10n ** 18n
const DOLLAR = 1_000_000n
const X96 = 2n ** 96n

/** One quote a token at s = 2^96; four at twice that, when the token is currency0. */
const at = (price: 1n | 4n, numbers: Partial<TokenState> = {}): TokenState =>
  stateOf({ sqrtPriceX96: price === 1n ? X96 : 2n * X96, supply: 1_000n * ONE, cumTrades: 1, ...numbers })

const edgeOf = (entries: readonly Entry[]) => edgeFrom(entries, references(1000))

const creator = (number: number, words: Partial<Token> = {}) =>
  tokenAt(number, 100 + number, { isCurrency0: true, ...words })
const post = (number: number, quote: number, words: Partial<Token> = {}) =>
  creator(number, { kind: 'post', quote: addressOf(quote), ...words })

const boards = (entries: readonly Entry[], dayBefore: readonly Entry[] = []) =>
  rankedFrom(edgeOf(entries), edgeOf(dayBefore)).boards
const numbersOf = (places: readonly { number: number }[]) => places.map(({ number }) => number)

describe('a token at an edge', () => {
  it('is priced along its path of quotes, at most two tokens long, as the reference is the third', () => {
    const chain = [creator(0), post(1, 0), post(2, 1), post(3, 2)]
    const edge = edgeOf(chain.map((token) => [token, at(4n)]))
    expect(chain.map((_, number) => priceAt(edge, number))).toEqual(
      [4n, 16n, 0n, 0n].map((usd) => usd * 10n ** 36n),
    )
  })

  it('has no price without a route, and none while two tokens are priced in each other', () => {
    const edge = edgeOf([
      [post(0, 77), at(1n)],
      [post(1, 2), at(1n)],
      [post(2, 1), at(1n)],
    ])
    expect([0, 1, 2].map((number) => worthAt(edge, number).priceUsdE36)).toEqual([0n, 0n, 0n])
  })

  it('counts at most 25 times the least quote-side liquidity on its path', () => {
    // Creator: $4, cap $4,000, 10 ZORA = $10 -> 250. Post: 4 creator tokens = $16, cap $16,000; its own side is
    // 1,000 creator tokens = $4,000, but the path's least is the creator's $10 -> 250.
    const edge = edgeOf([
      [creator(0), at(4n, { reserveQuote: 10n * ONE, reserveToken: ONE })],
      [post(1, 0), at(4n, { reserveQuote: 1_000n * ONE })],
      [post(2, 0), at(4n, { reserveQuote: ONE / 2n })],
    ])
    expect(worthAt(edge, 0)).toEqual({
      priceUsdE36: 4n * 10n ** 36n,
      marketCap: 4_000n * DOLLAR,
      effectiveCap: 250n * DOLLAR,
    })
    expect(liquidityAt(edge, 0)).toBe(14n * DOLLAR)
    expect(worthAt(edge, 1).effectiveCap).toBe(250n * DOLLAR)
    expect(worthAt(edge, 2).effectiveCap).toBe(50n * DOLLAR)
  })
})

describe('a post', () => {
  it('belongs to the creator token it is priced in, else to the oldest one of its creator', () => {
    const someone = addressOf(700)
    const tokens = [
      creator(5, { creator: someone }),
      creator(3, { creator: someone }),
      creator(0),
      post(6, 0, { creator: someone }),
      creator(7, { kind: 'post', creator: someone }),
      creator(8, { kind: 'post', creator: addressOf(701) }),
    ]
    const edge = edgeOf(tokens.map((token) => [token, emptyState]))
    const { creatorTokenOf } = rankedFrom(edge, edge).valuation
    expect(tokens.map((_, number) => creatorTokenOf(number))).toEqual([null, null, null, 2, 1, null])
  })
})

describe('boards', () => {
  it('rank creators by what is counted of their token and of all their posts', () => {
    const entries: Entry[] = [
      [creator(0), at(1n, { reserveQuote: 20n * ONE })], // $1,000, counted 500
      [creator(1), at(1n, { reserveQuote: 10n * ONE })], // 250 + the post's 251: ahead
      [post(2, 1), at(1n, { reserveQuote: 10n * ONE, cumTrades: 0 })], // 250
      [post(3, 1), at(1n, { reserveQuote: ONE / 25n, cumTrades: 0 })], // 1
    ]
    const { boards, valuation } = rankedFrom(edgeOf(entries), edgeOf([]))
    expect(numbersOf(boards.creator)).toEqual([1, 0])
    expect(valuation.portfolioOf(1)).toEqual({
      tokenMarketCap: 1_000n * DOLLAR,
      tokenCounted: 250n * DOLLAR,
      postsMarketCap: 2_000n * DOLLAR,
      postsCounted: 251n * DOLLAR,
      postsCount: 2,
    })
  })

  it('rank posts by engagement of the last 24 hours', () => {
    const entries: Entry[] = [
      [creator(0), at(1n)],
      [post(1, 0), at(1n, { cumEngagement: 50 })],
      [post(2, 0), at(1n, { cumEngagement: 20 })],
    ]
    const dayBefore: Entry[] = [
      [creator(0), at(1n)],
      [post(1, 0), at(1n, { cumEngagement: 45 })],
    ]
    expect(numbersOf(boards(entries, dayBefore).post)).toEqual([2, 1])
  })

  it('leave out what was never traded and what has no price', () => {
    const entries: Entry[] = [
      [creator(0), at(1n, { cumTrades: 0 })],
      [creator(1), at(1n, { sqrtPriceX96: 0n })],
      [creator(2, { quote: addressOf(99) }), at(1n)],
      [creator(3), at(1n)],
    ]
    expect(numbersOf(boards(entries).creator)).toEqual([3])
  })

  it('break ties by 24 h volume, market cap, then launch order', () => {
    const entries: Entry[] = [
      [creator(4), at(1n)],
      [creator(3), at(1n)],
      [creator(2), at(1n, { supply: 2_000n * ONE })],
      [creator(1), at(1n, { cumVolumeMicroUsd: 1n })],
      [creator(0), at(1n, { reserveQuote: ONE })],
    ]
    expect(numbersOf(boards(entries).creator)).toEqual([4, 3, 2, 1, 0])
  })

  it('hold 100 places, the same whatever order the tokens stand in', () => {
    const entries = Array.from(
      { length: 120 },
      (_, n): Entry => [creator(n), at(1n, { cumVolumeMicroUsd: BigInt(n % 7) })],
    )
    const addresses = (list: readonly Entry[]) => boards(list).creator.map(({ token }) => token.address)
    const expected = addresses(entries)
    expect(expected.length).toBe(100)
    fc.assert(
      fc.property(fc.shuffledSubarray(entries, { minLength: 120 }), (shuffled) => {
        expect(addresses(shuffled)).toEqual(expected)
      }),
      { numRuns: 20 },
    )
  })
})

describe('trending', () => {
  // The window starts at minute 103: tokens 0 to 2 are older, 3 and 4 are compared with their launch at $1.
  const launch = { priceUsdE36: 10n ** 36n, supply: 1_000n * ONE }
  const entries: Entry[] = [
    [creator(0), at(4n, { cumTrades: 3, cumVolumeMicroUsd: 50n, holders: 4 })],
    [creator(1), at(1n, { cumTrades: 3, cumVolumeMicroUsd: 60n, holders: 9, supply: 9_000n * ONE })],
    [creator(2), at(4n, { cumTrades: 2, cumVolumeMicroUsd: 90n, holders: 1 })],
    [creator(3, { launch }), at(4n, { cumTrades: 1, cumVolumeMicroUsd: 70n, holders: 2 })],
    [creator(4, { launch: { priceUsdE36: null, supply: 0n } }), at(1n, { cumTrades: 1, holders: 3 })],
  ]
  const lineage = lineageOf(entries.map(([token]) => token))
  const edgeIn = (some: readonly Entry[]) => edgeFrom(some, references(1000), lineage)
  const since = {
    edge: edgeIn([
      [creator(0), at(1n, { cumTrades: 1, cumVolumeMicroUsd: 10n })],
      [creator(1), at(4n, { cumTrades: 1, cumVolumeMicroUsd: 5n })],
      [creator(2), at(1n, { cumTrades: 2 })],
    ]),
    start: 103 * 60,
  }
  const list = (sort: TrendingSort) =>
    numbersOf(rankedFrom(edgeIn(entries), edgeIn([])).trendingSince(since)[sort])

  it('lists only what was traded since the start, in the order asked for', () => {
    expect(list('volume')).toEqual([3, 1, 0, 4])
    expect(list('market_cap')).toEqual([1, 3, 0, 4])
    expect(list('holders')).toEqual([1, 0, 4, 3])
  })

  it('orders changes by exact ratio, ties by 24 h volume, and puts the unknown last', () => {
    expect(list('change')).toEqual([3, 0, 1, 4])
  })
})
