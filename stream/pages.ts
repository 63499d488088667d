import { performance } from 'node:perf_hooks'
import { LRUCache } from 'lru-cache'
import type { FeedEntry } from '../market/feed-entry.ts'
import { PAGE_ENTRIES } from './cursor.ts'
import type { StreamEntry } from './events.ts'
import type { ReplayTime } from './replay-time.ts'
import type { Tail } from './tail.ts'

/** What pages may take in memory, and for how long they are kept (ms): entries expire. */
const KEPT_BYTES = 64 * 1_024 * 1_024
const KEPT_MS = 60_000
/** An event takes several times its bytes, as its swap is kept for filters. */
const EVENT_FACTOR = 4
/** Concurrent reads from the table; others queue. */
const SLOTS = 4

/** Entries from the table, read and encoded once for all readers that replay them. */
export class Pages {
  readonly #tail: Tail
  readonly #time: ReplayTime
  readonly #pages: LRUCache<number, readonly StreamEntry[]>
  #free = SLOTS
  #queue: (() => void)[] = []

  constructor(tail: Tail, time: ReplayTime) {
    this.#tail = tail
    this.#time = time
    this.#pages = new LRUCache({
      maxSize: KEPT_BYTES,
      ttl: KEPT_MS,
      sizeCalculation: (entries) => sizeOf(entries),
      fetchMethod: (first) => this.#load(first),
    })
  }

  /** The stored entries of the page that holds a seq; none if they have expired. */
  async read(seq: number): Promise<readonly StreamEntry[]> {
    const first = seq - (seq % PAGE_ENTRIES)
    const entries = (await this.#pages.fetch(first)) ?? []
    // More may come to its end.
    if (entries.at(-1)?.seq !== first + PAGE_ENTRIES - 1) this.#pages.delete(first)
    return entries
  }

  async #load(first: number): Promise<readonly StreamEntry[]> {
    await this.#time.turn()
    while (this.#free === 0) await new Promise<void>((resolve) => this.#queue.push(resolve))
    this.#free -= 1
    const before = performance.eventLoopUtilization()
    try {
      const stored: FeedEntry[] = []
      for await (const entry of this.#tail.stored(Math.max(1, first), PAGE_ENTRIES)) {
        if (entry.seq < first + PAGE_ENTRIES) stored.push(entry)
      }
      return await this.#tail.encode(stored)
    } finally {
      this.#time.spend(performance.eventLoopUtilization(before).active)
      this.#free += 1
      this.#queue.shift()?.()
    }
  }
}

const sizeOf = (entries: readonly StreamEntry[]): number =>
  entries.reduce(
    (sum, { events }) => events.reduce((size, { bytes }) => size + EVENT_FACTOR * bytes.length, sum),
    1,
  )
