import { LRUCache } from 'lru-cache'
import type { DocumentName } from '../schemas/operations.ts'
import type { Bucket, StoredObject } from '../store/bucket.ts'
import type { Documents, StoredDocument } from './endpoints/endpoint.ts'

/** A document is overwritten once a minute; one that was read so lately is not read again. */
const FRESH_MS = 5_000
const KEPT = 50

/** The published documents, from the bucket that the edge reads. */
export function openDocuments(bucket: Pick<Bucket, 'read'>): Documents {
  const recent = new LRUCache<string, Promise<StoredDocument | undefined>>({ max: KEPT, ttl: FRESH_MS })
  return {
    read(name: DocumentName) {
      const known = recent.get(name)
      if (known) return known
      const reading = bucket.read(name).then((object) => object && documentFrom(object))
      recent.set(name, reading)
      reading.then(
        (document) => document ?? recent.delete(name),
        () => recent.delete(name),
      )
      return reading
    },
  }
}

/** The document and what its metadata say of it. */
function documentFrom({ bytes, metadata }: StoredObject): StoredDocument {
  return {
    text: Buffer.from(bytes).toString(),
    total: Number(metadata['total'] ?? 0),
    at: {
      snapshotId: metadata['snapshot'] ?? '',
      blockNumber: Number(metadata['block'] ?? 0),
      blockHash: metadata['block-hash'] ?? '',
      asOf: Date.parse(metadata['time'] ?? '') / 1_000,
    },
  }
}
