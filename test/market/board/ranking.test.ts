import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  isAbove,
  isAtLeast,
  type RankingKey,
  ranked,
  whole,
  wholeKey,
} from '../../../market/board/ranking.ts'
import { tokenAt } from '../../support/market/facts.ts'

/** Amounts with many ties, near ties that doubles cannot tell apart, and any. */
const amount = fc.oneof(fc.bigInt(0n, 3n), fc.bigInt(2n ** 80n, 2n ** 80n + 3n), fc.bigInt(0n, 2n ** 90n))
const entry = fc.record({
  count: fc.nat(2),
  large: fc.oneof(fc.nat(2).map(BigInt), amount),
  ratio: fc.option(amount),
  floored: fc.bigInt(0n, 9n),
  /** Rounding errors of the doubles. */
  error: fc.double({ min: -1, max: 1, noNaN: true }),
})

const entries = fc.array(entry, { minLength: 25, maxLength: 80, size: 'max' })
const orders = fc.shuffledSubarray([0, 1, 2, 3], { minLength: 1 })

const descending = (a: bigint | null, b: bigint | null): number =>
  a === b ? 0 : b === null || (a !== null && a > b) ? -1 : 1

it('a ranking orders by exact scores, then by launch, and returns the first, although doubles choose the candidates', () => {
  fc.assert(
    fc.property(entries, fc.integer({ min: 1, max: 20 }), orders, (entries, size, order) => {
      const doubles = (scoreOf: (one: (typeof entries)[number]) => number) =>
        Float64Array.from(entries, scoreOf)
      const at = (number: number) => entries[number]!
      const keys: readonly RankingKey[] = [
        wholeKey({ about: doubles(({ count }) => count), exactly: (number) => at(number).count }),
        wholeKey({ about: doubles(({ large }) => Number(large)), exactly: (number) => at(number).large }),
        {
          about: doubles(({ ratio, error }) =>
            ratio === null ? -1 : (Number(ratio) / 7) * (1 + error * 2 ** -40),
          ),
          exactly: (number) => {
            const { ratio: over } = at(number)
            return over === null ? null : { over, under: 7n }
          },
        },
        {
          about: doubles(({ floored, error }) => Number(floored) + Math.abs(error) * 0.99),
          exactly: (number) => whole(at(number).floored),
          floored: 1,
        },
      ]
      const values = (number: number) => {
        const { count, large, ratio, floored } = at(number)
        return [BigInt(count), large, ratio, floored]
      }
      const numbers = entries.map((_, number) => number)
      const expected = numbers
        .toSorted((a, b) => {
          const compared = order.map((key) => descending(values(a)[key]!, values(b)[key]!))
          return compared.find((each) => each !== 0) ?? a - b
        })
        .slice(0, size)
      const chosen = order.map((key) => keys[key]!)
      const found = ranked(numbers.toReversed(), (number) => tokenAt(number, 100), chosen, size)
      expect(found.map(({ number }) => number)).toEqual(expected)
    }),
    { numRuns: 300 },
  )
})

it('a double is compared with a bound, exactly if it is near', () => {
  const exactly = () => true
  expect([99, 100, 101].map((value) => isAtLeast(value, 100, exactly))).toEqual([true, true, true])
  expect([1, 301].map((value) => isAtLeast(value, 100, () => value < 100))).toEqual([true, true])
  expect([1e3, 3e3].map((value) => isAtLeast(value, 2e3, () => value < 2e3))).toEqual([false, true])
  // A double of this size is an amount rounded by more than one.
  expect([-500, 0, 500].map((more) => isAtLeast(1e12 + more, 1e12, () => !exactly()))).toEqual(
    Array(3).fill(false),
  )
  expect([-500, 0, 500].map((more) => isAtLeast(1e12 + more, 1e12, exactly))).toEqual(Array(3).fill(true))
})

it('a ratio is above a bound by its double, exactly if it is within 2^-30 of it', () => {
  const yes = () => true
  const no = () => false
  const at = (share: number) => 100 + 100 * share * 2 ** -30
  for (const share of [-1, 0, 1])
    expect([yes, no].map((by) => isAbove(at(share), 100, by))).toEqual([true, false])
  expect([-2, 2].map((share) => isAbove(at(share), 100, share < 0 ? yes : no))).toEqual([false, true])
})
