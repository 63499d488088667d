import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Manifest } from '../schemas/service.ts'
import { builders, type Snapshot, snapshotOf } from '../snapshot/documents.ts'
import { EmptyEngineError, type Engine } from '../snapshot/engine.ts'
import { publish } from '../snapshot/publish.ts'
import type { StoredObject } from '../store/bucket.ts'
import { MANIFEST_KEY } from '../store/manifests.ts'
import { openMemoryBucket } from '../store/memory.ts'

/** A snapshot made again: its manifest, and its documents by their keys. */
export type Rebuilt = {
  readonly snapshot: Snapshot
  readonly manifest: Manifest
  readonly documents: ReadonlyMap<string, Pick<StoredObject, 'bytes' | 'metadata'>>
}

/** What a snapshot says of itself that its minute alone does not tell. */
export type RebuiltFacts = Pick<Manifest, 'log_position' | 'corrections' | 'chain' | 'code_version'>

/** Publishes an engine's minute, as the service does, into memory. Throws EmptyEngineError. */
export async function rebuiltFrom(engine: Engine, facts: RebuiltFacts): Promise<Rebuilt> {
  const { log_position: n, corrections, chain, code_version: codeVersion } = facts
  const snapshot = snapshotOf({ ...engine, n, corrections }, { chain, codeVersion })
  const bucket = openMemoryBucket()
  const { manifest } = await publish(snapshot, { bucket }, builders)
  if (!manifest) throw new EmptyEngineError()
  const documents = [...bucket.objects].filter(([key]) => key in manifest.documents)
  return { snapshot, manifest, documents: new Map(documents) }
}

/** Writes the documents and the manifest under a directory, each at its key in the bucket. */
export async function saveRebuilt({ manifest, documents }: Rebuilt, dir: string): Promise<void> {
  const manifestText = Buffer.from(JSON.stringify(manifest, null, 1))
  for (const [key, { bytes }] of [...documents, [MANIFEST_KEY, { bytes: manifestText }] as const]) {
    const path = join(dir, key)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, bytes)
  }
}
