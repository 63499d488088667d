import type { Manifest } from '../schemas/service.ts'
import type { Bucket } from '../store/bucket.ts'
import type { DocumentStore } from '../store/documents.ts'
import type { GapStore } from '../store/gap.ts'
import { putBars } from '../store/index-history.ts'
import type { Applied, LogStore } from '../store/log.ts'
import type { StatusTwin } from '../store/status-twin.ts'
import { type Builders, builders as everyBuilder, snapshotOf } from './documents.ts'
import type { Engine } from './engine.ts'
import { cachedSegments, follow, type SegmentReader } from './follow.ts'
import { saveImage } from './image.ts'
import { takeUntold } from './index-state.ts'
import { engineBytes, refuseTooLarge } from './memory.ts'
import { type InvalidDocumentError, publish } from './publish.ts'
import { publishStatus } from './status.ts'

/** A run that has not caught up after this long saves its image and ends; the next one goes on. */
const BUDGET_MS = 40_000
/** Minutes of the log between two images. */
const IMAGE_MINUTES = 10

/** What a process keeps from one run to the next. */
export type Warm = { engine?: Engine; read?: SegmentReader }

export type RebuildStores = {
  readonly log: LogStore
  readonly segments: Bucket
  readonly published: Bucket
  /** Absent: nobody asks for parameterised answers. */
  readonly documents?: DocumentStore
  readonly status?: StatusTwin
  /** Absent: nobody tells of gaps. */
  readonly gaps?: Pick<GapStore, 'read'>
}

export type RebuildOptions = {
  /** Milliseconds of any steady clock; it decides how long a run lasts and never what is published. */
  readonly clock: () => number
  /** Unix seconds, for v1/status alone. @default the system's clock */
  readonly now?: () => number
  /** Memory of the process, for refusing what would not fit. @default unbounded */
  readonly memoryBytes?: number
  readonly warm?: Warm
  readonly chain?: string
  readonly codeVersion?: string
  readonly builders?: Builders
  /** Told of what a run did. */
  readonly report?: (run: RebuildRun) => void
}

/** What a run did: how far it came, and what it published. */
export type RebuildRun = {
  /** Place in the log of the engine, and of what may be read. */
  readonly n: number
  readonly applied: number
  readonly minute: number | null
  readonly engineBytes: number
  readonly puts: number
  readonly hasImage: boolean
  /** Reference rates that are held, as the market's is too far away. */
  readonly heldRates: number
  readonly failures: readonly InvalidDocumentError[]
}

/**
 * Follows the log to the last applied entry and publishes that minute's snapshot, then v1/status, which is published again
 * also when nothing else changed or the run failed. Returns the manifest in force; null when there is nothing to publish yet:
 * no minute is applied, minutes are just being taken back, or the time was over. Throws EngineTooLargeError.
 */
export async function rebuild(stores: RebuildStores, options: RebuildOptions): Promise<Manifest | null> {
  const { now = () => Date.now() / 1_000 } = options
  let applied: Applied | undefined
  const publishHealth = async (outcome: { readonly failure?: unknown }) => {
    const gap = await stores.gaps?.read()
    const places = { bucket: stores.published, twin: stores.status }
    await publishStatus(places, { now: now(), applied, gap, ...outcome })
  }
  try {
    applied = await stores.log.applied()
    const manifest = await publishApplied(stores, options, applied)
    await publishHealth({})
    return manifest
  } catch (failure) {
    await publishHealth({ failure }).catch(() => {}) // the failure itself says more
    throw failure
  }
}

async function publishApplied(
  { log, segments, published, documents }: RebuildStores,
  { clock, memoryBytes, warm = {}, chain, codeVersion, builders = everyBuilder, report }: RebuildOptions,
  applied: Applied | undefined,
): Promise<Manifest | null> {
  const start = clock()
  if (!applied || applied.isLowered || applied.minute === null) return null
  warm.read ??= cachedSegments(log)
  const { engine: kept, read } = warm
  delete warm.engine // an engine that fails half-way through a minute is of no use
  const isOver = () => clock() - start > BUDGET_MS
  const engine = await follow(kept, { log, images: segments, read, to: applied.n, isOver })
  if (memoryBytes !== undefined) refuseTooLarge(engine, memoryBytes)
  // Before it is kept or saved: neither a kept engine nor an image says what the table has yet to be told.
  await putBars(log.ledger, engine.n, takeUntold(engine.index))
  warm.engine = engine
  const isCaughtUp = engine.n === applied.n
  const hasImage = isImageDue(engine, isCaughtUp)
  if (hasImage) await saveImage(engine, segments)
  const { minute } = engine.edges.now
  const heldRates = [...engine.edges.now.references.values()].filter(({ outside }) => outside > 0).length
  const run = {
    ...{ n: engine.n, applied: applied.n, minute, engineBytes: engineBytes(engine) },
    ...{ hasImage, heldRates },
  }
  if (!isCaughtUp) {
    report?.({ ...run, puts: 0, failures: [] })
    return null
  }
  const into = documents ? { bucket: published, documents } : { bucket: published }
  const origin = { chain: chain ?? null, codeVersion: codeVersion ?? null }
  const outcome = await publish(snapshotOf(engine, origin), into, builders)
  report?.({ ...run, puts: outcome.puts, failures: outcome.failures })
  return outcome.manifest
}

/** An image is due when time is over, or when the last one lies IMAGE_MINUTES back. */
function isImageDue({ savedMinute, edges: { now } }: Engine, isCaughtUp: boolean): boolean {
  if (now.minute === null || now.minute === savedMinute) return false
  return !isCaughtUp || savedMinute === null || now.minute - savedMinute >= IMAGE_MINUTES
}
