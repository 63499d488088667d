import { LRUCache } from 'lru-cache'
import { effectiveEntries, type SealedEntry } from '../market/log.ts'
import type { LogEntry, SegmentReference } from '../market/segment.ts'
import { edgeNames } from '../market/window.ts'
import type { Bucket } from '../store/bucket.ts'
import type { LogStore } from '../store/log.ts'
import { mapParallel } from '../store/parallel.ts'
import { advance, type Engine, type EngineSegment, emptyEngine } from './engine.ts'
import { listImages, readImage } from './image.ts'
import { passingAt } from './passing.ts'

/** Minutes whose segments are read ahead together. */
const BATCH = 32
/** Segment objects under way at once. */
const PARALLEL_READS = 32
/** Rows of decoded segments that are kept: the same segment passes up to ten edges. About 1 kB each. */
const CACHED_ROWS = 60_000

/** Reads segments, keeping those read last. */
export type SegmentReader = (reference: SegmentReference) => Promise<EngineSegment>

/** A reader over the log's segments with a bounded cache. */
export function cachedSegments(log: Pick<LogStore, 'readCloses'>): SegmentReader {
  const cache = new LRUCache<string, EngineSegment>({
    maxSize: CACHED_ROWS,
    sizeCalculation: ({ rows, tokens }) => rows.length + tokens.length + 1,
  })
  return async (reference) => {
    const cached = cache.get(reference.key)
    if (cached) return cached
    const segment = await log.readCloses(reference)
    cache.set(reference.key, segment)
    return segment
  }
}

const lowest = Number.NEGATIVE_INFINITY

/** The lowest minute that these entries go back to. */
const lowestRewind = (entries: readonly LogEntry[]): number =>
  Math.min(...entries.map((entry) => (entry.is === 'rewound' ? (entry.minute ?? lowest) : Infinity)))

/** Where the engine's log and images are read from, how far, and until when. */
export type Following = {
  readonly log: Pick<LogStore, 'entriesAfter' | 'entriesBefore'>
  readonly images: Bucket
  readonly read: SegmentReader
  /** The last entry that may be folded in. */
  readonly to: number
  readonly isOver: () => boolean
}

/**
 * Brings an engine (undefined: none is at hand) to entry `to` of the log. When the log has taken back minutes that the engine
 * holds, the newest image that still holds takes its place. When time is over it stops at a whole minute, one further on at least.
 */
export async function follow(warm: Engine | undefined, following: Following): Promise<Engine> {
  const kept = warm && warm.n <= following.to ? warm : undefined
  const engine = kept ?? (await newestEngine(following))
  const entries = await entriesBetween(following, engine.n)
  const { minute } = engine.edges.now
  if (minute !== null && lowestRewind(entries) < minute) return follow(undefined, following)
  const sealed = effectiveEntries(entries)
  for (let from = 0; from < sealed.length; from += BATCH) {
    await advanceBatch(engine, sealed.slice(from, from + BATCH), following)
    if (following.isOver()) break
  }
  const isDone = (sealed.at(-1)?.n ?? engine.n) === engine.n
  if (isDone) engine.n = entries.at(-1)?.n ?? engine.n
  engine.corrections += entries.filter((entry) => entry.n <= engine.n && isCorrection(entry)).length
  return engine
}

const isCorrection = (entry: LogEntry): boolean => entry.is === 'rewound' && entry.cause === 'omission'

async function entriesBetween({ log, to }: Following, after: number): Promise<readonly LogEntry[]> {
  const entries: LogEntry[] = []
  if (after >= to) return entries
  for await (const entry of log.entriesAfter(after)) {
    if (entry.n > to) break
    entries.push(entry)
  }
  return entries
}

async function advanceBatch(
  engine: Engine,
  batch: readonly SealedEntry[],
  { read, isOver }: Following,
): Promise<void> {
  const newest = batch.at(-1)
  if (!newest) return
  const passing = passingAt(engine, newest)
  const references = new Map(
    [...batch.map(({ segment }) => segment), ...edgeNames.flatMap((name) => passing[name])].map(
      (reference) => [reference.key, reference],
    ),
  )
  const segments = new Map(
    await mapParallel([...references.values()], PARALLEL_READS, async (reference) => {
      return [reference.key, await read(reference)] as const
    }),
  )
  for (const entry of batch) {
    advance(engine, entry, ({ key }) => segments.get(key) as EngineSegment)
    if (isOver()) return
  }
}

/** The engine of the newest image that no later entry took back, or one before the first entry. */
async function newestEngine({ log, images, to }: Following): Promise<Engine> {
  const names = (await listImages(images)).filter(({ n }) => n <= to)
  const later = log.entriesBefore(to + 1)
  let reach = Number.POSITIVE_INFINITY
  let next = await later.next()
  for (const name of names) {
    while (!next.done && next.value.n > name.n) {
      reach = Math.min(reach, lowestRewind([next.value]))
      next = await later.next()
    }
    const engine = reach >= name.minute ? await readImage(name, images) : undefined
    if (engine) return engine
  }
  return emptyEngine()
}
