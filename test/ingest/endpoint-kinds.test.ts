import { beforeAll, describe, expect, it } from 'vitest'
import { generateChain } from '../support/generated-chain.ts'
import { fiveASecond, twoSeconds } from '../support/paces.ts'
import { isLong, isWhole } from '../support/rounds.ts'
import { type EndpointKind, endpointKinds, type KindCost, readThrough } from './endpoint-table.ts'

/** Thousands of blocks through each kind of endpoint: what is sealed is the same, and what it costs is bounded. */
const plan = { seed: 3, creations: 40, swapsAMinute: 4 }
const chains = [
  ['of 200 ms', generateChain({ ...plan, minutes: isLong ? 60 : 35, paces: fiveASecond })] as const,
  ...(isLong
    ? [['of two seconds', generateChain({ ...plan, minutes: 120, paces: twoSeconds })] as const]
    : []),
]
const quick = { backoffMs: 2, refusalPauseMs: 20 }

/** Calls at most, as a multiple of those of a clean endpoint. */
const mostCalls: Partial<Record<EndpointKind, number>> = {
  'a fifth of the answers failing': 2,
  'a fifth of the answers of two endpoints failing': 2,
  'a tenth of the calls failing': 1.5,
  'a twentieth of the answers and of the calls failing': 1.5,
  'no batches': 1.5,
  'HTTP 403 for a while': 1.5,
}

describe.each(chains)(
  'blocks %s are read to the end, to the same digests, through an endpoint with',
  (_pace, chain) => {
    let clean: KindCost
    beforeAll(async () => {
      clean = await readThrough(chain, 'clean', quick)
    })

    const kinds = Object.keys(endpointKinds) as EndpointKind[]
    const others = kinds.filter((kind) => kind !== 'clean')
    it.each(isWhole ? others : others.filter((_, at) => at % 4 === 0))('%s', async (kind) => {
      const ran = await readThrough(chain, kind, quick)
      expect(ran.sealed.length).toBeGreaterThan(30)
      expect(ran.sealed).toEqual(clean.sealed)
      expect(ran.gaps).toBe(0)
      const most = mostCalls[kind]
      if (most) expect(ran.calls / clean.calls).toBeLessThanOrEqual(most)
    })
  },
)
