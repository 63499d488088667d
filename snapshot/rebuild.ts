import type { Manifest } from '../schemas/service.ts'
import type { Bucket } from '../store/bucket.ts'
import type { LogStore } from '../store/log.ts'
import { type Builders, builders as everyBuilder, snapshotOf } from './documents.ts'
import type { Engine } from './engine.ts'
import { cachedSegments, follow, type SegmentReader } from './follow.ts'
import { saveImage } from './image.ts'
import { type InvalidDocumentError, publish } from './publish.ts'

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
}

export type RebuildOptions = {
  /** Milliseconds of any steady clock; it decides how long a run lasts and never what is published. */
  readonly clock: () => number
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
  readonly puts: number
  readonly hasImage: boolean
  readonly failures: readonly InvalidDocumentError[]
}

/**
 * Follows the log to the last applied entry and publishes that minute's snapshot. Returns the manifest in force; null when
 * there is nothing to publish yet: no minute is applied, minutes are just being taken back, or the time was over.
 */
export async function rebuild(stores: RebuildStores, options: RebuildOptions): Promise<Manifest | null> {
  const { log, segments, published } = stores
  const { clock, warm = {}, chain = null, codeVersion = null, builders = everyBuilder, report } = options
  const start = clock()
  const applied = await log.applied()
  if (!applied || applied.isLowered || applied.minute === null) return null
  warm.read ??= cachedSegments(log)
  const { engine: kept, read } = warm
  delete warm.engine // an engine that fails half-way through a minute is of no use
  const isOver = () => clock() - start > BUDGET_MS
  const engine = await follow(kept, { log, images: segments, read, to: applied.n, isOver })
  warm.engine = engine
  const isCaughtUp = engine.n === applied.n
  const hasImage = isImageDue(engine, isCaughtUp)
  if (hasImage) await saveImage(engine, segments)
  const run = { n: engine.n, applied: applied.n, minute: engine.edges.now.minute, hasImage }
  if (!isCaughtUp) {
    report?.({ ...run, puts: 0, failures: [] })
    return null
  }
  const outcome = await publish(snapshotOf(engine, { chain, codeVersion }), published, builders)
  report?.({ ...run, puts: outcome.puts, failures: outcome.failures })
  return outcome.manifest
}

/** An image is due when time is over, or when the last one lies IMAGE_MINUTES back. */
function isImageDue({ savedMinute, edges: { now } }: Engine, isCaughtUp: boolean): boolean {
  if (now.minute === null || now.minute === savedMinute) return false
  return !isCaughtUp || savedMinute === null || now.minute - savedMinute >= IMAGE_MINUTES
}
