import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { LIFETIME_SPREAD, LINGER_SECONDS } from '../schemas/values/stream-times.ts'
import { writeDirectly } from './direct-write.ts'
import { retryLine, type StreamEvent } from './events.ts'
import { GzipBody, type SharedGzip } from './gzip.ts'

/** A reader's subscription; readers with the same `key` receive the same bytes. */
export type ReaderWish = {
  readonly key: string
  /** Of swaps and launches; a retraction is everybody's. */
  readonly admits: (event: StreamEvent) => boolean
  /** Whether there are swaps that it does not admit. */
  readonly isFiltered: boolean
  /** As a gzip body; only for readers of all swaps. */
  readonly isZipped: boolean
}

/** Bytes that may wait for a slow reader; beyond it is disconnected, and can continue by its last id. */
export const WAITING_BYTES = 512 * 1_024
/** Maximum time for a 64 KB slice of a replay before the reader is disconnected: at least 8 KB/s. */
const STUCK_MS = 8_000
/** Time for a connection to close. */
const LINGER_MS = LINGER_SECONDS * 1_000

/** How long one connection may last, in ms: `ms` ± LIFETIME_SPREAD. */
export const lifetime = (ms: number): number => ms * (1 + LIFETIME_SPREAD * (2 * Math.random() - 1))

/** The reconnection delay sent to readers, in ms. */
export type RetryTimes = {
  /** Least time, and the time after an end that the task chose. */
  readonly retryMs: number
  /** Readers whose connection is cut, all of a task at once in the worst case, come back over so much more. */
  readonly retrySpreadMs: number
}

/** When a reader comes back whose connection is cut, in ms: of its own, so that the others' tasks are not flooded. */
export const retryAfterCut = ({ retryMs, retrySpreadMs }: RetryTimes): number =>
  retryMs + Math.random() * retrySpreadMs

/** One connection. Written buffers are shared with other readers and never copied. */
export class Reader {
  readonly wish: ReaderWish
  /** Unix ms at which the connection is ended, to rebalance readers over the tasks. */
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

  /** The connection is closed. */
  get isClosed(): boolean {
    return this.isEnding || this.#socket.destroyed
  }

  /** Bytes waiting to be read. */
  get unsentBytes(): number {
    return this.#socket.writableLength
  }

  /** Writes the response head and the beginning of the body. */
  open(head: string, text: string): void {
    const body = this.#gzip?.begin(Buffer.from(text))
    // A string instead of a buffer saves half a KB per idle connection.
    this.#socket.write(body ? Buffer.concat([Buffer.from(head), body]) : `${head}${text}`)
  }

  /** From now on the reader receives these shared blocks. */
  follow(shared: SharedGzip): void {
    this.#gzip?.follow(shared)
  }

  /** Writes to this reader only. */
  write(bytes: Buffer, now: number): void {
    if (!this.isClosed) this.pass(this.#gzip?.block(bytes) ?? bytes, now)
  }

  /**
   * Writes bytes shared by all readers of its subscription, or disconnects it if too much was already waiting; the size
   * of this write does not count.
   */
  pass(bytes: Buffer, now: number): void {
    if (this.isClosed) return
    if (this.#socket.writableLength > WAITING_BYTES) this.cut()
    else writeDirectly(this.#socket, bytes)
    this.wroteAt = now
  }

  /** Resolves when more can be written or the connection has closed; a stalled reader is disconnected. */
  async drained(): Promise<void> {
    if (this.isClosed || !this.#socket.writableNeedDrain) return
    const waiting = new AbortController()
    const stuck = setTimeout(() => this.cut(), STUCK_MS)
    const on = (name: string) => once(this.#socket, name, { signal: waiting.signal })
    await Promise.race([on('drain'), on('close')]).catch(() => this.cut())
    clearTimeout(stuck)
    waiting.abort()
  }

  /** Sends `retry` and ends the connection after everything written. */
  end(retryMs: number): void {
    if (this.isClosed) return
    this.isEnding = true
    const last = Buffer.from(retryLine(retryMs))
    this.#socket.end(this.#gzip?.end(last) ?? last)
    setTimeout(() => this.cut(), LINGER_MS).unref()
  }

  /** Closes the connection immediately, dropping what waits. */
  cut(): void {
    if (this.#socket.destroyed) return
    if (!this.isEnding) this.#onCut()
    this.#socket.destroy()
  }
}

/** Number of batches in a drain. */
const SLICES = 50
/** Spread of reconnects in ms, so that the other tasks are not flooded. */
const RETRY_SPREAD_MS = 3_000

/** Ends all readers in batches and in random order; each continues elsewhere after its last event. Takes about `ms`. */
export async function drain(
  readers: ReadonlySet<Pick<Reader, 'isClosed' | 'end'>>,
  ms: number,
  pause: (ms: number) => Promise<unknown> = sleep,
): Promise<void> {
  for (let left = SLICES; left > 0 && readers.size > 0; left--) {
    const open = [...readers].filter((reader) => !reader.isClosed)
    for (const reader of sample(open, Math.ceil(open.length / left))) {
      reader.end(Math.random() * RETRY_SPREAD_MS)
    }
    await pause(ms / SLICES)
  }
}

/** Removes and returns random items of a list. */
function sample<T>(list: T[], count: number): readonly T[] {
  for (let at = 0; at < count; at++) {
    const other = at + Math.floor(Math.random() * (list.length - at))
    const [here, there] = [list[at] as T, list[other] as T]
    list[at] = there
    list[other] = here
  }
  return list.slice(0, count)
}
