import fc from 'fast-check'
import { expect, it } from 'vitest'
import { randomFrom } from '../../local/devnet/random.ts'
import { capsAt } from '../../market/index-members.ts'
import { countedOf } from '../../market/portfolio.ts'
import { valuationAt } from '../../market/valuation.ts'
import { type MarketEntry, marketOfEntries } from '../support/exact-market.ts'
import { nthAddress, stateWith, tokenAt } from '../support/market-history.ts'
import { randomReferences, randomState, randomToken } from '../support/random-market.ts'

it('finds the caps of an hour, $2,500 and more, of every token from the first on', () => {
  const ONE = 10n ** 18n
  const worth = (supply: bigint) =>
    stateWith({ sqrtPriceX96: 2n ** 96n, supply: supply * ONE, reserveQuote: 1_000n * ONE })
  const caps = capsAt(
    marketOfEntries([2_500n, 2_499n, 3_000n].map((supply, number) => [tokenAt(number, 100), worth(supply)])),
  )
  expect([...caps]).toEqual([
    [nthAddress(0), 2_500_000_000n],
    [nthAddress(2), 3_000_000_000n],
  ])
})

it('works out in doubles the exact figures but for roundings, whatever tokens are priced in', () => {
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
