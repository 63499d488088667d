/** Keeps what was published: the last snapshot of each UTC hour, with all of its documents. */
import { hourOfMinute } from '../../market/calendar.ts'
import { intervalAt } from '../../market/index/index-history.ts'
import type { SealedEntry } from '../../market/log.ts'
import { memoized } from '../../market/memoized.ts'
import type { Minute } from '../../market/segment.ts'
import type { Manifest } from '../../schemas/api/service.ts'
import type { Bucket } from '../../store/aws/bucket.ts'
import { openMemoryBucket, openMemoryTable } from '../../store/aws/memory.ts'
import { mapParallel } from '../../store/aws/parallel.ts'
import { sha256Of } from '../../store/aws/tables.ts'
import { type DocumentStore, openDocuments } from '../../store/published/documents.ts'
import type { KeptStore } from '../../store/published/kept.ts'
import { openManifests } from '../../store/published/manifests.ts'
import { type Engine, minuteOfEngine } from '../engine/engine.ts'
import { type DayStores, endDay } from './days.ts'
import {
  type Builders,
  type Snapshot,
  type SnapshotOrigin,
  snapshotOf,
  storedDocuments,
} from './documents.ts'
import { publish } from './publish.ts'

const PARALLEL_DOCUMENTS = 16

/** What is published now, and where. */
type PublishedNow = {
  readonly bucket: Bucket
  readonly documents: Pick<DocumentStore, 'readDocument'>
  readonly manifest: Manifest
}

/**
 * Keeps a published snapshot, unless its hour is kept. The documents come first: until the hour is put, any other run does
 * the same again. A document whose bytes are not those of the manifest is left out.
 */
export async function keepHour(
  kept: KeptStore,
  { bucket, documents, manifest }: PublishedNow,
): Promise<void> {
  const hour = hourOfMinute(manifest.minute)
  if (await kept.hour(hour)) return
  const published = await mapParallel(
    Object.entries(manifest.documents),
    PARALLEL_DOCUMENTS,
    async ([name, { sha256 }]) => {
      const bytes = (await bucket.read(name))?.bytes
      return bytes && sha256Of(bytes) === sha256 ? keepText(kept, name, Buffer.from(bytes).toString()) : []
    },
  )
  const ofTables = await mapParallel(
    storedDocuments.filter(({ name }) => !(name in manifest.documents)),
    PARALLEL_DOCUMENTS,
    async ({ name }) => {
      const found = await documents.readDocument(name, manifest.minute)
      return found?.snapshot.id === manifest.snapshot_id ? keepText(kept, name, found.text) : []
    },
  )
  await kept.putHour({ hour, manifest, documents: Object.fromEntries([...published, ...ofTables].flat()) })
}

const keepText = async (kept: KeptStore, name: string, text: string) =>
  [[name, await kept.putDocument(text)] as const] as const

/** Keeps the snapshot of an engine that was never published, as it would have been. */
export async function keepUnpublished(
  kept: KeptStore,
  snapshot: Snapshot,
  builders: Builders,
): Promise<void> {
  const [bucket, documents] = [openMemoryBucket(), openDocuments(openMemoryTable())]
  const { manifest } = await publish(snapshot, { bucket, documents }, builders)
  if (manifest) await keepHour(kept, { bucket, documents, manifest })
}

/** What a rebuild calls on its way, so that what it publishes is kept. `failures`: days that will be ended again. */
export type Keeper = {
  /** Before the engine leaves a minute for the next. */
  beforeNext(engine: Engine, next: Pick<SealedEntry, 'minute'>): Promise<void>
  /** Before a snapshot of this minute is published. */
  beforePublishing(minute: Minute): Promise<void>
  readonly failures: readonly Error[]
}

/** Keeps nothing. */
export const noKeeper: Keeper = { beforeNext: async () => {}, beforePublishing: async () => {}, failures: [] }

type Keeping = {
  readonly days: DayStores
  readonly bucket: Bucket
  readonly documents: Pick<DocumentStore, 'readDocument'>
  readonly origin: SnapshotOrigin
  readonly builders: Builders
  /** Unix seconds. */
  readonly now: number
}

/**
 * Keeps the last snapshot of each hour: the published one when the first of a later hour is about to replace it. Of hours
 * that passed unpublished, as the service was down or had yet to catch up, it makes and keeps the last of each day.
 */
export function openKeeper({ days, bucket, documents, origin, builders, now }: Keeping): Keeper {
  const { kept } = days
  const failures: Error[] = []
  const newest = memoized((_: 'newest') => openManifests(bucket).newest())
  const end = async (day: number) => {
    try {
      await endDay(day, days, now)
    } catch (error) {
      // Publishing goes on: the day is ended again in the next hour.
      failures.push(error instanceof Error ? error : new Error(String(error)))
    }
  }
  return {
    failures,
    async beforeNext(engine, next) {
      const minute = minuteOfEngine(engine)
      if (minute === null || dayOf(minute) === dayOf(next.minute)) return
      const hour = hourOfMinute(minute)
      const published = await newest('newest')
      if (published && hourOfMinute(published.minute) >= hour) return
      if (!(await kept.hour(hour))) await keepUnpublished(kept, snapshotOf(engine, origin), builders)
      await end(dayOf(minute))
    },
    async beforePublishing(minute) {
      const manifest = await openManifests(bucket).newest()
      if (!manifest || hourOfMinute(manifest.minute) >= hourOfMinute(minute)) return
      await keepHour(kept, { bucket, documents, manifest })
      // Days may have passed since then; each of those between was ended when the engine left it.
      const [then, today] = [dayOf(manifest.minute), dayOf(minute)]
      for (const day of new Set([then, today - 1])) if (day < today) await end(day)
    },
  }
}

const dayOf = (minute: Minute): number => intervalAt('day', minute)
