import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type PricePoint, quartersOf } from '../../market/price-points.ts'
import { emptyState, type Minute } from '../../market/segment.ts'
import { stepOf } from '../../market/token-page.ts'
import { pricePointsBytes, pricePointsFrom } from '../../store/codec.ts'
import { openMemoryTable } from '../../store/memory.ts'
import { marksOfHours, readPricedHours } from '../../store/price-hours.ts'
import { tokenAt } from '../support/market-history.ts'

const price = fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }))
const candle = fc.record({ open: price, high: price, low: price, close: price })
const state = fc.record({
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
          fc.record({ minute: fc.constant(6_000 + minute), candle: fc.option(candle), state }),
        ),
    ),
  )

const token = tokenAt(1, 1)
function stepsOf(all: readonly PricePoint[], minutes: number) {
  return Array.from({ length: 60 / minutes }, (_, at) => {
    const [start, end] = [6_000 + at * minutes, 6_000 + (at + 1) * minutes]
    const stateAt = (minute: Minute) => all.findLast((point) => point.minute <= minute)?.state ?? emptyState
    return stepOf({
      ...{ start, end, asOf: end, path: [token], before: stateAt(start - 1) },
      after: { states: [stateAt(end - 1)], rate: { usdE36: 10n ** 36n, decimals: 18 } },
      points: all.filter(({ minute }) => minute >= start && minute < end),
    })
  })
}

describe('the prices of an hour', () => {
  it('in quarters say of each quarter and of the hour what its minutes say', () => {
    fc.assert(
      fc.property(points, (minutes) => {
        const stored = pricePointsFrom(pricePointsBytes(quartersOf(minutes)))
        expect(stored.length).toBeLessThanOrEqual(4)
        for (const length of [15, 60]) expect(stepsOf(stored, length)).toEqual(stepsOf(minutes, length))
      }),
    )
  })

  it('fit one write unit, however large their numbers', () => {
    const most = 2n ** 256n - 1n
    const large = Array.from({ length: 4 }, (_, at) => ({
      minute: 90_000_000 + at * 15,
      candle: { open: most, high: most, low: most, close: most },
      state: {
        sqrtPriceX96: 2n ** 160n,
        supply: most,
        cumVolumeMicroUsd: 2n ** 128n - 1n,
        cumTrades: 2 ** 32 - 1,
      },
    }))
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
