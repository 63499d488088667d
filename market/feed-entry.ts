/** The live feed's entries: the swaps of each block at the head, and retractions. */
import type { Block, Coin, Swap } from './segment.ts'

/** A token's names. */
export type TokenName = Pick<Coin, 'address' | 'symbol' | 'name'>

/** One entry of the live feed: a block's swaps, or the retraction of one block. `seq` is dense from 1. */
export type FeedEntry =
  | {
      readonly seq: number
      readonly is: 'block'
      readonly block: Block
      readonly swaps: readonly Swap[]
      /** Names of its tokens at that time, so that readers need no look-up. */
      readonly names?: readonly TokenName[]
    }
  | { readonly seq: number; readonly is: 'retract'; readonly block: Block }
