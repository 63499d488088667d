import { expect, it } from 'vitest'
import { ReplayTime } from '../../stream/replay-time.ts'

it('replays take three tenths of the time together, first come, first served', async () => {
  let now = 0
  const pauses: number[] = []
  const pause = async (ms: number) => {
    pauses.push(Math.round(ms))
    now += ms
  }
  const time = new ReplayTime({ now: () => now, pause })
  const done: number[] = []
  const work = (id: number, ms: number) =>
    time.run(() => {
      done.push(id)
      now += ms
    })
  await Promise.all([work(1, 30), work(2, 60), work(3, 1)])
  expect(done).toEqual([1, 2, 3])
  expect(pauses).toEqual([70, 140])
  // Short pieces add up to a pause that a timer can keep.
  await Promise.all([4, 5, 6, 7].map((id) => work(id, 1)))
  expect(pauses.slice(2)).toEqual([6])
  expect(done).toEqual([1, 2, 3, 4, 5, 6, 7])
  // Time in which nothing was replayed is not saved up.
  now += 10_000
  await Promise.all([work(8, 30), work(9, 0)])
  expect(pauses.slice(3)).toEqual([70])
})
