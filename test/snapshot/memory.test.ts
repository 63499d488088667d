import { describe, expect, it } from 'vitest'
import { edgeNames } from '../../market/window.ts'
import { type Engine, marketOf } from '../../snapshot/engine.ts'
import { engineFrom, imageBytes } from '../../snapshot/image.ts'
import { EngineTooLargeError, engineBytes } from '../../snapshot/memory.ts'
import { rebuild } from '../../snapshot/rebuild.ts'
import { syntheticEngine, syntheticMarket } from '../bench/synthetic-market.ts'
import { seal, segmentOf, stateOf, tokenAt } from '../support/market-history.ts'
import { memoryBucket, memoryLog } from '../support/memory-stores.ts'

const TOKENS = 5_000
const MINUTE = 29_000_000

/** An engine that has ranked, of a market with so many swaps a minute. */
function rankedEngine(swapsPerMinute: number): Engine {
  const engine = engineFrom(imageBytes(syntheticEngine(syntheticMarket(TOKENS, swapsPerMinute))))
  marketOf(engine)
  return engine
}

const heldRows = ({ edges }: Engine) =>
  edgeNames.reduce((sum, name) => sum + (edges[name].lag?.places.size ?? 0), 0)

describe('memory', () => {
  it('is at most 2,000 bytes for a token that nobody trades, and 3,000 for one that is traded all the time', () => {
    const [idle, busy] = [rankedEngine(0), rankedEngine(3_000)]
    expect(heldRows(idle) / TOKENS).toBeLessThan(0.01)
    expect(engineBytes(idle) / TOKENS).toBeLessThan(2_000)
    expect(heldRows(busy) / TOKENS).toBeGreaterThan(6)
    expect(engineBytes(busy) / TOKENS).toBeLessThan(3_000)
  })

  it('that a market would outgrow is refused by name; what is published stays, and status says why', async () => {
    const log = memoryLog()
    const published = memoryBucket()
    const run = (memoryBytes: number) =>
      rebuild(
        { log, segments: memoryBucket(), published },
        { clock: () => 0, now: () => (MINUTE + 1) * 60, memoryBytes },
      )
    const token = tokenAt(1, MINUTE)
    const traded = stateOf({ sqrtPriceX96: 2n ** 96n, supply: 10n ** 24n, cumTrades: 1 })
    await seal(
      log,
      segmentOf(MINUTE, { tokens: [{ before: null, after: token }], rows: [[token.address, traded]] }),
    )
    await run(2 ** 30)
    const boards = published.objects.get('v1/z100/creators/24h')
    await seal(log, segmentOf(MINUTE + 1, { rows: [[token.address, { ...traded, cumTrades: 2 }]] }))
    await expect(run(100_000)).rejects.toThrow(EngineTooLargeError)
    expect(published.objects.get('v1/z100/creators/24h')).toBe(boards)
    const status = JSON.parse(Buffer.from(published.objects.get('v1/status')!.bytes).toString())
    expect(status).toMatchObject({
      status: 'degraded',
      reasons: ['the last rebuild failed: EngineTooLargeError'],
    })
  })
})
