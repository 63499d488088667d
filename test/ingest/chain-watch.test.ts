import { describe, expect, it } from 'vitest'
import { openChainWatch } from '../../ingest/chain-watch.ts'
import { hash } from '../support/market/facts.ts'

const blockAt = (number: number, timestamp: number) => ({ number, hash: hash(number), timestamp })
const off = (block: number) => ({ block, timestamp: 1, guessed: 2 })

describe('the watch of a chain', () => {
  it('reports a halted chain after a minute without a new block, since the time of the last one', () => {
    const watch = openChainWatch()
    expect([1_000, 1_030, 1_057].map((now) => watch.seen(blockAt(1, 998), now))).toEqual([null, null, null])
    expect(watch.seen(blockAt(1, 998), 1_062)).toEqual({
      stillSince: 998,
      lateAt: 998,
      offSince: null,
      quota: null,
      seenAt: 1_062,
    })
  })

  it('reports that blocks come late while a chain catches up after a halt', () => {
    const watch = openChainWatch()
    watch.seen(blockAt(1, 998), 1_000)
    // Two hours later the chain goes on where it stood: ten seconds of its time a second.
    expect(watch.seen(blockAt(2, 1_000), 8_200)).toMatchObject({ stillSince: null, lateAt: 1_000 })
    expect(watch.seen(blockAt(50, 8_150), 9_000)).toMatchObject({ stillSince: null, lateAt: 8_150 })
    expect(watch.seen(blockAt(60, 9_099), 9_100)).toBeNull()
  })

  it('reports a quota that is used up until it is tried again, with a block or without', () => {
    const watch = openChainWatch()
    const wait = { endpoint: 'rpc.example', cause: 'used up', times: 1, until: 1_600_500 }
    for (const reason of ['rate', 'refusal', 'fault'] as const) watch.waits({ ...wait, for: reason })
    expect(watch.trouble(1_000)).toBeNull()
    watch.waits({ ...wait, for: 'quota' })
    const quota = { endpoint: 'rpc.example', until: 1_600 }
    expect(watch.trouble(1_000)).toEqual({
      stillSince: null,
      lateAt: null,
      offSince: null,
      quota,
      seenAt: 1_000,
    })
    expect(watch.seen(blockAt(1, 1_001), 1_001)).toMatchObject({ lateAt: null, quota })
    expect(watch.trouble(1_600)).toBeNull()
  })

  it('reports the first of a row of headers off the schedule, and the row itself once it has lasted ten minutes', () => {
    const watch = openChainWatch()
    expect([watch.off(off(7), 1_000), watch.off(off(8), 1_001)]).toEqual([true, false])
    expect(watch.seen(blockAt(8, 1_001), 1_002)).toBeNull()
    for (let now = 1_060; now <= 1_660; now += 60) expect(watch.off(off(now), now)).toBe(false)
    expect(watch.seen(blockAt(9, 1_660), 1_661)).toMatchObject({ offSince: 7 })
    expect(watch.seen(blockAt(10, 2_300), 2_301)).toBeNull()
    expect(watch.off(off(11), 2_400)).toBe(true)
  })
})
