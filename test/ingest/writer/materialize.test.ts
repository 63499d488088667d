import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Committed, openMaterializer } from '../../../ingest/writer/materialize.ts'
import { fold } from '../../../market/fold/fold.ts'
import { noTotals } from '../../../market/fold/running-totals.ts'
import { memoryLog } from '../../support/aws/memory-stores.ts'

const NOW = 1_760_000_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A minute in which nothing happened, so long ago. */
function quietMinute(n: number, minutesAgo: number): Committed {
  const minute = Math.floor(NOW / 60) - minutesAgo + n
  const last = { number: 30 * n, hash: '0x0', timestamp: minute * 60 } as const
  const nothing = {
    references: new Map(),
    closes: [],
    tokens: new Map(),
    owners: new Map(),
    uncounted: new Set<never>(),
  }
  const prior = { ...nothing, poolManager: '0x1', totals: noTotals } as const
  const { segment } = fold(prior, { minute, firstBlock: last.number - 29, last, blocks: [] })
  const reference = { minute, key: '', sha256: '' }
  const entry = { n, is: 'sealed', minute, firstBlock: segment.firstBlock, last, segment: reference } as const
  return { entry, segment, previous: null }
}

it('old minutes are materialized in batches for a limited time, new ones never', async () => {
  const log = memoryLog()
  const done: number[] = []
  const materializer = openMaterializer(log, (minutes) => done.push(minutes.length))
  await materializer.add(quietMinute(1, 600), NOW)
  await materializer.add(quietMinute(2, 600), NOW)
  await Promise.resolve()
  expect([done, log.position]).toEqual([[], undefined])
  vi.advanceTimersByTime(30_000)
  await materializer.add(quietMinute(3, 600), NOW)
  await vi.waitFor(() => expect(log.position?.n).toBe(3))
  await materializer.add(quietMinute(4, 600), NOW)
  await materializer.add(quietMinute(5, 8), NOW)
  await vi.waitFor(() => expect(log.position?.n).toBe(5))
  expect(done).toEqual([3, 2])
})
