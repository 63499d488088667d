/** Several publishers of one service: one is live, others catch up beside it, take over once, and can be gone back to. */
import { beforeEach, describe, expect, it } from 'vitest'
import { builders } from '../../snapshot/publish/documents.ts'
import type { Own } from '../../snapshot/publish/role.ts'
import { rebuild, type Warm } from '../../snapshot/rebuild.ts'
import { openMemoryTable } from '../../store/aws/memory.ts'
import { bucketOfLog, type Logs, openLogs } from '../../store/log/logs.ts'
import { type MemoryBucket, type MemoryLog, memoryBucket, memoryLog } from '../support/aws/memory-stores.ts'
import { segmentOf, tokenAt, tradedState } from '../support/market/facts.ts'
import { seal } from '../support/market/market-history.ts'

const MINUTE = 29_000_000
const token = tokenAt(1, MINUTE)

describe('publishers', () => {
  let log: MemoryLog
  let published: MemoryBucket
  let logs: Logs
  let one: Own
  let other: Own
  let warm: Map<Own, Warm>

  beforeEach(async () => {
    log = memoryLog()
    published = memoryBucket()
    logs = openLogs(openMemoryTable())
    // Of one log, with checkpoints of different layouts.
    one = { logs, log: '', publisher: '4.3/one' }
    other = { logs, log: '', publisher: '4.3/other' }
    warm = new Map()
    await sealNext()
  })

  const sealNext = () => {
    const minute = MINUTE + log.entries.length
    const trades = log.entries.length + 1
    const state = tradedState({ cumTrades: trades })
    const born = minute === MINUTE ? [token] : []
    return seal(log, segmentOf(minute, { born, rows: [[token.address, state]] }))
  }

  /** A run; `isShort`: time is over after a minute of the log. */
  const run = (
    own: Own,
    { isShort = false, ...options }: { isShort?: boolean; builders?: typeof builders } = {},
  ) => {
    let now = 0
    const clock = () => {
      now += isShort ? 30_000 : 0
      return now
    }
    const kept = warm.get(own) ?? {}
    warm.set(own, kept)
    const stores = { log, segments: memoryBucket(), published, own }
    const seconds = (MINUTE + log.entries.length + 1) * 60
    return rebuild(stores, { clock, now: () => seconds, warm: kept, ...options })
  }

  it('the first is live, and another takes over once it has caught up; the figures go on meanwhile', async () => {
    for (let minute = 0; minute < 3; minute++) await sealNext()
    expect(await run(one)).toMatchObject({ log_switches: 1, minute: MINUTE + 3 })
    for (let at = 0; at < 2; at++) {
      await sealNext()
      expect(await run(other, { isShort: true })).toBeNull()
      expect(await run(one)).toMatchObject({ log_switches: 1, minute: MINUTE + 4 + at })
    }
    expect(await run(other)).toMatchObject({ log_switches: 2, minute: MINUTE + 5 })
    await sealNext()
    expect(await run(one)).toBeNull()
    expect(await run(other)).toMatchObject({ log_switches: 2, minute: MINUTE + 6 })
  })

  it('one that has been live waits to be told, and publishes no earlier time when it is', async () => {
    await run(one)
    await sealNext()
    await run(other)
    await sealNext()
    expect(await run(one)).toBeNull()
    const live = await logs.live()
    expect(live).toMatchObject({ publisher: other.publisher, past: [one.publisher, other.publisher] })
    await run(other)
    expect(await logs.putLive({ ...live, publisher: one.publisher }, live)).toBe(true)
    // Somebody else who had read the same.
    expect(await logs.putLive({ ...live, publisher: other.publisher }, live)).toBe(false)
    const { position } = log
    const before = log.entries.at(-2)!
    log.position = { ...position!, n: before.n, minute: before.minute, last: before.last }
    warm.clear()
    expect(await run(one)).toMatchObject({ log_switches: 2, minute: MINUTE + 2 })
    log.position = position
    expect(await run(one)).toMatchObject({ log_switches: 3, minute: MINUTE + 2 })
    await sealNext()
    expect(await run(other)).toBeNull()
    expect(await run(one)).toMatchObject({ log_switches: 3, minute: MINUTE + 3 })
  })

  it('one whose documents fail does not take over', async () => {
    await run(one)
    other = { ...other, log: '@5.4-1', publisher: '5.4/other' }
    const documents = {
      newest: async () => undefined,
      putDocument: async () => true,
      putNewest: async () => true,
    }
    const stores = { log, segments: memoryBucket(), published, own: other }
    const failing = { ...builders, stats: () => ({ text: '{}', total: 1 }) }
    const given = { ...stores, documents: { ...documents, readDocument: async () => undefined } }
    expect(await rebuild(given, { clock: () => 0, builders: failing })).toBeNull()
    expect((await logs.live()).publisher).toBe(one.publisher)
    expect(await rebuild(given, { clock: () => 0 })).toMatchObject({ log_switches: 2 })
  })

  it('have checkpoints and index records of their own log, whatever else is in the bucket', async () => {
    const whole = memoryBucket()
    const [first, second] = [bucketOfLog(whole, ''), bucketOfLog(whole, '@5.4-1')]
    for (const [bucket, text] of [
      [first, 'first'],
      [second, 'second'],
    ] as const)
      for (const key of ['index/1', 'checkpoints/recent/a/1', 'checkpoints/daily/a/1', 'segments/1'])
        await bucket.put(key, Buffer.from(text))
    const texts = async (bucket: typeof first) => {
      const found: string[] = []
      for (const prefix of ['index/', 'checkpoints/recent/a/', 'checkpoints/daily/a/', 'segments/'])
        for await (const { key } of bucket.list(prefix))
          found.push(`${key} ${Buffer.from((await bucket.read(key))!.bytes)}`)
      return found
    }
    const ofLog = (text: string) => [
      `index/1 ${text}`,
      `checkpoints/recent/a/1 ${text}`,
      `checkpoints/daily/a/1 ${text}`,
      'segments/1 second',
    ]
    expect(await texts(first)).toEqual(ofLog('first'))
    expect(await texts(second)).toEqual(ofLog('second'))
  })
})
