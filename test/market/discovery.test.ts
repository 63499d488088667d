import { describe, expect, it } from 'vitest'
import { risingScore } from '../../market/discovery.ts'
import { divideHalfAway } from '../../market/display.ts'

describe('the rising score', () => {
  it.each([
    [0, 0, '1.000000'],
    [1_000, 25_000, '1.000000'],
    [1_000, 1_000, '21.000000'],
    [5_000, 5_200, '86.571429'],
  ])('of $%i in the last hour and $%i in the last 25 is %s', (hour, day, text) => {
    const { over, under } = risingScore({
      rankVolume1h: BigInt(hour) * 1_000_000n,
      rankVolume25h: BigInt(day) * 1_000_000n,
    })
    const scoreE6 = String(divideHalfAway(over * 1_000_000n, under))
    expect(`${scoreE6.slice(0, -6)}.${scoreE6.slice(-6)}`).toBe(text)
  })
})
