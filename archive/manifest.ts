import { validators } from '#validators/archive'
import type { ArchivedSpan, ArchiveManifest } from '../schemas/records/archive.ts'
import type { Bucket, StoredObject } from '../store/aws/bucket.ts'
import { StoreFault } from '../store/aws/fault.ts'
import { archiveManifestKey } from './span.ts'

/** Seconds for which readers keep what is replaced now and then: the manifest, and files. */
const KEPT = { manifest: 20, files: 300 } as const

/** Options of a put of a file of the archive. */
export const filePut = {
  contentType: 'application/octet-stream',
  cacheControl: `public, max-age=${KEPT.files}`,
} as const

/** The manifest of a bucket, and what a later put must find there. */
export type ReadManifest = { readonly manifest: ArchiveManifest; readonly etag: string | undefined }

/** An archive without files. */
export const emptyManifest = (chain: string, log: string): ArchiveManifest => ({
  version: 1,
  chain,
  sealed_until: null,
  log,
  log_entry: 0,
  days: [],
  hours: [],
})

/** The archive's manifest in a bucket; undefined: there is none. Throws ArchiveManifestError. */
export async function readManifest(bucket: Pick<Bucket, 'read'>): Promise<ReadManifest | undefined> {
  const object: StoredObject | undefined = await bucket.read(archiveManifestKey)
  return object && { manifest: manifestFrom(object.bytes), etag: object.etag }
}

/** Throws ArchiveManifestError. */
export function manifestFrom(bytes: Uint8Array): ArchiveManifest {
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(bytes).toString())
  } catch {
    value = undefined
  }
  if (validators.archive(value)) return value as ArchiveManifest
  throw new StoreFault('ArchiveManifestError', `${archiveManifestKey} is no manifest of an archive`)
}

/** Puts a manifest over the one that was read; throws ArchiveTakenError if another process has put its own since. */
export async function putManifest(
  bucket: Pick<Bucket, 'put'>,
  { manifest, etag }: ReadManifest,
): Promise<void> {
  const condition = etag === undefined ? { ifNoneMatch: '*' as const } : { ifMatch: etag }
  const outcome = await bucket.put(archiveManifestKey, Buffer.from(JSON.stringify(manifest, null, 1)), {
    contentType: 'application/json; charset=utf-8',
    cacheControl: `public, max-age=${KEPT.manifest}`,
    ...condition,
  })
  if (outcome === 'conflict')
    throw new StoreFault('ArchiveTakenError', 'another process writes this archive: let it finish')
}

/** Spans with one of them put in its place, oldest first. */
export const withSpan = (spans: readonly ArchivedSpan[], span: ArchivedSpan): readonly ArchivedSpan[] =>
  [...spans.filter((one) => one.span !== span.span), span].sort((a, b) => (a.span < b.span ? -1 : 1))
