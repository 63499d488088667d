import { describe, expect, it } from 'vitest'
import { type Address, emptyState, type Token, type TokenState } from '../../market/segment.ts'
import { rebuild, type Warm } from '../../snapshot/rebuild.ts'
import { rewind, seal, segmentOf } from '../support/market-history.ts'
import { type MemoryBucket, memoryBucket, memoryLog } from '../support/memory-stores.ts'
import { oneOf, type Random, randomFrom, randomState, randomToken } from '../support/random-market.ts'
import { rounds } from '../support/rounds.ts'

const MINUTE = 29_000_000
/** Minutes of which both publish; in the long form an hour. */
const HOUR = rounds('WARM_MINUTES', 24, 60)
const COUNT = 140

/** Everything published, by key; the manifest by the digests it names. */
function contentOf(bucket: MemoryBucket): Record<string, string> {
  const texts = [...bucket.objects].map(([key, { bytes }]) => [key, Buffer.from(bytes).toString()] as const)
  return Object.fromEntries(texts.filter(([key]) => key.startsWith('v1/')))
}

/** A state after some more trades: what is cumulative grows, all else is anything a market has. */
function tradedOn(random: Random, before: TokenState): TokenState {
  const { cumVolumeMicroUsd, cumRankVolumeMicroUsd, cumTrades, cumEngagement, ...state } = randomState(
    random,
    'usual',
  )
  return {
    ...before,
    ...state,
    sqrtPriceX96: state.sqrtPriceX96 + 2n ** 80n,
    cumVolumeMicroUsd: before.cumVolumeMicroUsd + cumVolumeMicroUsd,
    cumBuyVolumeMicroUsd: before.cumBuyVolumeMicroUsd + cumVolumeMicroUsd / 2n,
    cumRankVolumeMicroUsd: before.cumRankVolumeMicroUsd + cumRankVolumeMicroUsd,
    cumTrades: before.cumTrades + cumTrades,
    cumBuys: before.cumBuys + (cumTrades >> 1),
    cumEngagement: before.cumEngagement + cumEngagement,
  }
}

describe('two engines', () => {
  it('publish the same bytes each minute: one warm all the while, one started cold from the last image', async () => {
    const random = randomFrom(7)
    const log = memoryLog()
    const segments = memoryBucket()
    const warmBucket = memoryBucket()
    const warm: Warm = {}
    const tokens: Token[] = []
    const states = new Map<Address, TokenState>()
    const publish = (published: MemoryBucket, minute: number, kept?: Warm) =>
      rebuild(
        { log, segments, published },
        { clock: () => 0, now: () => (minute + 1) * 60, ...(kept ? { warm: kept } : {}) },
      )
    // A past of eight days, so that every edge of the boards has passed some of it.
    const past = Array.from({ length: 20 }, (_, at) => MINUTE - 12_000 + at * 600)
    const hour = Array.from({ length: HOUR }, (_, at) => MINUTE + at)
    for (const minute of [...past, ...hour]) {
      const born = Array.from(
        { length: minute < MINUTE ? 2 : minute % 5 === 0 ? 1 : 0 },
        () => tokens.length,
      ).map(() => {
        const token = randomToken(random, tokens.length, { count: COUNT, minute })
        tokens.push(token)
        return token
      })
      const traded = [...born, ...Array.from({ length: 6 }, () => oneOf(random, tokens))]
      const rows = [...new Set(traded)].map(({ address }) => {
        const state = tradedOn(random, states.get(address) ?? emptyState)
        states.set(address, state)
        return [address, state] as const
      })
      await seal(log, segmentOf(minute, { tokens: born.map((after) => ({ before: null, after })), rows }))
      if (minute < MINUTE) continue
      if (minute === MINUTE + (HOUR >> 1)) {
        await rewind(log, minute - 2)
        await seal(log, segmentOf(minute - 1, { rows: rows.slice(-1) }))
      }
      const manifest = await publish(warmBucket, minute, warm)
      const coldBucket = memoryBucket()
      const coldManifest = await publish(coldBucket, minute)
      const digests = (of: typeof manifest) =>
        Object.entries(of?.documents ?? {}).map(([name, { sha256 }]) => [name, sha256])
      expect(digests(manifest)).toEqual(digests(coldManifest))
      expect(contentOf(warmBucket)).toEqual(contentOf(coldBucket))
    }
    expect(Object.keys(contentOf(warmBucket)).length).toBeGreaterThan(30)
  }, 240_000)
})
