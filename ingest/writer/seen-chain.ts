import type { TokenName } from '../../market/feed-entry.ts'
import { grouped } from '../../market/grouped.ts'
import type { SegmentReference } from '../../market/log.ts'
import type { Address, Block, Segment, Swap } from '../../market/segment.ts'
import { effectiveBackwards, type LogStore } from '../../store/log.ts'
import { mapParallel } from '../../store/parallel.ts'
import { readHeader } from '../client/headers.ts'
import type { BlockSwaps, SeenChain } from './feed-writer.ts'
import type { LogEnd } from './log-end.ts'
import type { WriterDeps } from './writer-deps.ts'

type Seeing = Pick<LogEnd, 'tail' | 'pending'> & { readonly deps: Pick<WriterDeps, 'rpc' | 'log'> }

/** Swaps older than this (seconds behind the head) are not published to the live feed. */
const FEED_REACH_SECONDS = 25 * 3_600
const PARALLEL_READS = 16

/** The chain up to block `last` as the writer has it: pending minutes from memory, sealed ones from the log. */
export function seenChain({ deps, tail, pending }: Seeing, last: Block, head: Block): SeenChain {
  const since = head.timestamp - FEED_REACH_SECONDS
  const pendingFrom = pending.firstBlock()
  const segments = [...pending.sealing(), ...pending.minutes()].map(({ segment }) => segment)
  return {
    last,
    since,
    pendingFrom,
    isCurrent: async () =>
      (await readHeader(deps.rpc, last.number))?.hash === last.hash && (await deps.log.tail())?.n === tail?.n,
    async blocksFrom(blockNumber) {
      const isSealedAsked = tail && blockNumber < pendingFrom
      const sealed = isSealedAsked ? await sealedSegments(deps.log, tail.n, { blockNumber, since }) : []
      const all = [...sealed, ...segments]
      const described = all.flatMap(({ rows, tokens }) => [
        ...rows.map(({ description }) => description),
        ...tokens.map(({ after }) => after),
      ])
      const names = new Map(
        described.map(({ address, symbol, name }) => [address, { address, symbol, name }]),
      )
      return byBlock(all.flatMap(({ swaps }) => swaps)).map((block) => named(block, names))
    },
  }
}

/** Effective segments up to entry `n`, from the minute of a block on, as far back as the feed reaches. */
async function sealedSegments(
  log: LogStore,
  n: number,
  from: { readonly blockNumber: number; readonly since: number },
): Promise<readonly Segment[]> {
  const references: SegmentReference[] = []
  for await (const { last, segment } of effectiveBackwards(log, n + 1)) {
    if (last.number < from.blockNumber || last.timestamp <= from.since) break
    references.push(segment)
  }
  return mapParallel(references.reverse(), PARALLEL_READS, log.readSegment)
}

/** A block with the names of all tokens it traded; a segment describes what it touches, including quote paths. */
function named(block: BlockSwaps, known: ReadonlyMap<Address, TokenName>): BlockSwaps {
  const traded = new Set(block.swaps.flatMap(({ token, quote }) => [token, quote]))
  const names = [...traded].flatMap((address) => known.get(address) ?? [])
  return names.length === 0 ? block : { ...block, names }
}

const byBlock = (all: readonly Swap[]): BlockSwaps[] =>
  [...grouped(all, ({ blockNumber }) => blockNumber)].map(([number, swaps]) => {
    const [{ blockHash: hash, timestamp }] = swaps
    return { block: { number, hash, timestamp }, swaps }
  })
