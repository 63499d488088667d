import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { StreamEvent } from './events.ts'
import { GzipBody, type SharedGzip } from './gzip.ts'

/** Which events a reader wants, and how: readers with the same `key` are sent the same bytes. */
export type ReaderWish = {
  readonly key: string
  /** null: all of them. */
  readonly admits: ((event: StreamEvent) => boolean) | null
  /** As a gzip body; only who wants all events gets one. */
  readonly isZipped: boolean
}

/** Bytes that may wait for a reader that does not read; beyond them it is cut, and can go on by the id of its last event. */
export const WAITING_BYTES = 512 * 1_024
/** A reader that takes longer for a slice of its replay (64 KB) is cut: 8 KB a second is the least. */
const STUCK_MS = 8_000
/** What an ending connection may take to be gone. */
const LINGER_MS = 10_000

/** One connection. What is written is shared with other readers and never copied. */
export class Reader {
  readonly wish: ReaderWish
  /** Unix ms at which the connection is ended, so that readers spread over the tasks anew. */
  readonly endsAt: number
  /** Unix ms. */
  wroteAt = 0
  isEnding = false
  readonly #socket: Socket
  readonly #onCut: () => void
  readonly #gzip: GzipBody | null

  constructor(
    socket: Socket,
    options: { readonly wish: ReaderWish; readonly endsAt: number; readonly onCut: () => void },
  ) {
    this.#socket = socket
    this.wish = options.wish
    this.endsAt = options.endsAt
    this.#onCut = options.onCut
    this.#gzip = options.wish.isZipped ? new GzipBody() : null
  }

  /** Nothing more can be written. */
  get isClosed(): boolean {
    return this.isEnding || this.#socket.destroyed
  }

  /** Bytes that wait here for it to read. */
  get unsentBytes(): number {
    return this.#socket.writableLength
  }

  /** Answers: the head, and the body's beginning. */
  open(head: string, text: string): void {
    const body = this.#gzip?.begin(Buffer.from(text))
    // A text needs no buffer: with one, a connection at rest holds half a KB more.
    this.#socket.write(body ? Buffer.concat([Buffer.from(head), body]) : `${head}${text}`)
  }

  /** From now on all that these blocks get is passed to it. */
  follow(shared: SharedGzip): void {
    this.#gzip?.follow(shared)
  }

  /** Writes to this reader alone, as `pass` does. */
  write(bytes: Buffer, now: number): void {
    if (!this.isClosed) this.pass(this.#gzip?.block(bytes) ?? bytes, now)
  }

  /**
   * Passes on what is written to all readers of its wish, or cuts it where what was written before still waits: how much
   * is written at once is no fault of its.
   */
  pass(bytes: Buffer, now: number): void {
    if (this.isClosed) return
    if (this.#socket.writableLength > WAITING_BYTES) this.cut()
    else this.#socket.write(bytes)
    this.wroteAt = now
  }

  /** Resolves when more can be written, or never again; a reader that takes nothing for long is cut. */
  async drained(): Promise<void> {
    if (this.isClosed || !this.#socket.writableNeedDrain) return
    const waiting = new AbortController()
    const stuck = setTimeout(() => this.cut(), STUCK_MS)
    const on = (name: string) => once(this.#socket, name, { signal: waiting.signal })
    await Promise.race([on('drain'), on('close')]).catch(() => this.cut())
    clearTimeout(stuck)
    waiting.abort()
  }

  /** Says when to come back and ends the connection after what was written; nothing is lost. */
  end(retryMs: number): void {
    if (this.isClosed) return
    this.isEnding = true
    const last = Buffer.from(`retry: ${Math.round(retryMs)}\n\n`)
    this.#socket.end(this.#gzip?.end(last) ?? last)
    setTimeout(() => this.cut(), LINGER_MS).unref()
  }

  /** Ends the connection at once, with what waits for it. */
  cut(): void {
    if (this.#socket.destroyed) return
    if (!this.isEnding) this.#onCut()
    this.#socket.destroy()
  }
}

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
