import type { Manifest } from '../schemas/service.ts'
import type { Bucket } from '../store/bucket.ts'
import type { DocumentStore } from '../store/documents.ts'
import { putBars } from '../store/index-history.ts'
import type { Applied, LogStore } from '../store/log.ts'
import { mapParallel } from '../store/parallel.ts'
import type { ChainTroubleStore, GapStore, StoredStatus } from '../store/stored-status.ts'
import { ArrayPool } from './active-market.ts'
import { saveCheckpoint } from './checkpoint.ts'
import { type Builders, builders as everyBuilder, snapshotOf } from './documents.ts'
import { type Engine, minuteOfEngine } from './engine.ts'
import { cachedSegments, followLog, type SegmentReader } from './follow.ts'
import { saveRecord } from './index-record.ts'
import { takeUnwritten } from './index-state.ts'
import { type InvalidDocumentError, publish } from './publish.ts'
import { publishStatus } from './status.ts'

/** A run that has not caught up by then saves a checkpoint and ends; the next one continues. */
const BUDGET_MS = 40_000
/** Minutes between two checkpoints. */
const CHECKPOINT_MINUTES = 10

/** Parallel puts of index records. */
const PARALLEL_PUTS = 16

/** State that a process keeps between runs. */
export type Warm = { engine?: Engine; read?: SegmentReader; arrays?: ArrayPool }

export type RebuildStores = {
  readonly log: LogStore
  readonly segments: Bucket
  readonly published: Bucket
  /** Absent: no parameterised answers are served. */
  readonly documents?: DocumentStore
  readonly status?: StoredStatus
  /** Absent: gaps are not reported. */
  readonly gaps?: Pick<GapStore, 'read'>
  /** Absent: trouble of the chain itself is not reported. */
  readonly chainTrouble?: Pick<ChainTroubleStore, 'read'>
}

export type RebuildOptions = {
  /** A monotonic clock in milliseconds; it limits a run's duration and never affects what is published. */
  readonly clock: () => number
  /** Unix seconds, used only for v1/status. @default the system's clock */
  readonly now?: () => number
  readonly warm?: Warm
  readonly chain?: string
  readonly codeVersion?: string
  readonly builders?: Builders
  /** Called with the result of a run. */
  readonly report?: (run: RebuildRun) => void
}

/** Result of a run: its progress, and the documents that failed. */
export type RebuildRun = {
  /** Log positions of the engine and of APPLIED. */
  readonly n: number
  readonly applied: number
  readonly minute: number | null
  /** Tokens active in the last 30 days. */
  readonly activeTokens: number
  readonly hasCheckpoint: boolean
  /** Reference rates frozen because the market's rate is too far away. */
  readonly heldRates: number
  readonly failures: readonly InvalidDocumentError[]
}

/**
 * Follows the log to the last applied entry and publishes that minute's snapshot, then v1/status, even if nothing
 * changed or the run failed. Returns the current manifest; null if there is nothing to publish: no minute is applied,
 * minutes are being rolled back, or time ran out.
 */
export async function rebuild(stores: RebuildStores, options: RebuildOptions): Promise<Manifest | null> {
  const { now = () => Date.now() / 1_000, warm = {} } = options
  let applied: Applied | undefined
  const publishHealth = async (outcome: { readonly failure?: unknown }) => {
    const [gap, chainTrouble] = await Promise.all([stores.gaps?.read(), stores.chainTrouble?.read()])
    const places = { bucket: stores.published, table: stores.status }
    const { refoldTo } = warm.engine ?? {}
    await publishStatus(places, { now: now(), applied, gap, chainTrouble, refoldTo, ...outcome })
  }
  try {
    applied = await stores.log.applied()
    const manifest = await publishApplied(stores, { ...options, warm }, applied)
    await publishHealth({})
    return manifest
  } catch (failure) {
    await publishHealth({ failure }).catch(() => {}) // the first failure matters more
    throw failure
  }
}

async function publishApplied(
  { log, segments, published, documents }: RebuildStores,
  {
    clock,
    warm,
    chain,
    codeVersion,
    builders = everyBuilder,
    report,
  }: RebuildOptions & { readonly warm: Warm },
  applied: Applied | undefined,
): Promise<Manifest | null> {
  const start = clock()
  if (!applied || applied.isLowered || applied.minute === null) return null
  warm.read ??= cachedSegments(log)
  const { engine: kept, read } = warm
  delete warm.engine // an engine that failed within a minute cannot be used
  const isOver = () => clock() - start > BUDGET_MS
  const engine = await followLog(kept, { log, bucket: segments, read, to: applied.n, isOver })
  // Before the engine is kept or saved, since neither contains unwritten bars and records.
  await putBars(log.ledger, engine.n, takeUnwritten(engine.index))
  await mapParallel(engine.index.unsaved.splice(0), PARALLEL_PUTS, (record) => saveRecord(record, segments))
  warm.engine = engine
  const isCaughtUp = engine.n === applied.n && engine.target === null
  const hasCheckpoint = isCheckpointDue(engine, isCaughtUp)
  if (hasCheckpoint) {
    delete warm.arrays // a checkpoint's bytes need as much memory
    await saveCheckpoint(engine, segments)
  }
  const heldRates = [...(engine.starts[0]?.references.values() ?? [])].filter(
    ({ outside }) => outside > 0,
  ).length
  const run = {
    n: engine.n,
    applied: applied.n,
    minute: minuteOfEngine(engine),
    activeTokens: engine.market.byAddress.size,
    hasCheckpoint,
    heldRates,
  }
  if (!isCaughtUp) {
    report?.({ ...run, failures: [] })
    return null
  }
  const into = documents ? { bucket: published, documents } : { bucket: published }
  const origin = { chain: chain ?? null, codeVersion: codeVersion ?? null }
  warm.arrays ??= new ArrayPool()
  warm.arrays.reclaim()
  const outcome = await publish(snapshotOf(engine, origin, warm.arrays), into, builders)
  report?.({ ...run, failures: outcome.failures })
  return outcome.manifest
}

/** A checkpoint is due when time is over, or CHECKPOINT_MINUTES after the last one. */
function isCheckpointDue(engine: Engine, isCaughtUp: boolean): boolean {
  const { savedMinute } = engine
  const minute = minuteOfEngine(engine)
  if (minute === null || minute === savedMinute) return false
  return !isCaughtUp || savedMinute === null || minute - savedMinute >= CHECKPOINT_MINUTES
}
