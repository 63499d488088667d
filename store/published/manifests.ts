import { validators } from '#validators/manifest'
import { DAY_MINUTES } from '../../market/calendar.ts'
import type { Minute } from '../../market/segment.ts'
import { MANIFEST_DAYS, type Manifest, minuteOfSnapshotId } from '../../schemas/api/service.ts'
import { type Bucket, openBucket, putOver } from '../aws/bucket.ts'
import { mapParallel } from '../aws/parallel.ts'
import { manifestKey, minuteText, objectPrefixes } from '../aws/tables.ts'
import { infoOfManifest, orderOf } from './documents.ts'

const PREFIX = objectPrefixes.manifests
const keyOf = (minute: Minute): string => `${PREFIX}${minuteText(minute)}.json`

const minuteIn = (key: string): Minute => Number(key.slice(PREFIX.length, -'.json'.length))

/** Manifests in the bucket of published documents: the current one, and a copy by minute. Unreadable ones count as absent. */
export type Manifests = {
  newest(): Promise<Manifest | undefined>
  /** Of the last snapshot published of this minute. */
  at(minute: Minute): Promise<Manifest | undefined>
  /** Of a snapshot; undefined if it was never published, or was replaced after a rollback. */
  byId(snapshotId: string): Promise<Manifest | undefined>
  /** The newest manifests, at most `limit`, newest first. */
  recent(count: number): Promise<readonly Manifest[]>
  /**
   * A page of the manifests of minutes up to `upTo`, newest first, out of the newest LISTED_MAX. `total` is their
   * number; `isCapped`: there are older ones.
   */
  list(
    page: ManifestPage,
  ): Promise<{ readonly manifests: readonly Manifest[]; readonly total: number; readonly isCapped: boolean }>
  /** Minutes from `from` to `to` of which a manifest is kept, ascending, and the first one of all. */
  minutes(
    from: Minute,
    to: Minute,
  ): Promise<{ readonly kept: readonly Minute[]; readonly first: Minute | undefined }>
  /** Puts the current manifest and its copy, each unless one from later in the log is stored. False: a later one is current. */
  put(manifest: Manifest): Promise<boolean>
}

export type ManifestPage = { readonly upTo: Minute; readonly offset: number; readonly limit: number }

/** Maximum manifests counted for one list. */
export const LISTED_MAX = 1_000

const isManifest = (value: unknown): value is Manifest => validators.manifest(value)
const PARALLEL_READS = 16
const PUT_OPTIONS = { contentType: 'application/json; charset=utf-8', cacheControl: 'no-cache' }

/** The manifests in the bucket of published documents. */
export function openManifests(bucket: Bucket): Manifests {
  const read = async (key: string): Promise<Manifest | undefined> => {
    const object = await bucket.read(key)
    if (!object) return undefined
    const manifest: unknown = JSON.parse(Buffer.from(object.bytes).toString())
    return isManifest(manifest) ? manifest : undefined
  }
  const readAll = async (keys: readonly string[]): Promise<readonly Manifest[]> =>
    (await mapParallel(keys, PARALLEL_READS, read)).flatMap((manifest) => manifest ?? [])
  const newest = () => read(manifestKey)
  const at = (minute: Minute) => read(keyOf(minute))
  return {
    newest,
    at,
    async byId(snapshotId) {
      const minute = minuteOfSnapshotId(snapshotId)
      const manifest = minute === null ? undefined : await at(minute)
      return manifest?.snapshot_id === snapshotId ? manifest : undefined
    },
    async recent(count) {
      const last = await newest()
      if (!last) return []
      return readAll((await keysBefore(bucket, last.minute, count)).slice(-count).reverse())
    },
    async list({ upTo, offset, limit }) {
      const last = await newest()
      if (!last) return { manifests: [], total: 0, isCapped: false }
      const oldest = last.minute - MANIFEST_DAYS * DAY_MINUTES
      const keys = await keysBefore(bucket, Math.min(upTo, last.minute), LISTED_MAX + 1, oldest)
      const listed = keys.slice(-LISTED_MAX).reverse()
      const manifests = await readAll(listed.slice(offset, offset + limit))
      return { manifests, total: listed.length, isCapped: keys.length > LISTED_MAX }
    },
    async minutes(from, to) {
      const kept: Minute[] = []
      for await (const { key } of bucket.list(PREFIX, keyOf(from - 1))) {
        if (key > keyOf(to)) break
        kept.push(minuteIn(key))
      }
      for await (const { key } of bucket.list(PREFIX)) return { kept, first: minuteIn(key) }
      return { kept, first: undefined }
    },
    async put(manifest) {
      if (!(await putUnlessFurther(bucket, manifestKey, manifest))) return false
      await putUnlessFurther(bucket, keyOf(manifest.minute), manifest)
      return true
    },
  }
}

/** The same in the bucket of this name. */
export const openPublishedManifests = (bucket: string): Manifests => openManifests(openBucket(bucket))

/** Keys of the copies of the minutes after `oldest` up to `last`, oldest first: at least `count`, unless there are fewer. */
async function keysBefore(
  bucket: Bucket,
  last: Minute,
  count: number,
  oldest = 0,
): Promise<readonly string[]> {
  for (let minutes = 2 * count; ; minutes *= 8) {
    const keys: string[] = []
    for await (const { key } of bucket.list(PREFIX, keyOf(Math.max(0, oldest, last - minutes)))) {
      if (key > keyOf(last)) break
      keys.push(key)
    }
    if (keys.length >= count || last - minutes <= oldest) return keys
  }
}

function putUnlessFurther(bucket: Bucket, key: string, manifest: Manifest): Promise<boolean> {
  const position = orderOf(infoOfManifest(manifest))
  const bytes = Buffer.from(JSON.stringify(manifest, null, 1))
  const next = { ...PUT_OPTIONS, bytes, metadata: { position: String(position) } }
  return putOver(bucket, key, (current) =>
    Number(current?.metadata['position'] ?? 0) > position ? undefined : next,
  )
}
