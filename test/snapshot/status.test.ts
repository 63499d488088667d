import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeEach, describe, expect, it } from 'vitest'
import { staleAfter, statusSchema } from '../../schemas/api/service.ts'
import { builders, publishedDocuments } from '../../snapshot/publish/documents.ts'
import type { Own } from '../../snapshot/publish/role.ts'
import { type RebuildOptions, rebuild, type Warm } from '../../snapshot/rebuild.ts'
import { openMemoryTable } from '../../store/aws/memory.ts'
import { openLogs } from '../../store/log/logs.ts'
import { type MemoryBucket, type MemoryLog, memoryBucket, memoryLog } from '../support/aws/memory-stores.ts'
import { launchOf, segmentOf, tokenAt } from '../support/market/facts.ts'
import { rewind, seal } from '../support/market/market-history.ts'

const MINUTE = 29_000_000
const END = (MINUTE + 1) * 60
const token = tokenAt(1, MINUTE)
const isStatus = new Ajv2020({ allowUnionTypes: true }).compile(statusSchema)

describe('v1/status', () => {
  let log: MemoryLog
  let published: MemoryBucket
  let warm: Warm

  beforeEach(async () => {
    log = memoryLog()
    published = memoryBucket()
    warm = {}
    await seal(log, launchOf(token))
  })

  const run = (
    now: number,
    words: Partial<Pick<RebuildOptions, 'builders' | 'clock' | 'warm' | 'everySeconds'>> = {},
    own?: Own,
  ) =>
    rebuild(
      { log, segments: memoryBucket(), published, ...(own && { own }) },
      { clock: () => 0, now: () => now, warm, chain: 'devnet', codeVersion: 'abc', ...words },
    )
  const status = () => {
    const found = JSON.parse(Buffer.from(published.objects.get('v1/status')!.bytes).toString())
    expect(isStatus(found)).toBe(true)
    return found
  }

  it('is ok when the newest minute is published, and states when it was checked', async () => {
    const manifest = await run(END + 10)
    expect(status()).toMatchObject({
      status: 'ok',
      reasons: [],
      snapshot_id: manifest?.snapshot_id,
      as_of: '2025-02-19T21:21:00Z',
      checked_at: '2025-02-19T21:21:10Z',
      age_seconds: 10,
      documents_count: publishedDocuments.length,
      chain: 'devnet',
      code_version: 'abc',
      history_from: '2025-02-19T21:20:00Z',
    })
    expect(manifest?.documents).not.toHaveProperty('v1/status')
  })

  it('is degraded by the clock while the chain stands still, and says since when', async () => {
    const trouble = {
      seenAt: END + 3_600,
      stillSince: END + 30,
      lateAt: END + 30,
      offSince: null,
      quota: null,
    }
    const readings = { read: async () => trouble }
    const stores = { log, segments: memoryBucket(), published, chainTrouble: readings }
    const at = async (now: number) => {
      await rebuild(stores, { clock: () => 0, now: () => now, warm })
      return status()
    }
    const old = 'figures are as of 2025-02-19T21:21:00Z, more than 300 seconds ago'
    expect(await at(END + 3_610)).toMatchObject({
      status: 'degraded',
      age_seconds: 3_610,
      reasons: [old, 'the chain stands still since 2025-02-19T21:21:30Z'],
    })
    readings.read = async () => ({ ...trouble, stillSince: null as never })
    expect((await at(END + 3_611)).reasons).toEqual([
      old,
      'the chain is behind the clock: its newest block is of 2025-02-19T21:21:30Z',
    ])
    const quota = { endpoint: 'rpc.example', until: END + 7_200 }
    readings.read = async () => ({
      ...trouble,
      stillSince: null as never,
      lateAt: null as never,
      quota: quota as never,
    })
    expect((await at(END + 3_612)).reasons).toEqual([
      old,
      'the request quota of rpc.example is used up; it is tried again at 2025-02-19T23:21:00Z',
    ])
    // What ingest has not repeated since says nothing of now.
    const reasons = (await at(END + 7_200)).reasons
    expect(reasons).toHaveLength(2)
    expect(reasons[1]).toMatch(/^the log of minutes/)
  })

  it('names the first of many blocks whose times differ from the schedule', async () => {
    const trouble = { seenAt: END, stillSince: null, lateAt: null, offSince: 53_556_128, quota: null }
    const stores = { log, segments: memoryBucket(), published, chainTrouble: { read: async () => trouble } }
    await rebuild(stores, { clock: () => 0, now: () => END + 10, warm })
    expect(status().reasons).toEqual([
      'block times differ from the schedule since block 53556128: figures are right but cost more calls',
    ])
  })

  it('is degraded at once while logs are missing, and names the block, what is missing and the endpoints', async () => {
    const gap = { block: 12, missing: 'a transfer', endpoints: ['one.example'], since: END }
    const stores = { log, segments: memoryBucket(), published, gaps: { read: async () => gap } }
    await rebuild(stores, { clock: () => 0, now: () => END + 10, warm })
    expect(status()).toMatchObject({
      status: 'degraded',
      reasons: ['logs are missing at block 12: a transfer (asked: one.example)'],
      gap: {
        block_number: 12,
        missing: 'a transfer',
        endpoints: ['one.example'],
        since: '2025-02-19T21:21:00Z',
      },
    })
    await run(END + 20)
    expect(status()).toMatchObject({ status: 'ok', gap: null })
  })

  it('is published again by each run, and nothing else is, when no minute was sealed', async () => {
    await run(END + 10)
    published.puts = []
    await run(END + 70)
    expect(published.puts).toEqual(['v1/status'])
    expect(status()).toMatchObject({ status: 'ok', age_seconds: 70 })
  })

  it('of a service that publishes every five minutes is degraded after nine', async () => {
    await run(END + 540, { everySeconds: 300 })
    expect(status()).toMatchObject({ status: 'ok', rebuild_every_seconds: 300 })
    await run(END + 541, { everySeconds: 300 })
    expect(status().reasons[0]).toBe('figures are as of 2025-02-19T21:21:00Z, more than 540 seconds ago')
  })

  it('is degraded when the log has not grown for more than five minutes; the boards stay', async () => {
    await run(END + 10)
    const boards = published.objects.get('v1/z100/creators/24h')
    await run(END + staleAfter())
    expect(status().status).toBe('ok')
    await run(END + staleAfter() + 1)
    expect(status()).toMatchObject({
      status: 'degraded',
      reasons: [
        'figures are as of 2025-02-19T21:21:00Z, more than 300 seconds ago',
        'the log of minutes reaches 2025-02-19T21:21:00Z: it is catching up, or stands still',
      ],
    })
    expect(published.objects.get('v1/z100/creators/24h')).toBe(boards)
    await seal(log, segmentOf(MINUTE + 6))
    await run(END + 370)
    expect(status()).toMatchObject({ status: 'ok', reasons: [], age_seconds: 10 })
  })

  it('is degraded when the log goes on and the snapshot does not', async () => {
    await run(END + 10)
    for (const ahead of [6, 7, 8]) await seal(log, segmentOf(MINUTE + ahead))
    let time = 0
    await run(END + 490, { clock: () => (time += 30_000) })
    expect(status()).toMatchObject({
      status: 'degraded',
      reasons: [
        'figures are as of 2025-02-19T21:21:00Z, more than 300 seconds ago',
        'the log of minutes has gone on to 2025-02-19T21:29:00Z; the snapshot follows',
      ],
    })
  })

  it('states how far newer rules have caught up beside those in force, and is ok meanwhile', async () => {
    const logs = openLogs(openMemoryTable())
    const own = { logs, log: '', publisher: '4.3/a' }
    await run(END + 10, {}, own)
    expect(status()).toMatchObject({ status: 'ok', refold: null })
    const beside = { publisher: '5.4/b', log: '@5.4-1', sealed: MINUTE }
    await logs.putProgress({ ...beside, minute: null, at: END + 10 })
    await run(END + 20, {}, own)
    const refold = { rules_version: 4, to: '2025-02-19T21:21:00Z', remaining_minutes: 1 }
    expect(status()).toMatchObject({ status: 'ok', refold: { ...refold, remaining_seconds: null } })
    await logs.putProgress({ ...beside, publisher: '5.4/c', minute: MINUTE - 100, at: END + 30 })
    await logs.putProgress({ ...beside, publisher: '5.4/c', minute: MINUTE - 40, at: END + 60 })
    await run(END + 70, {}, own)
    expect(status().refold).toEqual({ ...refold, remaining_minutes: 40, remaining_seconds: 20 })
    // It has ended.
    await run(END + 700, {}, own)
    expect(status().refold).toBeNull()
  })

  it('is degraded when minutes are being rolled back for longer', async () => {
    await run(END + 10)
    log.position = { ...log.position!, isLowered: true }
    await run(END + 70)
    expect(status().status).toBe('ok')
    await run(END + 400)
    expect(status().reasons[1]).toBe('minutes of the log are being rolled back')
  })

  it('is degraded when a document could not be published, and names it', async () => {
    await run(END + 10, { builders: { ...builders, stats: () => ({ text: '{}', total: 1 }) } })
    expect(status()).toMatchObject({
      status: 'degraded',
      reasons: ['v1/market/stats could not be published; its last good version stays'],
      unpublished: ['v1/market/stats'],
    })
    await run(END + 70)
    expect(status()).toMatchObject({ status: 'ok', unpublished: [] })
  })

  it('is degraded when a run fails, and names the error', async () => {
    await run(END + 10)
    await seal(log, segmentOf(MINUTE + 1))
    const { readSegment } = log
    log.readSegment = async () => {
      throw new RangeError('unreadable: with a secret in it')
    }
    await expect(run(END + 70)).rejects.toThrow(RangeError)
    expect(status()).toMatchObject({ status: 'degraded', reasons: ['the last rebuild failed: RangeError'] })
    log.readSegment = readSegment
    await run(END + 80)
    expect(status()).toMatchObject({ status: 'ok', age_seconds: 20 })
  })

  it('fails with the reason of the run when status cannot be put either', async () => {
    await run(END + 10)
    log.applied = async () => {
      throw new RangeError('no table')
    }
    published.put = async () => {
      throw new TypeError('no bucket')
    }
    await expect(run(END + 70)).rejects.toThrow(RangeError)
  })

  it('does not exist before the first snapshot', async () => {
    log.position = undefined
    await run(END + 10)
    expect(published.puts).toEqual([])
  })

  it('never goes back: neither to an earlier snapshot nor to an earlier look at the same', async () => {
    await run(END + 70)
    await run(END + 10)
    expect(status().age_seconds).toBe(70)
    await seal(log, segmentOf(MINUTE + 1))
    let isFirst = true
    published.beforePut = async (key) => {
      if (key !== 'v1/status' || !isFirst) return
      isFirst = false
      await rewind(log, MINUTE)
      await seal(log, segmentOf(MINUTE + 1))
      await run(END + 75)
    }
    await run(END + 130)
    expect(status()).toMatchObject({ log_position: 4, checked_at: '2025-02-19T21:22:15Z' })
  })
})
