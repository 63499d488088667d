import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { validators } from '#validators/documents'
import { RULES_VERSION } from '../../market/rules.ts'
import { periods } from '../../market/window.ts'
import type { Manifest } from '../../schemas/api/service.ts'
import { builders, publishedDocuments, type Snapshot, snapshotOf } from '../../snapshot/publish/documents.ts'
import { publish as publishInto } from '../../snapshot/publish/publish.ts'
import { manifestKey } from '../../store/aws/tables.ts'
import { openManifests } from '../../store/published/manifests.ts'
import { type MemoryBucket, memoryBucket, memoryLog } from '../support/aws/memory-stores.ts'
import { segmentOf, tokenAt, tradedState } from '../support/market/facts.ts'
import { engineOf, seal } from '../support/market/market-history.ts'

const MINUTE = 29_000_000
const token = tokenAt(1, MINUTE)
const traded = (cumVolume: bigint) =>
  [token.address, tradedState({ cumVolumeMicroUsd: cumVolume, holders: 3 })] as const

/** A log of minutes: the token trades, trades more, and then nothing happens. */
async function threeMinutes() {
  const log = memoryLog()
  await seal(log, segmentOf(MINUTE, { born: [token], rows: [traded(1_000_000n)] }))
  await seal(log, segmentOf(MINUTE + 1, { rows: [traded(3_000_000n)] }))
  await seal(log, segmentOf(MINUTE + 2))
  return log
}

const origin = { chain: 'devnet', codeVersion: 'abc' }

const snapshotAt = async (n: number): Promise<Snapshot> =>
  snapshotOf(await engineOf(await threeMinutes(), n), origin)

async function publish(snapshot: Snapshot, bucket: MemoryBucket, which: typeof builders) {
  const outcome = await publishInto(snapshot, { bucket }, which)
  return { ...outcome, manifest: outcome.manifest! }
}

const textOf = (bucket: MemoryBucket, key: string) => Buffer.from(bucket.objects.get(key)!.bytes).toString()
const CREATORS = 'v1/z100/creators/24h'

/** Builders whose creators board has an invalid row, also within v1/all. */
const broken: typeof builders = {
  ...builders,
  creators: () => ({ text: '[{"rank":"first"}]', total: 1 }),
  all: (...args) => {
    const { text, total } = builders.all(...args)
    return { text: JSON.stringify({ ...JSON.parse(text), creators: [{ rank: 'first' }] }), total }
  },
}

describe('publish', () => {
  let bucket: MemoryBucket
  beforeEach(() => {
    bucket = memoryBucket()
  })

  it('puts every document with its provenance, then the manifest and its copy by minute', async () => {
    const snapshot = await snapshotAt(1)
    const { manifest } = await publish(snapshot, bucket, builders)
    expect([...bucket.objects.keys()].sort()).toEqual(
      [...publishedDocuments.map(({ name }) => name), manifestKey, `manifests/${MINUTE}.json`].sort(),
    )
    expect(bucket.puts.slice(-2)).toEqual([manifestKey, `manifests/${MINUTE}.json`])
    const object = bucket.objects.get(CREATORS)!
    const sha256 = createHash('sha256').update(object.bytes).digest('hex')
    expect(object).toMatchObject({
      contentType: 'application/json; charset=utf-8',
      cacheControl: 'public, max-age=20, stale-while-revalidate=10, stale-if-error=86400',
      metadata: {
        snapshot: snapshot.id,
        total: '1',
        block: String(snapshot.last.number),
        'block-hash': snapshot.last.hash,
        time: '2025-02-19T21:21:00Z',
        sort: 'rank;desc',
        period: '24h',
        sha256,
      },
    })
    expect(manifest.documents[CREATORS]).toEqual({ sha256, total: 1, snapshot_id: snapshot.id })
    expect(manifest).toMatchObject({
      log_position: 1,
      minute: MINUTE,
      block_number: snapshot.last.number,
      unpublished: [],
      chain: 'devnet',
      code_version: 'abc',
      rules_version: RULES_VERSION,
    })
    expect(snapshot.id).toMatch(/^20250219T2120Z-[0-9a-f]{8}$/)
  })

  it('skips a document whose bytes have not changed, which keeps naming its snapshot', async () => {
    const first = await snapshotAt(1)
    await publish(first, bucket, builders)
    bucket.puts = []
    const second = await snapshotAt(2)
    const { manifest } = await publish(second, bucket, builders)
    expect(bucket.puts).toContain(CREATORS)
    expect(bucket.puts).not.toContain('v1/z100/posts/24h')
    expect(manifest.documents['v1/z100/posts/24h']?.snapshot_id).toBe(first.id)
    expect(manifest.documents[CREATORS]?.snapshot_id).toBe(second.id)
  })

  it('states the order, period and page size of each document', async () => {
    await publish(await snapshotAt(1), bucket, builders)
    const stated = publishedDocuments.map(({ name }) => {
      const { sort, period, limit } = bucket.objects.get(name)!.metadata
      return [name.replace('v1/', ''), sort, period, limit].join(' ')
    })
    expect(stated).toEqual(
      expect.arrayContaining([
        'z100/posts/7d rank;desc 7d ',
        'z100/index/1h  1h ',
        'all/4h  4h ',
        'market/trending/30d/market_cap market_cap;desc 30d ',
        'market/volume/24h  24h ',
        'market/stats   ',
        'discover/rising   20',
        'discover/new-launches   20',
      ]),
    )
  })

  it('puts a document again when it has become the first page of more records', async () => {
    const launches = 'v1/discover/new-launches'
    await publish(await snapshotAt(1), bucket, builders)
    const { text } = builders.launches(await snapshotAt(1), [])
    const more: typeof builders = { ...builders, launches: () => ({ text, total: 7, limit: 20 }) }
    const { manifest } = await publish(await snapshotAt(2), bucket, more)
    expect(manifest.documents[launches]).toMatchObject({ total: 7, snapshot_id: manifest.snapshot_id })
    expect(bucket.objects.get(launches)!.metadata).toMatchObject({
      total: '7',
      snapshot: manifest.snapshot_id,
    })
  })

  it('publishes in v1/all both boards and the index as they are, valid by its own schema', async () => {
    await publish(await snapshotAt(1), bucket, builders)
    for (const period of periods) {
      const all = JSON.parse(textOf(bucket, `v1/all/${period}`))
      expect(validators.all(all) || validators.all.errors).toBe(true)
      for (const list of ['creators', 'posts', 'index'])
        expect(all[list]).toEqual(JSON.parse(textOf(bucket, `v1/z100/${list}/${period}`)))
      expect(all.creators).toHaveLength(all.total_creators)
    }
  })

  it('keeps the last good version of a document that fails its schema, and the manifest names it', async () => {
    const { manifest: good } = await publish(await snapshotAt(1), bucket, builders)
    const before = textOf(bucket, CREATORS)
    const { manifest, failures } = await publish(await snapshotAt(2), bucket, broken)
    expect(textOf(bucket, CREATORS)).toBe(before)
    expect(manifest.documents[CREATORS]).toEqual(good.documents[CREATORS])
    const failed = ['z100/creators', 'all'].flatMap((name) => periods.map((period) => `v1/${name}/${period}`))
    expect(manifest.unpublished).toEqual(failed)
    expect(textOf(bucket, 'v1/all/24h')).toContain(before.slice(1, 200))
    for (const { errors } of failures) expect(errors).not.toEqual([])

    const { manifest: whole } = await publish(await snapshotAt(2), bucket, builders)
    expect(whole.unpublished).toEqual([])
    expect(textOf(bucket, CREATORS)).not.toBe(before)
  })

  it('does the same for a document whose builder throws', async () => {
    const fails = () => {
      throw new TypeError('no such row')
    }
    const { manifest } = await publish(await snapshotAt(1), bucket, { ...builders, posts: fails })
    expect(manifest.unpublished).toContain('v1/z100/posts/1h')
    expect(bucket.objects.has('v1/z100/posts/1h')).toBe(false)
  })

  it('does nothing when a later snapshot is published already', async () => {
    const { manifest: later } = await publish(await snapshotAt(2), bucket, builders)
    bucket.puts = []
    expect((await publish(await snapshotAt(1), bucket, builders)).manifest).toEqual(later)
    expect((await publish(await snapshotAt(2), bucket, builders)).manifest).toEqual(later)
    expect(bucket.puts).toEqual([])
  })

  it.each([
    [CREATORS, 'first'],
    [manifestKey, 'first'],
    [CREATORS, 'second'],
    [manifestKey, 'second'],
  ])(
    'never goes back when a later snapshot is published while it puts %s, be it the %s that is published',
    async (key, which) => {
      const [early, late] = [await snapshotAt(2), await snapshotAt(3)]
      if (which === 'second') await publish(await snapshotAt(1), bucket, builders)
      const undisturbed = memoryBucket()
      await publish(late, undisturbed, builders)
      let isFirst = true
      let racing: Promise<unknown> | undefined
      bucket.beforePut = async (put) => {
        if (put !== key || !isFirst) return
        isFirst = false
        racing = publish(late, bucket, builders)
        await racing
      }
      const { manifest } = await publishInto(early, { bucket }, builders)
      expect(manifest?.log_position).not.toBe(2)
      await racing
      expect((await openManifests(bucket).newest())?.snapshot_id).toBe(late.id)
      for (const { name } of publishedDocuments)
        expect([name, textOf(bucket, name)]).toEqual([name, textOf(undisturbed, name)])
    },
  )

  it('replaces a manifest that this code cannot read', async () => {
    await bucket.put(manifestKey, Buffer.from('{"snapshot_id":"of another age"}'))
    const { manifest } = await publish(await snapshotAt(1), bucket, builders)
    expect(await openManifests(bucket).newest()).toEqual(manifest)
  })

  it('replaces what was published of minutes that were rolled back, although the minute is lower', async () => {
    await publish(await snapshotAt(3), bucket, builders)
    const snapshot = { ...(await snapshotAt(1)), n: 4 }
    const { manifest } = await publish(snapshot, bucket, builders)
    expect(manifest).toMatchObject({ log_position: 4, minute: MINUTE } satisfies Partial<Manifest>)
  })
})
