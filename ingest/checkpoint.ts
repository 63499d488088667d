import { fixedRate, unrated } from '../market/references.ts'
import { noTotals } from '../market/running-totals.ts'
import type { Block, References } from '../market/segment.ts'
import type { LogStore } from '../store/log.ts'
import type { TokenStore } from '../store/tokens.ts'
import type { Chain } from './chains.ts'
import { effectiveBackwards } from './commit.ts'
import type { Checkpoint } from './pending.ts'

/** Where a checkpoint is read. `tokens` as of the checkpoint; `start`: the block before the first one that is read. */
export type CheckpointRooms = {
  readonly log: LogStore
  readonly tokens: TokenStore
  readonly chain: Chain
  readonly start: Block | null
}

/** What is known as of the newest minute in force before entry `n` of the log. */
export async function checkpointBefore(
  { log, tokens, chain, start }: CheckpointRooms,
  n: number,
): Promise<Checkpoint> {
  const uncounted = new Set([chain.poolManager, ...(await tokens.hooks())])
  for await (const { last, segment } of effectiveBackwards(log, n)) {
    const { references, totals } = await log.readSegment(segment)
    return { last, references, uncounted, totals: totals.after }
  }
  return { last: start, references: unratedReferences(chain), uncounted, totals: noTotals }
}

const unratedReferences = (chain: Chain): References =>
  new Map(
    chain.references.map(({ address, decimals, source }) => [
      address,
      source.is === 'fixed' ? fixedRate(source.usdE36, decimals) : unrated(decimals),
    ]),
  )
