/** What somebody gains who launches tokens in another's name, or at an absurd price: nothing. */
import { describe, expect, it } from 'vitest'
import { countedOf } from '../../market/board/portfolio.ts'
import { creatorTokenOf } from '../../market/board/row.ts'
import { hourOfMinute } from '../../market/calendar.ts'
import { changeE2 } from '../../market/display.ts'
import { capsAt, contendersAt, firstMembers } from '../../market/index/index-members.ts'
import { INDEX_CLOSES, INDEX_SEATS_EACH } from '../../market/rules.ts'
import type { Token, TokenState } from '../../market/segment.ts'
import { asOf } from '../../market/window.ts'
import { type MarketEntry, marketOfEntries } from '../support/market/exact-market.ts'
import {
  launchOf,
  nthAddress,
  ONE_X96,
  segmentOf,
  stateWith,
  tokenAt,
  WHOLE,
} from '../support/market/facts.ts'
import { marketAfter } from '../support/market/market-history.ts'

const START = 29_000_160
const [author, stranger] = [nthAddress(60), nthAddress(61)]
const inAuthorsName = { creator: author, launchedBy: stranger }

/** A token of 1,000,000 at $1 (of which `root` is the square root), whose pool holds so many dollars. */
const traded = (trades: number, dollars: number, root = ONE_X96): TokenState =>
  stateWith({
    sqrtPriceX96: root,
    supply: 1_000_000n * WHOLE,
    reserveQuote: BigInt(dollars) * WHOLE,
    cumTrades: trades,
    cumVolumeMicroUsd: BigInt(trades) * 1_000_000n,
    holders: 1,
  })

describe('a creator token that names an author who did not launch it', () => {
  const post = tokenAt(1, START, { kind: 'post', creator: author, symbol: 'walk' })
  const strangers = tokenAt(2, START + 1, { ...inAuthorsName, symbol: 'author' })
  const authors = tokenAt(3, START + 2, { creator: author, symbol: 'me' })
  const before = [launchOf(post, traded(5, 3_000)), launchOf(strangers, traded(0, 0))]

  it('has none of the author’s posts: it is on no board, and gives them no handle', async () => {
    const market = await marketAfter(before)
    expect(market.boards.now.creator).toEqual([])
    const number = market.at.now.numberOf(post.address) as number
    expect(creatorTokenOf(market, number)).toBeNull()
  })

  it('does not keep them from the author’s own token, launched later', async () => {
    const market = await marketAfter([...before, launchOf(authors, traded(1, 10))])
    expect(market.boards.now.creator.map(({ token }) => token.address)).toEqual([authors.address])
    const number = market.at.now.numberOf(authors.address) as number
    const portfolio = market.valuations.now.portfolioOf(number)
    expect(portfolio).toMatchObject({ postsCount: 1, tokenCounted: 250_000_000n })
    expect(portfolio && countedOf(portfolio)).toBe(75_250_000_000n)
    expect(creatorTokenOf(market, market.at.now.numberOf(post.address) as number)).toEqual(authors)
  })

  it('is flagged if it looks like the author’s', async () => {
    const copy = tokenAt(4, START + 3, { ...inAuthorsName, symbol: '$Mé ✓' })
    const market = await marketAfter([launchOf(authors, traded(1, 10)), launchOf(copy, traded(9, 9_000))])
    expect(market.boards.now.creator.map(({ token }) => token.address)).toEqual([
      copy.address,
      authors.address,
    ])
    const flags = [copy, authors].map((token) => market.nameFlagsOf(token).lookalikeOf)
    expect(flags).toEqual([authors.address, null])
  })
})

describe('tokens that name a member of the index', () => {
  const entry = (token: Token, dollars: number): MarketEntry => [
    token,
    { ...traded(3, dollars), lastSwapMinute: START + 2_000 },
  ]
  const others = Array.from({ length: 20 }, (_, at) => entry(tokenAt(at + 1, START), 200))
  const own = [tokenAt(30, START, { creator: author }), tokenAt(31, START, { creator: author, kind: 'post' })]
  const named = [1, 2, 3, 4, 5].map((at) =>
    tokenAt(40 + at, START, { ...inAuthorsName, kind: at > 3 ? 'post' : 'creator' }),
  )

  it('take no seat of theirs, and have together those of one party', () => {
    const entries = [
      ...others,
      ...own.map((token) => entry(token, 150)),
      ...named.map((token) => entry(token, 9_000)),
    ]
    const now = marketOfEntries(entries)
    const minute = START + 2_001
    const closes = Array.from({ length: INDEX_CLOSES }, (_, at) => ({
      hour: hourOfMinute(minute) - INDEX_CLOSES + 1 + at,
      caps: capsAt(now),
    }))
    const members = firstMembers(
      contendersAt({
        minute,
        now,
        dayBefore: marketOfEntries([], { all: entries.map(([token]) => token) }),
        closes,
      }),
    )
    const seated = (tokens: readonly Token[]) => tokens.filter(({ address }) => members.has(address))
    expect(seated(own)).toEqual(own)
    expect(seated(named)).toEqual(named.slice(0, INDEX_SEATS_EACH))
  })
})

describe('a token that is launched at an absurd price and then bought', () => {
  const HOUR = 60
  const token = tokenAt(1, START, { launch: { priceUsdE36: 10n ** 20n, supply: 10n ** 24n } })
  /** Not moved by the launcher alone: up by a half in its third hour. */
  const honest = tokenAt(2, START)
  const minutes = [
    segmentOf(START, {
      born: [token, honest],
      rows: [
        [token.address, traded(0, 0, ONE_X96 * 10n ** 6n)],
        [honest.address, traded(0, 50_000)],
      ],
    }),
    segmentOf(START + 5, {
      rows: [
        [token.address, traded(1, 50_000)],
        [honest.address, traded(1, 50_000)],
      ],
    }),
    segmentOf(START + HOUR - 1, { rows: [] }),
    segmentOf(START + 2 * HOUR, { rows: [[honest.address, traded(2, 100_000, (ONE_X96 * 2n) / 3n)]] }),
  ]
  const gainsAfter = async (count: number) => {
    const market = await marketAfter(minutes.slice(0, count))
    const { change } = market.trending['24h']
    return { market, change: change.map(({ token: { symbol } }) => symbol) }
  }

  it('is not in the lists by change during its first hour', async () => {
    expect((await gainsAfter(2)).change).toEqual([])
  })

  it('is compared with its price an hour after the launch from then on', async () => {
    const { market, change } = await gainsAfter(3)
    expect(asOf(market.minute)).toBe(token.launchedAt.timestamp + HOUR * 60)
    expect(change).toEqual([token.symbol, honest.symbol])
    expect(market.at.now.hourPriceOf(market.at.now.numberOf(token.address) as number)).toBe(10n ** 36n)
    expect((await gainsAfter(4)).change).toEqual([honest.symbol, token.symbol])
  })
})

describe('a token whose price no pool backs', () => {
  const [honest, absurd] = [tokenAt(1, START), tokenAt(2, START)]
  const afterTrades = (state: TokenState) =>
    marketAfter([
      segmentOf(START, {
        born: [honest, absurd],
        rows: [
          [honest.address, traded(0, 50_000, ONE_X96 * 2n)],
          [absurd.address, { ...state, sqrtPriceX96: ONE_X96 * 2n }],
        ],
      }),
      segmentOf(START + 60, { rows: [] }),
      segmentOf(START + 1_500, {
        rows: [
          [honest.address, traded(1, 50_000)],
          [absurd.address, { ...state, cumTrades: 1 }],
        ],
      }),
    ])

  it('leads no list by market cap or by change', async () => {
    const { trending } = await afterTrades({ ...traded(0, 300), sqrtPriceX96: ONE_X96 / 10n ** 6n })
    for (const order of ['market_cap', 'change', 'change_asc'] as const)
      expect(trending['24h'][order].map(({ token }) => token.symbol)).toEqual([honest.symbol])
    expect(trending['24h'].volume).toHaveLength(2)
  })

  it('has a percent only up to a billion', async () => {
    // One unit of it is left, so that its pool backs any price.
    const state = { ...traded(0, 300), supply: 1n, sqrtPriceX96: ONE_X96 / 10n ** 6n }
    const { trending } = await afterTrades(state)
    expect(trending['24h'].market_cap).toHaveLength(2)
    expect(trending['24h'].change.map(({ token }) => token.symbol)).toEqual([honest.symbol])
    expect(changeE2(1n, 10_000_001n)).toBe(100_000_000_000n)
    expect(changeE2(1n, 10_000_002n)).toBeNull()
  })
})
