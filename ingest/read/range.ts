/** Reads a range of blocks from one endpoint: two passes over the logs, between two looks at the chain that must agree. */
import type { BlockFacts } from '../../market/fold/fact.ts'
import type { Block } from '../../market/segment.ts'
import { type ChainClock, openChainClock } from '../client/chain-clock.ts'
import type { Chain } from '../client/chains.ts'
import { rest } from '../client/endpoint-traits.ts'
import {
  AddressRequiredError,
  BlockNotYetAvailableError,
  BlockRangeTooLargeError,
  FilterTooLargeError,
  IngestError,
  RangeChangedError,
  RpcRefusedError,
} from '../client/faults.ts'
import { type BlockHeader, readHeaders } from '../client/headers.ts'
import { type BlockSpan, inOrder, readAllLogs } from '../client/logs.ts'
import type { Rpc } from '../client/rpc.ts'
import { guessedBlock, guessedTimeMs } from '../client/schedule.ts'
import { factsOfLog } from '../decode/decode.ts'
import {
  decodeContextOf,
  type PoolTransaction,
  poolIdsIn,
  poolTransactionsIn,
  withSenders,
} from '../decode/decode-context.ts'
import { platformModes, poolQueries, queriesOfPools, readPlatform, v3PoolsOf } from '../decode/queries.ts'
import type { Registry } from '../decode/registry.ts'
import { guessedEnds } from './minute-ends.ts'
import { blocksFrom, readRangeHeaders } from './range-headers.ts'

/** Where ranges are read, and in which mode if the endpoint allows both: by topic alone (`usual`), or by address where addresses are few. */
export type Source = {
  readonly rpc: Rpc
  readonly chain: Chain
  readonly registry: Registry
  /** @default 'usual' */
  readonly mode?: 'usual' | 'other'
  /** Blocks of an earlier reading, by number: if a range ends with one, the chain is only checked after it was read. */
  readonly known?: ReadonlyMap<number, Block>
  /** Ranges end with a minute if possible, so that all of it can be sealed at once. @default false */
  readonly inWholeMinutes?: boolean
  /** Agreement of headers with the schedule. @default one that knows the reader's own headers */
  readonly clock?: ChainClock
}

/** A range as read from one endpoint. `blocks`, ascending: every block with a fact, every minute's last block, and the last block. */
export type Range = {
  readonly blocks: readonly BlockFacts[]
  readonly last: Block
  /** A block of a later minute follows the last one. */
  readonly endsMinute: boolean
  readonly poolTransactions: readonly PoolTransaction[]
  readonly endpoint: string
  /** A second reading of the same blocks, read ahead. */
  readonly second?: SecondReading
}

/** Reads the chain range by range, as wide as the endpoints allow. */
export type RangeReader = {
  /** The next range after `after`, at most up to `head`, which must be later. */
  read(after: Block | null, head: number): Promise<Range | 'reorged'>
  /** Drops the ranges read ahead, after their requests have ended. */
  drop(): Promise<void>
}

/** A range of at least this share of the full width shows that more may be possible. */
const WIDE_SHARE = 0.75
// Attempts at one range, each on the next endpoint.
const ATTEMPTS = 3
/** How long one endpoint is retried if there is no other. */
const PATIENCE_MS = 15_000

/**
 * Opens a reader. Each range is as wide as its endpoint allows. 'reorged': `after` is no longer canonical. What a failed
 * attempt registered is dropped. Throws the IngestError of the last attempt.
 */
export function openRanges(reading: Source): RangeReader {
  const source = { ...reading, clock: reading.clock ?? openChainClock(reading.chain.schedule) }
  const read: RangeReader['read'] = async (after, head) => {
    const from = after ? after.number + 1 : source.chain.creationsFrom
    const isFar = head - from >= 2 * source.rpc.endpoint.width.blocks()
    let rpc = isFar ? source.rpc.fastest() : source.rpc.pinned()
    const begun = performance.now()
    for (let attempt = 1; ; ) {
      const { endpoint } = rpc
      const { width } = endpoint
      const blocks = Math.min(width.blocks(), head - from + 1)
      const since = performance.now()
      const span = { from, to: from + blocks - 1 }
      const to = source.inWholeMinutes && span.to < head ? endOfMinutes(source.chain, span) : span.to
      try {
        const isFollowed = source.inWholeMinutes === true && to < head
        const range = await readRange({ ...source, rpc }, { after, to, isFollowed })
        const ms = performance.now() - since
        if (blocks >= WIDE_SHARE * width.blocks()) {
          endpoint.blocksPerSecond = range === 'reorged' ? 0 : (blocks * 1_000) / ms
          width.widen(ms)
        } else if (range !== 'reorged') width.answered()
        // Only the preferred endpoint decides which fork is followed.
        if (range !== 'reorged' || endpoint.name === source.rpc.endpoint.name) return range
        rpc = source.rpc.pinned()
      } catch (thrown) {
        const waitedMs = performance.now() - begun
        if (waitedMs > PATIENCE_MS && rpc.pinned() === rpc) {
          rest(endpoint, waitedMs)
          throw thrown
        }
        if (thrown instanceof BlockRangeTooLargeError && blocks > 1) {
          width.narrow(blocks, thrown.allowedBlocks, thrown.isCertain)
          // It has failed several times: another one may not.
          if (!thrown.isCertain) rpc = rpc.next()
        } else if (!needsOtherMode(thrown)) {
          if (!isWorthAnotherTry(thrown) || attempt === ATTEMPTS) throw thrown
          attempt += 1
          endpoint.blocksPerSecond = 0
          rpc = rpc.next()
        }
      }
    }
  }
  return { read, drop: async () => {} }
}

/** The last block of the span that seems to end a minute, if one does; else its last block. */
function endOfMinutes({ schedule }: Chain, { from, to }: BlockSpan): number {
  const afterMs = guessedTimeMs(schedule, to + 1) ?? 0
  const end = guessedBlock(schedule, Math.floor(afterMs / 60_000) * 60_000 - 1)
  return end !== undefined && end >= from && end <= to ? end : to
}

/** The endpoint requires another mode of query, which is used from now on. */
const needsOtherMode = (thrown: unknown): boolean =>
  thrown instanceof AddressRequiredError || thrown instanceof FilterTooLargeError

type Timed = Source & { readonly clock: ChainClock }

/** The blocks after `after` (null: from the first block that can hold a creation) to `to`; `isFollowed`: a later block exists. */
type RangeAsked = { readonly after: Block | null; readonly to: number; readonly isFollowed: boolean }

/** Reads blocks from one endpoint, once. */
async function readRange(source: Timed, asked: RangeAsked): Promise<Range | 'reorged'> {
  const { chain, registry } = source
  const { after, to } = asked
  const from = after ? after.number + 1 : chain.creationsFrom
  try {
    const range = await readOnce(source, { ...asked, span: { from, to } })
    if (range === 'reorged') registry.abandon(from)
    else registry.complete(to)
    return range
  } catch (thrown) {
    registry.abandon(from)
    throw thrown
  }
}

/** The next endpoint may answer a request that one refuses permanently. */
const isWorthAnotherTry = (thrown: unknown): thrown is IngestError =>
  thrown instanceof RpcRefusedError || (thrown instanceof IngestError && thrown.retryable)

async function readOnce(
  source: Timed,
  { after, span, isFollowed }: RangeAsked & { readonly span: BlockSpan },
): Promise<Range | 'reorged'> {
  const { rpc, chain, registry, mode, known } = source
  const end = known?.get(span.to)
  const found = end
    ? { last: end, others: [] }
    : await readEnd(rpc, { after, span }, known ? [] : likelyEnds(source, { after, span, isFollowed }))
  if (found === 'reorged') return found

  const { last, others } = found
  const headers = await readRangeHeaders(source, { span, after, last, others, isFollowed })
  const isBothWays = mode === 'other' && rpc.endpoint.takesTopicsAlone
  const usual = isBothWays ? platformModes.bothWays : platformModes.usual
  const platformMode = rpc.endpoint.takesTopicsAlone ? usual : platformModes.byAddress
  const { logs: platformLogs, creations } = await readPlatform(source, span, platformMode, headers.timesOf)
  const queries = poolQueries(
    chain,
    {
      senders: await registry.senders(),
      newPools: creations.poolIds,
      v3Pools: isBothWays ? [] : v3PoolsOf(chain),
    },
    rpc.endpoint.addressesAFilter,
  )
  const poolLogs = await readAllLogs(rpc, span, queries)
  const named =
    mode === 'other' ? poolIdsIn([...platformLogs, ...poolLogs], await registry.hooks()) : undefined
  const ofPools = named ? await readAllLogs(rpc, span, queriesOfPools(chain, [...named])) : []

  const logs = inOrder([...platformLogs, ...poolLogs, ...ofPools])
  const context = await decodeContextOf(logs, source)
  const facts = logs.flatMap((log) => creations.facts.get(log) ?? factsOfLog(log, context))
  const blocks = await blocksFrom(await withSenders(rpc, facts, context.hooks), logs, headers)

  // If the last block is unchanged, so are the blocks before it.
  const again = await readEnd(rpc, { after: end ? null : after, span })
  if (again === 'reorged' || (end && again.last.hash !== end.hash)) return 'reorged'
  if (again.last.hash !== last.hash) throw new RangeChangedError(`block ${span.to} has another hash now`)
  const { number, hash, timestamp } = last
  return {
    blocks,
    last: { number, hash, timestamp },
    endsMinute: headers.endsMinute,
    poolTransactions: poolTransactionsIn(logs, context),
    endpoint: rpc.endpoint.name,
  }
}

type Spanned = { readonly after: Block | null; readonly span: BlockSpan }

/** Blocks whose headers are requested with the last one's, which saves two round trips if the schedule is right. */
function likelyEnds(
  { clock }: Timed,
  { after, span, isFollowed }: Spanned & { readonly isFollowed: boolean },
): readonly number[] {
  const next = isFollowed ? [span.to + 1] : []
  const ends = after ? guessedEnds(after, next[0] ?? span.to, clock) : []
  return [...ends.filter((block) => block !== span.to), ...next]
}

/** The headers of the range's last block and of others; 'reorged' if the range no longer continues `after`. */
async function readEnd(
  rpc: Rpc,
  { after, span }: Spanned,
  wanted: readonly number[] = [],
): Promise<{ readonly last: BlockHeader; readonly others: readonly BlockHeader[] } | 'reorged'> {
  const ends = after ? [span.to, after.number] : [span.to]
  const headers = await readHeaders(rpc, [...ends, ...wanted])
  const [last, base] = headers.slice(0, ends.length)
  if (!last) throw new BlockNotYetAvailableError(span.to)
  if (base?.hash !== after?.hash) return 'reorged'
  if (after && span.from === span.to && last.parentHash !== after.hash) {
    throw new RangeChangedError(`block ${span.to} does not follow the block before it`)
  }
  return { last, others: headers.slice(ends.length) }
}

/** Blocks as read from one endpoint in one mode. */
export type Reading = {
  /** Endpoint and mode. */
  readonly readingSource: string
  readonly endpoint: string
  readonly blocks: readonly BlockFacts[]
  readonly poolTransactions: readonly PoolTransaction[]
}

/** A second reading of a range, or the fault that it failed with. */
export type SecondReading = Promise<Reading | 'reorged' | IngestError>
