/** When the next block of a chain with an exact beat can first be seen: learnt by looking ever earlier, and a little later after each look that was too early. */

/** Times are Unix ms. */
export type Beat = {
  /** The newest block that should be visible by now. */
  due(): number
  /** When the block after this one should be. */
  visibleAt(blockNumber: number): number
  /** A block is visible now. `isFirstLook`: at the first look for it. */
  seen(blockNumber: number, isFirstLook: boolean): void
  /** A block that was due was not visible. */
  missed(): void
}

/** One look in twenty is too early when steps down and up are balanced. */
const EARLIER_MS = 8
const LATER_MS = 152
/** Until the first look that is too early. */
const SEARCH_MS = 100

/** Opens a beat of blocks so many ms apart, of which one is visible now. */
export function openBeat(
  timeOf: (blockNumber: number) => number,
  visible: number,
  now: () => number = Date.now,
): Beat {
  const beatMs = timeOf(visible + 1) - timeOf(visible)
  let delay = now() - timeOf(visible)
  let step = SEARCH_MS
  return {
    due: () => visible + Math.floor((now() - delay - timeOf(visible)) / beatMs),
    visibleAt: (blockNumber) => timeOf(blockNumber + 1) + delay,
    seen(blockNumber, isFirstLook) {
      delay = Math.min(delay - (isFirstLook ? step : 0), now() - timeOf(blockNumber))
    },
    missed() {
      step = EARLIER_MS
      delay += LATER_MS
    },
  }
}
