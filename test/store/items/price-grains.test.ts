import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { slotFrom } from '../../../market/board/candles.ts'
import { type PricePoint, pointsOf, rolledUp } from '../../../market/board/price-points.ts'
import { emptyState, type Minute } from '../../../market/segment.ts'
import { candleFields } from '../../../schemas/records/candles.ts'
import { rowWriter } from '../../../schemas/values/field.ts'
import { openMemoryTable } from '../../../store/aws/memory.ts'
import { pricePointsBytes, ratePointsBytes } from '../../../store/bytes/price-bytes.ts'
import { marksOfSpans, readSpans } from '../../../store/items/price-grains.ts'
import { tokenAt } from '../../support/market/facts.ts'

const price = fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }))
const sqrt = fc.bigInt({ min: 1n, max: 2n ** 160n - 1n })
const candle = fc
  .record({ open: price, high: price, low: price, close: price, first: sqrt, lowSqrt: sqrt, more: sqrt })
  .map(({ first, lowSqrt, more, ...usd }) => ({
    ...usd,
    ...{ firstSqrt: first, highSqrt: lowSqrt + more, lowSqrt },
  }))
const state = fc
  .record({
    sqrtPriceX96: sqrt,
    supply: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
    cumVolumeMicroUsd: fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }),
    cumBuyVolumeMicroUsd: fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }),
    cumTrades: fc.nat(),
    cumBuys: fc.nat(),
  })
  .map((numbers) => ({ ...emptyState, ...numbers }))
/** Rows of a day that begins with minute 7,200. */
const DAY = 7_200
const rows = fc
  .uniqueArray(fc.nat(1_439), { minLength: 1, maxLength: 40 })
  .chain((minutes) =>
    fc.tuple(
      ...minutes
        .toSorted((a, b) => a - b)
        .map((minute) =>
          fc
            .record({
              candle: fc.option(candle),
              after: state,
              volumeQuote: fc.bigInt({ min: 0n, max: 2n ** 130n }),
            })
            .map(({ volumeQuote, ...row }) => ({ minute: DAY + minute, row, volumeQuote })),
        ),
    ),
  )
  .map((all) =>
    all.map((each, at) => ({ ...each, row: { ...each.row, before: all[at - 1]?.row.after ?? emptyState } })),
  )

const token = tokenAt(1, 1)
const writers = [rowWriter(candleFields.usd), rowWriter(candleFields.quote)]
function slotsOf(all: readonly PricePoint[], minutes: number) {
  return Array.from({ length: 1_440 / minutes }, (_, at) => {
    const [start, end] = [DAY + at * minutes, DAY + (at + 1) * minutes]
    const at_ = (minute: Minute) => {
      const own = all.findLast((point) => point.minute <= minute)?.state ?? all[0]?.state ?? emptyState
      return { states: [own], rate: { usdE36: 10n ** 36n, decimals: 18 } }
    }
    const slot = slotFrom({
      start: start * 60,
      end: end * 60,
      asOf: end * 60,
      path: [token],
      quoteDecimals: 18,
      before: at_(start - 1),
      after: at_(end - 1),
      points: all.filter(({ minute }) => minute >= start && minute < end),
    })
    return writers.map((write) => write(slot))
  })
}

describe('rolled-up prices', () => {
  it('give the same candles as the rows of minutes', () => {
    fc.assert(
      fc.property(rows, (minutes) => {
        const points = pointsOf(minutes)
        const fives = rolledUp(points, 5)
        for (const [rolled, length] of [
          [fives, 5],
          [fives, 15],
          [rolledUp(fives, 60), 60],
          [rolledUp(rolledUp(fives, 60), 1_440), 1_440],
        ] as const) {
          const stored = pricePointsBytes.read(pricePointsBytes.write(rolled))
          expect(slotsOf(stored, length)).toEqual(slotsOf(points, length))
        }
      }),
      { numRuns: 30 },
    )
  })

  it('keep the rates of currencies as they are', () => {
    const rates = [
      { minute: 7, usdE36: 10n ** 36n },
      { minute: 9, usdE36: 123_456_789_012_345_678_901_234_567_890_123_456_789n },
    ]
    expect(ratePointsBytes.read(ratePointsBytes.write(rates))).toEqual(rates)
  })

  it('of an hour fit two write units, however large their numbers', () => {
    // Each as far from the one before as it can be; of a coin's supply there are 10^27, in an hour a million dollars and trades.
    const large = Array.from({ length: 13 }, (_, at) => {
      const price = at % 2 === 0 ? 10n ** 76n : 999_999_999_999n
      const sqrtPriceX96 = at % 2 === 0 ? 2n ** 160n : 1n
      return {
        minute: 90_000_000 + at * 5,
        prices: { high: price, low: price, highSqrt: 2n ** 160n, lowSqrt: 1n },
        volumeQuote: at % 2 === 0 ? 10n ** 27n : 0n,
        state: {
          sqrtPriceX96,
          supply: at % 2 === 0 ? 10n ** 27n : 1n,
          cumVolumeMicroUsd: 2n ** 120n + BigInt(at) * 10n ** 12n,
          cumBuyVolumeMicroUsd: 2n ** 119n + BigInt(at) * 10n ** 12n,
          cumTrades: at * 1_000_000,
          cumBuys: at * 500_000,
        },
      }
    })
    expect(pricePointsBytes.write(large).length).toBeLessThan(1_900)
  })
})

describe('marks of hours', () => {
  const table = openMemoryTable()
  const mark = async (last: number, sealed: number, n: number) => {
    for (const item of marksOfSpans('hour', last * 60, sealed * 60))
      await table.put({ ...item, pos: n }, { olderThan: n })
  }
  const priced = (from: number, to: number, n = 100) =>
    readSpans(table, 'hour', { from: from * 60, to: to * 60, n })

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
    expect(marksOfSpans('hour', 0, 1_000 * 60)).toHaveLength(216)
  })
})
