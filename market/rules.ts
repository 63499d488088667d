/** Every number that a rule of the methodology uses. A change here changes published figures: raise RULES_VERSION with it. */

/** Version of the rules; stands in every manifest. */
export const RULES_VERSION = 1

/** Decimals of every creator and post token (Zora coins: CoinConstants, 18 without exception). */
export const TOKEN_DECIMALS = 18

/** A token's price reaches USD through at most this many pools: post → creator token → reference, and one to spare. */
export const QUOTE_POOLS_MAX = 3

/** Effective cap: at most this many times the quote-side liquidity counts. */
export const CAP_PER_LIQUIDITY = 25n

/** A (wallet, UTC hour) pair counts towards engagement at its first swap of at least this much: $0.10. */
export const ENGAGEMENT_MIN_MICRO_USD = 100_000n

/** A reference rate that moves by more than this share (percent) of the held one is held … */
export const REFERENCE_HOLD_PERCENT = 20n
/** … until the close of this many minutes in a row lay outside. */
export const REFERENCE_HOLD_MINUTES = 3

/** Rows of a board and of a trending list. */
export const BOARD_SIZE = 100

/** A holder of at least this share (percent) of the supply is a whale. */
export const WHALE_PERCENT = 1n

/** Bounds of untrusted names, in code points. */
export const NAME_MAX = 128
export const SYMBOL_MAX = 32
