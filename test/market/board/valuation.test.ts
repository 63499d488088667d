import fc from 'fast-check'
import { expect, it } from 'vitest'
import { randomFrom } from '../../../dev/devnet/random.ts'
import { countedOf } from '../../../market/board/portfolio.ts'
import { isBacked, listBaseAt, sinceAt } from '../../../market/board/trending.ts'
import { amountGrowth, valuationAt } from '../../../market/board/valuation.ts'
import { LIQUIDITY_MIN_MICRO_USD } from '../../../market/rules.ts'
import { type MarketEntry, marketOfEntries } from '../../support/market/exact-market.ts'
import { stateWith, tokenAt } from '../../support/market/facts.ts'
import { randomReferences, randomState, randomToken } from '../../support/market/random-market.ts'

const COUNT = 24
/** Half of the tokens are launched before this time, half after it. */
const START = 150 * 60

it('a valuation approximates the exact figures up to rounding, for any quote', () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const random = randomFrom(seed)
      const tokens = Array.from({ length: COUNT }, (_, number) =>
        randomToken(random, number, { count: COUNT, minute: number % 2 === 0 ? 100 : 200 }),
      )
      const marketAt = () => {
        const entries = tokens.map((token): MarketEntry => [token, randomState(random, 'usual')])
        const priced = tokens.filter(() => random.chance(0.5))
        const hourPrices = new Map(priced.map(({ address }) => [address, 10n ** BigInt(random.below(60))]))
        return marketOfEntries(entries, { references: randomReferences(random), hourPrices })
      }
      const [market, before] = [marketAt(), marketAt()]
      const valuation = valuationAt(market, before)
      const since = sinceAt(valuation, { market: before, start: START, youngFrom: START - 3_599 })
      const { approximation, portfolioOf, worthOf } = valuation
      for (const number of tokens.keys()) {
        const { priceUsdE36, marketCap, pathLiquidity } = worthOf(number)
        const portfolio = portfolioOf(number)
        const base = listBaseAt(market, since, number)
        const figures = [
          [approximation.price, Number(priceUsdE36) / 1e36],
          [approximation.marketCap, Number(marketCap)],
          [approximation.pathLiquidity, Number(pathLiquidity)],
          [since.change, base && priceUsdE36 ? Number(priceUsdE36) / Number(base) : -1],
          [since.volume.about, Number(since.volume.exactly(number))],
          [since.trades.about, since.trades.exactly(number)],
          // Only tokens with a price are ranked by it.
          ...(portfolio && priceUsdE36 > 0n
            ? [[approximation.counted, Number(countedOf(portfolio))] as const]
            : []),
        ] as const
        for (const [about, exact] of figures) {
          const error = Math.abs((about[number] as number) - exact)
          expect(error).toBeLessThan(3 + Math.abs(exact) * 2 ** -31)
        }
        const isLiquid = pathLiquidity >= LIQUIDITY_MIN_MICRO_USD
        expect(isBacked(valuation, number)).toBe(isLiquid && marketCap <= 25n * pathLiquidity)
      }
    }),
  )
})

it('a valuation gives the growth between amounts that doubles cannot tell apart', () => {
  const [now, then] = [5n, 0n].map((more) =>
    marketOfEntries([[tokenAt(0, 1), stateWith({ cumVolumeMicroUsd: 2n ** 60n + more })]]),
  )
  expect([...amountGrowth('cumVolumeMicroUsd', now!, then!).about]).toEqual([5])
})
