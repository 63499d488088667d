import { rateRows } from '../market/board/rates.ts'
import { type Manifest, REBUILD_EVERY_SECONDS } from '../schemas/api/service.ts'
import type { Bucket } from '../store/aws/bucket.ts'
import { mapParallel } from '../store/aws/parallel.ts'
import type { Applied, LogStore } from '../store/log/log.ts'
import type { DocumentStore } from '../store/published/documents.ts'
import { putBars } from '../store/published/index-history.ts'
import { openManifests } from '../store/published/manifests.ts'
import type { ChainTroubleStore, GapStore, StoredStatus } from '../store/published/stored-status.ts'
import { ArrayPool } from './engine/active-market.ts'
import { saveCheckpoint } from './engine/checkpoint.ts'
import { type Engine, minuteOfEngine } from './engine/engine.ts'
import { cachedSegments, followLog, type SegmentReader } from './engine/follow.ts'
import { saveRecord } from './engine/index-record.ts'
import { takeUnwritten } from './engine/index-state.ts'
import type { DayStores } from './publish/days.ts'
import {
  type Builders,
  builders as everyBuilder,
  type Snapshot,
  type SnapshotOrigin,
  snapshotOf,
} from './publish/documents.ts'
import { type Keeper, noKeeper, openKeeper } from './publish/keep.ts'
import { type PublishOutcome, prepareStored, publish } from './publish/publish.ts'
import { type Own, type Role, roleOf, takeOver } from './publish/role.ts'
import { isStatusOld, publishStatus } from './publish/status.ts'

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
  /** Absent: no other publisher runs. */
  readonly own?: Own
  /** Absent: published documents are not kept. */
  readonly days?: DayStores
}

export type RebuildOptions = {
  /** A monotonic clock in milliseconds; it limits a run's duration and never affects what is published. */
  readonly clock: () => number
  /** Unix seconds, used only for v1/status. @default the system's clock */
  readonly now?: () => number
  readonly warm?: Warm
  readonly chain?: string
  readonly codeVersion?: string
  /** Seconds between two rebuilds. @default REBUILD_EVERY_SECONDS */
  readonly everySeconds?: number
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
  /** Reference rates that no source votes for, and that only one does; sources without a vote. */
  readonly shallowRates: number
  readonly loneRates: number
  readonly muteSources: number
  readonly failures: readonly Error[]
}

/**
 * Follows the log to the last applied entry and publishes that minute's snapshot, then v1/status, even if nothing
 * changed or the run failed. Returns the current manifest; null if there is nothing to publish: no minute is applied,
 * minutes are being rolled back, or time ran out.
 */
export async function rebuild(stores: RebuildStores, options: RebuildOptions): Promise<Manifest | null> {
  const { now = () => Date.now() / 1_000, warm = {}, everySeconds = REBUILD_EVERY_SECONDS } = options
  let applied: Applied | undefined
  let role = await roleOf(stores.own)
  const publishHealth = async (outcome: { readonly failure?: unknown }) => {
    const { gaps, chainTrouble: troubles, own, published: bucket, status: table } = stores
    const isDue = role.isLive || (await isStatusOld(bucket, { now: now(), everySeconds }))
    if (!isDue) return
    const [gap, chainTrouble] = await Promise.all([gaps?.read(), troubles?.read()])
    const rates = warm.engine && ratesOf(warm.engine)
    const health = {
      now: now(),
      applied,
      gap,
      chainTrouble,
      logs: own?.logs,
      rates,
      everySeconds,
      ...outcome,
    }
    await publishStatus({ bucket, table }, health)
  }
  try {
    applied = await stores.log.applied()
    const run = await publishApplied(stores, { ...options, warm, role, now: now() }, applied)
    role = run.role
    await noteProgress(stores, { now: now(), applied, engine: warm.engine })
    await publishHealth({})
    return run.manifest
  } catch (failure) {
    await publishHealth({ failure }).catch(() => {}) // the first failure matters more
    throw failure
  }
}

/** Lets others see how far this publisher has got. */
async function noteProgress(
  { own }: RebuildStores,
  {
    now,
    applied,
    engine,
  }: Readonly<{ now: number; applied: Applied | undefined; engine: Engine | undefined }>,
): Promise<void> {
  const minute = engine ? minuteOfEngine(engine) : null
  const at = Math.floor(now)
  await own?.logs.putProgress({
    publisher: own.publisher,
    log: own.log,
    minute,
    sealed: applied?.minute ?? null,
    at,
  })
}

type Published = { readonly manifest: Manifest | null; readonly role: Role }

async function publishApplied(
  stores: RebuildStores,
  options: Omit<RebuildOptions, 'now'> & Readonly<{ warm: Warm; role: Role; now: number }>,
  applied: Applied | undefined,
): Promise<Published> {
  const { clock, warm, builders = everyBuilder, report, role, now } = options
  const start = clock()
  if (!applied || applied.isLowered || applied.minute === null) return { manifest: null, role }
  const origin = {
    chain: options.chain ?? null,
    codeVersion: options.codeVersion ?? null,
    ...(options.everySeconds === undefined ? {} : { everySeconds: options.everySeconds }),
    switches: role.live.switches,
  }
  const keeper = keeperOf(stores, { role, origin, builders, now })
  const isOver = () => clock() - start > BUDGET_MS
  const engine = await advanceTo(applied.n, { stores, warm, isOver, beforeNext: keeper.beforeNext })
  const isCaughtUp = engine.n === applied.n && engine.target === null
  const hasCheckpoint = await saveIfDue(engine, isCaughtUp, { stores, warm })
  const run = { ...figuresOf(engine), applied: applied.n, hasCheckpoint }
  if (!isCaughtUp) {
    report?.({ ...run, failures: keeper.failures })
    return { manifest: null, role }
  }
  warm.arrays ??= new ArrayPool()
  warm.arrays.reclaim()
  const snapshot = snapshotOf(engine, origin, warm.arrays)
  await keeper.beforePublishing(snapshot.minute)
  const outcome = await publishFrom(stores, { snapshot, role, builders })
  report?.({ ...run, failures: [...outcome.failures, ...keeper.failures] })
  return outcome
}

type Advancing = { readonly stores: RebuildStores; readonly warm: Warm } & Required<
  Pick<Parameters<typeof followLog>[1], 'isOver' | 'beforeNext'>
>

/** The engine after as many entries up to `to` as the budget allows, with the index's bars and records written. */
async function advanceTo(
  to: number,
  { stores: { log, segments }, warm, isOver, beforeNext }: Advancing,
): Promise<Engine> {
  warm.read ??= cachedSegments(log)
  const { engine: kept, read } = warm
  delete warm.engine // an engine that failed within a minute cannot be used
  const engine = await followLog(kept, { log, bucket: segments, read, to, isOver, beforeNext })
  // Before the engine is kept or saved, since neither contains unwritten bars and records.
  await putBars(log.ledger, engine.n, takeUnwritten(engine.index))
  await mapParallel(engine.index.unsaved.splice(0), PARALLEL_PUTS, (record) => saveRecord(record, segments))
  warm.engine = engine
  return engine
}

/** Saves a checkpoint if it is time for one; whether it was. */
async function saveIfDue(
  engine: Engine,
  isCaughtUp: boolean,
  { stores, warm }: Pick<Advancing, 'stores' | 'warm'>,
): Promise<boolean> {
  if (!isCheckpointDue(engine, isCaughtUp)) return false
  delete warm.arrays // a checkpoint's bytes need as much memory
  await saveCheckpoint(engine, stores.segments)
  return true
}

/** What a run reports of its engine. */
function figuresOf(engine: Engine) {
  const rates = ratesOf(engine).filter(({ sources }) => sources.length > 0)
  const votes = rates.map(({ sources }) => sources.filter(({ votes }) => votes).length)
  return {
    n: engine.n,
    minute: minuteOfEngine(engine),
    activeTokens: engine.market.byAddress.size,
    heldRates: rates.filter(({ isHeld }) => isHeld).length,
    shallowRates: votes.filter((count) => count === 0).length,
    loneRates: votes.filter((count) => count === 1).length,
    muteSources: rates.flatMap(({ sources }) => sources).filter(({ votes }) => !votes).length,
  }
}

const ratesOf = (engine: Engine) =>
  rateRows(engine.starts[0]?.references ?? new Map(), minuteOfEngine(engine) ?? 0)

type Publishing = Readonly<{ role: Role; origin: SnapshotOrigin; builders: Builders; now: number }>

/** Only the live publisher keeps, and only where there are documents for parameterised answers. */
function keeperOf(
  { days, documents, published: bucket }: RebuildStores,
  { role, ...publishing }: Publishing,
): Keeper {
  return days && documents && role.isLive ? openKeeper({ days, bucket, documents, ...publishing }) : noKeeper
}

/** A publisher further behind the published snapshot than this (minutes) only follows its log; a closer one prepares its documents. */
const NEAR_MINUTES = 5

/** Publishes a snapshot if this publisher is live, or can take over. */
async function publishFrom(
  { published: bucket, documents, own }: RebuildStores,
  { snapshot, role, builders }: { snapshot: Snapshot; role: Role; builders: Builders },
): Promise<PublishOutcome & Published> {
  const into = documents ? { bucket, documents } : { bucket }
  if (!own || role.isLive) return { ...(await publish(snapshot, into, builders)), role }
  const { minute } = snapshot
  const published = (await openManifests(bucket).newest())?.minute
  if (published !== undefined && minute < published - NEAR_MINUTES)
    return { manifest: null, failures: [], role }
  const isOtherLog = own.log !== role.live.log
  const failures = documents && isOtherLog ? await prepareStored(snapshot, documents, builders) : []
  if (failures.length > 0) return { manifest: null, failures, role }
  const taken = await takeOver(own, role, { minute, published })
  if (!taken.isLive) return { manifest: null, failures, role }
  const { switches } = taken.live
  return { ...(await publish({ ...snapshot, switches }, into, builders)), role: taken }
}

/** A checkpoint is due when time is over, or CHECKPOINT_MINUTES after the last one. */
function isCheckpointDue(engine: Engine, isCaughtUp: boolean): boolean {
  const { savedMinute } = engine
  const minute = minuteOfEngine(engine)
  if (minute === null || minute === savedMinute) return false
  return !isCaughtUp || savedMinute === null || minute - savedMinute >= CHECKPOINT_MINUTES
}
