/** Reads a range of blocks from one endpoint: two passes over the logs, between two looks at the chain that must agree. */
import type { BlockFacts } from '../../market/fold/fact.ts'
import type { Block } from '../../market/segment.ts'
import { awaitedLater } from '../../store/aws/parallel.ts'
import { openChainClock } from '../client/chain-clock.ts'
import type { Chain } from '../client/chains.ts'
import { rest } from '../client/endpoint-traits.ts'
import {
  AddressRequiredError,
  BlockRangeTooLargeError,
  FilterTooLargeError,
  IngestError,
  orFault,
  RangeChangedError,
  RpcRefusedError,
} from '../client/faults.ts'
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
import { platformModes, poolQueries, queriesOfPools, ratePoolsOf, readPlatform } from '../decode/queries.ts'
import { blocksFrom } from './range-headers.ts'
import {
  type OpenedRange,
  openRange,
  type RangeAsked,
  readEnd,
  type Source,
  type TimedSource,
} from './range-opening.ts'

export type { Source } from './range-opening.ts'

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
  const openings = openOpenings(source)
  const tryOnce = async ({ rpc, asked, blocks, opened }: Opening, head: number) => {
    const found = await opened
    if (found instanceof IngestError) throw found
    const since = performance.now()
    if (found !== 'reorged') openings.prepare(found.last, head)
    const range = found === 'reorged' ? found : await readRange({ ...source, rpc }, asked, found)
    const { endpoint } = rpc
    if (blocks >= WIDE_SHARE * endpoint.width.blocks()) {
      const ms = (found === 'reorged' ? 0 : found.ms) + performance.now() - since
      endpoint.blocksPerSecond = range === 'reorged' ? 0 : (blocks * 1_000) / ms
      endpoint.width.widen(ms)
    } else if (range !== 'reorged') endpoint.width.answered()
    return range
  }
  const read: RangeReader['read'] = async (after, head) => {
    const begun = performance.now()
    let opening = openings.take(after, head)
    for (let attempt = 1; ; ) {
      const { blocks } = opening
      let { rpc } = opening
      const { endpoint } = rpc
      try {
        const range = await tryOnce(opening, head)
        // Only the preferred endpoint decides which fork is followed.
        if (range !== 'reorged' || endpoint.name === source.rpc.endpoint.name) return range
        rpc = source.rpc.pinned()
      } catch (thrown) {
        const waitedMs = performance.now() - begun
        if (waitedMs > PATIENCE_MS && rpc.pinned() === rpc) {
          rest(endpoint, waitedMs)
          throw thrown
        }
        ;({ rpc, attempt } = afterFailure(thrown, { rpc, blocks, attempt }))
      }
      opening = openings.begin(rpc, after, head)
    }
  }
  return { read, drop: openings.drop }
}

/** With which endpoint to try again after a failure, and as which attempt. Throws the failure if that would not help. */
function afterFailure(
  thrown: unknown,
  { rpc, blocks, attempt }: { readonly rpc: Rpc; readonly blocks: number; readonly attempt: number },
): { readonly rpc: Rpc; readonly attempt: number } {
  const { endpoint } = rpc
  if (thrown instanceof BlockRangeTooLargeError && blocks > 1) {
    endpoint.width.narrow(blocks, thrown.allowedBlocks, thrown.isCertain)
    // It has failed several times: another one may not.
    return { rpc: thrown.isCertain ? rpc : rpc.next(), attempt }
  }
  if (needsOtherMode(thrown)) return { rpc, attempt }
  if (!isWorthAnotherTry(thrown) || attempt === ATTEMPTS) throw thrown
  endpoint.blocksPerSecond = 0
  return { rpc: rpc.next(), attempt: attempt + 1 }
}

/** A range that is being opened. `blocks`: as many as its endpoint allows, or as there are. */
type Opening = {
  readonly rpc: Rpc
  readonly asked: RangeAsked
  readonly blocks: number
  readonly opened: Promise<OpenedRange | 'reorged' | IngestError>
}

/** Opens ranges; far from the head, if the source says so, the next one while one is read. */
function openOpenings(source: TimedSource) {
  const { chain, isAhead = false } = source
  let next: Opening | undefined
  const firstAfter = (after: Block | null): number => (after ? after.number + 1 : chain.creationsFrom)
  const isFar = (after: Block | null, head: number): boolean =>
    head - firstAfter(after) >= 2 * source.rpc.endpoint.width.blocks()

  const begin = (rpc: Rpc, after: Block | null, head: number): Opening => {
    const from = firstAfter(after)
    const blocks = Math.min(rpc.endpoint.width.blocks(), head - from + 1)
    const widest = { from, to: from + blocks - 1 }
    const to = isAhead && widest.to < head ? endOfMinutes(chain, widest) : widest.to
    const asked = { after, span: { from, to }, isFollowed: isAhead && to < head }
    return { rpc, asked, blocks, opened: awaitedLater(openRange({ ...source, rpc }, asked).catch(orFault)) }
  }
  return {
    begin,
    /** The range after this block: the one that is being opened, if it is that. */
    take(after: Block | null, head: number): Opening {
      const prepared = next?.asked.after?.hash === after?.hash ? next : undefined
      next = undefined
      const { rpc } = source
      return prepared ?? begin(isFar(after, head) ? rpc.fastest() : rpc.pinned(), after, head)
    },
    /** Opens the range after this block, the last one of the range that is read now. */
    prepare(last: Block, head: number): void {
      next = isAhead && isFar(last, head) ? begin(source.rpc.fastest(), last, head) : undefined
    },
    async drop(): Promise<void> {
      await next?.opened
      next = undefined
    },
  }
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

/** The next endpoint may answer what one refuses for good. */
const isWorthAnotherTry = (thrown: unknown): thrown is IngestError =>
  thrown instanceof RpcRefusedError || (thrown instanceof IngestError && thrown.retryable)

/** Reads blocks from one endpoint, once. */
async function readRange(
  source: TimedSource,
  asked: RangeAsked,
  opened: OpenedRange,
): Promise<Range | 'reorged'> {
  const { registry } = source
  const { from, to } = asked.span
  try {
    const range = await readOnce(source, asked, opened)
    if (range === 'reorged') registry.abandon(from)
    else registry.complete(to)
    return range
  } catch (thrown) {
    registry.abandon(from)
    throw thrown
  }
}

async function readOnce(
  source: TimedSource,
  { after, span }: RangeAsked,
  { last, headers, mode, logs: logsByTopic }: OpenedRange,
): Promise<Range | 'reorged'> {
  const { rpc, chain, registry, known } = source
  const first = { mode, logs: logsByTopic, timesOf: headers.timesOf }
  const { logs: platformLogs, creations } = await readPlatform(source, span, first)
  const queries = poolQueries(
    chain,
    {
      senders: await registry.senders(),
      newPools: creations.poolIds,
      v3Pools: mode === platformModes.bothWays ? [] : ratePoolsOf(chain).v3,
    },
    rpc.endpoint.addressesAFilter,
  )
  const poolLogs = await readAllLogs(rpc, span, queries)
  const named =
    source.mode === 'other' ? poolIdsIn([...platformLogs, ...poolLogs], await registry.hooks()) : undefined
  const ofPools = named ? await readAllLogs(rpc, span, queriesOfPools(chain, [...named])) : []

  const logs = inOrder([...platformLogs, ...poolLogs, ...ofPools])
  const context = await decodeContextOf(logs, source)
  const facts = logs.flatMap((log) => creations.facts.get(log) ?? factsOfLog(log, context))
  const blocks = await blocksFrom(await withSenders(rpc, facts, context), logs, headers)

  // If the last block is unchanged, so are the blocks before it.
  const isKnown = known?.has(span.to) === true
  const again = await readEnd(rpc, { after: isKnown ? null : after, span })
  const isSame = again !== 'reorged' && again.last.hash === last.hash
  if (again === 'reorged' || (isKnown && !isSame)) return 'reorged'
  if (!isSame) throw new RangeChangedError(`block ${span.to} has another hash now`)
  const { number, hash, timestamp } = last
  return {
    blocks,
    last: { number, hash, timestamp },
    endsMinute: headers.endsMinute,
    poolTransactions: poolTransactionsIn(logs, context),
    endpoint: rpc.endpoint.name,
  }
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
