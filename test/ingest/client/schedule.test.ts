import { describe, expect, it } from 'vitest'
import { chains } from '../../../ingest/client/chains.ts'
import { type Era, guessedBlock, guessedTimeMs } from '../../../ingest/client/schedule.ts'

const secondsOn = (schedule: readonly Era[]) => (block: number) =>
  Math.floor((guessedTimeMs(schedule, block) ?? 0) / 1_000)

describe('the schedule of Base', () => {
  const { schedule } = chains.base
  const seconds = secondsOn(schedule)

  it('changes from two seconds to 200 ms with block 53,556,127, the last of the old pace', () => {
    expect([53_556_126, 53_556_127].map(seconds)).toEqual([1_793_901_599, 1_793_901_601])
    expect([53_556_128, 53_556_131, 53_556_132, 53_556_137].map(seconds)).toEqual([
      ...[1_793_901_601, 1_793_901_601, 1_793_901_602, 1_793_901_603],
    ])
    expect(guessedTimeMs(schedule, 53_556_128)).toBe(1_793_901_601_200)
  })

  it('has 300 blocks a minute and 432,000 a day since then', () => {
    const midnight = Date.UTC(2026, 10, 25)
    const first = guessedBlock(schedule, midnight) ?? 0
    expect((guessedBlock(schedule, midnight + 60_000) ?? 0) - first).toBe(300)
    expect((guessedBlock(schedule, midnight + 86_400_000) ?? 0) - first).toBe(432_000)
    expect(Math.round(first / 1e5)).toBe(619)
  })
})

it('the schedule of Base Sepolia changes to 200 ms with block 48,418,656', () => {
  const seconds = secondsOn(chains.baseSepolia.schedule)
  expect([48_418_655, 48_418_656, 48_418_660, 48_418_661].map(seconds)).toEqual([
    ...[1_792_605_598, 1_792_605_600, 1_792_605_600, 1_792_605_601],
  ])
})

describe('a guessed block', () => {
  it('is the newest one that is due at or before the time', () => {
    for (const { schedule } of [chains.base, chains.baseSepolia]) {
      const border = schedule[1]?.fromBlock ?? 0
      for (let block = border - 40; block < border + 40; block += 1) {
        const [at = 0, next = 0] = [guessedTimeMs(schedule, block), guessedTimeMs(schedule, block + 1)]
        expect([at, next - 1].map((time) => guessedBlock(schedule, time))).toEqual([block, block])
      }
    }
  })

  it('is unknown before the first era, and without any', () => {
    expect(guessedBlock(chains.base.schedule, 1_686_789_346_999)).toBeUndefined()
    expect([guessedBlock([], 1), guessedTimeMs([], 1)]).toEqual([undefined, undefined])
  })

  it('stays before the next era if that begins after a halt', () => {
    const schedule = [
      { fromBlock: 10, atMs: 1_000, everyMs: 100 },
      { fromBlock: 20, atMs: 9_000, everyMs: 100 },
    ]
    expect([1_949, 5_000, 8_999, 9_000].map((time) => guessedBlock(schedule, time))).toEqual([19, 19, 19, 20])
  })
})
