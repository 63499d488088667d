import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readHeader } from '../../ingest/client/headers.ts'
import type { Wait } from '../../ingest/client/pacing.ts'
import { followChain } from '../../ingest/writer/writer.ts'
import { type DevnetMarket, startDevnetMarket } from '../support/devnet-market.ts'
import { generateChain } from '../support/generated-chain.ts'
import { depsOver, digestsOf, memoryStores, untilIdle } from '../support/ingest-stores.ts'
import { openNode } from '../support/json-rpc.ts'
import { type BlockPace, fiveASecond, twoSeconds } from '../support/paces.ts'
import { type RelaidChain, recordChain, relayChain } from '../support/recorded-chain.ts'
import { isLong } from '../support/rounds.ts'
import { type Limits, startProxies } from '../support/strict-endpoint.ts'
import { runAtHead } from './head-run.ts'

/** Half an hour of a chain (an hour in a long run) behind endpoints with limits, and up to half an hour at the head of another one. */
let market: DevnetMarket
/** Limits are met more often by today's pace: a long run meets them with that of before, too. */
const paces: readonly (readonly [string, readonly BlockPace[]])[] = [
  ['200 ms', fiveASecond],
  ...(isLong ? ([['two seconds', twoSeconds]] as const) : []),
]
/** The same time in blocks of each pace, and the digests of its log. */
const chains = new Map<
  readonly BlockPace[],
  { readonly chain: RelaidChain; readonly clean: readonly string[] }
>()

beforeAll(async () => {
  // Always the same chain: how trades fall into minutes decides what a single endpoint is believed.
  market = await startDevnetMarket(
    71,
    { days: isLong ? 1 / 24 : 1 / 48, blocks: 20, trades: 40 },
    () => 1_760_000_000_000,
  )
  const recorded = await recordChain(market.rpcUrl)
  await market.stop()
  for (const [, pace] of paces) {
    const chain = relayChain(recorded, pace)
    chains.set(pace, { chain, clean: (await readBehind(chain, [{}])).sealed })
  }
})
afterAll(() => market.stop().catch(() => {}))

/** Reads the chain behind these endpoints; `sealed`: the minutes and digests of its log. */
async function readBehind(chain: RelaidChain, endpoints: readonly Limits[]) {
  const { rules } = chain
  const { answer } = openNode(chain)
  const waits: Wait[] = []
  const { rpc, counts, stop } = await startProxies(
    endpoints.map(() => answer),
    { limits: endpoints, onWait: (wait) => waits.push(wait), backoffMs: 2 },
  )
  const stores = memoryStores()
  const start = (await readHeader(rpc, rules.creationsFrom - 1)) ?? null
  await untilIdle(followChain(depsOver(stores, { rpc, chain: rules, start })))
  await stop()
  return { counts, sealed: await digestsOf(stores), waits }
}

describe.each(paces)('an endpoint with limits, of a chain with blocks of %s', (_name, pace) => {
  const past = () => chains.get(pace)!
  it.each<[string, Limits]>([
    ['50 calls a second', { calls: 50 }],
    ['10 HTTP requests a second, with Retry-After', { requests: 10, retryAfter: true }],
    ['spans to 100 blocks, batches to 10', { span: 100, saysSpan: true, batch: 10 }],
    ['no healthy backend above 300 blocks', { healthySpan: 300 }],
    ['every fifth request failing', { failing: 20 }],
    ['required addresses', { wantsAddresses: true }],
  ])('of %s is read to the end, to the same digest', async (_what, limits) => {
    const ran = await readBehind(past().chain, [limits])
    expect(ran.sealed).toEqual(past().clean)
    for (const { endpoint } of ran.waits) expect(endpoint).toMatch(/^127\.0\.0\.1:\d+$/)
  })

  it('does not hide a wide second one when it is narrow', async () => {
    const { sealed, counts } = await readBehind(past().chain, [{ span: 2 }, {}])
    expect(sealed).toEqual(past().clean)
    const [narrow, wide] = counts
    expect(narrow?.requests).toBeLessThan(200)
    expect(wide?.requests).toBeGreaterThan(5)
  })
})

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
