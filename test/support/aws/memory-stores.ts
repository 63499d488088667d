import type { LogEntry } from '../../../market/log.ts'
import type { Segment } from '../../../market/segment.ts'
import type { Bucket, StoredObject } from '../../../store/aws/bucket.ts'
import { openMemoryBucket, openMemoryTable } from '../../../store/aws/memory.ts'
import { segmentBytes, segmentStatesFrom } from '../../../store/bytes/segment-bytes.ts'
import { type Applied, type LogStore, openLog } from '../../../store/log/log.ts'

export type MemoryBucket = Bucket & {
  readonly objects: Map<string, StoredObject & { readonly cacheControl?: string }>
  /** Called before a put takes effect, to let someone else go first. */
  beforePut: (key: string) => Promise<void>
  puts: string[]
}

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
  /** Segments that were read. */
  reads: number
}

/** A log in memory whose entries and APPLIED a test can look at and replace. */
export function memoryLog(): MemoryLog {
  const inner = openLog(openMemoryTable(), openMemoryBucket())
  const log: MemoryLog = {
    ...inner,
    entries: [],
    position: undefined,
    reads: 0,
    async append(entry) {
      log.entries.push(entry)
      return inner.append(entry)
    },
    async readSegment(reference) {
      log.reads += 1
      return inner.readSegment(reference)
    },
    readSegmentStates: async (reference) => segmentStatesFrom(segmentBytes(await log.readSegment(reference))),
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
