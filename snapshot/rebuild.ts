import type { Manifest } from '../schemas/service.ts'
import type { Bucket } from '../store/bucket.ts'
import type { DocumentStore } from '../store/documents.ts'
import { putBars } from '../store/index-history.ts'
import type { Applied, LogStore } from '../store/log.ts'
import { mapParallel } from '../store/parallel.ts'
import type { GapStore, StoredStatus } from '../store/stored-status.ts'
import { Columns } from './active-market.ts'
import { saveCheckpoint } from './checkpoint.ts'
import { type Builders, builders as everyBuilder, snapshotOf } from './documents.ts'
import { type Engine, minuteOfEngine } from './engine.ts'
import { cachedSegments, followLog, type SegmentReader } from './follow.ts'
import { saveRecord } from './index-record.ts'
import { takeUnwritten } from './index-state.ts'
import { type InvalidDocumentError, publish } from './publish.ts'
import { publishStatus } from './status.ts'

/** A run that has not caught up after this long saves a checkpoint and ends; the next one goes on. */
const BUDGET_MS = 40_000
/** Minutes of the log between two checkpoints. */
const CHECKPOINT_MINUTES = 10

/** Index records put at once. */
const PARALLEL_PUTS = 16

/** What a process keeps from one run to the next. */
export type Warm = { engine?: Engine; read?: SegmentReader; arrays?: Columns }

export type RebuildStores = {
  readonly log: LogStore
  readonly segments: Bucket
  readonly published: Bucket
  /** Absent: nobody asks for parameterised answers. */
  readonly documents?: DocumentStore
  readonly status?: StoredStatus
  /** Absent: nobody tells of gaps. */
  readonly gaps?: Pick<GapStore, 'read'>
}

export type RebuildOptions = {
  /** Milliseconds of any steady clock; it decides how long a run lasts and never what is published. */
  readonly clock: () => number
  /** Unix seconds, for v1/status alone. @default the system's clock */
  readonly now?: () => number
  readonly warm?: Warm
  readonly chain?: string
  readonly codeVersion?: string
  readonly builders?: Builders
  /** Told of what a run did. */
  readonly report?: (run: RebuildRun) => void
}

/** What a run did: how far it came, and what it published. */
export type RebuildRun = {
  /** Position in the log of the engine, and of what may be read. */
  readonly n: number
  readonly applied: number
  readonly minute: number | null
  /** Tokens that were active in the last 30 days. */
  readonly activeTokens: number
  readonly hasCheckpoint: boolean
  /** Reference rates that are held, as the market's is too far away. */
  readonly heldRates: number
  readonly failures: readonly InvalidDocumentError[]
}

/**
 * Follows the log to the last applied entry and publishes that minute's snapshot, then v1/status, which is published again
 * also when nothing else changed or the run failed. Returns the manifest in force; null when there is nothing to publish yet:
 * no minute is applied, minutes are just being rolled back, or the time was over.
 */
export async function rebuild(stores: RebuildStores, options: RebuildOptions): Promise<Manifest | null> {
  const { now = () => Date.now() / 1_000, warm = {} } = options
  let applied: Applied | undefined
  const publishHealth = async (outcome: { readonly failure?: unknown }) => {
    const gap = await stores.gaps?.read()
    const places = { bucket: stores.published, table: stores.status }
    await publishStatus(places, { now: now(), applied, gap, refoldTo: warm.engine?.refoldTo, ...outcome })
  }
  try {
    applied = await stores.log.applied()
    const manifest = await publishApplied(stores, { ...options, warm }, applied)
    await publishHealth({})
    return manifest
  } catch (failure) {
    await publishHealth({ failure }).catch(() => {}) // the failure itself says more
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
  delete warm.engine // an engine that fails half-way through a minute is of no use
  const isOver = () => clock() - start > BUDGET_MS
  const engine = await followLog(kept, { log, bucket: segments, read, to: applied.n, isOver })
  // Before it is kept or saved: neither a kept engine nor a checkpoint says what is yet to be written.
  await putBars(log.ledger, engine.n, takeUnwritten(engine.index))
  await mapParallel(engine.index.unsaved.splice(0), PARALLEL_PUTS, (record) => saveRecord(record, segments))
  warm.engine = engine
  const isCaughtUp = engine.n === applied.n && engine.target === null
  const hasCheckpoint = isCheckpointDue(engine, isCaughtUp)
  if (hasCheckpoint) {
    delete warm.arrays // its bytes take as much memory as these
    await saveCheckpoint(engine, segments)
  }
  const heldRates = [...(engine.starts[0]?.references.values() ?? [])].filter(
    ({ outside }) => outside > 0,
  ).length
  const run = {
    ...{ n: engine.n, applied: applied.n, minute: minuteOfEngine(engine) },
    ...{ activeTokens: engine.market.byAddress.size, hasCheckpoint, heldRates },
  }
  if (!isCaughtUp) {
    report?.({ ...run, failures: [] })
    return null
  }
  const into = documents ? { bucket: published, documents } : { bucket: published }
  const origin = { chain: chain ?? null, codeVersion: codeVersion ?? null }
  warm.arrays ??= new Columns()
  warm.arrays.reclaim()
  const outcome = await publish(snapshotOf(engine, origin, warm.arrays), into, builders)
  report?.({ ...run, failures: outcome.failures })
  return outcome.manifest
}

/** A checkpoint is due when time is over, or when the last one lies CHECKPOINT_MINUTES back. */
function isCheckpointDue(engine: Engine, isCaughtUp: boolean): boolean {
  const { savedMinute } = engine
  const minute = minuteOfEngine(engine)
  if (minute === null || minute === savedMinute) return false
  return !isCaughtUp || savedMinute === null || minute - savedMinute >= CHECKPOINT_MINUTES
}
