import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

/** Share of a task's time that all replays take together; the rest belongs to live readers. */
const SHARE = 0.3
/** Shorter pauses (ms) are added up: a timer is no more exact. */
const LEAST_PAUSE_MS = 5

/** A clock in ms, and a pause; tests have their own. */
export type TurnClock = { readonly now: () => number; readonly pause: (ms: number) => Promise<unknown> }

/** Hands out turns to work on replays, first come, first served: after each, all replays pause in proportion to what it took. */
export class ReplayTime {
  readonly #clock: TurnClock
  #queue: Promise<unknown> = Promise.resolve()
  #freeAt = 0

  constructor(clock: TurnClock = { now: () => performance.now(), pause: (ms) => sleep(ms) }) {
    this.#clock = clock
  }

  /** Resolves when a piece of work may begin. */
  turn(): Promise<unknown> {
    this.#queue = this.#queue.then(() => {
      const ms = this.#freeAt - this.#clock.now()
      return ms > LEAST_PAUSE_MS ? this.#clock.pause(ms) : nextTurn()
    })
    return this.#queue
  }

  /** Accounts for the ms that a piece of work took. */
  spend(ms: number): void {
    this.#freeAt = Math.max(this.#freeAt, this.#clock.now()) + ms * (1 / SHARE - 1)
  }

  /** Does a piece of work at its turn. */
  async run<T>(work: () => T): Promise<T> {
    await this.turn()
    const begun = this.#clock.now()
    try {
      return work()
    } finally {
      this.spend(this.#clock.now() - begun)
    }
  }
}
