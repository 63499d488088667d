import type { Manifest } from '../schemas/service.ts'
import type { StoredObject } from '../store/bucket.ts'
import { mapParallel } from '../store/parallel.ts'
import { sha256Of } from '../store/tables.ts'
import { different, type Finding } from './check.ts'
import type { ServiceStores } from './deployment.ts'
import { firstDifference } from './difference.ts'
import { OperatorFault } from './terminal.ts'

/** The current snapshot: its manifest and its stored documents. */
export type PublishedDocuments = {
  readonly manifest: Manifest
  /** The stored documents by their keys; one that is absent is left out. */
  readonly documents: ReadonlyMap<string, StoredText>
}

/** A stored document, unverified. */
export type StoredText = {
  readonly text: string
  readonly sha256: string
  /** The edge sends it as headers. */
  readonly metadata: Readonly<Record<string, string>>
}

/** Attempts at reading all documents between two publications, a minute apart. */
const ATTEMPTS = 5
const PARALLEL_READS = 16

/** The manifest in force and its documents, consistent with each other. Throws NothingPublished, RestlessService. */
export async function readPublished({ manifests, published }: ServiceStores): Promise<PublishedDocuments> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const manifest = await manifests.newest()
    if (!manifest)
      throw new OperatorFault(
        'NothingPublished',
        'there is no manifest: the service has not published a snapshot',
      )
    const found = await mapParallel(Object.keys(manifest.documents), PARALLEL_READS, async (key) => {
      const object = await published.read(key)
      return object ? [[key, storedText(object)] as const] : []
    })
    if ((await manifests.newest())?.snapshot_id === manifest.snapshot_id) {
      return { manifest, documents: new Map(found.flat()) }
    }
  }
  throw new OperatorFault(
    'RestlessService',
    `the manifest has changed ${ATTEMPTS} times while the documents were read`,
  )
}

const storedText = ({ bytes, metadata }: StoredObject): StoredText => ({
  text: Buffer.from(bytes).toString(),
  sha256: sha256Of(bytes),
  metadata,
})

/** The manifest in force and those before it, at most so many, newest first. */
export async function newestManifests(
  { manifest }: PublishedDocuments,
  count: number,
  { manifests }: ServiceStores,
): Promise<readonly Manifest[]> {
  const copies = (await manifests.recent(count)).filter(({ minute }) => minute < manifest.minute)
  return [manifest, ...copies].slice(0, count)
}

/** The manifest of a snapshot: the one in force, or one that is kept by minute. Throws UnknownSnapshot. */
export async function manifestOf(
  id: string,
  inForce: Manifest | undefined,
  { manifests }: ServiceStores,
): Promise<Manifest> {
  if (inForce?.snapshot_id === id) return inForce
  const manifest = await manifests.byId(id)
  if (!manifest)
    throw new OperatorFault('UnknownSnapshot', `no manifest of snapshot ${JSON.stringify(id)} is kept`)
  return manifest
}

/** Compares the manifest in force with its copy by minute. */
export async function checkCopy(
  { manifest }: PublishedDocuments,
  { manifests }: ServiceStores,
): Promise<readonly Finding[]> {
  const copy = await manifests.at(manifest.minute)
  // The copy is put after the manifest in force, and is of that minute's last snapshot.
  if (!copy || copy.log_position > manifest.log_position) return []
  const found = firstDifference(JSON.stringify(manifest), JSON.stringify(copy))
  if (!found) return []
  const description = `${found.where}: in force ${found.published}, in the copy ${found.rebuilt}`
  return [different(`manifest of ${manifest.snapshot_id}`, description)]
}
