/** The live feed's entries: the swaps and launches of each block at the head, and retractions. */
import type { Block, Coin, Swap, Token } from './segment.ts'

/** A token's names. */
export type TokenName = Pick<Coin, 'address' | 'symbol' | 'name'>

/** One entry of the live feed: a block's swaps and launches, or the retraction of one block. `seq` is dense from 1. */
export type FeedEntry =
  | {
      readonly seq: number
      readonly is: 'block'
      readonly block: Block
      readonly swaps: readonly Swap[]
      /** Tokens that it launched, in the order of the chain; absent: none. */
      readonly launches?: readonly Token[]
      /** Names of its tokens at that time, so that readers need no look-up. */
      readonly names?: readonly TokenName[]
    }
  | { readonly seq: number; readonly is: 'retract'; readonly block: Block }

/** The number of a block's events. */
export const feedEventsIn = ({
  swaps,
  launches = [],
}: Extract<FeedEntry, { readonly is: 'block' }>): number => swaps.length + launches.length
