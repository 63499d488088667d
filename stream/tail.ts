import { setTimeout as sleep } from 'node:timers/promises'
import { type FeedEntry, feedEventsIn } from '../market/feed-entry.ts'
import type { Minute } from '../market/segment.ts'
import { REPLAY_SECONDS } from '../schemas/values/stream-times.ts'
import type { Feed } from '../store/log/feed.ts'
import type { Applied } from '../store/log/log.ts'
import { type Currencies, encodeEntries, type StreamEntry } from './events.ts'
import { Ring } from './ring.ts'

export type TailDeps = {
  readonly feed: Feed
  readonly currencies: Currencies
  readonly applied: () => Promise<Applied | undefined>
}

export type TailOptions = {
  readonly pollMs: number
  /** Whether there are no readers: then the feed is polled only every IDLE_POLL_MS, until `wake`. @default () => false */
  readonly isIdle?: () => boolean
  /** Called with new entries in order. */
  readonly onEntries: (entries: readonly StreamEntry[]) => void
  /** Called if the feed could not be read; it is retried. */
  readonly onFault: (error: unknown) => void
}

/** A poll costs as much whether anybody reads or not. Shorter than the silence after which a task is unhealthy. */
const IDLE_POLL_MS = 5_000
/** Entries encoded at once. */
const SLICE = 200
/** Events loaded at start, so that readers of an ended task can continue here immediately. */
const START_EVENTS = 2_000
const APPLIED_EVERY_MS = 1_000
const OLDEST_EVERY_MS = 60_000
/** Entries are kept for an hour longer than they are replayed, and found for half an hour longer. */
const OLDEST_SECONDS = REPLAY_SECONDS + 1_800

/** The end of the feed as known to this task. */
export class Tail {
  readonly ring: Ring
  readonly #deps: TailDeps
  readonly #options: TailOptions
  #confirmedTo: Minute = -1
  #appliedAt = Number.NEGATIVE_INFINITY
  #oldest = { seq: Promise.resolve(1), at: Number.NEGATIVE_INFINITY }
  #polledAt = Date.now()
  #waiting: (() => void)[] = []
  #pause = new AbortController()

  private constructor(deps: TailDeps, options: TailOptions, ring: Ring) {
    this.#deps = deps
    this.#options = options
    this.ring = ring
  }

  /** Opens the tail at the feed's end, with the newest entries in memory. */
  static async open(deps: TailDeps, options: TailOptions): Promise<Tail> {
    const seq = await deps.feed.tail()
    const tail = new Tail(deps, options, new Ring({ seq, index: 0 }))
    await tail.#readApplied()
    const newest = await newestEntries(deps.feed, seq)
    for (let at = 0; at < newest.length; at += SLICE) {
      for (const entry of await tail.encode(newest.slice(at, at + SLICE))) tail.ring.push(entry)
    }
    return tail
  }

  /** The last applied minute: swaps up to it are confirmed. */
  get confirmedTo(): Minute {
    return this.#confirmedTo
  }

  /** Unix ms when the feed was last read to its end. */
  get polledAt(): number {
    return this.#polledAt
  }

  encode(entries: readonly FeedEntry[]): Promise<readonly StreamEntry[]> {
    return encodeEntries(entries, this.#deps.currencies, this.#confirmedTo)
  }

  /** Up to `limit` stored entries of the feed from a seq on. */
  stored(seq: number, limit: number): AsyncGenerator<FeedEntry> {
    return this.#deps.feed.after(seq - 1, limit)
  }

  /** Resolves when the feed has been read to its current or a later end. */
  polled(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** The oldest entry that readers can continue from; the next one if all are too old. Updated once a minute. */
  oldest(): Promise<number> {
    const now = Date.now()
    if (now - this.#oldest.at >= OLDEST_EVERY_MS) {
      const before = this.#oldest.seq
      const seq = before.then((known) => this.#findOldest(known, now / 1_000 - OLDEST_SECONDS))
      this.#oldest = { seq, at: now }
      // A failure must not be cached.
      seq.catch(() => {
        this.#oldest = { seq: before, at: Number.NEGATIVE_INFINITY }
      })
    }
    return this.#oldest.seq
  }

  /** The first stored entry from `known` on that is not older than `since` (Unix seconds). */
  async #findOldest(known: number, since: number): Promise<number> {
    let [low, high] = [known, this.ring.head.seq + 1]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      const block = (this.ring.entry(middle) ?? (await this.#deps.feed.read(middle)))?.block
      if (block && block.timestamp >= since) high = middle
      else low = middle + 1
    }
    return low
  }

  /** Follows the feed until the signal aborts. Never rejects. */
  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const waiting = this.#waiting.splice(0)
        await this.#poll().catch((error: unknown) => {
          this.#waiting.unshift(...waiting.splice(0))
          throw error
        })
        for (const resolve of waiting) resolve()
      } catch (error) {
        this.#options.onFault(error)
      }
      await this.#untilNextPoll(signal)
    }
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  /** Ends the pause before the next poll; called for the first reader of an idle task. */
  wake(): void {
    this.#pause.abort()
  }

  async #untilNextPoll(signal: AbortSignal): Promise<void> {
    const { pollMs, isIdle = () => false } = this.#options
    this.#pause = new AbortController()
    const either = AbortSignal.any([signal, this.#pause.signal])
    await sleep(isIdle() ? Math.max(pollMs, IDLE_POLL_MS) : pollMs, undefined, { signal: either }).catch(
      () => {},
    )
  }

  async #poll(): Promise<void> {
    if (Date.now() - this.#appliedAt >= APPLIED_EVERY_MS) await this.#readApplied()
    let slice: FeedEntry[] = []
    for await (const entry of this.#deps.feed.after(this.ring.head.seq)) {
      slice.push(entry)
      if (slice.length < SLICE) continue
      await this.#take(slice)
      slice = []
    }
    if (slice.length > 0) await this.#take(slice)
    this.#polledAt = Date.now()
  }

  async #take(entries: readonly FeedEntry[]): Promise<void> {
    const encoded = await this.encode(entries)
    for (const entry of encoded) this.ring.push(entry)
    this.#options.onEntries(encoded)
  }

  async #readApplied(): Promise<void> {
    const applied = await this.#deps.applied()
    this.#appliedAt = Date.now()
    // Nothing is confirmed while minutes are being rolled back.
    this.#confirmedTo = applied && !applied.isLowered ? (applied.minute ?? -1) : -1
  }
}

/** The newest entries of the feed, oldest first. */
async function newestEntries(feed: Feed, tail: number): Promise<readonly FeedEntry[]> {
  const entries: FeedEntry[] = []
  let events = 0
  for await (const entry of feed.before(tail + 1)) {
    entries.push(entry)
    events += entry.is === 'block' ? feedEventsIn(entry) : 1
    if (events >= START_EVENTS) break
  }
  return entries.reverse()
}
