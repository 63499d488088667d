/** A creator token and a post quoted in it, to fold facts of one minute onto. */
import { fold } from '../../market/fold/fold.ts'
import type { PriorState } from '../../market/prior.ts'
import { address, block, blockOf, coin, known, type Loose, minuteOf, prior } from '../support/market/facts.ts'

export const creator = coin({ address: address(0xa) })
export const creatorPost = coin({ address: address(0xb), kind: 'post', quote: creator.address })
/** Both, before any trade. */
export const both = () => prior([known({ coin: creator }), known({ coin: creatorPost })])

/** The fold of one block with these facts. */
export const foldFacts = (before: PriorState, ...facts: Loose[]) =>
  fold(before, minuteOf(blockOf(block(10, 600), facts)))
