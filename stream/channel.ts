import { type Cursor, cursorText } from './cursor.ts'
import { heartbeatBytes, positionBytes, type StreamEvent } from './events.ts'
import { SharedGzip } from './gzip.ts'
import type { Reader, ReaderWish } from './reader.ts'

/** Under load, events within this many ms after a write are batched. */
export const GATHER_MS = 20

/** Readers that receive the same bytes; `shared` if these are deflated, once for all. */
type Audience = {
  readonly wish: ReaderWish
  readonly readers: Set<Reader>
  readonly shared: SharedGzip | null
}

const audienceOf = (wish: ReaderWish): Audience => ({
  wish,
  readers: new Set(),
  shared: wish.isZipped ? new SharedGzip() : null,
})

/** Called for each write with the number of events and readers, and the newest event. */
export type OnSent = (sent: {
  readonly events: number
  readonly readers: number
  readonly newest: StreamEvent
}) => void

/** The readers of a task that are at the head; all of them share the bytes of an event. */
export class Channel {
  readonly #audiences = new Map<string, Audience>()
  readonly #onSent: OnSent
  readonly #clock: () => number
  #pending: StreamEvent[] = []
  #flushedAt = 0
  #timer: NodeJS.Timeout | null = null

  /** `clock` gives Unix ms. */
  constructor(onSent: OnSent = () => {}, clock: () => number = Date.now) {
    this.#onSent = onSent
    this.#clock = clock
  }

  /** Sends events: immediately, or batched with those of the next ms if some were sent just now. */
  publish(events: readonly StreamEvent[]): void {
    for (const event of events) this.#pending.push(event)
    const wait = this.#flushedAt + GATHER_MS - this.#clock()
    if (wait <= 0) this.flush()
    else this.#timer ??= setTimeout(() => this.flush(), wait)
  }

  /** Sends the batch. */
  flush(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    const events = this.#pending
    const newest = events.at(-1)
    if (!newest) return
    this.#pending = []
    const now = this.#clock()
    for (const { wish, readers, shared } of this.#audiences.values()) {
      const wanted = wantedOf(wish, events)
      if (wanted.length === 0) continue
      const plain = bytesOf(wanted)
      const bytes = shared?.block(plain) ?? plain
      this.#onSent({ events: wanted.length, readers: readers.size, newest })
      for (const reader of readers) reader.pass(bytes, now)
    }
    this.#flushedAt = this.#clock()
  }

  /** Adds a reader that has every event published so far. */
  join(reader: Reader): void {
    this.flush()
    const { wish } = reader
    const audience = this.#audiences.get(wish.key) ?? audienceOf(wish)
    audience.readers.add(reader)
    if (audience.shared) reader.follow(audience.shared)
    this.#audiences.set(wish.key, audience)
  }

  leave(reader: Reader): void {
    const audience = this.#audiences.get(reader.wish.key)
    if (audience?.readers.delete(reader) && audience.readers.size === 0)
      this.#audiences.delete(reader.wish.key)
  }

  /**
   * The heartbeat of an idle reader. A filtered reader at the head gets its position instead, so that a reconnect does not
   * replay the events it skipped.
   */
  remind(reader: Reader, head: Cursor): void {
    const isAtHead = this.#audiences.get(reader.wish.key)?.readers.has(reader) && this.#pending.length === 0
    const hasSkipped = reader.wish.isFiltered && isAtHead
    reader.write(hasSkipped ? positionBytes(head, { head: cursorText(head) }) : heartbeatBytes, this.#clock())
  }
}

export const wantedOf = ({ admits }: ReaderWish, events: readonly StreamEvent[]): readonly StreamEvent[] =>
  events.filter((event) => isRetraction(event) || admits(event))

const isRetraction = ({ line, launch }: StreamEvent): boolean => line === null && launch === null

/** The concatenated bytes of events. */
export function bytesOf(events: readonly StreamEvent[]): Buffer {
  const [first] = events
  return events.length === 1 && first ? first.bytes : Buffer.concat(events.map(({ bytes }) => bytes))
}
