import { beforeEach, describe, expect, it } from 'vitest'
import { listCheckpoints } from '../../snapshot/engine/checkpoint.ts'
import { type RebuildRun, rebuild, type Warm } from '../../snapshot/rebuild.ts'
import { type MemoryBucket, type MemoryLog, memoryBucket, memoryLog } from '../support/aws/memory-stores.ts'
import { segmentOf, stateWith, tokenAt } from '../support/market/facts.ts'
import { rewind, seal } from '../support/market/market-history.ts'

const MINUTE = 29_000_000
const token = tokenAt(1, MINUTE)

describe('rebuild', () => {
  let log: MemoryLog
  let segments: MemoryBucket
  let published: MemoryBucket

  beforeEach(() => {
    log = memoryLog()
    segments = memoryBucket()
    published = memoryBucket()
  })

  const sealTrade = (minute: number, volume: number) => {
    const state = stateWith({
      sqrtPriceX96: 2n ** 96n,
      supply: 10n ** 24n,
      cumTrades: volume,
      cumVolumeMicroUsd: BigInt(volume) * 1_000_000n,
    })
    const born = minute === MINUTE ? [token] : []
    return seal(log, segmentOf(minute, { born, rows: [[token.address, state]] }))
  }

  const run = async (options: { warm?: Warm; clock?: () => number; into?: MemoryBucket } = {}) => {
    const runs: RebuildRun[] = []
    const { warm, clock = () => 0, into = published } = options
    const stores = { log, segments, published: into }
    const manifest = await rebuild(stores, {
      clock,
      now: () => (MINUTE + 20) * 60,
      ...(warm ? { warm } : {}),
      report: (each) => runs.push(each),
    })
    return { manifest, run: runs[0] }
  }

  const board = (bucket: MemoryBucket = published) =>
    Buffer.from(bucket.objects.get('v1/z100/creators/24h')!.bytes).toString()

  it('publishes nothing before a minute is applied, or while minutes are being rolled back', async () => {
    expect((await run()).manifest).toBeNull()
    await sealTrade(MINUTE, 1)
    log.position = { ...log.position!, isLowered: true }
    expect((await run()).manifest).toBeNull()
    expect(published.puts).toEqual([])
  })

  it('publishes once, when it has caught up with what is applied', async () => {
    for (let at = 0; at < 5; at++) await sealTrade(MINUTE + at, at + 1)
    log.position = { ...log.position!, n: 4, minute: MINUTE + 3 }
    const { manifest } = await run()
    expect(manifest).toMatchObject({ log_position: 4, minute: MINUTE + 3 })
    expect(published.puts.filter((key) => key === 'manifest.json')).toHaveLength(1)
  })

  it('saves a checkpoint and ends when the time is over; the next run goes on from it', async () => {
    for (let at = 0; at < 5; at++) await sealTrade(MINUTE + at, at + 1)
    let now = 0
    const clock = () => {
      now += 30_000
      return now
    }
    const first = await run({ clock })
    expect(first.manifest).toBeNull()
    expect(first.run).toMatchObject({ n: 2, applied: 5, hasCheckpoint: true })
    log.reads = 0
    expect((await run()).manifest?.log_position).toBe(5)
    expect(log.reads).toBe(3)
  })

  it('saves a checkpoint every ten minutes of the log', async () => {
    const warm: Warm = {}
    for (let at = 0; at < 25; at++) {
      await sealTrade(MINUTE + at, at + 1)
      await run({ warm })
    }
    expect((await listCheckpoints(segments)).map(({ minute }) => minute - MINUTE)).toEqual([20, 10, 0])
  })

  it('drops a warm engine that failed half-way, and recovers', async () => {
    const warm: Warm = {}
    await sealTrade(MINUTE, 1)
    await run({ warm })
    await sealTrade(MINUTE + 1, 2)
    const { readSegment } = log
    log.readSegment = async () => {
      throw new RangeError('unreadable')
    }
    await expect(run({ warm })).rejects.toThrow(RangeError)
    log.readSegment = readSegment
    expect((await run({ warm })).manifest?.log_position).toBe(2)
  })

  it('goes back to nothing when every minute was rolled back, and on from there', async () => {
    const warm: Warm = {}
    await sealTrade(MINUTE, 1)
    await run({ warm })
    await rewind(log, null)
    expect((await run({ warm })).manifest).toBeNull()
    await sealTrade(MINUTE, 5)
    expect((await run({ warm })).manifest?.log_position).toBe(3)
    expect(board()).toContain('"total_volume":5,')
  })
})
