// Whole form only.
import { describe, expect, it } from 'vitest'
import { IngestError } from '../../../ingest/client/faults.ts'
import type { Wait } from '../../../ingest/client/pacing.ts'
import { followChain, type Progress } from '../../../ingest/writer/writer.ts'
import { digestsOf, memoryStores, verifiedDeps } from '../../support/aws/ingest-stores.ts'
import { type GeneratedChain, generateChain } from '../../support/chain/generated-chain.ts'
import { openGeneratedNode } from '../../support/chain/generated-node.ts'
import { fiveASecond, twoSeconds } from '../../support/chain/paces.ts'
import { type Limits, startProxies } from '../../support/chain/strict-endpoint.ts'
import { isLong, isWhole } from '../../support/rounds.ts'
import { endpointKinds } from './endpoint-table.ts'

/** Thousands of blocks through each kind of endpoint: what is sealed is the same, and what it costs is bounded. */
const plan = { seed: 3, creations: 40, swapsAMinute: 4 }
const chains = [
  ['of 200 ms', generateChain({ ...plan, minutes: isLong ? 60 : 35, paces: fiveASecond })] as const,
  ...(isLong
    ? [['of two seconds', generateChain({ ...plan, minutes: 120, paces: twoSeconds })] as const]
    : []),
]

const { clean: cleanly, ...metKinds } = endpointKinds
const kinds: Readonly<Record<string, readonly Limits[]>> = {
  ...metKinds,
  '50 calls a second': [{ calls: 50 }],
  '10 HTTP requests a second, with Retry-After': [{ requests: 10, retryAfter: true }],
  'spans of 100 blocks, batches of 10': [{ span: 100, saysSpan: true, batch: 10 }],
  'no healthy backend above 300 blocks': [{ healthySpan: 300 }],
  'three values of a topic': [{ batch: 10, topics: 3 }],
  'required addresses': [{ wantsAddresses: true }],
}
/** Calls at most, as a multiple of those of a clean endpoint. */
const mostCalls: Readonly<Record<string, number>> = {
  'a fifth of the answers failing': 2,
  'a fifth of the answers of two endpoints failing': 2,
  'a tenth of the calls failing': 1.5,
  'a twentieth of the answers and of the calls failing': 1.5,
  'every fault at once': 3,
  'no batches': 1.5,
  'HTTP 403 for a while': 1.5,
}

/** Reads a chain through endpoints until nothing is left, and starts again after faults as the process does. */
async function readThrough(chain: GeneratedChain, limits: readonly Limits[]) {
  const { answer } = openGeneratedNode(chain)
  const waits: Wait[] = []
  const { rpc, counts, stop } = await startProxies(
    limits.map(() => answer),
    { limits, backoffMs: 2, refusalPauseMs: 20, onWait: (wait) => waits.push(wait) },
  )
  const stores = memoryStores()
  try {
    const gaps = await untilRead(async function* () {
      yield* followChain(await verifiedDeps(stores, { rpc, chain: chain.rules }, null))
    })
    const calls = counts.reduce((sum, count) => sum + count.calls, 0)
    return { calls, counts, sealed: await digestsOf(stores), gaps, waits }
  } finally {
    await stop()
  }
}

/** Follows until there is nothing new; the gaps met on the way. A fault that can be retried begins anew. */
async function untilRead(follow: () => AsyncGenerator<Progress>): Promise<number> {
  let gaps = 0
  for (;;) {
    try {
      for await (const { is } of follow()) {
        if (is === 'gap') gaps += 1
        if (is === 'idle') return gaps
      }
    } catch (fault) {
      if (!(fault instanceof IngestError && fault.retryable)) throw fault
    }
  }
}

describe.each(chains)(
  'blocks %s are read to the end, to the same digests, through an endpoint with',
  async (_pace, chain) => {
    const clean = await readThrough(chain, cleanly)
    const all = Object.entries(kinds)
    it.each(isWhole ? all : all.filter((_, at) => at % 4 === 0))('%s', async (kind, limits) => {
      const ran = await readThrough(chain, limits)
      expect(ran.sealed.length).toBeGreaterThan(30)
      expect(ran.sealed).toEqual(clean.sealed)
      expect(ran.gaps).toBe(0)
      for (const { endpoint } of ran.waits) expect(endpoint).toMatch(/^127\.0\.0\.1:\d+$/)
      const most = mostCalls[kind]
      if (most) expect(ran.calls / clean.calls).toBeLessThanOrEqual(most)
    })

    it('spans of two blocks, which does not hide a wide second one', async () => {
      const { sealed, counts } = await readThrough(chain, [{ span: 2 }, {}])
      expect(sealed).toEqual(clean.sealed)
      const [narrow, wide] = counts
      expect(narrow?.requests).toBeLessThan(200)
      expect(wide?.requests).toBeGreaterThan(5)
    })
  },
)
