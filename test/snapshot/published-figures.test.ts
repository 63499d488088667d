import { describe, expect, it } from 'vitest'
import { RULES_VERSION } from '../../market/rules.ts'
import type { TokenState } from '../../market/segment.ts'
import { rebuild } from '../../snapshot/rebuild.ts'
import { openManifests } from '../../store/manifests.ts'
import { addressOf, seal, segmentOf, stateOf, tokenAt } from '../support/market-history.ts'
import { type MemoryBucket, memoryBucket, memoryLog } from '../support/memory-stores.ts'

const MINUTE = 29_000_000
const DAY = 1_440
const ONE = 2n ** 96n
const WHOLE = 10n ** 18n

const traded = (trades: number, sqrtPriceX96 = ONE): TokenState =>
  stateOf({
    sqrtPriceX96,
    supply: 1_000_000n * WHOLE,
    reserveQuote: 5_000n * WHOLE,
    reserveToken: 5_000n * WHOLE,
    cumTrades: trades,
    cumVolumeMicroUsd: BigInt(trades) * 7_000_000n,
    cumEngagement: trades,
    holders: 3,
  })

const published = async (log: ReturnType<typeof memoryLog>, minute: number, into = memoryBucket()) => {
  const options = { clock: () => 0, now: () => (minute + 1) * 60, chain: 'devnet', codeVersion: '1.2.3+abc' }
  await rebuild({ log, segments: memoryBucket(), published: into }, options)
  return into
}
const rowsOf = (bucket: MemoryBucket, key: string) =>
  JSON.parse(Buffer.from(bucket.objects.get(key)!.bytes).toString()) as Record<string, unknown>[]

describe('what is published', () => {
  it('says volume 0 of a token without a trade for 24 hours, from the next snapshot on', async () => {
    const log = memoryLog()
    const tokens = [1, 2].map((number) => tokenAt(number, MINUTE - 90))
    const born = tokens.map((after) => ({ before: null, after }))
    await seal(log, segmentOf(MINUTE - 90, { tokens: born, rows: [] }))
    await seal(log, segmentOf(MINUTE, { rows: tokens.map(({ address }) => [address, traded(1)] as const) }))
    const rowAt = async (minute: number, trades: number) => {
      // The other token goes on, so that there is a minute to publish.
      await seal(log, segmentOf(minute, { rows: [[addressOf(2), traded(trades)]] }))
      const [row] = rowsOf(await published(log, minute), 'v1/z100/creators/24h').filter(
        ({ symbol }) => symbol === 'T1',
      )
      return row
    }
    expect(await rowAt(MINUTE + DAY - 1, 2)).toMatchObject({ volume_24h: 7, trades_24h: 1, total_volume: 7 })
    expect(await rowAt(MINUTE + DAY, 3)).toMatchObject({ volume_24h: 0, trades_24h: 0, total_volume: 7 })
  })

  it('lists no token without a price as trending, whatever it traded', async () => {
    const log = memoryLog()
    const tokens = [1, 2, 3].map((n) =>
      tokenAt(n, MINUTE, n === 1 ? {} : { kind: 'post', quote: addressOf(n - 1) }),
    )
    const born = tokens.map((after) => ({ before: null, after }))
    await seal(
      log,
      segmentOf(MINUTE, { tokens: born, rows: tokens.map(({ address }) => [address, traded(1)]) }),
    )
    const bucket = await published(log, MINUTE)
    for (const key of [...bucket.objects.keys()].filter((name) => name.startsWith('v1/market/trending'))) {
      const symbols = rowsOf(bucket, key).map(({ symbol }) => symbol)
      expect(symbols, key).toEqual(['T1', 'T2'])
    }
  })

  it('does not depend on which currency of its pool a token is', async () => {
    const bucketOf = async (isCurrency0: boolean) => {
      const log = memoryLog()
      // 4 and then 16 quotes a token; a post at a quarter of it.
      const [first, then, post] = isCurrency0
        ? [ONE * 2n, ONE * 4n, ONE / 2n]
        : [ONE / 2n, ONE / 4n, ONE * 2n]
      const tokens = [
        tokenAt(1, MINUTE, { isCurrency0 }),
        tokenAt(2, MINUTE, { isCurrency0, kind: 'post', quote: addressOf(1) }),
      ]
      const born = tokens.map((after) => ({ before: null, after }))
      const rows = [[addressOf(1), traded(1, first)] as const, [addressOf(2), traded(2, post)] as const]
      await seal(log, segmentOf(MINUTE, { tokens: born, rows }))
      await seal(log, segmentOf(MINUTE + 70, { rows: [[addressOf(1), traded(9, then)]] }))
      return published(log, MINUTE + 70)
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

  it('is told by a manifest: place in the log, block, digests, versions of code and rules; found by minute later on', async () => {
    const log = memoryLog()
    const token = tokenAt(1, MINUTE)
    const born = [{ before: null, after: token }]
    await seal(log, segmentOf(MINUTE, { tokens: born, rows: [[token.address, traded(1)]] }))
    const into = await published(log, MINUTE)
    await seal(log, segmentOf(MINUTE + 1, { rows: [[token.address, traded(2)]] }))
    await published(log, MINUTE + 1, into)
    const manifests = openManifests(into)
    const [newest, first] = [await manifests.newest(), await manifests.at(MINUTE)]
    for (const [at, manifest] of [first, newest].entries()) {
      expect(manifest).toMatchObject({
        log_position: at + 1,
        minute: MINUTE + at,
        block_number: log.entries[at]!.is === 'sealed' ? log.entries[at]!.last.number : 0,
        rules_version: RULES_VERSION,
        code_version: '1.2.3+abc',
        unpublished: [],
      })
      expect(await manifests.byId(manifest!.snapshot_id)).toEqual(manifest)
    }
    for (const { sha256 } of Object.values(newest!.documents)) expect(sha256).toMatch(/^[0-9a-f]{64}$/)
  })
})
