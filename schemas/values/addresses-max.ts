/** Most tokens that one request can name by their addresses; a watchlist, which is one request, holds as many. */
export const ADDRESSES_MAX = 100
