/** Every number that a rule of the methodology uses. A change here changes published figures: raise RULES_VERSION and FOLD_VERSION with it. */

/** Version of the methodology; every manifest and snapshot states it. */
export const RULES_VERSION = 4

/** Version of what a minute is folded into: raised with RULES_VERSION, and where segments come to hold more. A raised one folds the chain into a log of its own, from the start of the longest window on. */
export const FOLD_VERSION = 8

/** The oldest version whose states FOLD_VERSION can continue from; a log that an older one folded is folded again as a whole. Raise it where a state comes to hold what older segments do not say. */
export const CONTINUES_FOLD = 7

/** Decimals of every creator and post token (Zora coins: CoinConstants, 18 without exception). */
export const TOKEN_DECIMALS = 18

/** A token's price reaches its reference currency through at most this many pools: post → creator token → reference. The reference's own makes three. */
export const QUOTE_POOLS_MAX = 2

/** Effective cap: at most this many times the quote-side liquidity counts. */
export const CAP_PER_LIQUIDITY = 25n

/** A (wallet, UTC hour) pair counts towards engagement at its first swap of at least this much: $0.10. */
export const ENGAGEMENT_MIN_MICRO_USD = 100_000n

/** A source of a reference rate votes if it swapped within this many hours … */
export const REFERENCE_SILENT_HOURS = 24
/** … and it takes at least this much to move its price by 2 %: $200. */
export const REFERENCE_DEPTH_MIN_MICRO_USD = 200_000_000n
/** A close of a reference rate that is more than this share (percent) away from the rate in force is held … */
export const REFERENCE_HOLD_PERCENT = 20n
/** … until the close of this many minutes in a row was. */
export const REFERENCE_HOLD_MINUTES = 3
/** A close that is more than this share (percent) away from the rate in force … */
export const REFERENCE_DRIFT_PERCENT = 40n
/** … this many minutes earlier is held … */
export const REFERENCE_DRIFT_MINUTES = 60
/** … until the close of this many minutes in a row was. */
export const REFERENCE_DRIFT_CLOSES = 15

/** Rows of a board and of a trending list. */
export const BOARD_SIZE = 100

/** A holder of at least this share (percent) of the supply is a whale. */
export const WHALE_PERCENT = 1n

/** Bounds of untrusted names, in code points. */
export const NAME_MAX = 128
export const SYMBOL_MAX = 32
/** The longest contract URI that is published, in characters. */
export const URI_MAX = 512
/** A token's newest moves to another pool that its description has: each costs some 100 bytes wherever it is stored. */
export const MIGRATIONS_MAX = 8

/** Rising: what both sides of the ratio are raised by, so that a few dollars do not make a token rise: $50. */
export const RISING_OFFSET_MICRO_USD = 50_000_000n
/** Rising: at least this many (wallet, UTC hour) pairs counted in the last hour. */
export const RISING_MIN_WALLET_HOURS = 3

/** New launches are at most this many days old. */
export const NEW_LAUNCH_DAYS = 7

/** Tokens in the screener: those with the largest rank volume of the last 24 hours. */
export const SCREENER_SIZE = 20_000

/** Rows of the rising and new-launches lists. */
export const DISCOVER_SIZE = 50

/** A percent further from zero than this says nothing, and is not published. */
export const PERCENT_MAX = 1_000_000_000n

/** Quote-side liquidity along its path below which a price is its launcher's choice and no more: $100. */
export const LIQUIDITY_MIN_MICRO_USD = 100_000_000n

/** Lists by change compare a token that is younger than their window with its price this many minutes after its launch. */
export const FIRST_HOUR_MINUTES = 60

/** The Z100 Index: its first value … */
export const INDEX_BASE = 1000n
/** … in the first sealed minute of the first UTC hour in which this many seats are taken. */
export const INDEX_START_MEMBERS = 20
/** Seats of each of the two boards … */
export const INDEX_SEATS = 100
/** … of which one root of money, and one party, hold at most this many over both. */
export const INDEX_SEATS_EACH = 3
/** At the base and at a review a root counts for at most this share (percent) of what all counted for before. */
export const INDEX_ROOT_PERCENT = 10n
/** At a review the first ranks are in … */
export const INDEX_RANK_IN = 90
/** … and a sitting member stays down to this rank while there are seats. */
export const INDEX_RANK_STAY = 110
/** UTC hour in whose first sealed minute the members are reviewed. */
export const INDEX_REVIEW_HOUR = 0
/** Hourly closes of whose effective caps the least is a token's rank. */
export const INDEX_CLOSES = 24
/** Effective cap that a token must have at each of them: $2,500. */
export const INDEX_CAP_MIN_MICRO_USD = 2_500_000_000n
/** Minutes that a token must have been there: 24 hours. */
export const INDEX_AGE_MINUTES = 1_440
/** Days within which a token must have traded. */
export const INDEX_TRADED_DAYS = 7
/** Names of each board that an index answer lists. */
export const INDEX_TOP = 10

/** Number of holders listed by name. */
export const TOP_HOLDERS = 100
/**
 * A token that more addresses have ever held has no distribution. Anybody can send dust to any number of addresses; so many
 * cost ingest some 100 MB and a few seconds every ten minutes, and the table 4,000 read units.
 */
export const COUNTED_HOLDERS_MAX = 250_000
