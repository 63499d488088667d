import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { StreamEvent } from './events.ts'

/** Which events a reader wants. Readers with the same `key` want the same ones; `admits` null: all of them. */
export type Wish = { readonly key: string; readonly admits: ((event: StreamEvent) => boolean) | null }

/** Bytes that may wait for a reader that does not read; beyond them it is cut, and can go on by the id of its last event. */
export const WAITING_BYTES = 512 * 1_024
/** A reader that takes nothing of its replay for so long is cut. */
const STUCK_MS = 30_000
/** What an ending connection may take to be gone. */
const LINGER_MS = 10_000

/** One connection. What is written is shared with other readers and never copied. */
export class Reader {
  readonly wish: Wish
  /** Unix ms at which the connection is ended, so that readers spread over the tasks anew. */
  readonly endsAt: number
  /** Unix ms. */
  wroteAt = 0
  isEnding = false
  readonly #socket: Socket
  readonly #onCut: () => void

  constructor(
    socket: Socket,
    options: { readonly wish: Wish; readonly endsAt: number; readonly onCut: () => void },
  ) {
    this.#socket = socket
    this.wish = options.wish
    this.endsAt = options.endsAt
    this.#onCut = options.onCut
  }

  /** Nothing more can be written. */
  get isClosed(): boolean {
    return this.isEnding || this.#socket.destroyed
  }

  /** Writes, or cuts the reader where what was written before still waits: how much is written at once is no fault of its. */
  write(bytes: Buffer, now: number): void {
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
    this.#socket.end(`retry: ${Math.round(retryMs)}\n\n`)
    setTimeout(() => this.cut(), LINGER_MS).unref()
  }

  /** Ends the connection at once, with what waits for it. */
  cut(): void {
    if (this.#socket.destroyed) return
    if (!this.isEnding) this.#onCut()
    this.#socket.destroy()
  }
}
