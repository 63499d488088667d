/** How many blocks are asked for at once: half as many after a refusal, half as many again after a success, never more than an endpoint said it allows. */

/** The current width, and what changes it. */
export type RangeWidth = {
  blocks(): number
  /** The endpoint refused so many blocks; `allowedBlocks` where it said how many it answers for. */
  narrow(refusedBlocks: number, allowedBlocks?: number): void
  /** A range of the whole width was read. */
  widen(): void
}

// Coinbase's endpoints answer for 1,000 blocks of Base, QuickNode's for 10,000.
const START_BLOCKS = 1_000
const MOST_BLOCKS = 10_000

/** Opens a width of so many blocks. It is at least one block. */
export const openRangeWidth = (blocks = START_BLOCKS): RangeWidth => {
  let width = blocks
  let ceiling = MOST_BLOCKS
  return {
    blocks: () => width,
    narrow: (refusedBlocks, allowedBlocks) => {
      // Refusing no more than what it allows means that something else is too much.
      const isTelling = allowedBlocks !== undefined && allowedBlocks < refusedBlocks
      if (isTelling) ceiling = allowedBlocks
      width = isTelling ? allowedBlocks : Math.max(1, Math.floor(refusedBlocks / 2))
    },
    widen: () => {
      width = Math.min(ceiling, Math.ceil(width * 1.5))
    },
  }
}
