import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fiveMinutePoints, type PricePoint, pointOf } from '../../market/board/price-points.ts'
import { stepOf } from '../../market/board/token-page.ts'
import { emptyState, type Minute } from '../../market/segment.ts'
import { rowWriter } from '../../schemas/field.ts'
import { priceStepFields } from '../../schemas/token-page.ts'
import { pricePointsBytes, pricePointsFrom } from '../../store/codec.ts'
import { openMemoryTable } from '../../store/memory.ts'
import { marksOfHours, readPricedHours } from '../../store/price-hours.ts'
import { tokenAt } from '../support/market-history.ts'

const price = fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }))
const candle = fc.record({ open: price, high: price, low: price, close: price })
const after = fc.record({
  sqrtPriceX96: fc.bigInt({ min: 0n, max: 2n ** 160n - 1n }),
  supply: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  cumVolumeMicroUsd: fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }),
  cumTrades: fc.nat(),
})
/** Points of an hour. */
const points = fc
  .uniqueArray(fc.nat(59), { minLength: 1 })
  .chain((minutes) =>
    fc.tuple(
      ...minutes
        .toSorted((a, b) => a - b)
        .map((minute) =>
          fc
            .record({ candle: fc.option(candle), after })
            .map((row) => pointOf(6_000 + minute, { ...row, after: { ...emptyState, ...row.after } })),
        ),
    ),
  )

const token = tokenAt(1, 1)
const write = rowWriter(priceStepFields)
function stepsOf(all: readonly PricePoint[], minutes: number) {
  return Array.from({ length: 60 / minutes }, (_, at) => {
    const [start, end] = [6_000 + at * minutes, 6_000 + (at + 1) * minutes]
    const stateAt = (minute: Minute) => all.findLast((point) => point.minute <= minute)?.state ?? emptyState
    const step = stepOf({
      start,
      end,
      asOf: end,
      path: [token],
      before: stateAt(start - 1),
      after: { states: [stateAt(end - 1)], rate: { usdE36: 10n ** 36n, decimals: 18 } },
      points: all.filter(({ minute }) => minute >= start && minute < end),
    })
    return write(step)
  })
}

describe('the prices of an hour', () => {
  it('by five minutes give the same steps as its minutes', () => {
    fc.assert(
      fc.property(points, (minutes) => {
        const stored = pricePointsFrom(pricePointsBytes(fiveMinutePoints(minutes)))
        expect(stored.length).toBeLessThanOrEqual(12)
        for (const length of [5, 15, 60]) expect(stepsOf(stored, length)).toEqual(stepsOf(minutes, length))
      }),
    )
  })

  it('fit one write unit, however large their numbers', () => {
    // Each as far from the one before as it can be; of a coin's supply there are 10^27, in an hour a million dollars and trades.
    const large = Array.from({ length: 12 }, (_, at) => {
      const price = at % 2 === 0 ? 10n ** 76n : 999_999_999_999n
      return {
        minute: 90_000_000 + at * 5,
        prices: { open: price, high: price, low: price },
        state: {
          sqrtPriceX96: at % 2 === 0 ? 2n ** 160n : 1n,
          supply: at % 2 === 0 ? 10n ** 27n : 1n,
          cumVolumeMicroUsd: 2n ** 120n + BigInt(at) * 10n ** 12n,
          cumTrades: at * 1_000_000,
        },
      }
    })
    expect(pricePointsBytes(large).length).toBeLessThan(900)
  })
})

describe('marks of hours', () => {
  const table = openMemoryTable()
  const mark = async (last: number, sealed: number, n: number) => {
    for (const item of marksOfHours(last * 60, sealed * 60))
      await table.put({ ...item, pos: n }, { olderThan: n })
  }
  const priced = (from: number, to: number, n = 100) =>
    readPricedHours(table, { from: from * 60, to: to * 60, n })

  it('name the newest hours without a gap that are settled', async () => {
    expect(await priced(10, 20)).toEqual({ first: 20, last: 19 })
    await mark(10, 12, 10)
    await mark(13, 18, 20)
    await mark(18, 19, 94)
    await mark(19, 20, 96)
    // Nothing was put of hour 12, and 19 was marked 4 entries ago.
    expect(await priced(10, 20)).toEqual({ first: 13, last: 18 })
    expect(await priced(10, 20, 101)).toEqual({ first: 13, last: 19 })
    expect(await priced(15, 17)).toEqual({ first: 15, last: 16 })
    expect(await priced(10, 12)).toEqual({ first: 10, last: 11 })
    expect(await priced(20, 20)).toEqual({ first: 20, last: 19 })
  })

  it('are of no more hours than are kept', () => {
    expect(marksOfHours(0, 1_000 * 60)).toHaveLength(216)
  })
})
