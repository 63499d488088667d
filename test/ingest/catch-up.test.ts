import { describe, expect, it } from 'vitest'
import { forecast, openCatchUp } from '../../ingest/catch-up.ts'
import { chains } from '../../ingest/client/chains.ts'
import type { Progress } from '../../ingest/writer/progress.ts'

const { base, devnet } = chains
const block = (number: number) => ({ number, hash: '0x0', timestamp: number * 2 }) as const

const sealed = (firstBlock: number, last: number, head: number): Progress => ({
  is: 'sealed',
  head: block(head),
  entry: {
    n: 1,
    is: 'sealed',
    minute: 1,
    firstBlock,
    last: block(last),
    segment: { minute: 1, key: '', sha256: '' },
  },
})

describe('catching up', () => {
  it('reports the calls made, and no estimate before the rate is meaningful', () => {
    let now = 0
    const catchUp = openCatchUp(base, () => now)
    catchUp.asked(40)
    expect(catchUp.note()).toBe('blocks; 40 calls')
    // The first minute after a start says as little as many minutes in one moment.
    now = 20_000
    expect(catchUp.progressed(sealed(1_001, 1_030, 44_200))).toBe(true)
    expect(catchUp.note()).toBe('blocks; 40 calls')
    now += 1_000
    catchUp.progressed(sealed(1_031, 5_320, 44_200))
    expect([catchUp.done, catchUp.total]).toEqual([4_320, 43_200])
    expect(catchUp.note()).not.toContain('left')
  })

  it('estimates time and calls from the blocks read so far', () => {
    let now = 20_000
    const catchUp = openCatchUp(base, () => now)
    catchUp.asked(1_000)
    catchUp.progressed(sealed(1_001, 1_030, 44_200))
    catchUp.asked(430)
    now += 10_000
    catchUp.progressed(sealed(1_031, 5_320, 44_200))
    expect(catchUp.note()).toBe(
      'blocks, 432/s, about 2 min left; 1,430 calls, about 3,900 more, at most $0.14 in all',
    )
    now += 990_000
    expect(catchUp.note()).toContain('blocks, 4.3/s, about 2.5 h left')
    expect([catchUp.minutes, catchUp.calls]).toEqual([2, 1_430])
  })

  it('counts sealed minutes only, and ends at the head', () => {
    const catchUp = openCatchUp(base, () => 0)
    expect(catchUp.progressed({ is: 'read', last: block(5), head: block(9) })).toBe(false)
    catchUp.progressed(sealed(1, 9, 8))
    expect([catchUp.done, catchUp.total]).toEqual([9, 9])
  })
})

/** A stretch of blocks of two seconds. */
const blocks = (count: number, from = 40_000_000) => ({ from, to: from + count - 1, minutes: count / 30 })
const callsIn = (text: string) => Number(/about ([\d,]+) calls/.exec(text)?.[1]?.replaceAll(',', ''))

describe('before the first block is read', () => {
  it('estimates blocks, calls, time and cost', () => {
    // 44 ranges × 16 and 1,440 minutes × 2.4 are 4,160 calls: 166 s at 25 a second, and $0.112.
    expect(forecast(base, blocks(43_200), 1_000)).toBe(
      '43,200 blocks from 40000000 on: about 4,200 calls at 1,000 blocks a call, about 3 min at 25 calls/s, at most $0.11 in all',
    )
    // Of 30 days the calls for their 43,200 minutes are most.
    expect(forecast(base, blocks(1_296_000), 10_000)).toContain('about 110,000 calls')
    expect(forecast(base, blocks(1_296_000), 10_000)).toContain('about 71 min')
  })

  it.each([['a day of blocks of 200 ms at a tenth of the busiest', 432_000, 10_000, 4_151]])(
    'is within a fifth of the calls measured: %s',
    (_, count, width, counted) => {
      const calls = callsIn(forecast(base, { ...blocks(count), minutes: count / 300 }, width))
      expect(Math.abs(calls - counted) / counted).toBeLessThan(0.2)
    },
  )

  it('has no price for a local chain, counts no minute without a block, and is zero at the head', () => {
    const quiet = { from: 0, to: 99, minutes: 10_080 }
    expect(forecast(devnet, quiet, 1_000)).toBe(
      '100 blocks from 0 on: about 260 calls at 1,000 blocks a call',
    )
    expect(forecast(devnet, { from: 8, to: 6, minutes: 0 }, 1_000)).toMatch(
      /^0 blocks from 8 on: about 0 calls/,
    )
  })
})
