/** Tokens older than the log of minutes: they enter it with their first log, in the state they had on chain at its beginning. */
import { HOUR_SECONDS } from './calendar.ts'
import type { Block, Coin, Hash } from './segment.ts'

/** Placeholder for the creating transaction, which is not in the log. */
const NO_TRANSACTION: Hash = `0x${'0'.repeat(64)}`

/**
 * Placeholder for the launch position: the block before the log's first one. `pools`: number of tokens on its quote
 * path, so that a token's quote counts as older than the token.
 */
export const importedAt = ({ number, timestamp }: Block, pools: number): Coin['launchedAt'] => ({
  blockNumber: number,
  logIndex: pools,
  transactionHash: NO_TRANSACTION,
  timestamp,
})

/** Whether a token is older than the log. Its volume since launch, extremes, holders and age are unknown. */
export const isImported = ({ launchedAt }: Pick<Coin, 'launchedAt'>): boolean =>
  launchedAt.transactionHash === NO_TRANSACTION

/**
 * Whether everything since a time (Unix seconds) is known: of a token or of the market that is known from `coverageFrom`
 * on (null: all of it).
 */
export const isCovered = (coverageFrom: number | null, since: number): boolean =>
  coverageFrom === null || coverageFrom < since

/** The same of figures that are counted by (wallet, UTC hour): the hour in which coverage begins is not whole. */
export const isCoveredByHour = (coverageFrom: number | null, since: number): boolean =>
  coverageFrom === null || (Math.floor(coverageFrom / HOUR_SECONDS) + 1) * HOUR_SECONDS <= since

/** Unix seconds from which a token is known; null: since its launch. */
export const coverageFrom = (token: Pick<Coin, 'launchedAt'>): number | null =>
  isImported(token) ? token.launchedAt.timestamp : null
