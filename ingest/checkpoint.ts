import { noTotals } from '../market/running-totals.ts'
import type { Block } from '../market/segment.ts'
import type { LogStore } from '../store/log.ts'
import type { TokenStore } from '../store/tokens.ts'
import type { Chain } from './chains.ts'
import { effectiveBackwards } from './commit.ts'
import type { Checkpoint } from './pending.ts'
import { startingRates } from './pool-prices.ts'
import type { Rpc } from './rpc.ts'

/** Where a checkpoint is read. `rpc`: only before the log's first minute. `tokens` as of the checkpoint; `start`: the block before the first one that is read. */
export type CheckpointRooms = {
  readonly rpc: Rpc
  readonly log: LogStore
  readonly tokens: TokenStore
  readonly chain: Chain
  readonly start: Block | null
}

/** What is known as of the newest minute in force before entry `n` of the log. */
export async function checkpointBefore(
  { rpc, log, tokens, chain, start }: CheckpointRooms,
  n: number,
): Promise<Checkpoint> {
  const uncounted = new Set([chain.poolManager, ...(await tokens.hooks())])
  for await (const { last, segment } of effectiveBackwards(log, n)) {
    const { references, totals } = await log.readSegment(segment)
    return { last, references, uncounted, totals: totals.after }
  }
  const references = await startingRates(rpc, chain, start)
  return { last: start, references, uncounted, totals: noTotals }
}
