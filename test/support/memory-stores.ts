import { createHash } from 'node:crypto'
import { effectiveEntries, type LogEntry, type SegmentReference } from '../../market/log.ts'
import type { Block, Minute, Segment } from '../../market/segment.ts'
import type { Bucket, StoredObject } from '../../store/bucket.ts'
import type { Applied, LogStore } from '../../store/log.ts'
import { openMemoryBucket } from '../../store/memory.ts'
import { segmentBytes, segmentFrom, segmentStatesFrom } from '../../store/segment-bytes.ts'

export type MemoryBucket = Bucket & {
  readonly objects: Map<string, StoredObject & { readonly cacheControl?: string }>
  /** Called before a put takes effect, to let someone else go first. */
  beforePut: (key: string) => Promise<void>
  puts: string[]
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** A bucket with the conditional writes of S3. */
export function memoryBucket(): MemoryBucket {
  const inner = openMemoryBucket()
  const bucket: MemoryBucket = {
    ...inner,
    puts: [],
    beforePut: async () => {},
    async put(key, bytes, options) {
      await bucket.beforePut(key)
      const outcome = await inner.put(key, bytes, options)
      if (outcome === 'stored') bucket.puts.push(key)
      return outcome
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
    readSegmentStates: async (reference) => segmentStatesFrom(segmentBytes(await log.readSegment(reference))),
    readersGone: async () => undefined,
    applied: async () => log.position,
    async putApplied(applied) {
      log.position = applied
      return true
    },
  }
  return log
}

/** Seals a minute: segment, entry and, unless readers may not see it yet, APPLIED. Its number in the log. */
export async function sealSegment(log: LogStore, segment: Segment, isApplied = true): Promise<number> {
  const { minute, firstBlock, last } = segment
  const n = ((await log.tail())?.n ?? 0) + 1
  await log.append({ n, is: 'sealed', minute, firstBlock, last, segment: await log.putSegment(segment) })
  if (isApplied) await log.putApplied({ n, minute, last, isLowered: false })
  return n
}

/** Rolls back every minute after `minute`, whose last block is `last`. */
export async function rollBackTo(
  log: MemoryLog,
  { minute, last, ...more }: { minute: Minute | null; last: Block | null; cause?: 'rules' },
): Promise<void> {
  const n = (log.entries.at(-1)?.n ?? 0) + 1
  const taken = effectiveEntries(log.entries).filter((entry) => entry.minute > (minute ?? 0))
  const orphaned = taken.reverse().map(({ segment }) => segment)
  await log.append({ n, is: 'rewound', minute, last, orphaned, ...more })
  await log.putApplied({ n, minute, last, isLowered: false })
}
