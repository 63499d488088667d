import { describe, expect, it } from 'vitest'
import {
  asOf,
  changeOf,
  LONGEST_WINDOW_MINUTES,
  periods,
  startOf,
  windowNames,
  windows,
} from '../../market/window.ts'

describe('windows', () => {
  it('lie on whole minutes back from the exclusive end of the newest one', () => {
    expect(asOf(9)).toBe(600)
    expect(startOf(70, '1h')).toBe(asOf(70) - 3_600)
  })

  it('have one 24 hours before each start of a period', () => {
    for (const name of ['now', ...periods] as const) {
      expect(windows[windows[name].dayBefore].minutes).toBe(windows[name].minutes + 1_440)
    }
  })

  it('are in the order of their starts, the newest first', () => {
    const minutes = windowNames.map((name) => windows[name].minutes)
    expect(minutes).toEqual(minutes.toSorted((a, b) => a - b))
    expect(minutes.at(-1)).toBe(LONGEST_WINDOW_MINUTES)
  })
})

describe('a change', () => {
  it('is percent, difference and direction of exact values', () => {
    expect(changeOf(3n, 4n)).toEqual({ percentE2: 3_333n, value: 1n, isUp: true })
    expect(changeOf(100_000n, 100_001n)).toEqual({ percentE2: 0n, value: 1n, isUp: true })
    expect(changeOf(4n, 4n)).toEqual({ percentE2: 0n, value: 0n, isUp: false })
  })

  it('has no percentage from 0, and is unknown where a side is', () => {
    expect(changeOf(0n, 5n)).toEqual({ percentE2: null, value: 5n, isUp: true })
    expect(changeOf(null, 5n)).toEqual({ percentE2: null, value: null, isUp: null })
  })
})
