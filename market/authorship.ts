/** Authorship of a token. Its creation names a payout recipient, and anyone may name anyone: only tokens that an address launched itself count as its own. */
import type { Address, Coin } from './segment.ts'

type Authored = Pick<Coin, 'creator' | 'launchedBy'>

/** Whether a token was launched by the creator that it names; null: its creation was not read. */
export const isVerified = ({ creator, launchedBy }: Authored): boolean | null =>
  launchedBy === null ? null : launchedBy === creator

/** The creator's address where it is verified, by which tokens may be joined; null: join with nothing. */
export const verifiedCreator = (token: Authored): Address | null => (isVerified(token) ? token.creator : null)

/**
 * The party of a token: its creator, if they launched it; else the pair of its launcher and the creator it names, since a
 * helper contract launches for thousands. The token itself if the launcher is unknown.
 */
export const partyOf = ({ address, creator, launchedBy }: Authored & Pick<Coin, 'address'>): string =>
  launchedBy === creator ? creator : launchedBy === null ? address : `${launchedBy} ${creator}`
