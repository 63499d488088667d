// Whole form only.
import { expect, it, vi } from 'vitest'
import { generateChain } from '../../support/chain/generated-chain.ts'
import { fiveASecond } from '../../support/chain/paces.ts'
import { isLong } from '../../support/rounds.ts'
import { runAtHead } from './head-run.ts'

it.each([
  { endpoints: 1, swapsAMinute: 120, seconds: isLong ? 900 : 300 },
  { endpoints: 2, swapsAMinute: 120, seconds: isLong ? 900 : 300 },
  { endpoints: 1, swapsAMinute: 0, seconds: 1_800 },
])(
  'the head of a chain with five blocks a second costs at most 60,000 calls a day, verification included, polled every 2 s: $endpoints endpoints, $swapsAMinute swaps a minute',
  async ({ endpoints, swapsAMinute, seconds }) => {
    const plan = { seed: 71, minutes: seconds / 60 + 2, creations: 10, swapsAMinute, paces: fiveASecond }
    vi.useFakeTimers({ toFake: ['Date'] })
    const ran = await runAtHead(generateChain(plan), {
      endpoints,
      pollMs: 2_000,
      seconds,
      setTime: (ms) => vi.setSystemTime(ms),
    }).finally(() => vi.useRealTimers())
    const calls = [...ran.calls.values()].reduce((sum, count) => sum + count, 0)
    expect((calls * 86_400) / ran.seconds).toBeLessThan(60_000)
    expect(ran.lateMs[ran.lateMs.length >> 1]).toBeLessThan(1_500)
    expect(ran.minutes).toBeGreaterThanOrEqual(seconds / 60 - 2)
    // Where nothing is traded, one endpoint alone is not believed.
    if (swapsAMinute > 0) expect(ran.gaps).toBe(0)
  },
)
