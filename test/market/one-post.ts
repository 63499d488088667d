/** A creator token and a post quoted in it, to fold facts of one minute onto. */
import type { BlockFacts } from '../../market/fold/fact.ts'
import { fold } from '../../market/fold/fold.ts'
import type { PriorState } from '../../market/prior.ts'
import { address, block, blockOf, coin, known, prior } from '../support/facts.ts'

export const creator = coin({ address: address(0xa) })
export const creatorPost = coin({ address: address(0xb), kind: 'post', quote: creator.address })
/** Both, before any trade. */
export const both = () => prior([known({ coin: creator }), known({ coin: creatorPost })])

/** The minute of these blocks. */
export const minuteOf = (blocks: readonly BlockFacts[]) => ({
  minute: Math.floor(blocks[0]!.block.timestamp / 60),
  firstBlock: blocks[0]!.block.number,
  last: blocks.at(-1)!.block,
  blocks,
})
/** The fold of one block with these facts. */
export const foldFacts = (before: PriorState, ...facts: Parameters<typeof blockOf>[1][number][]) =>
  fold(before, minuteOf([blockOf(block(10, 600), facts)]))
