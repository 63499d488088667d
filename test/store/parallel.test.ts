import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { allOf, mapAhead } from '../../store/aws/parallel.ts'

it('parallel results come in order, with no more of them ahead than the limit', async () => {
  let [started, read] = [0, 0]
  const results = mapAhead([3, 1, 2, 5, 4, 0], 3, async (item) => {
    started += 1
    expect(started - read).toBeLessThanOrEqual(4)
    for (let at = 0; at < item; at++) await turn()
    return item * 10
  })
  const seen: number[] = []
  for await (const result of results) {
    read += 1
    seen.push(result)
  }
  expect(seen).toEqual([30, 10, 20, 50, 40, 0])
  expect(await allOf(mapAhead([], 3, async () => 1))).toEqual([])
})

it('a parallel read fails where the reader comes to the failure, and not before', async () => {
  const results = mapAhead([1, 2, 3], 3, async (item) => {
    if (item === 2) throw new Error('the second')
    return item
  })
  expect(await results.next()).toEqual({ value: 1, done: false })
  await turn()
  await expect(results.next()).rejects.toThrow('the second')
})
