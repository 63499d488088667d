import { afterEach, describe, expect, it, vi } from 'vitest'
import { openIngestView } from '../../../admin/base/ingest-view.ts'
import { openReach } from '../../../ingest/client/reach.ts'
import { logStart, type MovedStart } from '../../../ingest/read/log-start.ts'
import { openReadAhead } from '../../../ingest/read/read-ahead.ts'
import { readingSourcesAfter } from '../../../ingest/read/reading.ts'
import { followChain } from '../../../ingest/writer/writer.ts'
import {
  depsOver,
  digestsOf,
  memoryStores,
  untilIdle,
  verifiedDeps,
  verifying,
} from '../../support/aws/ingest-stores.ts'
import { generateChain } from '../../support/chain/generated-chain.ts'
import { openGeneratedNode } from '../../support/chain/generated-node.ts'
import { fiveASecond } from '../../support/chain/paces.ts'
import { type Limits, startProxies } from '../../support/chain/strict-endpoint.ts'

/** Endpoints that serve logs of the newest blocks only, whatever the status of their refusal. */
const chain = generateChain({ seed: 3, minutes: 20, creations: 20, swapsAMinute: 4, paces: fiveASecond })
const { answer } = openGeneratedNode(chain)
const rules = { ...chain.rules, creationsFrom: chain.first }
const NEAR_BLOCKS = 900
const near: Limits = { batch: 10, logsFrom: chain.last - NEAR_BLOCKS }

let stop = async () => {}
afterEach(() => stop())

async function startEndpoints(limits: readonly Limits[]) {
  const started = await startProxies(
    limits.map(() => answer),
    { limits, backoffMs: 1 },
  )
  stop = started.stop
  return started
}

describe('an endpoint that serves only newer logs', () => {
  it('starts a log near the head if it is alone, which is said in a sentence, and is read to the end', async () => {
    const { rpc } = await startEndpoints([near])
    const stores = memoryStores()
    const moved: MovedStart[] = []
    const source = { rpc, chain: rules, log: stores.log }
    const start = await logStart(source, { is: 'all' }, (one) => moved.push(one))
    const first = (start?.number ?? 0) + 1
    expect(chain.last - first).toBeGreaterThan(NEAR_BLOCKS / 2 - 10)
    expect(chain.last - first).toBeLessThan(NEAR_BLOCKS)
    expect(moved).toEqual([{ wanted: chain.first, block: first }])

    const lines: string[] = []
    openIngestView(rules, { step: () => {}, say: (line) => lines.push(line) }).told({
      is: 'start moved',
      wanted: chain.first,
      block: first,
    })
    expect(lines).toEqual([
      `ingest begins at block ${first}, not at ${chain.first}: no endpoint serves the logs and the state of blocks that old. One with an archive does: give it with another --rpc-url and start over in another --data-dir.`,
    ])

    const deps = depsOver(stores, {
      rpc,
      chain: rules,
      start,
      readWith: openReadAhead,
      verification: verifying(stores),
    })
    const did = await untilIdle(followChain(deps))
    expect(did).toContain('sealed')
    expect(did).not.toContain('gap')
  })

  it('beside one with history is asked for old logs once, and for second readings of new minutes', async () => {
    const clean = memoryStores()
    const alone = await startEndpoints([{}])
    await untilIdle(followChain(await verifiedDeps(clean, { rpc: alone.rpc, chain: rules }, null)))
    await stop()

    const { rpc, counts, proxies } = await startEndpoints([near, {}])
    const stores = memoryStores()
    await untilIdle(followChain(await verifiedDeps(stores, { rpc, chain: rules }, null)))
    expect(await digestsOf(stores)).toEqual(await digestsOf(clean))
    const [nearly, full] = rpc.each().map(({ endpoint }) => endpoint)
    expect(nearly?.reach.blocks()).toBeGreaterThanOrEqual(NEAR_BLOCKS)
    expect(nearly?.reach.covers(chain.last - NEAR_BLOCKS)).toBe(true)
    expect(proxies[0]?.told.get('another')).toBeLessThan(12)
    expect(counts[0]?.calls).toBeGreaterThan(10)
    expect(full?.reach.blocks()).toBe(Number.POSITIVE_INFINITY)

    const first = new Set([full?.name ?? ''])
    const inTurn = (from: number) =>
      readingSourcesAfter(rpc, first, { from, to: from + 100 }).map(({ rpc: one }) => one.endpoint.name)
    expect(inTurn(chain.last - 100)[0]).toBe(nearly?.name)
    expect(inTurn(chain.first)[0]).toBe(full?.name)
    expect(rpc.fastest().endpoint.name).toBe(full?.name)
  })
})

describe('the reach of an endpoint', () => {
  it('is what it refused, until it answers logs as old, or for an hour', () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      const reach = openReach({ newest: 100_000 })
      expect(reach.covers(0)).toBe(true)
      reach.answered(90_000)
      reach.refused(80_000)
      reach.refused(85_000)
      expect([reach.blocks(), reach.covers(85_000), reach.covers(85_001)]).toEqual([15_000, false, true])
      reach.answered(84_000)
      expect(reach.covers(0)).toBe(true)
      reach.refused(85_000)
      vi.setSystemTime(Date.now() + 3_600_001)
      expect(reach.covers(0)).toBe(true)
    } finally {
      vi.useRealTimers()
    }
  })

  it('is not shortened by a refusal of new blocks, which has another cause', () => {
    const reach = openReach({ newest: 100_000 })
    reach.refused(99_990)
    expect(reach.covers(99_990)).toBe(true)
  })
})
