import type { Minute } from '../market/segment.ts'
import { type Cursor, PAGE_ENTRIES } from './cursor.ts'
import { asOfNow, endOf, type StreamEntry, type StreamEvent } from './events.ts'

/** Fifteen digits are exact as a number. */
const FORM = /^(\d{1,15})\.(\d{1,6})$/

/** Parses a position; null: malformed. */
export function cursorFrom(text: string): Cursor | null {
  const [, seq, index] = FORM.exec(text) ?? []
  return seq === undefined ? null : { seq: Number(seq), index: Number(index) }
}

/** Whether `a` lies after `b`. */
export const isAfter = (a: Cursor, b: Cursor): boolean =>
  a.seq > b.seq || (a.seq === b.seq && a.index > b.index)

/** Bytes of events in memory: about 10,000 swaps. */
const KEPT_BYTES = 16 * 1_024 * 1_024

/** The newest entries of the feed, encoded, for readers that reconnect within minutes. */
export class Ring {
  #entries: StreamEntry[] = []
  #bytes = 0
  #head: Cursor

  /** `head`: the end of the feed if no entry is in memory. */
  constructor(head: Cursor) {
    this.#head = head
  }

  /** Position of the newest event. */
  get head(): Cursor {
    return this.#head
  }

  /** Adds the entry that follows the newest one. Where numbers are skipped, all before it has expired. */
  push(entry: StreamEntry): void {
    if (this.#entries.at(-1)?.seq !== entry.seq - 1) [this.#entries, this.#bytes] = [[], 0]
    this.#entries.push(entry)
    this.#head = endOf(entry)
    this.#bytes += bytesOf(entry)
    let dropped = 0
    for (; this.#bytes > KEPT_BYTES && dropped < this.#entries.length - 1; dropped++) {
      this.#bytes -= bytesOf(this.#entries[dropped] as StreamEntry)
    }
    if (dropped > 0) this.#entries.splice(0, dropped)
  }

  /** Whether all events after the position are in memory. */
  covers({ seq }: Cursor): boolean {
    const [first] = this.#entries
    if (seq >= this.#head.seq) return true
    return first !== undefined && (seq >= first.seq || (seq === 0 && first.seq === 1))
  }

  /** The entry of a seq, if in memory. */
  entry(seq: number): StreamEntry | undefined {
    const [first] = this.#entries
    return first && this.#entries[seq - first.seq]
  }

  /**
   * Events after the position, oldest first, of about this many bytes and of one page; none at the head. The position must be
   * covered.
   */
  after(cursor: Cursor, bytes: number, confirmedTo: Minute): readonly StreamEvent[] {
    const events: StreamEvent[] = []
    let size = 0
    for (let { seq } = cursor; seq <= this.#head.seq && size < bytes; seq++) {
      if (seq % PAGE_ENTRIES === 0 && events.length > 0) break
      for (const event of this.entry(seq)?.events ?? []) {
        if (!isAfter(event.cursor, cursor) || size >= bytes) continue
        events.push(asOfNow(event, confirmedTo))
        size += event.bytes.length
      }
    }
    return events
  }
}

const bytesOf = ({ events }: StreamEntry): number => events.reduce((sum, { bytes }) => sum + bytes.length, 0)
