/** Reads a range of blocks from one endpoint: two passes over the logs, between two looks at the chain that must agree. */
import type { BlockFacts } from '../market/fact.ts'
import type { Address, Block, Hash } from '../market/segment.ts'
import type { Balances } from './balances.ts'
import type { Chain } from './chains.ts'
import { factsOf, type Scene } from './decode.ts'
import { topicOf } from './events.ts'
import {
  BlockNotYetAvailableError,
  BlockRangeTooLargeError,
  IngestError,
  RangeChangedError,
  RpcRefusedError,
} from './faults.ts'
import { blocksFrom, readFrame } from './frame.ts'
import { type Header, readHeaders } from './headers.ts'
import { learn } from './learn.ts'
import { inOrder, type Log, readLogs, type Span } from './logs.ts'
import { platformQuery, poolQueries } from './queries.ts'
import { openRangeWidth, type RangeWidth } from './range-width.ts'
import type { Registry } from './registry.ts'
import type { Rpc } from './rpc.ts'
import { withSenders } from './transaction-senders.ts'

export { readHeader } from './headers.ts'

/** Where ranges come from. `balances`: what the transfers are tied to; absent where blocks are read out of order. */
export type Source = {
  readonly rpc: Rpc
  readonly chain: Chain
  readonly registry: Registry
  readonly balances?: Balances
}

/** A range, complete. `blocks`, ascending: every block with a fact, every minute's last block within the range, and the last block. */
export type Range = { readonly blocks: readonly BlockFacts[]; readonly last: Block }

/** Reads the chain range by range, as wide as the endpoints allow. */
export type RangeReader = {
  /** The next range after `after`, at most up to `head`, which must be later. As `readRange`, but for refusals of its width: those narrow it. */
  read(after: Block | null, head: number): Promise<Range | 'reorged'>
}

/** Opens a reader that starts with a width of 1,000 blocks. */
export const openRanges = (source: Source, width: RangeWidth = openRangeWidth()): RangeReader => ({
  read: async (after, head) => {
    const from = after ? after.number + 1 : source.chain.creationsFrom
    for (;;) {
      const blocks = Math.min(width.blocks(), head - from + 1)
      try {
        const range = await readRange(source, after, from + blocks - 1)
        if (blocks === width.blocks()) width.widen()
        return range
      } catch (fault) {
        if (!(fault instanceof BlockRangeTooLargeError) || blocks === 1) throw fault
        width.narrow(blocks, fault.allowedBlocks)
      }
    }
  },
})

// Tries of one range, each on the next endpoint.
const attempts = 3

/**
 * Reads the blocks after `after` (null: from the first block that can hold a creation) up to `to`, which must be later.
 * 'reorged': `after` is not canonical any more. What a failed attempt learnt is forgotten.
 * Throws IngestError; a BlockRangeTooLargeError at once, other retryable ones after some tries.
 */
export const readRange = async (
  source: Source,
  after: Block | null,
  to: number,
): Promise<Range | 'reorged'> => {
  const { rpc, chain, registry } = source
  const span = { from: after ? after.number + 1 : chain.creationsFrom, to }
  let fault: IngestError | undefined
  for (let attempt = 1; ; attempt += 1) {
    registry.begin(span.from)
    try {
      const range = await readOnce({ ...source, rpc: rpc.pinned(fault) }, after, span)
      if (range === 'reorged') registry.abandon()
      else registry.complete(to)
      return range
    } catch (thrown) {
      registry.abandon()
      if (!isWorthAnotherTry(thrown) || attempt === attempts) throw thrown
      fault = thrown
    }
  }
}

/** What one endpoint refuses for good, the next one may answer. */
const isWorthAnotherTry = (thrown: unknown): thrown is IngestError =>
  thrown instanceof RpcRefusedError ||
  (thrown instanceof IngestError && thrown.retryable && !(thrown instanceof BlockRangeTooLargeError))

const readOnce = async (source: Source, after: Block | null, span: Span): Promise<Range | 'reorged'> => {
  const { rpc, chain, registry } = source
  const last = await readEnd(rpc, after, span)
  if (last === 'reorged') return last

  const [frame, unordered] = await Promise.all([
    readFrame(source, span, last),
    readLogs(rpc, span, platformQuery),
  ])
  const platformLogs = inOrder(unordered)
  const lessons = await learn(platformLogs, source, frame.timeAt)
  const queries = poolQueries(chain, { senders: await registry.senders(), newPools: lessons.poolIds })
  const poolLogs = await Promise.all(queries.map((query) => readLogs(rpc, span, query)))

  const logs = inOrder([...platformLogs, ...poolLogs.flat()])
  const scene = await sceneOf(logs, source)
  const facts = logs.flatMap((log) => lessons.facts.get(log) ?? factsOf(log, scene))
  const blocks = blocksFrom(await withSenders(rpc, facts), logs, frame)

  const lastAgain = await readEnd(rpc, after, span)
  if (lastAgain === 'reorged') return lastAgain
  if (lastAgain.hash !== last.hash) throw new RangeChangedError(`block ${span.to} has another hash now`)
  source.balances?.tie(facts, span.from)
  const { number, hash, timestamp } = last
  return { blocks, last: { number, hash, timestamp } }
}

/** The header of the range's last block; 'reorged' where the range does not continue `after` any more. */
const readEnd = async (rpc: Rpc, after: Block | null, span: Span): Promise<Header | 'reorged'> => {
  const [last, base] = await readHeaders(rpc, after ? [span.to, after.number] : [span.to])
  if (!last) throw new BlockNotYetAvailableError(span.to)
  if (base?.hash !== after?.hash) return 'reorged'
  if (after && span.from === span.to && last.parentHash !== after.hash) {
    throw new RangeChangedError(`block ${span.to} does not follow the block before it`)
  }
  return last
}

const poolPlace: ReadonlyMap<Hash, 1 | 3> = new Map([
  [topicOf.swapped, 3],
  [topicOf.initialize, 1],
  [topicOf.poolSwap, 1],
  [topicOf.modifyLiquidity, 1],
])

/** Looks up, at once, the tokens and pools that the logs claim to speak of. */
const sceneOf = async (logs: readonly Log[], { chain, registry }: Source): Promise<Scene> => {
  const hooks = await registry.hooks()
  const emitters = new Set<Address>()
  const ids = new Set<Hash>()
  for (const { address, topics } of logs) {
    const [topic = '0x'] = topics
    const place = poolPlace.get(topic)
    const id = place && topics[place]
    if (topic === topicOf.coinTransfer || topic === topicOf.nameAndSymbolUpdated) emitters.add(address)
    else if (id && (topic !== topicOf.swapped || hooks.has(address))) ids.add(id)
  }
  const [tokens, pools] = await Promise.all([registry.tokens(emitters), registry.pools(ids)])
  return { chain, tokens, pools, hooks }
}
