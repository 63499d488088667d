/** Milliseconds between blocks of the live chain, unless the run chooses others. */
export const BLOCK_MS = 6_000
/** Trades a second on it, likewise. */
export const TRADES_PER_SECOND = 0.03
