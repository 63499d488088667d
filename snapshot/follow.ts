import { LRUCache } from 'lru-cache'
import { effectiveEntries, type SealedEntry } from '../market/log.ts'
import type { LogEntry, SegmentReference } from '../market/segment.ts'
import type { Bucket } from '../store/bucket.ts'
import type { LogStore } from '../store/log.ts'
import { mapParallel } from '../store/parallel.ts'
import type { Activity } from '../store/segment-bytes.ts'
import { advance, type Engine, minuteOfEngine, passingAt } from './engine.ts'
import { recordOfEngine } from './index-record.ts'
import { finishLoading, lowestRewind, startEngine } from './start.ts'

/** Minutes whose segments are read ahead together. */
export const BATCH = 32
/** Segment objects under way at once. */
const PARALLEL_READS = 32
/** Rows of decoded segments that are kept: the same segment passes up to nine window starts. About 2 kB each. */
const CACHED_ROWS = 40_000

type RewoundEntry = Extract<LogEntry, { readonly is: 'rewound' }>

/** Reads segments, keeping those read last. */
export type SegmentReader = (reference: SegmentReference) => Promise<Activity>

/** A reader over the log's segments with a bounded cache. */
export function cachedSegments(log: Pick<LogStore, 'readActivity'>): SegmentReader {
  const cache = new LRUCache<string, Activity>({
    maxSize: CACHED_ROWS,
    sizeCalculation: ({ rows, owners }) => rows.length + owners.length + 1,
  })
  return async (reference) => {
    const cached = cache.get(reference.key)
    if (cached) return cached
    const segment = await log.readActivity(reference)
    cache.set(reference.key, segment)
    return segment
  }
}

/** Where the engine's log and saved state are read from, how far, and until when. */
export type Following = {
  readonly log: Pick<LogStore, 'entriesAfter' | 'entriesBefore'>
  /** Checkpoints and index records. */
  readonly bucket: Bucket
  readonly read: SegmentReader
  /** The last entry that may be taken in. */
  readonly to: number
  readonly isOver: () => boolean
}

/**
 * Brings an engine (undefined: none is at hand) to entry `to` of the log. When the log has taken back minutes that the engine
 * holds, it starts again from what was saved. When time is over it stops at a whole minute, one further on at least.
 */
export async function followLog(warm: Engine | undefined, following: Following): Promise<Engine> {
  const kept = warm && warm.n <= following.to ? warm : undefined
  const engine = kept ?? (await startEngine(following))
  const { n, minute } = engine.target ?? { n: engine.n, minute: minuteOfEngine(engine) }
  const entries = await entriesBetween(following, n)
  if (minute !== null && lowestRewind(entries) < minute) return followLog(undefined, following)
  if (engine.target && !(await finishLoading(engine, engine.target, following))) return engine
  const sealed = effectiveEntries(entries)
  const rewinds = entries.filter((entry) => entry.is === 'rewound')
  const noteTaken = (upTo: number) => {
    for (; rewinds[0] && rewinds[0].n <= upTo; rewinds.shift()) noteRewind(engine, rewinds[0])
    if (engine.refoldTo !== null && (minuteOfEngine(engine) ?? 0) >= engine.refoldTo) engine.refoldTo = null
  }
  for (let from = 0; from < sealed.length; from += BATCH) {
    for await (const entry of advanced(engine, sealed.slice(from, from + BATCH), following)) {
      noteTaken(entry.n)
      noteRecord(engine)
      if (following.isOver()) return engine
    }
  }
  engine.n = entries.at(-1)?.n ?? engine.n
  noteTaken(engine.n)
  return engine
}

/** Counts minutes taken back because logs of theirs had been left out, and notes how far those reached that older rules had folded. */
function noteRewind(engine: Engine, { cause, orphaned }: RewoundEntry): void {
  if (cause === 'omission') engine.corrections += 1
  if (cause === 'rules' && orphaned[0]) engine.refoldTo = Math.max(engine.refoldTo ?? 0, orphaned[0].minute)
}

/** Keeps what is to be recorded of the index after this minute until it is saved. */
function noteRecord(engine: Engine): void {
  const { index } = engine
  if (!index.isRecordDue) return
  index.unsaved.push(recordOfEngine(engine, index.recordedMinute))
  index.recordedMinute = minuteOfEngine(engine)
}

async function entriesBetween({ log, to }: Following, after: number): Promise<readonly LogEntry[]> {
  const entries: LogEntry[] = []
  if (after >= to) return entries
  for await (const entry of log.entriesAfter(after)) {
    if (entry.n > to) break
    entries.push(entry)
  }
  return entries
}

/** Takes in a few minutes; all the segments that pass a window start on the way are read ahead. */
async function* advanced(
  engine: Engine,
  batch: readonly SealedEntry[],
  { read }: Following,
): AsyncGenerator<SealedEntry> {
  const newest = batch.at(-1)
  if (!newest) return
  const references = [...batch.map(({ segment }) => segment), ...passingAt(engine, newest).flat()]
  const segments = await readAll(references, read)
  for (const entry of batch) {
    advance(engine, entry, ({ key }) => segments.get(key) as Activity)
    yield entry
  }
}

/** Segments by key, read in parallel, each once. */
export async function readAll(
  references: readonly SegmentReference[],
  read: SegmentReader,
): Promise<ReadonlyMap<string, Activity>> {
  const each = new Map(references.map((reference) => [reference.key, reference] as const))
  return new Map(
    await mapParallel([...each.values()], PARALLEL_READS, async (reference) => {
      return [reference.key, await read(reference)] as const
    }),
  )
}
