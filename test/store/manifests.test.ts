import { beforeEach, describe, expect, it } from 'vitest'
import { type Manifest, minuteOfSnapshotId, snapshotId } from '../../schemas/api/service.ts'
import { manifestKey } from '../../store/aws/tables.ts'
import { openManifests } from '../../store/published/manifests.ts'
import { type MemoryBucket, memoryBucket } from '../support/aws/memory-stores.ts'
import { hash } from '../support/market/facts.ts'

const MINUTE = 29_000_000

/** A manifest at a place in the log; another `chain` is another block. */
function manifestAt(n: number, minute: number, chain = 0): Manifest {
  const last = { number: n, hash: hash(n + chain * 1_000), timestamp: minute * 60 }
  return {
    snapshot_id: snapshotId({ n, minute, last }),
    log_position: n,
    log_switches: 0,
    minute,
    as_of: '2025-02-19T21:21:00Z',
    block_number: last.number,
    block_hash: last.hash,
    history_from: '2025-02-19T21:20:00Z',
    corrections: 0,
    chain: 'devnet',
    rules_version: 1,
    code_version: null,
    documents: { 'v1/market/stats': { sha256: 'ab'.repeat(32), total: 1, snapshot_id: 'x' } },
    unpublished: [],
  }
}

describe('manifests', () => {
  let bucket: MemoryBucket
  beforeEach(() => {
    bucket = memoryBucket()
  })

  it('are found by minute and by the id of their snapshot', async () => {
    const manifests = openManifests(bucket)
    const [first, second] = [manifestAt(1, MINUTE), manifestAt(2, MINUTE + 1)]
    for (const manifest of [first, second]) expect(await manifests.put(manifest)).toBe(true)
    expect(await manifests.newest()).toEqual(second)
    expect(await manifests.at(MINUTE)).toEqual(first)
    expect(await manifests.byId(first.snapshot_id)).toEqual(first)
    expect(await manifests.byId(second.snapshot_id)).toEqual(second)
    expect(await manifests.byId('20250219T2120Z-00000000')).toBeUndefined()
    for (const id of ['', 'x', '../manifest', '20250219T2120Z-0000000', '20259919T2120Z-00000000'])
      expect(await manifests.byId(id)).toBeUndefined()
  })

  it('of rolled back minutes are replaced, and never the other way round', async () => {
    const manifests = openManifests(bucket)
    const [orphan, again] = [manifestAt(1, MINUTE), manifestAt(3, MINUTE, 1)]
    await manifests.put(orphan)
    await manifests.put(again)
    expect(await manifests.put(orphan)).toBe(false)
    expect(await manifests.newest()).toEqual(again)
    expect(await manifests.byId(orphan.snapshot_id)).toBeUndefined()
    expect(await manifests.byId(again.snapshot_id)).toEqual(again)
  })

  it('lists the newest first, over gaps, and none beyond the one in force', async () => {
    const manifests = openManifests(bucket)
    expect(await manifests.recent(5)).toEqual([])
    const minutes = [0, 1, 2, 500, 501, 90_000]
    const all = minutes.map((after, at) => manifestAt(at + 1, MINUTE + after))
    for (const manifest of all) await manifests.put(manifest)
    expect(await manifests.recent(3)).toEqual(all.toReversed().slice(0, 3))
    expect(await manifests.recent(99)).toEqual(all.toReversed())
    const back = manifestAt(8, MINUTE + 501, 1)
    await manifests.put(back)
    expect(await manifests.recent(2)).toEqual([back, all[3]])
  })

  it('of another version are absent', async () => {
    await bucket.put(manifestKey, Buffer.from('{"snapshot_id":"of another age"}'))
    expect(await openManifests(bucket).newest()).toBeUndefined()
  })

  it('has ids that say their minute', () => {
    expect(manifestAt(1, MINUTE).snapshot_id).toMatch(/^20250219T2120Z-[0-9a-f]{8}$/)
    expect(minuteOfSnapshotId(manifestAt(7, 123_456).snapshot_id)).toBe(123_456)
  })
})
