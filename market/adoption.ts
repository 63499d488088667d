/** Tokens that are older than the log of minutes: they come into it with their first log, in the state that the chain then had. */
import type { Block, Coin, Hash } from './segment.ts'

/** No transaction of the log created it. */
const NO_TRANSACTION: Hash = `0x${'0'.repeat(64)}`

/**
 * Stands where a token was launched: the block before the log's first one. `pools`: how many tokens its quote path goes
 * through, so that what a token is priced in counts as older than the token.
 */
export const adoptedAt = ({ number, timestamp }: Block, pools: number): Coin['launchedAt'] => ({
  blockNumber: number,
  logIndex: pools,
  transactionHash: NO_TRANSACTION,
  timestamp,
})

/** True for a token that is older than the log: its volume since launch, its extremes, its holders and its age are unknown. */
export const isAdopted = ({ launchedAt }: Pick<Coin, 'launchedAt'>): boolean =>
  launchedAt.transactionHash === NO_TRANSACTION

/** Unix seconds from which on a token is known; null: since its launch. */
export const coverageFrom = (token: Pick<Coin, 'launchedAt'>): number | null =>
  isAdopted(token) ? token.launchedAt.timestamp : null
