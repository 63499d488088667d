import fc from 'fast-check'
import { expect, it } from 'vitest'
import { randomFrom } from '../../local/devnet/random.ts'
import { countedOf } from '../../market/portfolio.ts'
import { valuationAt } from '../../market/valuation.ts'
import { type MarketEntry, marketOfEntries } from '../support/exact-market.ts'
import { randomReferences, randomState, randomToken } from '../support/random-market.ts'

it('approximates the exact figures up to rounding, whatever tokens are priced in', () => {
  const COUNT = 24
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const random = randomFrom(seed)
      const entries = Array.from(
        { length: COUNT },
        (_, number): MarketEntry => [
          randomToken(random, number, { count: COUNT, minute: 100 }),
          randomState(random, 'usual'),
        ],
      )
      const market = marketOfEntries(entries, { references: randomReferences(random) })
      const { approximation, portfolioOf, worthOf } = valuationAt(market, market)
      for (let number = 0; number < COUNT; number++) {
        const { priceUsdE36, marketCap, pathLiquidity } = worthOf(number)
        const portfolio = portfolioOf(number)
        const figures = [
          ['price', Number(priceUsdE36) / 1e36],
          ['marketCap', Number(marketCap)],
          ['pathLiquidity', Number(pathLiquidity)],
          // Only who has a price is ranked by it.
          ...(portfolio && priceUsdE36 > 0n ? [['counted', Number(countedOf(portfolio))] as const] : []),
        ] as const
        for (const [name, exact] of figures) {
          const error = Math.abs((approximation[name][number] as number) - exact)
          expect(error, name).toBeLessThan(3 + exact * 2 ** -31)
        }
      }
    }),
  )
})
