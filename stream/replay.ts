import { type FeedEntry, feedEventsIn } from '../market/feed-entry.ts'
import type { ResyncReason } from '../schemas/api/stream.ts'
import type { ReplayAllowance } from './admission.ts'
import { bytesOf, type Channel, wantedOf } from './channel.ts'
import { type Cursor, PAGE_ENTRIES } from './cursor.ts'
import { asOfNow, type StreamEvent } from './events.ts'
import type { Metrics } from './metrics.ts'
import { Pages } from './pages.ts'
import type { Reader } from './reader.ts'
import { ReplayTime } from './replay-time.ts'
import { isAfter } from './ring.ts'
import type { Tail } from './tail.ts'

/** Bytes written to a reader before waiting for it. */
const SLICE_BYTES = 64 * 1_024

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
  readonly #time = new ReplayTime()
  readonly #pages: Pages

  constructor({ tail, channel, allowance, metrics }: ReplayDeps) {
    this.#tail = tail
    this.#channel = channel
    this.#allowance = allowance
    this.#metrics = metrics
    this.#pages = new Pages(tail, this.#time)
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

  /** The events of the page that follow a position, or those of the next page. */
  async #fromTable(journey: Journey, at: Cursor): Promise<Slice> {
    const { confirmedTo } = this.#tail
    for (const seq of [at.seq, at.seq + PAGE_ENTRIES]) {
      const entries = await this.#pages.read(seq)
      const events = entries.flatMap((entry) => entry.events).filter(({ cursor }) => isAfter(cursor, at))
      const allowed = events.slice(0, journey.left).map((event) => asOfNow(event, confirmedTo))
      const last = allowed.at(-1)
      if (!last) continue
      journey.left -= allowed.length
      return { events: allowed, end: last.cursor }
    }
    return { events: [], end: at }
  }

  /** Writes the matching events, no faster than the reader reads. False: the network's hourly bytes are used up. */
  async #write({ reader, network }: Journey, events: readonly StreamEvent[]): Promise<boolean> {
    const wanted = wantedOf(reader.wish, events)
    for (let from = 0; from < wanted.length && !reader.isClosed; ) {
      let [to, size] = [from, 0]
      for (; to < wanted.length && size < SLICE_BYTES; to++) size += wanted[to]?.bytes.length ?? 0
      if (!this.#allowance.spend(network, size)) return false
      const slice = wanted.slice(from, to)
      await this.#time.run(() => reader.write(bytesOf(slice), Date.now()))
      this.#metrics.add('Replayed', to - from)
      from = to
      await reader.drained()
    }
    return true
  }
}

const lastIndexOf = (entry: FeedEntry): number =>
  entry.is === 'block' ? Math.max(0, feedEventsIn(entry) - 1) : 0
