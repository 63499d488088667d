import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AnvilCallError } from '../../dev/devnet/anvil.ts'
import { openBook } from '../../dev/devnet/book.ts'
import { habits } from '../../dev/devnet/habits.ts'
import { type LiveChain, startLive } from '../../dev/devnet/live.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: 1_800_000_000_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A chain of empty blocks that a live market writes to, and what it did. */
function emptyChain(options: Partial<LiveChain> = {}) {
  const happened: string[] = []
  const times: number[] = []
  const head = { number: 100, timestamp: 0 }
  const chain: LiveChain = {
    // There are no tokens, so every block is empty.
    market: { anvil: undefined as never, book: openBook([]), wallets: [], creators: [], habits: habits.odd },
    seed: 1,
    now: Date.now,
    head: () => head,
    report: () => {},
    turn: (step) =>
      step({
        mine: async (at) => {
          head.number += 1
          head.timestamp = at
          happened.push('block')
          times.push(at - 1_800_000_000)
          return undefined as never
        },
        rollback: async (depth) => {
          head.number -= depth
          happened.push(`rollback ${depth}`)
        },
      }),
    ...options,
  }
  const live = startLive(chain, (error) => {
    throw error
  })
  return { head, live, happened, times }
}

test('a reorg rolls back blocks at each interval, and a block follows at once', async () => {
  const { live, happened } = emptyChain({ reorgSeconds: 30, tradesPerSecond: 0.06 })
  await vi.advanceTimersByTimeAsync(66_000)
  await live.stop()
  expect(happened.filter((one) => one !== 'block')).toHaveLength(2)
  expect(happened.filter((one) => one === 'block')).toHaveLength(11)
  expect(happened[happened.findIndex((one) => one !== 'block') + 1]).toBe('block')
})

test('a reorg reaches back 6 to 18 seconds at any pace, since trades come by the second', async () => {
  const depthsAt = async (blockMs: number) => {
    const { live, happened } = emptyChain({ blockMs, reorgSeconds: 60 })
    await vi.advanceTimersByTimeAsync(400_000)
    await live.stop()
    return new Set(happened.filter((one) => one !== 'block'))
  }
  const blocks = (...depths: readonly number[]) => new Set(depths.map((depth) => `rollback ${depth}`))
  expect(await depthsAt(200)).toEqual(blocks(30, 60, 90))
  expect(await depthsAt(12_000)).toEqual(blocks(1, 2))
})

test('five blocks have the same timestamp on a chain with a block every 200 ms', async () => {
  const { live, times } = emptyChain({ blockMs: 200 })
  await vi.advanceTimersByTimeAsync(2_000)
  await live.stop()
  expect(times).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 1, 2])
})

test('behind blocks that others mined ahead of the clock, time passes at half its pace until it has caught up', async () => {
  const { head, live, times } = emptyChain()
  head.timestamp = 1_800_000_020
  await vi.advanceTimersByTimeAsync(60_000)
  await live.stop()
  expect(times).toEqual([23, 26, 29, 32, 35, 36, 42, 48, 54, 60])
})

test('a call that anvil refuses costs a block, and its cause is reported', async () => {
  const reported: string[] = []
  let attempts = 0
  const refusing: LiveChain['turn'] = async () => {
    attempts += 1
    throw new AnvilCallError('evm_mine', 'refused')
  }
  const { live } = emptyChain({ turn: refusing, report: (text) => reported.push(text) })
  await vi.advanceTimersByTimeAsync(12_000)
  await live.stop()
  expect([attempts, reported]).toEqual([2, Array(2).fill('chain: no block, evm_mine: refused')])
})
