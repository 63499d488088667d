/** How many blocks one endpoint is asked for at once: fewer after a refusal, more after an answer that came easily, never more than it said it allows. */

/** The current width, and what changes it. */
export type RangeWidth = {
  blocks(): number
  /** The endpoint refused so many blocks; `allowedBlocks` where it said how many it answers for. */
  narrow(refusedBlocks: number, allowedBlocks?: number): void
  /** A range of the whole width was read, its slowest answer in so many ms. */
  widen(slowestMs?: number): void
}

// Coinbase's endpoints answer for 1,000 blocks of Base, QuickNode's for 10,000.
const START_BLOCKS = 1_000
const MOST_BLOCKS = 10_000
/** Above this an answer comes so near to the timeout (10 s) that a wider one might not come. */
const SLOW_MS = 3_000
/** After so many ranges in a row a refused width is worth another try. */
const FORGET_AFTER = 200

/** Opens a width of so many blocks. It is at least one block. */
export function openRangeWidth(blocks = START_BLOCKS): RangeWidth {
  let width = blocks
  /** What the endpoint named. */
  let ceiling = MOST_BLOCKS
  /** The least that was refused without a number. */
  let refused = Number.POSITIVE_INFINITY
  /** The width that was read last. */
  let good = 0
  let successes = 0
  return {
    blocks: () => width,
    narrow(refusedBlocks, allowedBlocks) {
      successes = 0
      // Refusing no more than what it allows means that something else is too much.
      const isTelling = allowedBlocks !== undefined && allowedBlocks < refusedBlocks
      if (isTelling) ceiling = allowedBlocks
      else refused = refusedBlocks
      const half = Math.max(1, Math.floor(refusedBlocks / 2))
      width = isTelling ? allowedBlocks : good < refusedBlocks ? Math.max(half, good) : half
      good = Math.min(good, width)
    },
    widen(slowestMs = 0) {
      successes += 1
      good = width
      if (successes % FORGET_AFTER === 0) refused = Math.max(refused, width) * 2
      if (slowestMs > SLOW_MS) return
      // Half way to what was refused; what is nearer than an eighth is not worth another refusal.
      const next = Math.min(ceiling, Math.ceil(width * 1.5), Math.floor((width + refused) / 2))
      if (refused - width > width / 8) width = Math.max(width, next)
    },
  }
}
