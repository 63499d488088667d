/** Readers of one network that are brought up from the table at the same time. */
export const TABLE_REPLAYS = 2
/** Events beyond what is at hand that one connection is sent: 0.3 s of a processor. */
export const TABLE_EVENTS = 10_000
/** Bytes of replays for one network in an hour. Whoever only comes back now and then needs a thousandth of it. */
export const HOURLY_BYTES = 64 * 1_024 * 1_024

const HOUR_MS = 3_600_000

/** What one network has taken. */
type Taken = { running: number; bytes: number }

/** The bounds of a task. */
export type ReplayLimits = {
  readonly tableReplays: number
  readonly tableEvents: number
  readonly hourlyBytes: number
}

export const replayLimits: ReplayLimits = {
  tableReplays: TABLE_REPLAYS,
  tableEvents: TABLE_EVENTS,
  hourlyBytes: HOURLY_BYTES,
}

/** How much of replays each network of readers takes: one that asks for all of a day again and again is not to starve the others. */
export class ReplayAllowance {
  readonly limits: ReplayLimits
  readonly #clock: () => number
  readonly #taken = new Map<string, Taken>()
  #hour = 0

  /** `clock` gives Unix ms. */
  constructor(limits: ReplayLimits = replayLimits, clock: () => number = Date.now) {
    this.limits = limits
    this.#clock = clock
  }

  /** Begins a replay from the table; false: as many are running for the network as may. */
  enter(network: string): boolean {
    const taken = this.#of(network)
    if (taken.running >= this.limits.tableReplays) return false
    taken.running += 1
    return true
  }

  /** Ends a replay that was begun. */
  leave(network: string): void {
    this.#of(network).running -= 1
  }

  /** Takes bytes of the hour; false: they are used up. */
  spend(network: string, bytes: number): boolean {
    const taken = this.#of(network)
    taken.bytes += bytes
    return taken.bytes <= this.limits.hourlyBytes
  }

  #of(network: string): Taken {
    this.#beginHour()
    const known = this.#taken.get(network) ?? { running: 0, bytes: 0 }
    this.#taken.set(network, known)
    return known
  }

  #beginHour(): void {
    const hour = Math.floor(this.#clock() / HOUR_MS)
    if (hour === this.#hour) return
    this.#hour = hour
    for (const [network, taken] of this.#taken) {
      taken.bytes = 0
      if (taken.running === 0) this.#taken.delete(network)
    }
  }
}
