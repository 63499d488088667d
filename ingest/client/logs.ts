/** Raw logs of a block range, checked for known errors of endpoints, in order. Nothing is decoded here. */
import type { Address, Hash } from '../../market/segment.ts'
import { chunked, mapParallel } from '../../store/aws/parallel.ts'
import { BlockNotYetAvailableError, BlockRangeTooLargeError, RangeChangedError } from './faults.ts'
import { msIn, quantity } from './headers.ts'
import { openRangeWidth } from './range-width.ts'
import type { Rpc } from './rpc.ts'

/** A log. Hex is lower-case. */
export type Log = {
  readonly address: Address
  readonly topics: readonly Hash[]
  readonly data: `0x${string}`
  readonly blockNumber: number
  readonly blockHash: Hash
  readonly logIndex: number
  readonly transactionHash: Hash
  /** Unix seconds of its block, if the endpoint gives them. */
  readonly timestamp?: number
  /** The same in Unix ms. */
  readonly timestampMs?: number
}

/** Blocks `from` to `to`, inclusive. */
export type BlockSpan = { readonly from: number; readonly to: number }

/** A filter of eth_getLogs: addresses (absent: any), and for each topic its possible values (null: any). */
export type LogFilter = {
  readonly address?: readonly Address[]
  readonly topics: readonly (readonly Hash[] | null)[]
}

/** An address as a topic. */
export const topicOfAddress = (address: Address): Hash => `0x${address.slice(2).padStart(64, '0')}`

/**
 * All logs of the filter in the blocks. If a single block has too many for the endpoint, its receipts are read instead,
 * since anyone can fill a block with such logs. Throws RangeChangedError for logs of other blocks, and for pending or
 * removed ones.
 */
export async function readLogs(rpc: Rpc, span: BlockSpan, filter: LogFilter): Promise<readonly Log[]> {
  const asked = { ...filter, fromBlock: quantity(span.from), toBlock: quantity(span.to) }
  try {
    return logsFrom(await rpc.request('eth_getLogs', [asked]), span)
  } catch (fault) {
    if (!(fault instanceof BlockRangeTooLargeError) || span.from < span.to) throw fault
    return logsOfBlock(rpc, span.from, filter)
  }
}

async function logsOfBlock(rpc: Rpc, block: number, filter: LogFilter): Promise<readonly Log[]> {
  const answer = await rpc.request('eth_getBlockByNumber', [quantity(block), false])
  const { transactions } = (answer ?? {}) as { readonly transactions?: unknown }
  if (!Array.isArray(transactions)) throw new BlockNotYetAvailableError(block)
  const wanted: Log[] = []
  for await (const logs of logsOfTransactions(rpc, transactions)) {
    if (!logs) throw new RangeChangedError(`block ${block} has a transaction without a receipt`)
    for (const log of logs) {
      if (log.blockNumber !== block) throw new RangeChangedError(`block ${block} is another one now`)
      if (isWanted(log, filter)) wanted.push(log)
    }
  }
  return wanted
}

/** Receipts in a batch: one can have 5 MB of logs. */
const RECEIPTS_AT_ONCE = 8

/** The logs of each transaction; null: the endpoint has no receipt of it. Throws IngestError. */
export async function* logsOfTransactions(
  rpc: Rpc,
  hashes: readonly Hash[],
): AsyncGenerator<readonly Log[] | null> {
  for (const some of chunked(hashes, RECEIPTS_AT_ONCE)) {
    const receipts = await rpc.batch(
      some.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
    )
    for (const receipt of receipts) yield logsOfReceipt(receipt)
  }
}

function logsOfReceipt(receipt: unknown): readonly Log[] | null {
  const { blockNumber, logs } = (receipt ?? {}) as { readonly blockNumber?: unknown; readonly logs?: unknown }
  const number = Number(blockNumber)
  return Array.isArray(logs) && Number.isSafeInteger(number)
    ? logsFrom(logs, { from: number, to: number })
    : null
}

/** The logs in an answer, which must be of these blocks. Throws as `readLogs`. */
export function logsFrom(answer: unknown, span: BlockSpan): readonly Log[] {
  if (!Array.isArray(answer)) throw new RangeChangedError('logs were answered with no list')
  return answer.map((log) => logFrom(log, span))
}

/** Whether the filter matches this log. */
export const isWanted = (log: Log, { address, topics }: LogFilter): boolean =>
  (address?.includes(log.address) ?? true) &&
  topics.every((wanted, at) => wanted?.includes(log.topics[at] ?? '0x') ?? true)

/** Filters requested in parallel: more would only queue at the endpoint. */
const FILTERS_AT_ONCE = 4

/** All logs of several filters. */
export async function readAllLogs(
  rpc: Rpc,
  span: BlockSpan,
  filters: readonly LogFilter[],
): Promise<readonly Log[]> {
  const parts = filters.flatMap((filter) => partsOf(filter, rpc.endpoint.valuesATopic))
  const found = await mapParallel(parts, FILTERS_AT_ONCE, (filter) => readLogs(rpc, span, filter))
  return found.flat()
}

/** A filter in parts with at most this many values of each topic. */
function partsOf(filter: LogFilter, values: number): readonly LogFilter[] {
  const long = filter.topics.findIndex((wanted) => wanted && wanted.length > values)
  const wanted = filter.topics[long]
  if (!wanted) return [filter]
  return chunked(wanted, values).flatMap((some) =>
    partsOf({ ...filter, topics: filter.topics.map((topic, at) => (at === long ? some : topic)) }, values),
  )
}

/** Reads a long span, newest blocks first: as many at once as the endpoint allows, `blocks` at first. */
export async function* backwards<T>(
  { from, to }: BlockSpan,
  blocks: number,
  read: (span: BlockSpan) => Promise<T>,
): AsyncGenerator<T> {
  const width = openRangeWidth(blocks)
  for (let end = to; end >= from; ) {
    const count = Math.min(width.blocks(), end - from + 1)
    try {
      yield await read({ from: end - count + 1, to: end })
      end -= count
    } catch (fault) {
      if (!(fault instanceof BlockRangeTooLargeError) || count === 1) throw fault
      width.narrow(count, fault.allowedBlocks, fault.isCertain)
    }
  }
}

/** All logs once, by (blockNumber, logIndex). Throws RangeChangedError if two logs have one position, or one block has two hashes. */
export function inOrder(logs: Iterable<Log>): readonly Log[] {
  const sorted = [...logs].sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
  return sorted.filter((log, at) => {
    const before = sorted[at - 1]
    if (before?.blockNumber !== log.blockNumber) return true
    if (before.blockHash !== log.blockHash)
      throw new RangeChangedError(`block ${log.blockNumber} has two hashes`)
    if (before.logIndex !== log.logIndex) return true
    if (!isSame(before, log)) {
      throw new RangeChangedError(`two logs stand at ${log.blockNumber}, ${log.logIndex}`)
    }
    return false
  })
}

const isSame = (a: Log, b: Log): boolean =>
  a.transactionHash === b.transactionHash &&
  a.address === b.address &&
  a.data === b.data &&
  a.topics.join() === b.topics.join()

type RawLog = { readonly [name in keyof Log | 'removed' | 'blockTimestamp' | 'blockTimestampMs']?: unknown }

function logFrom(raw: RawLog | null, span: BlockSpan): Log {
  if (raw === null) throw new RangeChangedError('null in the place of a log')
  const blockNumber = Number(raw.blockNumber ?? Number.NaN)
  const logIndex = Number(raw.logIndex ?? Number.NaN)
  if (!(blockNumber >= span.from && blockNumber <= span.to) || !Number.isSafeInteger(logIndex)) {
    throw new RangeChangedError(`a log of block ${raw.blockNumber} among those of ${span.from} to ${span.to}`)
  }
  if (raw.removed === true) throw new RangeChangedError(`a removed log in block ${blockNumber}`)
  if (!Array.isArray(raw.topics)) throw new RangeChangedError(`a log without topics in block ${blockNumber}`)
  return {
    address: hex(raw.address) as Address,
    topics: raw.topics.map(hex) as Hash[],
    data: hex(raw.data),
    blockNumber,
    blockHash: hex(raw.blockHash),
    logIndex,
    transactionHash: hex(raw.transactionHash),
    ...timeIn(raw),
  }
}

/** A log as an answer has it, for `logsFrom`. */
export const answered = ({ timestamp, timestampMs, ...log }: Log): object => ({
  ...log,
  blockTimestamp: timestamp,
  blockTimestampMs: timestampMs,
})

/** Newer endpoints give the time of a log's block; older ones omit it. */
function timeIn({ blockTimestamp, blockTimestampMs }: RawLog): Pick<Log, 'timestamp' | 'timestampMs'> {
  const timestamp = Number(blockTimestamp ?? Number.NaN)
  return { ...(Number.isSafeInteger(timestamp) && { timestamp }), ...msIn(blockTimestampMs) }
}

function hex(value: unknown): `0x${string}` {
  if (typeof value !== 'string') throw new RangeChangedError(`a log with ${value} in the place of hex`)
  return value.toLowerCase() as `0x${string}`
}
