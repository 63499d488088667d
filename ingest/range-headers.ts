/** The headers of a range: the blocks that end its minutes, and the times and hashes of its blocks. */
import type { BlockFacts, Fact } from '../market/fact.ts'
import type { Block, Hash, Minute } from '../market/segment.ts'
import type { Chain } from './chains.ts'
import { BlockNotYetAvailableError, RangeChangedError } from './faults.ts'
import { assertBeat, readHeaders } from './headers.ts'
import type { BlockSpan, Log } from './logs.ts'
import type { Rpc } from './rpc.ts'
import { guessedSeconds } from './schedule.ts'

/** A range's blocks without their logs. */
export type RangeHeaders = {
  /** The last block of each minute within the range, and the last block of the range. Ascending. */
  readonly ends: readonly number[]
  /** Unix seconds of any block of the range. */
  readonly timeAt: (blockNumber: number) => number
  /** Of every block in `ends`, at least. */
  readonly hashes: ReadonlyMap<number, Hash>
}

/** If block times are known without headers, only those of `ends` are read, for their hashes; else all are read, for their times. `last` is the header of the range's last block. Throws BlockNotYetAvailableError, WrongBeatError. */
export const readRangeHeaders = async (
  source: { readonly rpc: Rpc; readonly chain: Chain; readonly known?: ReadonlyMap<number, Block> },
  span: BlockSpan,
  last: Block,
): Promise<RangeHeaders> => {
  const { rpc, chain, known } = source
  const beat = guessedSeconds(chain.schedule)
  const wanted = beat ? minuteEnds(span, beat) : blocksOf(span)
  const unknown = wanted.slice(0, -1).filter((block) => !known?.has(block))
  const headers = [
    ...(await readHeaders(rpc, unknown)),
    ...wanted.flatMap((block) => known?.get(block) ?? []),
    last,
  ]
  assertBeat(chain, headers)
  const times = new Map(headers.map(({ number, timestamp }) => [number, timestamp]))
  const timeAt = (blockNumber: number): number => {
    const timestamp = times.get(blockNumber) ?? beat?.(blockNumber)
    if (timestamp === undefined) throw new BlockNotYetAvailableError(blockNumber)
    return timestamp
  }
  return {
    ends: beat ? wanted : minuteEnds(span, timeAt),
    timeAt,
    hashes: new Map(headers.map(({ number, hash }) => [number, hash])),
  }
}

/** The blocks with facts and those that end a minute or the range, ascending. Throws RangeChangedError if a log and a header disagree. */
export const blocksFrom = (
  facts: readonly Fact[],
  logs: readonly Log[],
  headers: RangeHeaders,
): readonly BlockFacts[] => {
  const hashes = hashesOf(logs, headers)
  const byBlock = new Map<number, Fact[]>(headers.ends.map((number) => [number, []]))
  for (const fact of facts) {
    const own = byBlock.get(fact.blockNumber)
    if (own) own.push(fact)
    else byBlock.set(fact.blockNumber, [fact])
  }
  const blockAt = (number: number): Block => {
    const hash = hashes.get(number)
    if (!hash) throw new BlockNotYetAvailableError(number)
    return { number, hash, timestamp: headers.timeAt(number) }
  }
  return [...byBlock]
    .sort(([a], [b]) => a - b)
    .map(([number, own]) => ({ block: blockAt(number), facts: own }))
}

const hashesOf = (logs: readonly Log[], headers: RangeHeaders): ReadonlyMap<number, Hash> => {
  const hashes = new Map(headers.hashes)
  for (const { blockNumber, blockHash } of logs) {
    const known = hashes.get(blockNumber)
    if (known === undefined) hashes.set(blockNumber, blockHash)
    else if (known !== blockHash) {
      throw new RangeChangedError(`block ${blockNumber} is ${known} and, to its logs, ${blockHash}`)
    }
  }
  return hashes
}

const blocksOf = ({ from, to }: BlockSpan): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at)

const minuteEnds = (span: BlockSpan, timeAt: (blockNumber: number) => number): readonly number[] =>
  blocksOf(span).filter((block) => block === span.to || isEndOfMinute(timeAt, block))

/** Whether the block after it is of another minute. */
export const isEndOfMinute = (timeAt: (blockNumber: number) => number, block: number): boolean =>
  minuteOf(timeAt(block)) !== minuteOf(timeAt(block + 1))

const minuteOf = (timestamp: number): Minute => Math.floor(timestamp / 60)
