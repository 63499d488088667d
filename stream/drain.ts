import { setTimeout as sleep } from 'node:timers/promises'
import type { Reader } from './reader.ts'

/** A drain ends readers in so many slices. */
const SLICES = 50
/** Readers come back within so many ms, so that the tasks they come to are not stormed. */
const RETRY_SPREAD_MS = 3_000

/** Ends all readers, a slice at a time, in random order: each goes on elsewhere after its last event. Takes about `ms`. */
export async function drain(readers: ReadonlySet<Reader>, ms: number): Promise<void> {
  for (let left = SLICES; left > 0 && readers.size > 0; left--) {
    const open = [...readers].filter((reader) => !reader.isClosed)
    for (const reader of sample(open, Math.ceil(open.length / left))) {
      reader.end(Math.random() * RETRY_SPREAD_MS)
    }
    await sleep(ms / SLICES)
  }
}

/** So many of a list, at random. Changes the list. */
function sample<T>(list: T[], count: number): readonly T[] {
  for (let at = 0; at < count; at++) {
    const other = at + Math.floor(Math.random() * (list.length - at))
    const [here, there] = [list[at] as T, list[other] as T]
    list[at] = there
    list[other] = here
  }
  return list.slice(0, count)
}
