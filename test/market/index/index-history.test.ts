import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  barsAfter,
  firstMinuteOf,
  type IndexBar,
  type IndexPoint,
  intervalAt,
  intervalNames,
  intervals,
  storedBar,
} from '../../../market/index/index-history.ts'
import { nthAddress } from '../../support/market/facts.ts'

/** Monday, 2025-02-17, 00:00 UTC. */
const MONDAY = Date.UTC(2025, 1, 17) / 60_000

const pointAt = (minute: number, valueE8: bigint, traded: IndexPoint['traded'] = []): IndexPoint => ({
  minute,
  valueE8,
  traded,
})

/** All bars that points lead to. */
function barsOf(
  interval: (typeof intervalNames)[number],
  points: readonly IndexPoint[],
): readonly IndexBar[] {
  const bars = new Map<number, IndexBar>()
  let last: IndexBar | null = null
  for (const point of points) {
    for (const bar of barsAfter(interval, last, point)) {
      bars.set(bar.at, bar)
      last = bar
    }
  }
  return [...bars.values()]
}

it('intervals are UTC hours, days, and weeks from Monday', () => {
  for (const interval of intervalNames) {
    const at = intervalAt(interval, MONDAY)
    expect(firstMinuteOf(interval, at)).toBe(MONDAY)
    expect(intervalAt(interval, MONDAY - 1)).toBe(at - 1)
    expect(intervalAt(interval, MONDAY + intervals[interval].minutes - 1)).toBe(at)
  }
})

describe('bars', () => {
  it('add up volumes and trades, and count each member that traded once', () => {
    const trade = (number: number, kind: 'creator' | 'post', volume: bigint, trades: number) => ({
      token: nthAddress(number),
      kind,
      volume,
      trades,
    })
    const [bar] = barsOf('day', [
      pointAt(MONDAY, 1000n, [trade(1, 'creator', 5n, 2), trade(2, 'post', 7n, 1)]),
      pointAt(MONDAY + 9, 1000n, [
        trade(1, 'creator', 1n, 1),
        trade(3, 'post', 2n, 1),
        trade(4, 'post', 0n, 0),
      ]),
    ])
    expect(storedBar(bar!)).toMatchObject({
      creatorVolume: 6n,
      postVolume: 9n,
      trades: 5,
      activeCreators: 1,
      activePosts: 2,
    })
    expect(storedBar(bar!)).not.toHaveProperty('active')
  })

  it('equal those computed minute by minute', () => {
    const history = fc.array(
      fc.record({
        /** 0: to the first minute of the next interval. */
        gap: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 4_000 })),
        value: fc.bigInt(1n, 99n),
        volume: fc.bigInt(0n, 50n),
      }),
      { minLength: 1, maxLength: 40 },
    )
    fc.assert(
      fc.property(history, fc.constantFrom(...intervalNames), (steps, interval) => {
        let minute = MONDAY
        const points = steps.map(({ gap, value, volume }) => {
          minute = gap > 0 ? minute + gap : firstMinuteOf(interval, intervalAt(interval, minute) + 1)
          return pointAt(minute, value, [{ token: nthAddress(1), kind: 'post', volume, trades: 1 }])
        })
        const expected = new Map<number, { values: bigint[]; volume: bigint }>()
        for (let clock = points[0]!.minute; clock <= minute; clock++) {
          const at = intervalAt(interval, clock)
          const close = expected.get(at - 1)?.values.at(-1)
          const bar = expected.get(at) ?? { values: close === undefined ? [] : [close], volume: 0n }
          const newest = points.findLast((point) => point.minute <= clock)!
          bar.values.push(newest.valueE8)
          if (newest.minute === clock) bar.volume += newest.traded[0]!.volume
          expected.set(at, bar)
        }
        const sorted = (values: readonly bigint[]) => values.toSorted((a, b) => Number(a - b))
        const bars = [...expected].map(([at, { values, volume }]) => {
          const [open, close] = [values[0], values.at(-1)]
          return { at, open, high: sorted(values).at(-1), low: sorted(values)[0], close, postVolume: volume }
        })
        expect(barsOf(interval, points)).toMatchObject(bars)
      }),
      { numRuns: 60 },
    )
  })
})
