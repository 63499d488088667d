import type { Minute } from '../market/segment.ts'
import type { Engine } from '../snapshot/engine.ts'
import { follow } from '../snapshot/follow.ts'
import { openMemoryBucket } from '../store/memory.ts'
import type { History } from './replay.ts'

/**
 * The engine as of ever later minutes of a history: one engine that goes on, so each is good until the next is asked for.
 * `onMinute` is called after each minute that is folded in, and now and then besides.
 */
export function enginesOf(history: History, onMinute: () => void): (minute: Minute) => Promise<Engine> {
  const { entries, read, checkpoint } = history
  const log = {
    async *entriesAfter(n: number) {
      yield* entries.filter((entry) => entry.n > n)
    },
    async *entriesBefore(n: number) {
      yield* entries.filter((entry) => entry.n < n).toReversed()
    },
  }
  const isOver = () => {
    onMinute()
    return false
  }
  const bucket = openMemoryBucket()
  let engine = checkpoint
  return async (minute) => {
    const to = entries.findLast((entry) => entry.minute <= minute)?.n ?? checkpoint?.n ?? 0
    engine = await follow(engine, { log, bucket, read, to, isOver })
    return engine
  }
}
