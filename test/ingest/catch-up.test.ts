import { describe, expect, it } from 'vitest'
import { openCatchUp } from '../../ingest/catch-up.ts'
import type { Progress } from '../../ingest/writer-state.ts'

const block = (number: number) => ({ number, hash: '0x0', timestamp: number * 2 }) as const

const sealed = (firstBlock: number, last: number, head: number): Progress => ({
  is: 'sealed',
  head: block(head),
  entry: {
    ...{ n: 1, is: 'sealed', minute: 1, firstBlock, last: block(last) },
    segment: { minute: 1, key: '', sha256: '' },
  },
})

describe('catching up', () => {
  it('says how many calls were made, and of what is left nothing before a rate means something', () => {
    let now = 0
    const catchUp = openCatchUp(() => now)
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

  it('estimates time and calls from what the blocks so far took', () => {
    let now = 20_000
    const catchUp = openCatchUp(() => now)
    catchUp.asked(1_000)
    catchUp.progressed(sealed(1_001, 1_030, 44_200))
    catchUp.asked(430)
    now += 10_000
    catchUp.progressed(sealed(1_031, 5_320, 44_200))
    expect(catchUp.note()).toBe('blocks, 432/s, about 2 min left; 1,430 calls, about 3,900 more')
    now += 990_000
    expect(catchUp.note()).toContain('blocks, 4.3/s, about 2.5 h left')
    expect([catchUp.minutes, catchUp.calls]).toEqual([2, 1_430])
  })

  it('does not get further by what is no sealed minute, and ends at the head', () => {
    const catchUp = openCatchUp(() => 0)
    expect(catchUp.progressed({ is: 'read', last: block(5), head: block(9) })).toBe(false)
    catchUp.progressed(sealed(1, 9, 8))
    expect([catchUp.done, catchUp.total]).toEqual([9, 9])
  })
})
