import { describe, expect, it } from 'vitest'
import { firstMinuteOf, type Interval, intervalAt, type StoredBar } from '../../market/index/index-history.ts'
import { allOf } from '../../store/aws/parallel.ts'
import { openTable } from '../../store/aws/table.ts'
import { putBars, readBars } from '../../store/published/index-history.ts'
import { useDynalite } from '../support/aws/dynalite.ts'

const barAt = (at: number, close = 100_000_000_000n): StoredBar => ({
  at,
  open: 100_000_000_000n,
  high: 123_456_789_012_345_678_901n,
  low: 1n,
  close,
  creatorVolume: 10n ** 30n,
  postVolume: 0n,
  trades: 7,
  activeCreators: 2,
  activePosts: 1,
})

const minuteOf = (text: string): number => Date.parse(text) / 60_000
const hourOf = (text: string): number => intervalAt('hour', minuteOf(text))
const told = (bars: Partial<Record<Interval, readonly StoredBar[]>>) => ({
  hour: [],
  day: [],
  week: [],
  ...bars,
})

await useDynalite('market')
const table = openTable('market')

describe('the index’s history on dynalite', () => {
  const read = (interval: Interval, from: number, to: number) =>
    allOf(readBars(table, interval, { from, to }))

  it('gives back what was put, in order, over the turn of a year', async () => {
    const first = hourOf('2024-12-31T21:00Z')
    const hours = Array.from({ length: 6 }, (_, at) => barAt(first + at))
    await putBars(table, 5, told({ hour: hours.toReversed(), day: [barAt(20_088)], week: [barAt(2_868)] }))
    expect(await read('hour', firstMinuteOf('hour', first), minuteOf('2025-01-01T02:59Z'))).toEqual(hours)
    expect(await read('day', firstMinuteOf('day', 20_088), firstMinuteOf('day', 20_088))).toEqual([
      barAt(20_088),
    ])
    expect(await read('week', 0, minuteOf('2030-01-01T00:00Z'))).toEqual([barAt(2_868)])
  })

  it('gives the bars that begin within the span', async () => {
    const first = hourOf('2025-03-01T00:00Z')
    await putBars(table, 5, told({ hour: [0, 1, 2, 3].map((at) => barAt(first + at)) }))
    const from = firstMinuteOf('hour', first)
    const starts = async (to: number, since: number) =>
      (await read('hour', since, to)).map(({ at }) => at - first)
    expect(await starts(from + 180, from + 1)).toEqual([1, 2, 3])
    expect(await starts(from + 179, from)).toEqual([0, 1, 2])
    expect(await starts(from + 40, from + 20)).toEqual([])
  })

  it('keeps a bar of a later log entry', async () => {
    const at = hourOf('2025-04-01T00:00Z')
    const minute = firstMinuteOf('hour', at)
    const closeNow = async () => (await read('hour', minute, minute))[0]?.close
    await putBars(table, 9, told({ hour: [barAt(at, 2n)] }))
    await putBars(table, 8, told({ hour: [barAt(at, 1n)] }))
    expect(await closeNow()).toBe(2n)
    await putBars(table, 10, told({ hour: [barAt(at, 3n)] }))
    expect(await closeNow()).toBe(3n)
  })
})
