import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { type FeedEntry, feedEventsIn } from '../market/feed-entry.ts'
import type { ResyncReason } from '../schemas/api/stream.ts'
import type { ReplayAllowance } from './admission.ts'
import { bytesOf, type Channel, wantedOf } from './channel.ts'
import type { Cursor } from './cursor.ts'
import { endOf, type StreamEntry, type StreamEvent } from './events.ts'
import type { Metrics } from './metrics.ts'
import type { Reader } from './reader.ts'
import { isAfter } from './ring.ts'
import type { Tail } from './tail.ts'

/** Bytes written to a reader before waiting for it. */
const SLICE_BYTES = 64 * 1_024
/** Entries encoded at once. */
const SLICE_ENTRIES = 50
/** Concurrent reads from the table; others queue. */
const SLOTS = 16

/** Dependencies of a replay. */
type ReplayDeps = {
  readonly tail: Tail
  readonly channel: Channel
  readonly allowance: ReplayAllowance
  readonly metrics: Metrics
}

/** A running replay: its network, whether it counts as one from the table, and the events it may still read there. */
type Journey = { readonly reader: Reader; readonly network: string; isCounted: boolean; left: number }

/** Events after a position, and the position after them. */
type Slice = { readonly events: readonly StreamEvent[]; readonly end: Cursor }

/** Brings readers from their position to the head. */
export class Replay {
  readonly #tail: Tail
  readonly #channel: Channel
  readonly #allowance: ReplayAllowance
  readonly #metrics: Metrics
  #free = SLOTS
  #queue: (() => void)[] = []

  constructor({ tail, channel, allowance, metrics }: ReplayDeps) {
    this.#tail = tail
    this.#channel = channel
    this.#allowance = allowance
    this.#metrics = metrics
  }

  /** Why a reader cannot continue from a position; null: it can. A position ahead of this task may exist in the feed. */
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
    for await (const stored of this.#tail.stored(at.seq, 1)) {
      if (stored.seq !== at.seq) return 'expired'
      return at.index > lastIndexOf(stored) ? 'unknown' : null
    }
    return 'expired'
  }

  /**
   * Sends a reader all matching events after its position, then adds it to the channel without a gap. False: this
   * exceeds the limits of its network.
   */
  async bring(reader: Reader, from: Cursor, network: string): Promise<boolean> {
    const journey = { reader, network, isCounted: false, left: this.#allowance.limits.tableEvents }
    try {
      return await this.#go(journey, from)
    } finally {
      if (journey.isCounted) this.#allowance.leave(network)
    }
  }

  async #go(journey: Journey, from: Cursor): Promise<boolean> {
    const { reader } = journey
    const { ring } = this.#tail
    let at = from
    while (!reader.isClosed) {
      const isAtHand = ring.covers(at)
      if (!isAtHand && !this.#mayReadTable(journey)) return false
      const { events, end } = isAtHand ? this.#fromRing(at) : await this.#fromTable(journey, at)
      if (!isAfter(end, at)) {
        if (isAtHand) this.#channel.join(reader)
        // The entries have expired meanwhile; the reader learns that when it reconnects.
        else reader.cut()
        return true
      }
      if (!(await this.#write(journey, events))) return false
      at = end
    }
    return true
  }

  #mayReadTable(journey: Journey): boolean {
    journey.isCounted ||= this.#allowance.enter(journey.network)
    return journey.isCounted && journey.left > 0
  }

  #fromRing(at: Cursor): Slice {
    const events = this.#tail.ring.after(at, SLICE_BYTES, this.#tail.confirmedTo)
    return { events, end: events.at(-1)?.cursor ?? at }
  }

  /** The next events from the table. Holds the slot while reading, not while the reader receives. */
  async #fromTable(journey: Journey, at: Cursor): Promise<Slice> {
    await this.#slot()
    let entries: readonly StreamEntry[]
    try {
      const stored: FeedEntry[] = []
      for await (const entry of this.#tail.stored(at.seq, SLICE_ENTRIES)) stored.push(entry)
      entries = await this.#tail.encode(stored)
    } finally {
      this.#free += 1
      this.#queue.shift()?.()
    }
    const events = entries.flatMap((entry) => entry.events).filter(({ cursor }) => isAfter(cursor, at))
    journey.left -= events.length
    const last = entries.at(-1)
    return { events, end: last ? endOf(last) : at }
  }

  /** Writes the matching events, no faster than the reader reads. False: the network's hourly bytes are used up. */
  async #write({ reader, network }: Journey, events: readonly StreamEvent[]): Promise<boolean> {
    const wanted = wantedOf(reader.wish, events)
    for (let from = 0; from < wanted.length && !reader.isClosed; ) {
      let [to, size] = [from, 0]
      for (; to < wanted.length && size < SLICE_BYTES; to++) size += wanted[to]?.bytes.length ?? 0
      if (!this.#allowance.spend(network, size)) return false
      reader.write(bytesOf(wanted.slice(from, to)), Date.now())
      this.#metrics.add('Replayed', to - from)
      from = to
      await reader.drained()
    }
    await yieldToOthers()
    return true
  }

  async #slot(): Promise<void> {
    while (this.#free === 0) await new Promise<void>((resolve) => this.#queue.push(resolve))
    this.#free -= 1
  }
}

const lastIndexOf = (entry: FeedEntry): number =>
  entry.is === 'block' ? Math.max(0, feedEventsIn(entry) - 1) : 0
