import { describe, expect, it } from 'vitest'
import { adoptedAt } from '../../market/adoption.ts'
import type { TokenState } from '../../market/segment.ts'
import { rebuild } from '../../snapshot/rebuild.ts'
import { nthAddress, seal, segmentOf, stateWith, tokenAt } from '../support/market-history.ts'
import { type MemoryBucket, memoryBucket, memoryLog } from '../support/memory-stores.ts'

const MINUTE = 29_000_000
const ONE = 2n ** 96n
const WHOLE = 10n ** 18n

const traded = (trades: number, sqrtPriceX96 = ONE): TokenState =>
  stateWith({
    sqrtPriceX96,
    supply: 1_000_000n * WHOLE,
    reserveQuote: 5_000n * WHOLE,
    reserveToken: 5_000n * WHOLE,
    cumTrades: trades,
    cumVolumeMicroUsd: BigInt(trades) * 7_000_000n,
    cumEngagement: trades,
    holders: 3,
  })

const published = async (log: ReturnType<typeof memoryLog>) => {
  const into = memoryBucket()
  await rebuild({ log, segments: memoryBucket(), published: into }, { clock: () => 0, now: () => 0 })
  return into
}
const rowsOf = (bucket: MemoryBucket, key: string) =>
  JSON.parse(Buffer.from(bucket.objects.get(key)!.bytes).toString()) as Record<string, unknown>[]

describe('what is published', () => {
  it('does not depend on which currency of its pool a token is', async () => {
    const bucketOf = async (isCurrency0: boolean) => {
      const log = memoryLog()
      // 4 and then 16 quotes a token; a post at a quarter of it.
      const [first, then, post] = isCurrency0
        ? [ONE * 2n, ONE * 4n, ONE / 2n]
        : [ONE / 2n, ONE / 4n, ONE * 2n]
      const tokens = [
        tokenAt(1, MINUTE, { isCurrency0 }),
        tokenAt(2, MINUTE, { isCurrency0, kind: 'post', quote: nthAddress(1) }),
      ]
      const rows = [[nthAddress(1), traded(1, first)] as const, [nthAddress(2), traded(2, post)] as const]
      await seal(log, segmentOf(MINUTE, { born: tokens, rows }))
      await seal(log, segmentOf(MINUTE + 70, { rows: [[nthAddress(1), traded(9, then)]] }))
      return published(log)
    }
    const [one, other] = [await bucketOf(true), await bucketOf(false)]
    const [row] = rowsOf(one, 'v1/z100/posts/1h')
    // A quarter of 16 ZORA at $1.
    expect(row).toMatchObject({ price_usd: 4, price_change_percent: 300 })
    for (const [key, { bytes }] of one.objects) {
      if (!key.startsWith('v1/')) continue
      expect(Buffer.from(other.objects.get(key)!.bytes).toString(), key).toBe(Buffer.from(bytes).toString())
    }
  })

  it('counts as created today what was launched today, and nothing that is older than the log', async () => {
    const log = memoryLog()
    const older = adoptedAt({ number: 1, hash: `0x${'0'.repeat(64)}`, timestamp: MINUTE * 60 }, 0)
    const tokens = [tokenAt(1, MINUTE - 1_430), tokenAt(2, MINUTE), tokenAt(3, MINUTE, { launchedAt: older })]
    const [first, ...others] = tokens
    await seal(log, segmentOf(MINUTE - 1_430, { born: [first!], rows: [[nthAddress(1), traded(1)]] }))
    const rows = [nthAddress(2), nthAddress(3)].map((address) => [address, traded(1)] as const)
    await seal(log, segmentOf(MINUTE, { born: others, rows }))
    const statsOf = async () =>
      JSON.parse(Buffer.from((await published(log)).objects.get('v1/market/stats')!.bytes).toString())
    expect(await statsOf()).toMatchObject({ total_creators: 3, new_tokens_24h: 2 })
    await seal(log, segmentOf(MINUTE + 10))
    expect(await statsOf()).toMatchObject({ total_creators: 3, new_tokens_24h: 1 })
  })
})
