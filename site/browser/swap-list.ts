/** Swaps that the page holds: each once, newest last, those of blocks that were taken back marked. */
import type { Swap } from '../../schemas/client.ts'
import { keyOf, type ShownSwap } from './swaps.ts'

/** Holds the newest swaps, `most` of them. */
export class SwapList {
  readonly #swaps = new Map<string, ShownSwap>()
  readonly #most: number
  #heard = 0
  #takenBack = 0

  constructor(most: number) {
    this.#most = most
  }

  /** Swaps that were added, and swaps that were taken back, since the beginning. */
  get counts(): { readonly heard: number; readonly takenBack: number } {
    return { heard: this.#heard, takenBack: this.#takenBack }
  }

  /** Adds a swap; one that is told again, as after a break, replaces itself. */
  add(swap: Swap): void {
    const key = keyOf(swap)
    if (!this.#swaps.has(key)) this.#heard++
    this.#swaps.set(key, { swap, isRetracted: false })
    const [oldest] = this.#swaps.keys()
    if (this.#swaps.size > this.#most && oldest !== undefined) this.#swaps.delete(oldest)
  }

  /** Marks the swaps of a block that the chain has replaced. */
  retract(blockHash: string): void {
    for (const [key, shown] of this.#swaps) {
      if (shown.swap.block_hash !== blockHash || shown.isRetracted) continue
      this.#swaps.set(key, { ...shown, isRetracted: true })
      this.#takenBack++
    }
  }

  /** The swaps, newest first. */
  newestFirst(): readonly ShownSwap[] {
    return [...this.#swaps.values()].reverse()
  }
}
