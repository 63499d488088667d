import { describe, expect, it } from 'vitest'
import { boardsAt, boardTokens } from '../../../market/board/board.ts'
import { creatorNumberOf, priceAt, worthAt } from '../../../market/board/market-at.ts'
import { valuationAt } from '../../../market/board/valuation.ts'
import { emptyState, type Token, type TokenState } from '../../../market/segment.ts'
import { type MarketEntry, marketOfEntries } from '../../support/market/exact-market.ts'
import { nthAddress, ONE_X96, stateWith, tokenAt, WHOLE } from '../../support/market/facts.ts'

function valuationOf(entries: readonly MarketEntry[]) {
  const market = marketOfEntries(entries)
  return valuationAt(market, market)
}

const DOLLAR = 1_000_000n
const NOW = 100_000

/** One quote a token at s = 2^96; four at twice that, when the token is currency0. */
const at = (price: 1n | 4n, numbers: Partial<TokenState> = {}): TokenState =>
  stateWith({
    sqrtPriceX96: price === 1n ? ONE_X96 : 2n * ONE_X96,
    supply: 1_000n * WHOLE,
    cumTrades: 1,
    lastSwapMinute: NOW,
    ...numbers,
  })

const creator = (number: number, words: Partial<Token> = {}) =>
  tokenAt(number, 100 + number, { isCurrency0: true, ...words })
const post = (number: number, quote: number, words: Partial<Token> = {}) =>
  creator(number, { kind: 'post', quote: nthAddress(quote), ...words })

/** Numbers of the tokens on the creators board. */
function creatorBoard(entries: readonly MarketEntry[]) {
  const valuation = valuationOf(entries)
  return boardsAt(valuation, boardTokens(valuation, NOW)).creator.map(({ number }) => number)
}

describe('a token', () => {
  it('is priced along its path of quotes, at most two tokens long, as the reference is the third', () => {
    const chain = [creator(0), post(1, 0), post(2, 1), post(3, 2)]
    const market = marketOfEntries(chain.map((token) => [token, at(4n)]))
    expect(chain.map((_, number) => priceAt(market, number))).toEqual(
      [4n, 16n, 0n, 0n].map((usd) => usd * 10n ** 36n),
    )
  })

  it('has no price without a route, and none while two tokens are priced in each other', () => {
    const market = marketOfEntries([
      [post(0, 77), at(1n)],
      [post(1, 2), at(1n)],
      [post(2, 1), at(1n)],
    ])
    expect([0, 1, 2].map((number) => worthAt(market, number).priceUsdE36)).toEqual([0n, 0n, 0n])
  })

  it('counts at most 25 times the least quote-side liquidity on its path', () => {
    // Creator: $4, cap $4,000, 10 ZORA = $10 -> 250. Post: 4 creator tokens = $16, cap $16,000; its own side is
    // 1,000 creator tokens = $4,000, but the path's least is the creator's $10 -> 250.
    const market = marketOfEntries([
      [creator(0), at(4n, { reserveQuote: 10n * WHOLE, reserveToken: WHOLE })],
      [post(1, 0), at(4n, { reserveQuote: 1_000n * WHOLE })],
      [post(2, 0), at(4n, { reserveQuote: WHOLE / 2n })],
    ])
    expect(worthAt(market, 0)).toEqual({
      priceUsdE36: 4n * 10n ** 36n,
      marketCap: 4_000n * DOLLAR,
      pathLiquidity: 10n * DOLLAR,
      effectiveCap: 250n * DOLLAR,
      liquidity: 14n * DOLLAR,
    })
    expect(worthAt(market, 1).effectiveCap).toBe(250n * DOLLAR)
    expect(worthAt(market, 2).effectiveCap).toBe(50n * DOLLAR)
  })
})

it('a post belongs to the creator token it is priced in, else to the oldest one of its creator', () => {
  const someone = nthAddress(700)
  const tokens = [
    creator(5, { creator: someone }),
    creator(3, { creator: someone }),
    creator(0),
    post(6, 0, { creator: someone }),
    creator(7, { kind: 'post', creator: someone }),
    creator(8, { kind: 'post', creator: nthAddress(701) }),
  ]
  const market = marketOfEntries(tokens.map((token) => [token, emptyState]))
  expect(tokens.map((_, number) => creatorNumberOf(market, number))).toEqual([0, 1, 2, 2, 1, undefined])
})

describe('the creators board', () => {
  it('ranks by the counted value of token and posts, together at most 25 times their pool’s quote amount', () => {
    const someone = nthAddress(700)
    const entries: MarketEntry[] = [
      [creator(0), at(1n, { reserveQuote: 20n * WHOLE })], // $1,000, counted 500
      // $1,000, counted 250; its posts, quoted in it, would count 250 more each: the pool of 10 bounds all of them.
      [creator(1), at(1n, { reserveQuote: 10n * WHOLE })],
      [post(2, 1), at(1n, { reserveQuote: 10n * WHOLE })],
      [post(3, 1), at(1n, { reserveQuote: 10n * WHOLE })],
      // Its posts are quoted in ZORA and have pools of their own.
      [creator(4, { creator: someone }), at(1n, { reserveQuote: 10n * WHOLE })],
      [creator(5, { kind: 'post', creator: someone }), at(1n, { reserveQuote: 10n * WHOLE })],
      [creator(6, { kind: 'post', creator: someone }), at(1n, { reserveQuote: WHOLE / 25n })],
      // Counts 250 with its token of 100 and, of a post of 1,000, the rest.
      [creator(7), at(1n, { supply: 100n * WHOLE, reserveQuote: 10n * WHOLE })],
      [post(8, 7), at(1n, { reserveQuote: 1_000n * WHOLE })],
    ]
    expect(creatorBoard(entries)).toEqual([4, 0, 1, 7])
    const { portfolioOf } = valuationOf(entries)
    const counts = [1, 4, 7].map((number) => portfolioOf(number))
    expect(counts).toEqual([
      {
        tokenMarketCap: 1_000n * DOLLAR,
        tokenCounted: 250n * DOLLAR,
        postsMarketCap: 500n * DOLLAR,
        postsCounted: 0n,
        postsCount: 2,
      },
      {
        tokenMarketCap: 1_000n * DOLLAR,
        tokenCounted: 250n * DOLLAR,
        postsMarketCap: 251n * DOLLAR,
        postsCounted: 251n * DOLLAR,
        postsCount: 2,
      },
      {
        tokenMarketCap: 100n * DOLLAR,
        tokenCounted: 100n * DOLLAR,
        postsMarketCap: 1_000n * DOLLAR,
        postsCounted: 150n * DOLLAR,
        postsCount: 1,
      },
    ])
  })

  it('counts a hundred posts on one pool no more than one, at any price', () => {
    const posts = Array.from(
      { length: 110 },
      (_, n): MarketEntry => [
        post(n + 1, 0),
        at(4n, { supply: 10n ** 9n * WHOLE, reserveQuote: 5_000n * WHOLE }),
      ],
    )
    const entries: MarketEntry[] = [
      [creator(0), at(1n, { reserveQuote: 1_000n * WHOLE, supply: 10n ** 6n * WHOLE })],
      ...posts,
    ]
    const { portfolioOf } = valuationOf(entries)
    const { tokenCounted, postsCounted } = portfolioOf(0)!
    expect(tokenCounted + postsCounted).toBe(25_000n * DOLLAR)
  })

  it('counts nothing of posts quoted in the token of another creator, even if that token is named as the creator', () => {
    // The second token's payout recipient is the first token's address: what posts hold of that is no ZORA.
    const entries: MarketEntry[] = [
      [creator(0), at(1n, { reserveQuote: 10n * WHOLE })],
      [post(1, 0), at(1n, { supply: 10n ** 9n * WHOLE, reserveQuote: 10n ** 8n * WHOLE })],
      [creator(2, { creator: nthAddress(0) }), at(1n, { reserveQuote: 10n * WHOLE })],
    ]
    expect(valuationOf(entries).portfolioOf(2)).toMatchObject({
      tokenCounted: 250n * DOLLAR,
      postsMarketCap: 0n,
      postsCounted: 0n,
      postsCount: 0,
    })
  })

  it('leaves out tokens without a price, or without a swap in 30 days of them or their posts', () => {
    const entries: MarketEntry[] = [
      [creator(0), at(1n, { lastSwapMinute: NOW - 43_200 })],
      [creator(7), at(1n, { lastSwapMinute: 0 })],
      [post(8, 7), at(1n, { lastSwapMinute: NOW - 43_199 })],
      [creator(1), at(1n, { sqrtPriceX96: 0n })],
      [creator(2, { quote: nthAddress(99) }), at(1n)],
      [creator(3), at(1n)],
    ]
    expect(creatorBoard(entries)).toEqual([5, 1])
  })
})
