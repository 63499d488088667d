/** The headers of a range: the blocks that end its minutes, and the times and hashes of its blocks. */
import { minuteOfBlock } from '../../market/calendar.ts'
import type { BlockFacts, Fact } from '../../market/fold/fact.ts'
import { grouped } from '../../market/grouped.ts'
import type { Block, Hash } from '../../market/segment.ts'
import type { ChainClock } from '../client/chain-clock.ts'
import { BlockNotYetAvailableError, RangeChangedError } from '../client/faults.ts'
import { readHeaders } from '../client/headers.ts'
import type { BlockSpan, Log } from '../client/logs.ts'
import type { Rpc } from '../client/rpc.ts'
import { findMinuteEnds, neighbours } from './minute-ends.ts'

/** A range's blocks without their logs. */
export type RangeHeaders = {
  /** The last block of each minute within the range, and the last block of the range. Ascending. */
  readonly ends: readonly number[]
  /** A block of a later minute follows the range. */
  readonly endsMinute: boolean
  /** Unix seconds of the blocks of these logs; reads the headers of those whose times nothing else proves. Throws IngestError. */
  timesOf(logs: readonly Log[]): Promise<(blockNumber: number) => number>
  /** A block in `ends`, or one whose time `timesOf` has found; `hash`: of its logs, if it has no header. Throws BlockNotYetAvailableError. */
  blockAt(number: number, hash?: Hash): Block
  /** Unix ms of such a block: proven, or claimed alone, if they are of its second. `claimed`: those of its logs. */
  msOf(number: number, claimed: number | undefined): Pick<BlockFacts, 'timestampMs' | 'claimedMs'>
  /** Throws RangeChangedError for a block that is known to have another hash. */
  assertHash(number: number, hash: Hash): void
}

/** Inputs of a range's headers, before these are read. */
type RangeEnds = {
  readonly span: BlockSpan
  /** The block before the range; null: none. */
  readonly after: Block | null
  /** The header of the range's last block. */
  readonly last: Block
  /** Headers that were read along with it. */
  readonly others: readonly Point[]
  /** The block after it exists, and shows whether the range ends a minute. */
  readonly isFollowed: boolean
}

/** A block that is proven by a header, an earlier reading, or the blocks around it. */
type Point = Block & { readonly parentHash?: Hash; readonly timestampMs?: number }

/**
 * Reads the headers that prove where the range's minutes end. `known`: blocks of an earlier reading, which found their ends.
 * Throws BlockNotYetAvailableError, and RangeChangedError if the headers contradict each other.
 */
export async function readRangeHeaders(
  source: { readonly rpc: Rpc; readonly clock: ChainClock; readonly known?: ReadonlyMap<number, Block> },
  { span, after, last, others, isFollowed }: RangeEnds,
): Promise<RangeHeaders> {
  const { rpc, clock, known } = source
  const read = async (blocks: readonly number[]): Promise<readonly Point[]> => {
    const headers = await readHeaders(rpc, blocks)
    clock.note(headers)
    return headers
  }
  const points = new Map<number, Point>()
  for (const block of [...(after ? [after] : []), ...(known?.values() ?? []), ...others, last])
    if (block.number >= span.from - 1 && block.number <= span.to + 1) points.set(block.number, block)
  clock.note([...others, last].sort((a, b) => a.number - b.number))
  if (!known) {
    const missing = [...(after ? [] : [span.from]), ...(isFollowed ? [span.to + 1] : [])]
    for (const point of await read(missing.filter((block) => !points.has(block))))
      points.set(point.number, point)
    await findMinuteEnds(points, clock, read)
  }
  const ends: number[] = []
  for (const [one, next] of neighbours(points)) {
    if (minuteOfBlock(one) === minuteOfBlock(next)) continue
    if (isHeader(next) && next.number === one.number + 1 && next.parentHash !== one.hash) {
      throw new RangeChangedError(`block ${next.number} does not follow the block before it`)
    }
    if (one.number >= span.from && one.number < span.to) ends.push(one.number)
  }
  const next = points.get(span.to + 1)
  return {
    ends: [...ends, span.to],
    endsMinute: next !== undefined && minuteOfBlock(next) > minuteOfBlock(last),
    ...timesFrom(points, clock, read),
  }
}

/** A block known from logs only has no parent hash. */
const isHeader = ({ parentHash }: Point): boolean => parentHash?.length === 66

const NO_HASH: Hash = '0x'

/** Returns the times of blocks between points, and adds the headers that it reads to the points. */
function timesFrom(
  points: Map<number, Point>,
  clock: ChainClock,
  read: (blocks: readonly number[]) => Promise<readonly Point[]>,
): Pick<RangeHeaders, 'timesOf' | 'blockAt' | 'msOf' | 'assertHash'> {
  const times = new Map<number, number>()
  const timeAt = (number: number): number => {
    const time = points.get(number)?.timestamp ?? times.get(number)
    if (time === undefined) throw new BlockNotYetAvailableError(number)
    return time
  }
  return {
    async timesOf(logs) {
      const claims = claimedTimes(logs)
      if (claims.size === 0) return timeAt
      await proveSchedule(points, clock, read)
      const unread: number[] = []
      const brackets = bracketsIn(points)
      for (const number of [...claims.keys()].sort((a, b) => a - b)) {
        if (points.has(number) || times.has(number)) continue
        const [before, after] = brackets(number)
        const proven =
          before && after && timeBetween(before, after, { number, claimed: claims.get(number), clock })
        if (proven === undefined) unread.push(number)
        else times.set(number, proven)
      }
      for (const header of await read(unread)) points.set(header.number, header)
      return timeAt
    },
    msOf(number, claimed) {
      const { timestampMs: claimedMs = claimed } = points.get(number) ?? {}
      const block = { number, hash: NO_HASH, timestamp: timeAt(number) }
      if (claimed !== undefined && claimed !== claimedMs) return {}
      const timestampMs = clock.timeMsOf(block, claimedMs)
      if (timestampMs !== undefined) return { timestampMs }
      return secondsOf(claimedMs) === block.timestamp ? { claimedMs } : {}
    },
    assertHash(number, hash) {
      const known = points.get(number)?.hash ?? hash
      if (known !== hash) throw new RangeChangedError(`block ${number} is ${known} and, to its logs, ${hash}`)
    },
    blockAt(number, hash = points.get(number)?.hash) {
      if (!hash) throw new BlockNotYetAvailableError(number)
      return { number, hash, timestamp: timeAt(number) }
    },
  }
}

/** Reads the headers that show whether the schedule is in phase, if that is unknown: once for each era. */
async function proveSchedule(
  points: Map<number, Point>,
  clock: ChainClock,
  read: (blocks: readonly number[]) => Promise<readonly Point[]>,
): Promise<void> {
  const last = [...points.values()].reduce((one, other) => (one.number > other.number ? one : other))
  for (const header of await read(clock.probesAt(last))) {
    const known = points.get(header.number)?.hash ?? header.hash
    if (known !== header.hash) throw new RangeChangedError(`block ${header.number} has another hash now`)
    if (header.number >= Math.min(...points.keys())) points.set(header.number, header)
  }
}

/** Unix seconds of a block between two others, if they, the schedule or its logs prove them; what contradicts proves nothing. */
function timeBetween(
  before: Block,
  after: Block,
  {
    number,
    claimed,
    clock,
  }: { readonly number: number; readonly claimed: number | undefined; readonly clock: ChainClock },
): number | undefined {
  if (before.timestamp === after.timestamp) return before.timestamp
  const guessedMs = clock.timeMsBetween(before, after, number)
  const guessed = guessedMs === undefined ? undefined : Math.floor(guessedMs / 1_000)
  if (claimed === undefined) return guessed
  if (claimed < before.timestamp || claimed > after.timestamp) return undefined
  return guessed === undefined || guessed === claimed ? claimed : undefined
}

/** The times that logs carry, by block; undefined: none, or several. None at all if they go backwards. */
function claimedTimes(logs: readonly Log[]): ReadonlyMap<number, number | undefined> {
  const claims = new Map(
    [...grouped(logs, ({ blockNumber }) => blockNumber)].map(([number, own]) => {
      const times = new Set(own.map(({ timestamp }) => timestamp))
      return [number, times.size === 1 ? own[0].timestamp : undefined] as const
    }),
  )
  const ordered = [...claims].sort(([a], [b]) => a - b).flatMap(([, time]) => time ?? [])
  const isAscending = ordered.every((time, at) => at === 0 || time >= (ordered[at - 1] ?? 0))
  return isAscending ? claims : new Map([...claims.keys()].map((number) => [number, undefined]))
}

/** The milliseconds that logs carry, by block; NaN, which nothing confirms, if a block has several. */
function claimedMs(logs: readonly Log[]): ReadonlyMap<number, number> {
  const claims = new Map<number, number>()
  for (const { blockNumber, timestampMs } of logs) {
    if (timestampMs === undefined) continue
    const known = claims.get(blockNumber) ?? timestampMs
    claims.set(blockNumber, known === timestampMs ? known : Number.NaN)
  }
  return claims
}

/** The nearest points before and after a block. Blocks must be asked for in ascending order. */
function bracketsIn(points: ReadonlyMap<number, Point>) {
  const sorted = [...points.values()].sort((a, b) => a.number - b.number)
  let at = 0
  return (number: number): readonly [Point | undefined, Point | undefined] => {
    while ((sorted[at]?.number ?? Number.POSITIVE_INFINITY) < number) at += 1
    return [sorted[at - 1], sorted[at]]
  }
}

/** The blocks with facts and those that end a minute or the range, ascending. Throws RangeChangedError if a log and a header disagree, BlockNotYetAvailableError. */
export async function blocksFrom(
  facts: readonly Fact[],
  logs: readonly Log[],
  headers: RangeHeaders,
): Promise<readonly BlockFacts[]> {
  const byBlock = new Map<number, Fact[]>(headers.ends.map((number) => [number, []]))
  for (const fact of facts) {
    const own = byBlock.get(fact.blockNumber)
    if (own) own.push(fact)
    else byBlock.set(fact.blockNumber, [fact])
  }
  await headers.timesOf(logs.filter(({ blockNumber }) => byBlock.has(blockNumber)))
  const hashes = new Map(logs.map(({ blockNumber, blockHash }) => [blockNumber, blockHash]))
  for (const [number, hash] of hashes) headers.assertHash(number, hash)
  const claims = claimedMs(logs)
  return [...byBlock]
    .sort(([a], [b]) => a - b)
    .map(([number, own]) => {
      const block = headers.blockAt(number, hashes.get(number))
      return { block, facts: own, ...(own.length > 0 && headers.msOf(number, claims.get(number))) }
    })
}

const secondsOf = (ms = Number.NaN): number => Math.floor(ms / 1_000)
