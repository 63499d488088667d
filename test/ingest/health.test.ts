import { describe, expect, it } from 'vitest'
import { RangeChangedError } from '../../ingest/client/faults.ts'
import { IngestHealth, serveHealth } from '../../ingest/health.ts'
import type { Progress } from '../../ingest/writer/progress.ts'

const MINUTE = 29_000_000
const START = (MINUTE + 1) * 60_000
const head = { number: 9, hash: '0x09' as const, timestamp: 0 }
const reference = { minute: MINUTE, key: 'k', sha256: 's' }
const sealed = (minute: number): Progress => ({
  is: 'sealed',
  head,
  entry: { n: 1, is: 'sealed', minute, firstBlock: 1, last: head, segment: reference },
})
const rewound = (minute: number | null, minutes: number): Progress => ({
  is: 'rewound',
  entry: { n: 2, is: 'rewound', minute, last: null, orphaned: Array(minutes).fill(reference) },
})
const wait = { for: 'rate' as const, endpoint: 'here', cause: 'too often', times: 1, until: START }
const retry = { is: 'retry', wait, fault: new RangeChangedError('of late') } as const
const unasked = { OffSchedule: 0, Requests: 0, Calls: 0, Waits: 0, Waited: 0 }
function lineOf(health: IngestHealth, now: number) {
  const { _aws, service, ...values } = JSON.parse(health.line(now, 'space'))
  expect([service, _aws.CloudWatchMetrics[0].Namespace, _aws.Timestamp]).toEqual(['ingest', 'space', now])
  expect(_aws.CloudWatchMetrics[0].Metrics.map(({ Name }: { Name: string }) => Name)).toEqual(
    Object.keys(values),
  )
  return values
}

describe('the health of ingest', () => {
  it('reports the counts since the previous line and the age of the newest sealed minute', () => {
    const health = new IngestHealth(START)
    expect(lineOf(health, START)).toEqual({ Sealed: 0, Retries: 0, Rewinds: 0, GapAge: 0, ...unasked })
    health.record(sealed(MINUTE - 1), START)
    health.record(sealed(MINUTE), START)
    health.record(retry, START)
    health.record({ is: 'asked', calls: 30 }, START)
    health.record({ is: 'asked', calls: 3 }, START)
    health.record({ is: 'wait', wait: { ...wait, until: START + 1_500.4 } }, START)
    for (const isFirst of [true, false])
      health.record({ is: 'off schedule', isFirst, block: 7, timestamp: 2, guessed: 1 }, START)
    const asked = { OffSchedule: 2, Requests: 2, Calls: 33, Waits: 1, Waited: 1_500 }
    expect(lineOf(health, START + 90_000)).toEqual({
      Sealed: 2,
      Retries: 1,
      Rewinds: 0,
      GapAge: 0,
      ...asked,
      SealedAge: 90,
    })
    health.record(rewound(MINUTE - 2, 2), START)
    expect(lineOf(health, START + 90_000)).toEqual({
      Sealed: 0,
      Retries: 0,
      Rewinds: 2,
      GapAge: 0,
      ...unasked,
      SealedAge: 210,
    })
    health.record(rewound(null, 1), START)
    expect(lineOf(health, START)).toEqual({ Sealed: 0, Retries: 0, Rewinds: 1, GapAge: 0, ...unasked })
  })

  it('reports the age of a gap until it closes', () => {
    const health = new IngestHealth(START)
    const gap = { block: 7, missing: 'logs', endpoints: ['here'], since: START / 1_000 }
    health.record({ is: 'gap', gap }, START)
    expect(lineOf(health, START)).toMatchObject({ GapAge: 1 })
    expect(lineOf(health, START + 90_000)).toMatchObject({ GapAge: 90 })
    health.record({ is: 'gap closed' }, START)
    expect(lineOf(health, START + 91_000)).toMatchObject({ GapAge: 0 })
  })

  it('is good while there are steps or faults, and bad after five minutes without any', () => {
    const health = new IngestHealth(START)
    expect(health.isAlive(START + 299_999)).toBe(true)
    expect(health.isAlive(START + 300_000)).toBe(false)
    health.record(retry, START + 300_000)
    expect(health.isAlive(START + 599_999)).toBe(true)
    health.record({ is: 'idle', head }, START + 600_000)
    expect(health.isAlive(START + 899_999)).toBe(true)
  })

  it('is served at /health only', async () => {
    let isWell = true
    const health = await serveHealth(0, () => isWell)
    const ask = async (path: string) => (await fetch(`http://127.0.0.1:${health.port}${path}`)).status
    expect([await ask('/health'), await ask('/')]).toEqual([200, 404])
    isWell = false
    expect(await ask('/health')).toBe(503)
    health.stop()
    await expect(ask('/health')).rejects.toThrow()
  })
})
