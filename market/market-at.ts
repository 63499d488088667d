import type { PostOwner } from './post-owners.ts'
import { byLaunch } from './ranking.ts'
import type { Address, References, StateField, Token, TokenState } from './segment.ts'

/** The market as it is now or as it was at a window start. Tokens go by number; one that did not exist then reads as 0. */
export type MarketAt = {
  readonly references: References
  /** A token as it was described then. */
  readonly tokenOf: (number: number) => Token
  readonly numberOf: (address: Address) => number | undefined
  /** Number of the token that a token was quoted in; undefined: a reference currency, or nothing known. */
  readonly quoteNumberOf: (number: number) => number | undefined
  readonly read: <N extends StateField>(field: N, number: number) => TokenState[N]
  /** The same as a double: exact below 2^53, else within three roundings. */
  readonly approximate: (field: StateField, number: number) => number
  /** What an address owns of posts. */
  readonly ownerOf: (address: Address) => PostOwner
}

/** Number of the creator token that a token belongs to: a creator token itself, a post that of its owner (see post-owners.ts). */
export function creatorNumberOf(market: MarketAt, number: number): number | undefined {
  const token = market.tokenOf(number)
  if (token.kind === 'creator') return number
  const quote = market.quoteNumberOf(number)
  const quoteToken = quote === undefined ? undefined : market.tokenOf(quote)
  if (quoteToken?.kind === 'creator' && byLaunch(quoteToken, token) < 0) return quote
  const { oldestCreatorToken } = market.ownerOf(token.creator)
  return oldestCreatorToken === null ? undefined : market.numberOf(oldestCreatorToken)
}
