import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Random, randomFrom } from '../../../dev/devnet/random.ts'
import { priceAt, worthAt } from '../../../market/board/market-at.ts'
import { changeAbout } from '../../../market/board/ranking.ts'
import { rankedMarket } from '../../../market/board/rankings.ts'
import { screenedAt, screenedTokens } from '../../../market/board/screener.ts'
import { changeE2 } from '../../../market/display.ts'
import { basePriceOf, figuresOfWorth } from '../../../market/route.ts'
import type { TokenState } from '../../../market/segment.ts'
import { byName, startOf, windowNames } from '../../../market/window.ts'
import { tokenLine } from '../../../store/bytes/codec.ts'
import { type MarketEntry, marketOfEntries } from '../../support/market/exact-market.ts'
import { randomReferences, randomState, randomToken } from '../../support/market/random-market.ts'
import { isLong } from '../../support/rounds.ts'

const COUNT = 24
const NOW = 60_000

/** Sums only grow. */
const sumsBefore = (now: TokenState): Partial<TokenState> => ({
  cumVolumeMicroUsd: now.cumVolumeMicroUsd / 3n,
  cumEarnedMicroUsd: now.cumEarnedMicroUsd / 3n,
  cumRankVolumeMicroUsd: now.cumRankVolumeMicroUsd / 3n,
  cumTrades: Math.floor(now.cumTrades / 3),
})

/** Tokens of two and of a hundredth of a day, in random states now and at each window start. */
function randomMarket(random: Random) {
  const tokens = Array.from({ length: COUNT }, (_, number) =>
    randomToken(random, number, { count: COUNT, minute: NOW - (number % 2 === 0 ? 2_880 : 14) }),
  )
  const states = tokens.map(() => randomState(random, 'any'))
  const at = byName(windowNames, (name) => {
    const entries = tokens.map((token, number): MarketEntry => {
      const now = states[number] as TokenState
      return [token, name === 'now' ? now : { ...randomState(random, 'any'), ...sumsBefore(now) }]
    })
    return marketOfEntries(entries, { references: randomReferences(random) })
  })
  return {
    ...rankedMarket({ minute: NOW, at, hasState: () => true, coverageFrom: null, closePricesOf: () => [] }),
    tokens,
  }
}

it('the screener has the exact figures of every token, although doubles decide most of them', () => {
  let screenedCount = 0
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const market = randomMarket(randomFrom(seed))
      const { now } = market.at
      const screened = screenedTokens(market)
      expect(screened.traded).toBe(screened.descriptions.length)
      for (const [at, description] of screened.descriptions.entries()) {
        const number = market.tokens.findIndex(
          ({ address }) => tokenLine.read(description).address === address,
        )
        const token = now.tokenOf(number)
        const worth = figuresOfWorth(worthAt(now, number))
        const change = (name: '24h' | '7d') => {
          const base = basePriceOf(token, startOf(NOW, name), () => priceAt(market.at[name], number))
          return base === null || worth.priceUsdE36 === null ? null : changeE2(base, worth.priceUsdE36)
        }
        const grown = (field: 'cumVolumeMicroUsd' | 'cumEarnedMicroUsd' | 'cumRankVolumeMicroUsd') =>
          now.read(field, number) - market.at['24h'].read(field, number)
        expect(screenedAt(screened, at)).toEqual({
          ...worth,
          holders: now.read('holders', number),
          volume24h: grown('cumVolumeMicroUsd'),
          totalVolume: now.read('cumVolumeMicroUsd', number),
          creatorEarnings24h: grown('cumEarnedMicroUsd'),
          creatorEarnings: now.read('cumEarnedMicroUsd', number),
          trades24h: now.read('cumTrades', number) - market.at['24h'].read('cumTrades', number),
          change24hE2: change('24h'),
          change7dE2: change('7d'),
          rankVolume24h: grown('cumRankVolumeMicroUsd'),
          launchedAt: token.launchedAt.timestamp,
        })
        screenedCount++
      }
    }),
    { numRuns: isLong ? 300 : 15 },
  )
  expect(screenedCount).toBeGreaterThan(0)
})

it('a change is rounded from doubles as from the exact prices, or not at all', () => {
  const price = fc.bigInt(1n, 2n ** 120n)
  const near = fc.tuple(price, fc.integer({ min: -30_000, max: 30_000 })).map(([base, half]) => {
    // At most one unit beside a half of a hundredth of a percent.
    const now = base + (base * BigInt(half)) / 20_000n
    return [base, now > 0n ? now : 1n] as const
  })
  let decided = 0
  fc.assert(
    fc.property(
      fc.oneof(fc.tuple(price, price), near),
      fc.double({ min: -1, max: 1, noNaN: true }),
      ([base, now], error) => {
        const about = changeAbout(Number(base), Number(now) * (1 + error * 2 ** -40))
        if (about === null) return
        decided++
        expect(BigInt(about)).toBe(changeE2(base, now))
      },
    ),
  )
  expect(decided).toBeGreaterThan(0)
})
