/** How long connections of the stream last: the task ends them, and its deployment waits for them. */

/** Mean lifetime of a connection, in seconds. */
export const CONNECTION_SECONDS = 15 * 60
/** Lifetimes differ from the mean by at most this share, so that readers do not all reconnect at once. */
export const LIFETIME_SPREAD = 1 / 8
/** Time for a connection to close after its last bytes, in seconds. */
export const LINGER_SECONDS = 10
/** No connection is open longer than this. */
export const LONGEST_CONNECTION_SECONDS =
  Math.ceil(CONNECTION_SECONDS * (1 + LIFETIME_SPREAD)) + LINGER_SECONDS
