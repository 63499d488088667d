import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openChainClock } from '../../../ingest/client/chain-clock.ts'
import { RangeChangedError } from '../../../ingest/client/faults.ts'
import { type Era, guessedTimeMs } from '../../../ingest/client/schedule.ts'
import { findMinuteEnds, neighbours } from '../../../ingest/read/minute-ends.ts'
import type { Block } from '../../../market/segment.ts'
import { type BlockPace, erasOf, fiveASecond, twoSeconds } from '../../support/chain/paces.ts'
import { hash } from '../../support/market/facts.ts'

const BEGIN = { block: 1_000, ms: 6_000_000 }

/** A chain of `seconds`; what it takes to find where its minutes end, and where they do. */
async function search(paces: readonly BlockPace[], seconds: number, schedule: readonly Era[] | 'right') {
  const truth = erasOf(paces, BEGIN)
  const blockAt = (number: number): Block => ({
    number,
    hash: hash(number),
    timestamp: Math.floor((guessedTimeMs(truth, number) ?? 0) / 1_000),
  })
  let last = BEGIN.block
  while (blockAt(last + 1).timestamp <= BEGIN.ms / 1_000 + seconds) last += 1
  const points = new Map([BEGIN.block, last].map((number) => [number, blockAt(number)]))
  const asked: number[] = []
  let rounds = 0
  await findMinuteEnds(points, openChainClock(schedule === 'right' ? truth : schedule), async (blocks) => {
    rounds += 1
    asked.push(...blocks)
    return blocks.map(blockAt)
  })
  const minuteOf = ({ timestamp }: Block) => Math.floor(timestamp / 60)
  const found = neighbours(points).flatMap(([one, next]) =>
    minuteOf(one) < minuteOf(next) ? [one.number] : [],
  )
  const ends = Array.from({ length: last - BEGIN.block }, (_, at) => BEGIN.block + at).filter(
    (number) => minuteOf(blockAt(number)) < minuteOf(blockAt(number + 1)),
  )
  return { found, ends, asked, rounds }
}

describe('where minutes end', () => {
  it.each([
    ['two seconds', twoSeconds],
    ['200 ms', fiveASecond],
  ])('takes two headers a minute, at once, by the right schedule: blocks of %s', async (_, paces) => {
    const { found, ends, asked, rounds } = await search(paces, 3_630, 'right')
    expect(found).toEqual(ends)
    expect(ends).toHaveLength(60)
    expect([asked.length, rounds]).toEqual([120, 1])
  })

  it.each([
    ['two seconds', twoSeconds, 2],
    ['200 ms', fiveASecond, 8],
  ])('takes a few headers a minute without a schedule: blocks of %s', async (_, paces, most) => {
    const { found, ends, asked, rounds } = await search(paces, 3_630, [])
    expect(found).toEqual(ends)
    expect(asked.length).toBeLessThanOrEqual(most * ends.length)
    expect(rounds).toBeLessThan(8)
  })

  it('is found with any schedule, across changes of pace and halts', async () => {
    const pace = fc.record({
      fromSeconds: fc.integer({ min: 0, max: 1_500 }),
      everyMs: fc.constantFrom(200, 250, 1_000, 2_000, 7_300),
      haltSeconds: fc.constantFrom(0, 0, 5, 400, 7_200),
    })
    const paces = fc
      .array(pace, { minLength: 1, maxLength: 4 })
      .map((some): readonly BlockPace[] => [
        { fromSeconds: 0, everyMs: some[0]?.everyMs ?? 200 },
        ...some.toSorted((a, b) => a.fromSeconds - b.fromSeconds),
      ])
    await fc.assert(
      fc.asyncProperty(paces, paces, async (real, guessed) => {
        const { found, ends, asked, rounds } = await search(real, 1_800, erasOf(guessed, BEGIN))
        expect(found).toEqual(ends)
        expect(new Set(asked).size).toBe(asked.length)
        expect(rounds).toBeLessThan(24)
      }),
      { numRuns: 60 },
    )
  })

  it.each([
    ['three hours', 3 * 3_600],
    ['fifty years', 50 * 365 * 86_400],
    ['as long as a number can be', Number.MAX_SAFE_INTEGER - 10_000],
  ])('takes a few headers over a halt, however long it is: %s', async (_, haltSeconds) => {
    const blockAt = (number: number): Block => ({
      number,
      hash: hash(number),
      timestamp: 600 + number * 2 + (number > 13 ? haltSeconds : 0),
    })
    const points = new Map([1, 25].map((number) => [number, blockAt(number)]))
    let asked = 0
    await findMinuteEnds(points, openChainClock([]), async (blocks) => {
      asked += blocks.length
      return blocks.map(blockAt)
    })
    expect([points.has(13), points.has(14)]).toEqual([true, true])
    expect(asked).toBeLessThanOrEqual(23)
  })

  it('is found where the later block begins its minute, for any number of blocks and seconds', async () => {
    for (let blocks = 2; blocks <= 40; blocks += 1)
      for (let seconds = 1; seconds <= 60; seconds += 1) {
        const blockAt = (number: number): Block => ({
          number,
          hash: hash(number),
          timestamp: number === blocks ? 600 : 600 - seconds,
        })
        const points = new Map([0, blocks].map((number) => [number, blockAt(number)]))
        await findMinuteEnds(points, openChainClock([]), async (some) => some.map(blockAt))
        expect([blocks, seconds, points.has(blocks - 1)]).toEqual([blocks, seconds, true])
      }
  })

  it('is refused where times go backwards', async () => {
    const points = new Map([
      [1, { number: 1, hash: hash(1), timestamp: 100 }],
      [9, { number: 9, hash: hash(9), timestamp: 99 }],
    ])
    await expect(findMinuteEnds(points, openChainClock([]), async () => [])).rejects.toThrow(
      RangeChangedError,
    )
  })
})
