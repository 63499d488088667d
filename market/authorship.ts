/** Who made a token. Its creation names a payout recipient, and anyone may name anyone: only what an address launched itself counts as its own. */
import type { Address, Coin } from './segment.ts'

type Authored = Pick<Coin, 'creator' | 'launchedBy'>

/** Whether a token was launched by the creator that it names; null: its creation was not read. */
export const isVerified = ({ creator, launchedBy }: Authored): boolean | null =>
  launchedBy === null ? null : launchedBy === creator

/** The creator's address where it is verified, by which tokens may be joined; null: join with nothing. */
export const verifiedCreator = (token: Authored): Address | null => (isVerified(token) ? token.creator : null)

/** Who stands behind a token: its launcher, also where it names somebody else; the token itself if that is unknown. */
export const partyOf = ({ address, launchedBy }: Pick<Coin, 'address' | 'launchedBy'>): Address =>
  launchedBy ?? address
