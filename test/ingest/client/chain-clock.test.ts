import { describe, expect, it } from 'vitest'
import { openChainClock } from '../../../ingest/client/chain-clock.ts'
import { hash } from '../../support/market/facts.ts'

const schedule = [
  { fromBlock: 0, atMs: 0, everyMs: 2_000 },
  { fromBlock: 100, atMs: 200_000, everyMs: 200 },
]
const blockAt = (number: number, timestamp: number) => ({ number, hash: hash(number), timestamp })
/** On the schedule. */
const due = (number: number) =>
  blockAt(number, Math.floor(number < 100 ? 2 * number : 200 + (number - 100) / 5))

describe('a clock', () => {
  it('knows every block between two of whole seconds that agree with the schedule', () => {
    const clock = openChainClock(schedule)
    expect(clock.timeMsBetween(due(10), due(20), 15)).toBeUndefined()
    clock.note([due(10)])
    expect(clock.timeMsBetween(due(10), due(20), 15)).toBe(30_000)
    expect(clock.timeMsBetween(due(10), blockAt(20, 41), 15)).toBeUndefined()
  })

  it('knows blocks of 200 ms only once two headers have shown where a second ends', () => {
    const clock = openChainClock(schedule)
    clock.note([due(111), due(112)])
    expect(clock.timeMsBetween(due(110), due(120), 117)).toBeUndefined()
    clock.note([due(114), due(115)])
    expect(clock.timeMsBetween(due(110), due(120), 117)).toBe(203_400)
  })

  it('knows nothing where a pace ends, and nothing after a header off the schedule, which it reports', () => {
    const reported: unknown[] = []
    const clock = openChainClock(schedule, (off) => reported.push(off))
    clock.note([due(10), due(114), due(115)])
    expect(clock.timeMsBetween(due(98), due(120), 99)).toBeUndefined()
    clock.note([blockAt(130, 207), due(131)])
    expect(clock.timeMsBetween(due(110), due(120), 117)).toBeUndefined()
    expect(reported).toEqual([{ block: 130, timestamp: 207, guessed: 206 }])
  })

  it('does not take a shift by one block for agreement', () => {
    const clock = openChainClock(schedule)
    const late = (number: number) =>
      blockAt(number, Math.floor((200_000 + (number - 100) * 200 + 200) / 1_000))
    clock.note([late(113), late(114), late(115)])
    expect(clock.timeMsBetween(late(116), late(122), 119)).toBeUndefined()
  })
})
