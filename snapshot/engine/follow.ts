import { LRUCache } from 'lru-cache'
import { DAY_MINUTES } from '../../market/calendar.ts'
import { effectiveEntries, type LogEntry, type SealedEntry, type SegmentReference } from '../../market/log.ts'
import { LONGEST_WINDOW_MINUTES } from '../../market/window.ts'
import type { Bucket } from '../../store/aws/bucket.ts'
import { StoreFault } from '../../store/aws/fault.ts'
import { mapParallel } from '../../store/aws/parallel.ts'
import { tellProgress } from '../../store/aws/progress.ts'
import type { SegmentStates } from '../../store/bytes/segment-bytes.ts'
import { effectiveBackwards, type LogStore } from '../../store/log/log.ts'
import { enterAll } from './active-market.ts'
import { listCheckpoints, readCheckpoint } from './checkpoint.ts'
import { advance, type Engine, emptyEngine, load, minuteOfEngine, passingAt, type Target } from './engine.ts'
import { LOOKED_BACK, listRecords, type RecordName, readRecord, recordOfEngine } from './index-record.ts'
import { byInterval, KEPT_MINUTES } from './index-state.ts'

/** Minutes whose segments are prefetched together. */
const BATCH = 32
/** Parallel reads of segments. */
const PARALLEL_READS = 32
/** Rows of decoded segments in the cache: a segment passes up to nine window starts. About 2 kB each. */
const CACHED_ROWS = 40_000

type RewoundEntry = Extract<LogEntry, { readonly is: 'rewound' }>

/** Reads segments through a cache. */
export type SegmentReader = (reference: SegmentReference) => Promise<SegmentStates>

/** A reader over the log's segments with a bounded cache. */
export function cachedSegments(log: Pick<LogStore, 'readSegmentStates'>): SegmentReader {
  const cache = new LRUCache<string, SegmentStates>({
    maxSize: CACHED_ROWS,
    sizeCalculation: ({ rows, owners }) => rows.length + owners.length + 1,
  })
  return async (reference) => {
    const cached = cache.get(reference.key)
    if (cached) return cached
    const segment = await log.readSegmentStates(reference)
    cache.set(reference.key, segment)
    return segment
  }
}

/** Sources of the engine's log and saved state, how far to follow, and for how long. */
export type Following = {
  readonly log: Pick<LogStore, 'entriesAfter' | 'entriesBefore'>
  /** Checkpoints and index records. */
  readonly bucket: Bucket
  readonly read: SegmentReader
  /** The last entry to apply. */
  readonly to: number
  readonly isOver: () => boolean
  /** Called before the engine leaves a minute for the next. @default nothing */
  readonly beforeNext?: (engine: Engine, next: SealedEntry) => Promise<void>
}

/**
 * Advances an engine (undefined: none is in memory) to entry `to` of the log. If the log has rolled back minutes that
 * the engine contains, it restarts from saved state. When time is over it stops after a complete minute, having advanced
 * by at least one.
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
  }
  for (let from = 0; from < sealed.length; from += BATCH) {
    for await (const entry of advanced(engine, sealed.slice(from, from + BATCH), following)) {
      noteTaken(entry.n)
      noteRecord(engine)
      tellProgress('building the first snapshot', entry.n, following.to)
      if (following.isOver()) return engine
    }
  }
  engine.n = entries.at(-1)?.n ?? engine.n
  noteTaken(engine.n)
  return engine
}

/** Counts rollbacks due to omitted logs. */
function noteRewind(engine: Engine, { cause }: RewoundEntry): void {
  if (cause === 'omission') engine.corrections += 1
}

/** If a record of the index is due after this minute, queues it for saving. */
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

/** Applies a few minutes, with all segments that pass a window start on the way prefetched. */
async function* advanced(
  engine: Engine,
  batch: readonly SealedEntry[],
  { read, beforeNext = async () => {} }: Following,
): AsyncGenerator<SealedEntry> {
  const newest = batch.at(-1)
  if (!newest) return
  const references = [...batch.map(({ segment }) => segment), ...passingAt(engine, newest).flat()]
  const segments = await readAll(references, read)
  for (const entry of batch) {
    await beforeNext(engine, entry)
    advance(engine, entry, ({ key }) => segments.get(key) as SegmentStates)
    yield entry
  }
}

/** Segments by key, each read once, in parallel. */
async function readAll(
  references: readonly SegmentReference[],
  read: SegmentReader,
): Promise<ReadonlyMap<string, SegmentStates>> {
  const each = new Map(references.map((reference) => [reference.key, reference] as const))
  return new Map(
    await mapParallel([...each.values()], PARALLEL_READS, async (reference) => {
      return [reference.key, await read(reference)] as const
    }),
  )
}

/**
 * A checkpoint this much older than the newest index record is not used: each minute after a checkpoint is read once per
 * window start, each of the 30 days before a record only once.
 */
const FAR_MINUTES = 3 * DAY_MINUTES

/**
 * The engine to start with: from the newest valid checkpoint, else one to be loaded up to the newest index record, else
 * an empty one.
 */
async function startEngine(following: Following): Promise<Engine> {
  const { bucket, log, to } = following
  const record = await newestRecord(following)
  const checkpoints = (await listCheckpoints(bucket)).filter(({ n }) => n <= to)
  for await (const name of inForce(checkpoints, log, to)) {
    if (record && record.minute - name.minute > FAR_MINUTES) break
    const engine = await readCheckpoint(name, bucket)
    if (engine) return engine
  }
  return record ? { ...emptyEngine(), target: { n: record.n, minute: record.minute } } : emptyEngine()
}

/** The newest index record in force; after many minutes were rolled back it can be far back in the log. */
async function newestRecord({ bucket, log, to }: Following): Promise<RecordName | undefined> {
  for (let back = LOOKED_BACK; ; back *= 4) {
    const { value: record } = await inForce(await listRecords(bucket, to, back), log, to).next()
    if (record || back >= to) return record
  }
}

/** Of names in log order, newest first, those whose minute no later entry up to `to` rolled back. */
async function* inForce<Name extends Target>(
  names: readonly Name[],
  log: Pick<LogStore, 'entriesBefore'>,
  to: number,
): AsyncGenerator<Name, undefined> {
  const later = log.entriesBefore(to + 1)
  let reach = Number.POSITIVE_INFINITY
  let next = await later.next()
  for (const name of names) {
    while (!next.done && next.value.n > name.n) {
      reach = Math.min(reach, lowestRewind([next.value]))
      next = await later.next()
    }
    if (reach >= name.minute) yield name
  }
}

const lowest = Number.NEGATIVE_INFINITY

/** The lowest minute that these entries roll back to. */
const lowestRewind = (entries: readonly LogEntry[]): number =>
  Math.min(...entries.map((entry) => (entry.is === 'rewound' ? (entry.minute ?? lowest) : Infinity)))

/** Continues loading the 30 days before the target, then restores the recorded index. False: time ran out first. */
async function finishLoading(engine: Engine, target: Target, following: Following): Promise<boolean> {
  const entries = await entriesUpTo(target, following)
  const left = entries.filter(({ n }) => n > engine.n)
  for (let from = 0; from < left.length; from += BATCH) {
    const batch = left.slice(from, from + BATCH)
    const segments = await readAll(
      batch.map(({ segment }) => segment),
      following.read,
    )
    for (const entry of batch) {
      const segment = segments.get(entry.segment.key)
      if (segment) load(engine, entry, segment, target.minute)
    }
    if (following.isOver() && from + BATCH < left.length) return false
  }
  await restoreIndex(engine, target, following)
  engine.target = null
  return true
}

/** The effective sealed minutes of the longest window before the target, and the one before them. */
async function entriesUpTo({ n, minute }: Target, { log }: Following): Promise<readonly SealedEntry[]> {
  const entries: SealedEntry[] = []
  for await (const entry of effectiveBackwards(log, n + 1)) {
    entries.push(entry)
    if (entry.minute <= minute - LONGEST_WINDOW_MINUTES) break
  }
  return entries.reverse()
}

/** Restores the recorded index, its points of the longest period, and the members without a row in the last 30 days. */
async function restoreIndex(engine: Engine, target: Target, { bucket, log }: Following): Promise<void> {
  const names = inForce(await listRecords(bucket, target.n), log, target.n)
  const wanted = []
  for await (const name of names) {
    wanted.push(name)
    if (name.minute < target.minute - KEPT_MINUTES) break
  }
  const records = await mapParallel(wanted, BATCH, (name) => readRecord(name, bucket))
  const [newest] = records
  if (!newest || newest.n !== target.n)
    throw new StoreFault('RecordMissingError', `the index record of entry ${target.n} has gone`)
  const { index, market } = engine
  const { past } = newest
  index.index = past.index
  Object.assign(index.bars, past.bars)
  Object.assign(
    index.unwritten,
    byInterval((interval) => [past.bars[interval] ?? []].flat()),
  )
  index.points = records.toReversed().flatMap((record) => record?.points ?? [])
  index.recordedMinute = newest.minute
  index.needed = new Set(newest.tokens.map(({ token }) => token.address))
  engine.corrections = newest.corrections
  const inactive = newest.tokens.filter(({ token }) => !market.byAddress.has(token.address))
  enterAll(
    market,
    inactive.map(({ token, state }) => [token, state]),
  )
}
