import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { rebuildEachMinute, rebuildUntilCurrent } from '../../lambdas/rebuild-each-minute.ts'

const MINUTE = 60_000
beforeEach(() => {
  vi.useFakeTimers({ now: 29_000_000 * MINUTE + 20_000, toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Stands for the passing of time: waiting takes none, and moves the clock. */
async function loopWith(rebuild: () => Promise<void>, runs: number) {
  const stop = new AbortController()
  const [startedAt, ends]: [number[], unknown[]] = [[], []]
  const wait = async (ms: number) => {
    vi.setSystemTime(Date.now() + ms)
  }
  const onEnd = (error?: unknown) => {
    ends.push(error)
    if (ends.length === runs) stop.abort()
  }
  const counted = () => {
    startedAt.push(Date.now() % MINUTE)
    return rebuild()
  }
  await rebuildEachMinute({ signal: stop.signal, onEnd, wait }, counted)
  return { startedAt, ends }
}

it('the task rebuilds 14 seconds after each full minute, also after a run that failed', async () => {
  const fault = new Error('no bucket')
  let runs = 0
  const { startedAt, ends } = await loopWith(async () => {
    runs += 1
    vi.setSystemTime(Date.now() + 3_000)
    if (runs === 2) throw fault
  }, 3)
  expect(startedAt).toEqual([14_000, 14_000, 14_000])
  expect(ends).toEqual([undefined, fault, undefined])
})

it('the task does not rebuild once it is told to end', async () => {
  const signal = AbortSignal.abort()
  const rebuild = vi.fn(() => Promise.resolve())
  await rebuildEachMinute({ signal, onEnd: () => {} }, rebuild)
  expect(rebuild).not.toHaveBeenCalled()
})

describe('before the first readers', () => {
  /** Runs that come so far of nine positions, one after the other; `rebuilt` has those that were made. */
  const runsUpTo = (positions: readonly number[], rebuilt: number[]) => async () => {
    const n = positions[rebuilt.length] as number
    rebuilt.push(n)
    return { n, applied: 9 }
  }

  it('rebuilds as often as a run ends before it has all that is applied', async () => {
    const rebuilt: number[] = []
    await rebuildUntilCurrent(new AbortController().signal, runsUpTo([3, 7, 9], rebuilt))
    expect(rebuilt).toEqual([3, 7, 9])
  })

  it('ends when the service ends, and with the first run that fails', async () => {
    const rebuilt: number[] = []
    await rebuildUntilCurrent(AbortSignal.abort(), runsUpTo([3, 7, 9], rebuilt))
    expect(rebuilt).toEqual([3])
    const fault = new Error('no bucket')
    const failing = () => Promise.reject(fault)
    await expect(rebuildUntilCurrent(new AbortController().signal, failing)).rejects.toBe(fault)
  })
})
