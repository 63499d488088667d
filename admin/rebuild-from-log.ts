import { effectiveBackwards } from '../ingest/commit.ts'
import type { SealedEntry } from '../market/log.ts'
import type { Minute } from '../market/segment.ts'
import { isoTime } from '../schemas/kinds.ts'
import type { Manifest } from '../schemas/service.ts'
import { cachedSegments, follow } from '../snapshot/follow.ts'
import type { Progress } from './progress.ts'
import { type Rebuilt, type RebuiltFacts, rebuiltFrom } from './rebuilt.ts'
import type { ServiceStores } from './stores.ts'

/** The log has no minute so early. */
export class NoSuchMinuteError extends Error {
  override readonly name = 'NoSuchMinuteError'
  constructor(minute: Minute) {
    super(`the log has no minute sealed up to ${isoTime(minute * 60)}`)
  }
}

/** The entry of the last minute in force up to a minute. Throws NoSuchMinuteError. */
export async function entryAt({ log }: ServiceStores, minute: Minute): Promise<SealedEntry> {
  const tail = await log.tail()
  for await (const entry of effectiveBackwards(log, (tail?.n ?? 0) + 1)) {
    if (entry.minute <= minute) return entry
  }
  throw new NoSuchMinuteError(minute)
}

/** A snapshot as the log gives it at a place, from the newest checkpoint before it on. */
export async function rebuildAt(
  { log, segments }: ServiceStores,
  facts: Omit<RebuiltFacts, 'corrections'>,
  progress: Progress,
): Promise<Rebuilt> {
  const to = facts.log_position
  let [first, folded] = [0, 0]
  const isOver = () => {
    folded += 1
    progress.step('folding minutes', Math.min(folded, to - first), to - first)
    return false
  }
  const reading = {
    entriesBefore: log.entriesBefore,
    // From the place of the checkpoint that was found.
    entriesAfter: (n: number) => {
      first = n
      return log.entriesAfter(n)
    },
  }
  const read = cachedSegments(log)
  const engine = await follow(undefined, { log: reading, bucket: segments, read, to, isOver })
  return rebuiltFrom(engine, { ...facts, corrections: engine.corrections })
}

/** Names of the documents whose rebuilt bytes do not have the digest that the manifest says; unpublished ones are passed over. */
export function unlike(manifest: Manifest, rebuilt: Rebuilt): readonly string[] {
  const left = new Set(manifest.unpublished)
  return Object.entries(rebuilt.manifest.documents)
    .filter(([name, { sha256 }]) => !left.has(name) && manifest.documents[name]?.sha256 !== sha256)
    .map(([name]) => name)
}
