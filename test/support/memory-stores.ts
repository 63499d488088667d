import { createHash } from 'node:crypto'
import type { LogEntry, Segment, SegmentReference } from '../../market/segment.ts'
import type { Bucket, StoredObject } from '../../store/bucket.ts'
import { segmentBytes, segmentFrom } from '../../store/codec.ts'
import type { Applied, LogStore } from '../../store/log.ts'

export type MemoryBucket = Bucket & {
  readonly objects: Map<string, StoredObject & { readonly cacheControl?: string }>
  /** Called before a put takes effect, to let someone else go first. */
  beforePut: (key: string) => Promise<void>
  puts: string[]
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** A bucket with the conditional writes of S3. */
export function memoryBucket(): MemoryBucket {
  let version = 0
  const objects: MemoryBucket['objects'] = new Map()
  const bucket: MemoryBucket = {
    objects,
    puts: [],
    beforePut: async () => {},
    async read(key) {
      return objects.get(key)
    },
    async put(key, bytes, options = {}) {
      await bucket.beforePut(key)
      const standing = objects.get(key)
      if (options.ifNoneMatch && standing) return 'conflict'
      if (options.ifMatch && options.ifMatch !== standing?.etag) return 'conflict'
      const { contentType, cacheControl, metadata = {} } = options
      version += 1
      objects.set(key, {
        bytes,
        etag: `"${version}"`,
        metadata,
        ...(contentType === undefined ? {} : { contentType }),
        ...(cacheControl === undefined ? {} : { cacheControl }),
      })
      bucket.puts.push(key)
      return 'stored'
    },
    async *list(prefix, startAfter = '') {
      for (const key of [...objects.keys()].sort()) {
        if (key.startsWith(prefix) && key > startAfter) yield { key, size: objects.get(key)!.bytes.length }
      }
    },
    async remove(key) {
      objects.delete(key)
    },
  }
  return bucket
}

export type MemoryLog = LogStore & {
  readonly entries: LogEntry[]
  position: Applied | undefined
  reads: number
}

/** A log of minutes whose segments pass through their bytes, as in the store. */
export function memoryLog(): MemoryLog {
  const segments = new Map<string, Uint8Array>()
  const entries: LogEntry[] = []
  const log: MemoryLog = {
    entries,
    position: undefined,
    reads: 0,
    ledger: { read: async () => undefined, put: async () => true },
    tail: async () => entries.at(-1),
    async *entriesAfter(n) {
      yield* entries.filter((entry) => entry.n > n)
    },
    async *entriesBefore(n) {
      yield* entries.filter((entry) => entry.n < n).toReversed()
    },
    async append(entry) {
      entries.push(entry)
      return true
    },
    async putSegment(segment: Segment): Promise<SegmentReference> {
      const bytes = segmentBytes(segment)
      const digest = sha256(bytes)
      const reference = { minute: segment.minute, key: `segments/${digest}`, sha256: digest }
      segments.set(reference.key, bytes)
      return reference
    },
    async readSegment({ key }) {
      log.reads += 1
      return segmentFrom(segments.get(key)!)
    },
    readCloses: (reference) => log.readSegment(reference),
    applied: async () => log.position,
    async putApplied(applied) {
      log.position = applied
      return true
    },
  }
  return log
}
