import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { LogEntry, SegmentReference } from '../../../market/log.ts'
import { allOf } from '../../../store/aws/parallel.ts'
import { ensureTables, openTable } from '../../../store/aws/table.ts'
import { type LogStore, openLog, SegmentDigestError, SegmentMissingError } from '../../../store/log/log.ts'
import { startStores } from '../../support/aws/ingest-stores.ts'
import * as arbitrary from '../segments.ts'

const block = (number: number) => ({ number, hash: `0x${number}` as const, timestamp: number * 2 })
const reference = (minute: number): SegmentReference => ({ minute, key: `segments/${minute}`, sha256: 'ab' })
const sealed = (n: number): LogEntry => ({
  n,
  is: 'sealed',
  minute: n,
  firstBlock: n,
  last: block(n),
  segment: reference(n),
})
const rewound: LogEntry = {
  n: 13,
  is: 'rewound',
  minute: null,
  last: null,
  orphaned: [reference(2), reference(1)],
}

const { segments: bucket, stop } = await startStores()
afterAll(stop)

describe('the log of minutes', () => {
  let log: LogStore
  let run = 0

  beforeEach(async () => {
    const name = `log${run++}`
    await ensureTables([name])
    log = openLog(openTable(name), bucket)
  })

  it('gives its entries in both directions and its tail', async () => {
    expect(await log.tail()).toBeUndefined()
    expect(await allOf(log.entriesBefore(1))).toEqual([])
    const entries = [...Array.from({ length: 12 }, (_, at) => sealed(at + 1)), rewound]
    for (const entry of entries) expect(await log.append(entry)).toBe(true)
    expect(await log.tail()).toEqual(rewound)
    expect(await allOf(log.entriesAfter(0))).toEqual(entries)
    expect(await allOf(log.entriesAfter(9))).toEqual(entries.slice(9))
    expect(await allOf(log.entriesBefore(10))).toEqual(entries.slice(0, 9).reverse())
  })

  it('takes one entry a number; appending the same again succeeds', async () => {
    expect(await log.append(sealed(1))).toBe(true)
    expect(await log.append(sealed(1))).toBe(true)
    expect(await log.append({ ...rewound, n: 1 })).toBe(false)
    expect(await log.tail()).toEqual(sealed(1))
  })

  it('keeps an entry that rolls back three days of minutes', async () => {
    const orphaned = Array.from({ length: 4_320 }, (_, at) => ({
      ...reference(at),
      sha256: fc.sample(arbitrary.anyHash, { numRuns: 1, seed: at })[0]?.slice(2) ?? '',
    }))
    expect(await log.append({ ...rewound, n: 1, orphaned })).toBe(true)
    expect(await log.tail()).toEqual({ ...rewound, n: 1, orphaned })
  })

  it('moves APPLIED forward only, and before a rewind just below it', async () => {
    expect(await log.applied()).toBeUndefined()
    const at = (n: number, isLowered = false) => ({ n, minute: 10 * n, last: block(n), isLowered })
    expect(await log.putApplied(at(1))).toBe(true)
    expect(await log.putApplied(at(1))).toBe(false)
    expect(await log.putApplied(at(3, true))).toBe(true)
    expect(await log.applied()).toEqual(at(3, true))
    expect(await log.putApplied(at(2))).toBe(false)
    const nothing = { n: 3, minute: null, last: null, isLowered: false }
    expect(await log.putApplied(nothing)).toBe(true)
    expect(await log.putApplied(at(3, true))).toBe(false)
    expect(await log.applied()).toEqual(nothing)
  })

  it('gives back segments by their digest', async () => {
    const segments = fc.sample(arbitrary.segment, { numRuns: 10, seed: 7 })
    for (const segment of segments) {
      const stored = await log.putSegment(segment)
      expect(await log.putSegment(segment)).toEqual(stored)
      expect(stored.key).toMatch(/^segments\/\d{5}\/\d{8}-[0-9a-f]{8}\.gz$/)
      expect(await log.readSegment(stored)).toEqual(segment)
    }
  })

  it('refuses a segment that is missing or has another digest', async () => {
    const [segment] = fc.sample(arbitrary.segment, { numRuns: 1, seed: 8 })
    const stored = await log.putSegment(segment!)
    await bucket.put(stored.key, gzipSync('{}'))
    await expect(log.readSegment(stored)).rejects.toThrow(SegmentDigestError)
    await expect(log.readSegment({ ...stored, key: 'segments/none' })).rejects.toThrow(SegmentMissingError)
  })
})
