import type { Minute } from '../market/segment.ts'
import { asOf } from '../market/window.ts'
import { BoundedMap } from '../schemas/bounded-map.ts'
import { InvalidParameterError, ServiceUnavailableError } from '../schemas/errors.ts'
import type { RowPool } from '../schemas/row-pool.ts'
import { minuteOfSnapshotId } from '../schemas/snapshot-id.ts'
import type { DocumentStore, SnapshotFacts, StoredDocument } from '../store/documents.ts'
import type { Provenance } from './endpoints/endpoint.ts'

/** A stored document, and the snapshot it is of. */
export type Stored<V> = { readonly at: Provenance; readonly value: V }

/**
 * What parameterised answers are cut from, of the newest snapshot or of one of the last 15 minutes. Throws
 * ServiceUnavailableError before the first snapshot, InvalidParameterError for a snapshot that is not kept.
 */
export type StoredLists = {
  list(name: string, snapshotId?: string): Promise<Stored<RowPool>>
  text(name: string, snapshotId?: string): Promise<Stored<string>>
  /** The minute of the newest snapshot. */
  newest(): Promise<Stored<Minute>>
}

/** Seconds after which a reader may ask again while nothing is published. */
const RETRY_SECONDS = 10
/** Twins of one snapshot, and some of those before it that pages are pinned to. */
const KEPT = 40

const unpublished = () =>
  new ServiceUnavailableError(RETRY_SECONDS, 'The first snapshot is not published yet.')

/** Parsed lists are kept by snapshot while the function stays warm. */
export function openStoredLists(documents: Pick<DocumentStore, 'newest' | 'readDocument'>): StoredLists {
  const parsed = new BoundedMap<string, RowPool>(KEPT)

  const read = async (name: string, snapshotId: string | undefined): Promise<StoredDocument> => {
    const document =
      snapshotId === undefined ? await documents.readDocument(name) : await pinned(name, snapshotId)
    if (!document) throw unpublished()
    return document
  }
  const pinned = async (name: string, id: string) => {
    const minute = minuteOfSnapshotId(id)
    const document = minute === null ? undefined : await documents.readDocument(name, minute)
    if (document?.snapshot.id === id) return document
    const allowed = 'the id of a snapshot of the last 15 minutes'
    throw new InvalidParameterError({ parameter: 'snapshot', provided: id.slice(0, 128), allowed })
  }

  return {
    async newest() {
      const facts = await documents.newest()
      if (!facts) throw unpublished()
      return { at: provenanceOfSnapshot(facts), value: facts.minute }
    },
    async list(name, snapshotId) {
      const facts = snapshotId === undefined ? await documents.newest() : undefined
      const id = snapshotId ?? facts?.id
      const known = id === undefined ? undefined : parsed.get(`${name} ${id}`)
      if (known && facts) return { at: provenanceOfSnapshot(facts), value: known }
      const { snapshot, text } = await read(name, snapshotId)
      const value = known ?? (JSON.parse(text) as RowPool)
      parsed.set(`${name} ${snapshot.id}`, value)
      return { at: provenanceOfSnapshot(snapshot), value }
    },
    async text(name, snapshotId) {
      const { snapshot, text } = await read(name, snapshotId)
      return { at: provenanceOfSnapshot(snapshot), value: text }
    },
  }
}

/** What an answer says of the snapshot that it was cut from. */
export const provenanceOfSnapshot = ({ id, blockNumber, blockHash, minute }: SnapshotFacts): Provenance => ({
  snapshotId: id,
  blockNumber,
  blockHash,
  asOf: asOf(minute),
})
