/** A feed that a test writes: a chain that trades, forks and goes on, published block by block as ingest does. */

import type { FeedEntry } from '../../../market/feed-entry.ts'
import type { Block, Swap, Token } from '../../../market/segment.ts'
import type { Feed } from '../../../store/log/feed.ts'
import { address, hash, launchedIn, swapWith, tokenAt } from './facts.ts'

/** Tokens that trade. */
export const TOKENS = [0x10, 0x11, 0x12].map(address)

/** What the feed says that the first of them is called; of the others nothing is known. */
const NAMED = { address: TOKENS[0]!, symbol: 'ANN', name: 'Ann' }

/** A swap of a block: the token, side and value follow from its place. */
export const swapIn = (block: Block, logIndex: number): Swap =>
  swapWith({
    blockNumber: block.number,
    blockHash: block.hash,
    timestamp: block.timestamp,
    logIndex,
    transactionHash: hash(block.number * 1_000 + logIndex),
    token: TOKENS[(block.number + logIndex) % TOKENS.length]!,
    isBuy: logIndex % 2 === 0,
    amountToken: 5n * 10n ** 18n,
    volumeMicroUsd: BigInt(logIndex + 1) * 1_500_000n,
  })

/** A launch of a block; its token follows from its place. */
export const launchIn = (block: Block, logIndex: number): Token =>
  tokenAt(block.number * 10 + logIndex, 0, {
    symbol: `NEW${logIndex}`,
    launchedAt: launchedIn(block, logIndex, block.number * 1_000 + logIndex),
  })

export type FeedChain = {
  /** Adds a block with so many swaps, and so many launches, each with its log after a swap's. */
  trade(swaps: number, launches?: number): Promise<void>
  /** Takes back the last blocks, as many as there are. */
  fork(depth: number): Promise<void>
  /** `block:log` of every swap in force, in the order of the chain. */
  canonical(): readonly string[]
  /** The same of every launch. */
  launched(): readonly string[]
}

/** Goes on with a feed. `now` gives Unix seconds for the blocks' times. */
export async function openFeedChain(feed: Feed, now: () => number = () => Math.floor(Date.now() / 1_000)) {
  const blocks: { block: Block; swaps: readonly Swap[]; launches: readonly Token[] }[] = []
  let seq = await feed.tail()
  let made = seq
  const put = async (
    entry: FeedEntry extends infer E ? (E extends FeedEntry ? Omit<E, 'seq'> : never) : never,
  ) => {
    seq += 1
    await feed.append({ ...entry, seq } as FeedEntry)
  }
  const chain: FeedChain = {
    async trade(count, launchCount = 0) {
      made += 1
      const number = (blocks.at(-1)?.block.number ?? 100) + 1
      const block = { number, hash: hash(0xb10c_0000_0000 + made), timestamp: now() }
      const swaps = Array.from({ length: count }, (_, at) => swapIn(block, at * 3))
      const launches = Array.from({ length: launchCount }, (_, at) => launchIn(block, at * 3 + 1))
      blocks.push({ block, swaps, launches })
      const launched = launchCount > 0 ? { launches } : {}
      await put({ is: 'block', block, swaps, ...launched, names: [NAMED] })
    },
    async fork(depth) {
      for (const { block } of blocks.splice(-depth).toReversed()) await put({ is: 'retract', block })
    },
    canonical: () => blocks.flatMap(({ swaps }) => swaps.map(nameOf)),
    launched: () =>
      blocks.flatMap(({ block, launches }) =>
        launches.map(({ launchedAt }) => nameOf({ blockHash: block.hash, logIndex: launchedAt.logIndex })),
      ),
  }
  return chain
}

const nameOf = ({ blockHash, logIndex }: Pick<Swap, 'blockHash' | 'logIndex'>): string =>
  `${blockHash}:${logIndex}`
