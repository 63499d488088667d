import { describe, expect, it } from 'vitest'
import { openUsage } from '../../store/accounts/usage.ts'
import { useDynalite } from '../support/aws/dynalite.ts'

await useDynalite('usage')
const [usage, other] = [openUsage('usage'), openUsage('usage')]
const HOUR = Math.floor(Date.now() / 3_600_000)

describe('an hour of an account', () => {
  it('is never taken beyond its limit, whoever takes at the same time', async () => {
    const accountHour = { account: 'crowd', hour: HOUR }
    const taken = await Promise.all(
      Array.from({ length: 130 }, (_, at) => (at % 2 ? usage : other).take(accountHour, 100)),
    )
    const used = taken.filter((each) => each !== null).sort((a, b) => a - b)
    expect(used).toEqual(Array.from({ length: 100 }, (_, at) => at + 1))
    expect(await usage.used(accountHour)).toBe(100)
  })

  it('is counted by account and hour', async () => {
    expect(await usage.take({ account: 'one', hour: HOUR }, 1)).toBe(1)
    expect(await usage.take({ account: 'one', hour: HOUR }, 1)).toBeNull()
    expect(await usage.take({ account: 'one', hour: HOUR + 1 }, 1)).toBe(1)
    expect(await usage.take({ account: 'two', hour: HOUR }, 1)).toBe(1)
  })

  it('counts a batch of the edge’s answers once, also above the limit', async () => {
    const accountHour = { account: 'batches', hour: HOUR }
    expect(await usage.take(accountHour, 10)).toBe(1)
    expect(await Promise.all([usage.add(accountHour, 20, 'b1'), other.add(accountHour, 20, 'b1')])).toContain(
      21,
    )
    expect(await usage.add(accountHour, 20, 'b1')).toBe(21)
    expect(await usage.add(accountHour, 2, 'b2')).toBe(23)
    expect(await usage.take(accountHour, 10)).toBeNull()
    expect(await usage.used(accountHour)).toBe(23)
    // Lines of a batch may be of two hours.
    expect(await usage.add({ ...accountHour, hour: HOUR + 1 }, 3, 'b2')).toBe(3)
  })

  it('is listed by hour, with a mark once it was reported to the edge', async () => {
    const account = 'history'
    for (const [ago, answers] of [
      [30, 9],
      [2, 3],
      [0, 5],
    ] as const) {
      await usage.add({ account, hour: HOUR - ago }, answers, `b${ago}`)
    }
    expect(await usage.hours(account, HOUR - 23, HOUR)).toEqual([
      { hour: HOUR - 2, used: 3 },
      { hour: HOUR, used: 5 },
    ])
    const accountHour = { account, hour: HOUR }
    expect(await usage.isExhaustionReported(accountHour, 100)).toBe(false)
    await usage.setExhaustionReported(accountHour, 100)
    expect(await usage.isExhaustionReported(accountHour, 100)).toBe(true)
    expect(await usage.isExhaustionReported(accountHour, 2_000)).toBe(false)
    expect(await usage.isExhaustionReported({ account, hour: HOUR + 1 }, 100)).toBe(false)
  })
})
