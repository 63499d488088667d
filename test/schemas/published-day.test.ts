import { expect, it } from 'vitest'
import { publishedDayFields } from '../../schemas/records/published-day.ts'
import { rowWriter } from '../../schemas/values/field.ts'

const write = rowWriter(publishedDayFields)
const HOUR = 480_000 * 60

it('a day is told by hours, and by what is missing in it', () => {
  // From 00:30 to 02:09: without 01:00, and the last two.
  const published = Array.from({ length: 98 }, (_, at) => HOUR + 30 + at).filter(
    (minute) => minute !== HOUR + 60,
  )
  const { hours, gaps, ...whole } = JSON.parse(write({ from: HOUR + 30, to: HOUR + 129, published }))
  expect([whole.minutes, whole.published]).toEqual([100, 97])
  expect(hours.map((hour: Record<string, number>) => [hour['minutes'], hour['published']])).toEqual([
    [30, 30],
    [60, 59],
    [10, 8],
  ])
  const at = (minute: number) => `${new Date(minute * 60_000).toISOString().slice(0, 19)}Z`
  expect(gaps).toEqual([
    { from: at(HOUR + 60), to: at(HOUR + 61), minutes: 1 },
    { from: at(HOUR + 128), to: at(HOUR + 130), minutes: 2 },
  ])
  expect([whole.from, whole.to]).toEqual([at(HOUR + 30), at(HOUR + 130)])
})
