import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { marketVolume, type TotalsLine, totalsAt } from '../../../market/board/totals.ts'
import { asOf, type Period, periods, startOf, windows } from '../../../market/window.ts'

const NOW = 100_000

/** What single minutes traded, at most one entry a minute, ascending. */
const minutes = fc
  .uniqueArray(
    fc.record({
      minute: fc.oneof(
        fc.integer({ min: NOW - 25_000, max: NOW }),
        fc.integer({ min: NOW - 70, max: NOW }),
        // Edges of buckets and periods.
        fc.constantFrom(60, 120, 240, 480, 1_440, 2_880, 10_080, 20_160).map((back) => NOW - back),
      ),
      volume: fc.bigInt(0n, 10n ** 30n),
      buys: fc.nat(5),
      sells: fc.nat(5),
      share: fc.nat(100),
    }),
    { selector: ({ minute }) => minute, maxLength: 60 },
  )
  .map((all) => all.toSorted((a, b) => a.minute - b.minute))

type Traded = { minute: number; volume: bigint; buys: number; sells: number; share: number }

/** Cumulative totals after each minute. */
function lineOf(traded: readonly Traded[]): TotalsLine {
  let before = { volume: 0n, buyVolume: 0n, creatorVolume: 0n, trades: 0, buys: 0 }
  return traded.map(({ minute, volume, buys, sells, share }) => {
    before = {
      volume: before.volume + volume,
      buyVolume: before.buyVolume + (volume * BigInt(share)) / 100n,
      creatorVolume: before.creatorVolume + volume / 3n,
      trades: before.trades + buys + sells,
      buys: before.buys + buys,
    }
    return { minute, ...before }
  })
}

const complete = { firstMinute: 0, coverageFrom: null }

const sum = (traded: readonly Traded[], from: number, to: number) =>
  traded
    .filter(({ minute }) => minute * 60 >= from && minute * 60 < to)
    .reduce((total, { volume }) => total + volume, 0n)

describe('market volume', () => {
  it('is the volume of the period’s minutes, and its buckets add up to it exactly', () => {
    fc.assert(
      fc.property(minutes, fc.constantFrom(...periods), (traded, period) => {
        const line = lineOf(traded)
        const volume = marketVolume({ line, ...complete }, NOW, period)
        const totals = volume.totals!
        const [start, end] = [startOf(NOW, period), asOf(NOW)]
        expect(totals.volume).toBe(sum(traded, start, end))
        expect(volume.previousVolume).toBe(sum(traded, 2 * start - end, start))
        const width = (end - start) / volume.buckets.length
        for (const [at, bucket] of volume.buckets.entries()) {
          expect(bucket.start).toBe(start + at * width)
          expect(bucket.totals!.volume).toBe(sum(traded, bucket.start, bucket.start + width))
        }
        for (const name of ['volume', 'buyVolume', 'creatorVolume'] as const)
          expect(volume.buckets.reduce((total, bucket) => total + bucket.totals![name], 0n)).toBe(
            totals[name],
          )
        for (const name of ['trades', 'buys'] as const)
          expect(volume.buckets.reduce((total, bucket) => total + bucket.totals![name], 0)).toBe(totals[name])
      }),
    )
  })

  it.each<[Period, number]>([
    ['1h', 60],
    ['4h', 48],
    ['24h', 96],
    ['7d', 168],
  ])('of %s has %i buckets', (period, count) => {
    expect(marketVolume({ line: [], ...complete }, NOW, period).buckets).toHaveLength(count)
  })

  it('knows the period before only when the log reaches back to its start', () => {
    const first = NOW + 1 - 2 * windows['24h'].minutes
    const line = lineOf([{ minute: NOW - 2_000, volume: 7n, buys: 1, sells: 0, share: 100 }])
    expect(marketVolume({ line, ...complete, firstMinute: first }, NOW, '24h').previousVolume).toBe(7n)
    expect(marketVolume({ line, ...complete, firstMinute: first + 1 }, NOW, '24h').previousVolume).toBeNull()
  })

  it('is 0 without trades', () => {
    expect(totalsAt([], 1e12)).toMatchObject({ volume: 0n, trades: 0 })
    const line = lineOf([{ minute: NOW - 1_440, volume: 7n, buys: 1, sells: 0, share: 100 }])
    expect(marketVolume({ line, ...complete }, NOW, '24h')).toMatchObject({
      totals: { volume: 0n },
      previousVolume: 7n,
    })
  })
})
