import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { FeedEntry } from '../market/segment.ts'
import type { ResyncReason } from '../schemas/stream.ts'
import { bytesOf, type Channel, wantedOf } from './channel.ts'
import { type Cursor, isAfter } from './cursor.ts'
import type { StreamEvent } from './events.ts'
import type { Reader } from './reader.ts'
import type { Tail } from './tail.ts'

/** Bytes that are written to a reader before it is waited for. */
const SLICE_BYTES = 64 * 1_024
/** Entries that are encoded at once. */
const SLICE_ENTRIES = 50
/** Readers that are served from the table at the same time; the others wait for their turn. */
const SLOTS = 16

/** Brings readers from their place to the head. */
export class Replay {
  readonly #tail: Tail
  readonly #channel: Channel
  readonly #onReplayed: (events: number) => void
  #free = SLOTS
  #queue: (() => void)[] = []

  constructor(tail: Tail, channel: Channel, onReplayed: (events: number) => void) {
    this.#tail = tail
    this.#channel = channel
    this.#onReplayed = onReplayed
  }

  /** Why a place cannot be gone on from; null: it can. A place ahead of this task may be known to the feed. */
  async refusal(at: Cursor): Promise<ResyncReason | null> {
    const { ring } = this.#tail
    if (isAfter(at, ring.head)) await this.#tail.polled()
    if (at.seq > ring.head.seq) return 'unknown'
    const entry = ring.entry(at.seq)
    const count = at.seq === 0 ? 1 : entry && Math.max(1, entry.events.length)
    if (count !== undefined && at.index >= count) return 'unknown'
    if (ring.covers(at)) return null
    if (at.seq === 0) return (await this.#tail.oldest()) > 1 ? 'expired' : null
    if (at.seq < (await this.#tail.oldest())) return 'expired'
    for await (const stored of this.#tail.stored(at.seq)) {
      if (stored.seq !== at.seq) return 'expired'
      return at.index > lastIndexOf(stored) ? 'unknown' : null
    }
    return 'expired'
  }

  /** Sends a reader all after its place that it wants, and lets it join the channel, with no event between. */
  async bring(reader: Reader, from: Cursor): Promise<void> {
    const { ring } = this.#tail
    let at = from
    while (!reader.isClosed) {
      if (!ring.covers(at)) {
        const before = at
        at = await this.#fromTable(reader, at)
        // What stood there has expired meanwhile: it is told so when it comes back.
        if (at === before) reader.cut()
        continue
      }
      const events = ring.after(at, SLICE_BYTES, this.#tail.confirmedTo)
      if (events.length === 0) return this.#channel.join(reader)
      at = await this.#write(reader, events, at)
    }
  }

  async #fromTable(reader: Reader, from: Cursor): Promise<Cursor> {
    await this.#slot()
    let at = from
    try {
      for await (const entries of inSlices(this.#tail.stored(at.seq))) {
        for (const { events } of await this.#tail.encode(entries)) {
          at = await this.#write(
            reader,
            events.filter(({ cursor }) => isAfter(cursor, from)),
            at,
          )
        }
        if (reader.isClosed || this.#tail.ring.covers(at)) break
      }
    } finally {
      this.#free += 1
      this.#queue.shift()?.()
    }
    return at
  }

  /** Writes what the reader wants of the events, no faster than it reads; the place after them. */
  async #write(reader: Reader, events: readonly StreamEvent[], before: Cursor): Promise<Cursor> {
    const wanted = wantedOf(reader.wish, events)
    for (let from = 0; from < wanted.length && !reader.isClosed; ) {
      let [to, size] = [from, 0]
      for (; to < wanted.length && size < SLICE_BYTES; to++) size += wanted[to]?.bytes.length ?? 0
      reader.write(bytesOf(wanted.slice(from, to)), Date.now())
      this.#onReplayed(to - from)
      from = to
      await reader.drained()
    }
    await yieldToOthers()
    return events.at(-1)?.cursor ?? before
  }

  async #slot(): Promise<void> {
    while (this.#free === 0) await new Promise<void>((resolve) => this.#queue.push(resolve))
    this.#free -= 1
  }
}

const lastIndexOf = (entry: FeedEntry): number =>
  entry.is === 'block' ? Math.max(0, entry.swaps.length - 1) : 0

async function* inSlices(entries: AsyncIterable<FeedEntry>): AsyncGenerator<readonly FeedEntry[]> {
  let slice: FeedEntry[] = []
  for await (const entry of entries) {
    slice.push(entry)
    if (slice.length < SLICE_ENTRIES) continue
    yield slice
    slice = []
  }
  if (slice.length > 0) yield slice
}
