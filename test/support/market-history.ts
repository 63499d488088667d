/** Logs of minutes in memory: written as the fold would have written them, rolled back, and read by an engine. */
import { type Market, rankedMarket } from '../../market/board/rankings.ts'
import type { Minute, Segment } from '../../market/segment.ts'
import { type Engine, windowsOf } from '../../snapshot/engine.ts'
import { cachedSegments, followLog } from '../../snapshot/follow.ts'
import type { LogStore } from '../../store/log.ts'
import { lastBlockOf } from './facts.ts'
import {
  type MemoryBucket,
  type MemoryLog,
  memoryBucket,
  memoryLog,
  rollBackTo,
  sealSegment,
} from './memory-stores.ts'
import { emptyWorld, type World, wholeSegment } from './whole-segment.ts'

const histories = new WeakMap<object, World[]>()

/** The worlds after each effective minute of a log, oldest first. */
export function worldsOf(log: object): World[] {
  const worlds = histories.get(log) ?? []
  histories.set(log, worlds)
  return worlds
}

/** Seals a minute: segment, entry, APPLIED. The segment is completed as the fold would have written it (whole-segment.ts). */
export async function seal(log: LogStore, sketch: Segment): Promise<void> {
  const worlds = worldsOf(log)
  const { segment, world } = wholeSegment(worlds.at(-1) ?? emptyWorld, sketch)
  worlds.push(world)
  await sealSegment(log, segment)
}

/** Rolls back every minute after `minute`. */
export async function rewind(log: MemoryLog, minute: Minute | null): Promise<void> {
  const worlds = worldsOf(log)
  while (worlds.length > 0 && (worlds.at(-1)?.minute ?? 0) > (minute ?? 0)) worlds.pop()
  const last = minute === null ? null : lastBlockOf(minute)
  await rollBackTo(log, { minute, last })
}

/** An engine that has read a log from its first entry to entry `to`. */
export const engineOf = (log: MemoryLog, to = log.entries.length): Promise<Engine> =>
  followLog(undefined, { log, bucket: memoryBucket(), read: cachedSegments(log), to, isOver: () => false })

/** The market after these minutes, ranked. */
export async function marketAfter(segments: readonly Segment[]): Promise<Market> {
  const log = memoryLog()
  for (const segment of segments) await seal(log, segment)
  return rankedMarket(windowsOf(await engineOf(log)))
}

/** A copy of a bucket that has lost its checkpoints: an engine starts from the index records and the segments. */
export function withoutCheckpoints(bucket: MemoryBucket): MemoryBucket {
  const left = memoryBucket()
  for (const [key, object] of bucket.objects) if (key.startsWith('index/')) left.objects.set(key, object)
  return left
}
