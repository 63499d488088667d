import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openBook } from '../../local/devnet/book.ts'
import { startLive } from '../../local/devnet/live.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: 1_800_000_000_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

test('a reorg rolls back 1 to 3 blocks at each interval, and a block follows at once', async () => {
  const happened: string[] = []
  let number = 100
  let timestamp = 0
  const live = startLive(
    {
      // There are no tokens, so every block is empty.
      market: { anvil: undefined as never, book: openBook([]), wallets: [] },
      seed: 1,
      now: Date.now,
      head: () => ({ number, timestamp }),
      mine: async (at) => {
        number += 1
        timestamp = at
        happened.push('block')
        return undefined as never
      },
      rollback: async (depth) => {
        number -= depth
        happened.push(`rollback ${depth}`)
      },
      reorgSeconds: 30,
      tradesPerSecond: 0.06,
    },
    (error) => {
      throw error
    },
  )
  await vi.advanceTimersByTimeAsync(66_000)
  await live.stop()
  expect(happened.filter((one) => one !== 'block')).toHaveLength(2)
  expect(happened.filter((one) => one === 'block')).toHaveLength(11)
  expect(happened[happened.findIndex((one) => one !== 'block') + 1]).toBe('block')
})
