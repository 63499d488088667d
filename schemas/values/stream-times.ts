/** How far the stream goes back, and how long its connections last: the task ends them, and its deployment waits for them. */

/** Every reader that comes back within so many seconds gets what it missed. Recent swaps go back as far. */
export const REPLAY_SECONDS = 24 * 3_600
/** The same in hours, for texts. */
export const REPLAY_HOURS = REPLAY_SECONDS / 3_600
/** Recent swaps are at most so many. */
export const RECENT_SWAPS = 10_000

/** A reader that was sent nothing for so many seconds gets a comment, or its position. `ready` says it to clients, which give up after three times that. */
export const HEARTBEAT_SECONDS = 15

/** Mean lifetime of a connection, in seconds. */
export const CONNECTION_SECONDS = 15 * 60
/** Lifetimes differ from the mean by at most this share, so that readers do not all reconnect at once. */
export const LIFETIME_SPREAD = 1 / 8
/** Time for a connection to close after its last bytes, in seconds. */
export const LINGER_SECONDS = 10
/** No connection is open longer than this. */
export const LONGEST_CONNECTION_SECONDS =
  Math.ceil(CONNECTION_SECONDS * (1 + LIFETIME_SPREAD)) + LINGER_SECONDS
