import { expect, it } from 'vitest'
import { INDEX_HOURS, indexHoursOf } from '../../../market/index/index-hours.ts'

const HOUR = 29_000_160 // a full hour
const points = (...values: readonly (readonly [minute: number, value: bigint])[]) =>
  values.map(([minute, valueE8]) => ({ minute: HOUR + minute, valueE8 }))

it('the hours of the index open with the value before, span all of their points, and carry over a silent hour', () => {
  const { bars } = indexHoursOf(points([0, 10n], [30, 14n], [59, 12n], [185, 9n]), {
    minute: HOUR + 185,
    coverageFrom: null,
  })
  expect(bars.map(({ at, open, high, low, close }) => [at - HOUR / 60, open, high, low, close])).toEqual([
    [0, 10n, 14n, 10n, 12n],
    [1, 12n, 12n, 12n, 12n],
    [2, 12n, 12n, 12n, 12n],
    [3, 12n, 12n, 9n, 9n],
  ])
})

it('seven days of hours are given at most, and none before the index begins', () => {
  const many = Array.from({ length: 9 * 24 }, (_, hour) => [hour * 60, BigInt(hour)] as const)
  const { bars } = indexHoursOf(points(...many), { minute: HOUR + 9 * 1_440 - 60, coverageFrom: null })
  expect([bars.length, bars[0]!.close, bars.at(-1)!.close]).toEqual([INDEX_HOURS, 48n, 215n])
  expect(indexHoursOf([], { minute: HOUR, coverageFrom: null }).bars).toEqual([])
})
