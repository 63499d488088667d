import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bothSidesOf, capOf, countedOf } from '../../market/appraisal.ts'
import { SAFE } from '../../market/figures.ts'
import type { Place } from '../../market/ranking.ts'
import { nthLargest } from '../../market/ranking.ts'
import { trendingSorts } from '../../market/trending.ts'
import { liquidityAt } from '../../market/worth.ts'
import { exactBoards, exactTrending, exactValuation } from '../support/exact-ranking.ts'
import {
  earlier,
  type Random,
  randomFrom,
  randomReferences,
  randomState,
  randomToken,
  type Spread,
} from '../support/random-market.ts'
import { type Entry, edgeFrom, lineageOf, rankedFrom } from '../support/ranked-edge.ts'

/** `RANKING_RUNS=20000 npx vitest run test/market/ranking.test.ts` for the long form. */
const numRuns = Number(process.env['RANKING_RUNS'] ?? 120)

const FIRST_MINUTE = 1_000

function randomMarket(random: Random, spread: Spread) {
  const count = 1 + Math.floor(random() * 330)
  const entries: Entry[] = Array.from({ length: count }, (_, number) => {
    const token = randomToken(random, number, { count, minute: FIRST_MINUTE + Math.floor(number / 5) })
    return [token, randomState(random, spread)]
  })
  const lineage = lineageOf(entries.map(([token]) => token))
  const edgeOf = (some: readonly Entry[]) => edgeFrom(some, randomReferences(random), lineage)
  return {
    now: edgeOf(entries),
    dayBefore: edgeOf(earlier(random, entries, spread)),
    since: {
      edge: edgeOf(earlier(random, entries, spread)),
      start: (FIRST_MINUTE + Math.floor(random() * 70)) * 60,
    },
  }
}

const numbersOf = (places: readonly Place[]) => places.map(({ number }) => number)

describe('ranking', () => {
  for (const spread of ['few', 'usual', 'any'] as const) {
    it(`gives what exact arithmetic over every token gives (${spread} values)`, () => {
      fc.assert(
        fc.property(fc.nat(0xffff_ffff), (seed) => {
          const { now, dayBefore, since } = randomMarket(randomFrom(seed), spread)
          const exact = exactValuation(now, dayBefore)
          const { boards, trendingSince, valuation, appraisal } = rankedFrom(now, dayBefore)
          const expected = exactBoards(exact)
          expect(numbersOf(boards.creator)).toEqual(numbersOf(expected.creator))
          expect(numbersOf(boards.post)).toEqual(numbersOf(expected.post))
          const trending = trendingSince(since)
          for (const sort of trendingSorts) {
            expect(numbersOf(trending[sort])).toEqual(numbersOf(exactTrending(exact, since, sort)))
          }
          for (const [number, worth] of exact.worths.entries()) {
            expect(valuation.worthOf(number)).toEqual(worth)
            expect(valuation.creatorTokenOf(number)).toBe(exact.creatorTokens[number])
            expect(valuation.portfolioOf(number)).toEqual(exact.portfolios.get(number) ?? null)
            const doubles = [capOf(appraisal, number), countedOf(appraisal, number)]
            const wholes = [worth.marketCap, worth.effectiveCap]
            for (const [at, double] of doubles.entries()) {
              if (double < SAFE) expect(BigInt(double)).toBe(wholes[at])
              else expect(Math.abs(double / Number(wholes[at]) - 1)).toBeLessThan(1e-12)
            }
            const sides = worth.priceUsdE36 === 0n ? 0 : bothSidesOf(now, appraisal, number)
            if (sides < SAFE) expect(BigInt(sides)).toBe(liquidityAt(now, number))
          }
        }),
        { numRuns: spread === 'usual' ? numRuns : Math.ceil(numRuns / 2) },
      )
    })
  }

  it('finds the nth largest of many numbers, equal ones counted each', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(50), { minLength: 7, maxLength: 300 }),
        fc.integer({ min: 1, max: 7 }),
        (values, n) => {
          const sorted = values.toSorted((a, b) => b - a)
          expect(nthLargest(Float64Array.from(values), n)).toBe(sorted[n - 1])
        },
      ),
    )
  })
})
