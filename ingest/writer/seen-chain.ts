import { isImported } from '../../market/coverage.ts'
import type { TokenName } from '../../market/feed-entry.ts'
import { grouped } from '../../market/grouped.ts'
import { byLaunch } from '../../market/launch-order.ts'
import type { SegmentReference } from '../../market/log.ts'
import type { Address, Block, Hash, Segment, Swap, Token } from '../../market/segment.ts'
import { chunked, mapParallel } from '../../store/aws/parallel.ts'
import { keptSeconds } from '../../store/aws/tables.ts'
import { effectiveBackwards, type LogStore } from '../../store/log/log.ts'
import { readHeader, readHeaders } from '../client/headers.ts'
import type { BlockSwaps, SeenChain } from './feed-writer.ts'
import type { LogEnd } from './log-end.ts'
import type { WriterDeps } from './writer-deps.ts'

type Seeing = Pick<LogEnd, 'tail' | 'pending'> & { readonly deps: Pick<WriterDeps, 'rpc' | 'log'> }

const PARALLEL_READS = 16

/** The chain up to block `last` as the writer has it: pending minutes from memory, sealed ones from the log. */
export function seenChain({ deps, tail, pending }: Seeing, last: Block, head: Block): SeenChain {
  // The feed would not keep older swaps.
  const since = head.timestamp - keptSeconds.feed
  const pendingFrom = pending.firstBlock()
  const segments = [...pending.sealing(), ...pending.minutes()].map(({ segment }) => segment)
  const minutesRead = [...pending.unmaterialized(), ...pending.minutes()]
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
      const read = minutesRead.flatMap(({ blocks }) => blocks)
      const known = new Map([
        ...all.map(({ last: end }) => [end.number, end.hash] as const),
        ...read.map(({ block }) => [block.number, block.hash] as const),
        ...all.flatMap(({ swaps }) => swaps.map((swap) => [swap.blockNumber, swap.blockHash] as const)),
      ])
      const launches = all
        .flatMap(launchesIn)
        .filter(({ launchedAt: at }) => at.blockNumber >= blockNumber && at.timestamp > since)
      const hashes = await withHashes(deps.rpc, launches, { known, end: sealed.at(-1)?.last })
      if (hashes === 'reorged') return 'reorged'
      const swaps = all.flatMap((segment) => segment.swaps)
      return byBlock({ swaps, launches }, hashes).map((block) => named(block, names))
    },
  }
}

/** Tokens that a minute launched, as it left them, in the order of the chain. */
const launchesIn = ({ tokens }: Segment): readonly Token[] =>
  tokens.flatMap(({ before, after }) => (before === null && !isImported(after) ? [after] : [])).sort(byLaunch)

/** Blocks whose headers are asked for together. */
const HEADERS_AT_ONCE = 50

/** What is known of the chain without asking an endpoint: hashes by block number, and the last sealed block. */
type Known = { readonly known: ReadonlyMap<number, Hash>; readonly end: Block | undefined }

/**
 * Hashes by block number, with those of the launches' blocks that were not known: a sealed minute does not have that of
 * a block with launches alone. The last sealed block is asked for with them, as the endpoint may be on another fork.
 * Throws IngestError.
 */
async function withHashes(
  rpc: WriterDeps['rpc'],
  launches: readonly Token[],
  { known, end }: Known,
): Promise<ReadonlyMap<number, Hash> | 'reorged'> {
  const missing = [...new Set(launches.map(({ launchedAt }) => launchedAt.blockNumber))].filter(
    (number) => !known.has(number),
  )
  const hashes = new Map(known)
  for (const some of chunked(missing, HEADERS_AT_ONCE)) {
    const headers = await readHeaders(rpc, end ? [...some, end.number] : some)
    if (headers.at(-1)?.hash !== end?.hash) return 'reorged'
    for (const { number, hash } of headers) hashes.set(number, hash)
  }
  return hashes
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

type Events = { readonly swaps: readonly Swap[]; readonly launches: readonly Token[] }

/** Blocks with swaps or launches, oldest first; `hashes`: of each, by number. */
function byBlock({ swaps, launches }: Events, hashes: ReadonlyMap<number, Hash>): readonly BlockSwaps[] {
  const swapsOf = grouped(swaps, ({ blockNumber }) => blockNumber)
  const launchesOf = grouped(launches, ({ launchedAt }) => launchedAt.blockNumber)
  const numbers = [...new Set([...swapsOf.keys(), ...launchesOf.keys()])].sort((a, b) => a - b)
  return numbers.map((number) => {
    const [traded, launched] = [swapsOf.get(number) ?? [], launchesOf.get(number)]
    const timestamp = traded[0]?.timestamp ?? launched?.[0].launchedAt.timestamp ?? 0
    const block = { number, hash: hashes.get(number) as Hash, timestamp }
    return { block, swaps: traded, ...(launched ? { launches: launched } : {}) }
  })
}
