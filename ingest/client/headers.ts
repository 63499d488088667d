/** Block headers: number, hash, parent and time. */
import type { Block, Hash } from '../../market/segment.ts'
import { BlockNotYetAvailableError, RangeChangedError } from './faults.ts'
import type { Call, Rpc } from './rpc.ts'

/** `timestampMs`: Unix ms, if the endpoint gives them. */
export type BlockHeader = Block & { readonly parentHash: Hash; readonly timestampMs?: number }

/** One header; undefined: the endpoint has no such block. Throws RangeChangedError for an answer that is no header. */
export async function readHeader(rpc: Rpc, block: number | 'latest'): Promise<BlockHeader | undefined> {
  const { method, params } = headerCall(block)
  return headerFrom(await rpc.request(method, params), block)
}

/** The newest block. Throws IngestError. */
export async function headOf(rpc: Rpc): Promise<BlockHeader> {
  const head = await readHeader(rpc, 'latest')
  if (!head) throw new BlockNotYetAvailableError()
  return head
}

/** The headers of these blocks, in their order. Throws BlockNotYetAvailableError if one is missing. */
export async function readHeaders(rpc: Rpc, blocks: readonly number[]): Promise<readonly BlockHeader[]> {
  if (blocks.length === 0) return []
  const answers = await rpc.batch(blocks.map(headerCall))
  return blocks.map((block, at) => {
    const header = headerFrom(answers[at], block)
    if (!header) throw new BlockNotYetAvailableError(block)
    return header
  })
}

/** A block number in JSON-RPC. */
export const quantity = (blockNumber: number): string => `0x${blockNumber.toString(16)}`

/** The milliseconds that newer endpoints send; empty if the endpoint sends none. */
export function msIn(given: unknown): { readonly timestampMs?: number } {
  const timestampMs = Number(given ?? Number.NaN)
  return Number.isSafeInteger(timestampMs) ? { timestampMs } : {}
}

const headerCall = (block: number | 'latest'): Call => ({
  method: 'eth_getBlockByNumber',
  params: [block === 'latest' ? block : quantity(block), false],
})

/** The header in an answer; undefined: there is none. Throws RangeChangedError for an answer that is no header. */
export function headerFrom(answer: unknown, asked: number | 'latest'): BlockHeader | undefined {
  if (answer === null || answer === undefined) return undefined
  const { number, hash, parentHash, timestamp, timestampMs } = answer as Readonly<Record<string, unknown>>
  const header = {
    number: Number(number),
    hash: String(hash).toLowerCase() as Hash,
    parentHash: String(parentHash).toLowerCase() as Hash,
    timestamp: Number(timestamp),
    ...msIn(timestampMs),
  }
  const isSound =
    Number.isSafeInteger(header.number) && Number.isSafeInteger(header.timestamp) && header.hash.length === 66
  if (!isSound || (asked !== 'latest' && header.number !== asked)) {
    throw new RangeChangedError(`block ${asked} was answered with ${JSON.stringify(header)}`)
  }
  return header
}
