/** The protocol of an SQD Portal: blocks as lines of JSON, over POST (docs.sqd.dev, "Portal API", finalized-stream). */
import type { Hash } from '../../market/segment.ts'
import { budgets } from '../../schemas/deployment/budgets.ts'
import {
  BlockNotYetAvailableError,
  BlockRangeTooLargeError,
  RangeChangedError,
  RpcUnavailableError,
} from './faults.ts'
import { type ExchangeLimits, openConnection } from './http-exchange.ts'
import type { Pacing } from './pacing.ts'
import { faultOf } from './provider-faults.ts'

/** Blocks `from` to `to`, inclusive. */
export type PortalSpan = { readonly from: number; readonly to: number }

/** Timestamps are Unix seconds. */
export type PortalHeader = {
  readonly number: number
  readonly hash: Hash
  readonly parentHash: Hash
  readonly timestamp: number
}
/** `to`: null where it created a contract. */
export type PortalTransaction = { readonly hash: Hash; readonly from: string; readonly to?: string | null }

export type PortalBlock = {
  readonly header: PortalHeader
  readonly logs?: readonly {
    readonly address: string
    readonly topics: readonly string[]
    readonly data: string
    readonly logIndex: number
    readonly transactionHash: Hash
  }[]
  readonly transactions?: readonly PortalTransaction[]
}

const fields = {
  block: { number: true, hash: true, parentHash: true, timestamp: true },
  log: { address: true, topics: true, data: true, logIndex: true, transactionHash: true },
  transaction: { hash: true, from: true, to: true },
}

/** HTTP: a block is not there yet, and another fork was read before. */
const NOTHING_YET = 204
const OTHER_FORK = 409

/**
 * The blocks of a span that a query asks for, and its first and last one. An answer may stop anywhere: the next one goes on
 * after its last block. Throws BlockNotYetAvailableError, RangeChangedError, and what endpoints fail with.
 */
export type PortalStream = (span: PortalSpan, query: object) => Promise<readonly PortalBlock[]>

/** Opens the finalized blocks of a dataset. */
export function openPortalStream(
  dataset: URL,
  name: string,
  { limits, pacing }: { readonly limits: ExchangeLimits; readonly pacing: Pacing },
): PortalStream {
  const connection = openConnection(new URL(`${dataset.href}/finalized-stream`), name, limits)
  const ask = (body: object): Promise<string> =>
    pacing.run({ calls: 1, isOfLogs: false }, async () => {
      // Too much at once, if it fails without a reason: it is asked for less then.
      const { status, retryAfterMs, text } = await connection('eth_getLogs', JSON.stringify(body))
      if (status === 200 || status === NOTHING_YET) return text
      if (status === OTHER_FORK) throw new RangeChangedError(`${name} has another fork`)
      throw faultOf(name, 'finalized-stream', {
        code: status,
        message: text || 'no body',
        status,
        retryAfterMs,
      })
    })

  return async ({ from, to }, query) => {
    const blocks: PortalBlock[] = []
    let size = 0
    for (let next = from; next <= to; ) {
      const last = blocks.at(-1)?.header
      const parent = last && last.number === next - 1 ? { parentBlockHash: last.hash } : {}
      const text = await ask({ type: 'evm', fromBlock: next, toBlock: to, fields, ...parent, ...query })
      size += text.length
      if (size > budgets.portalRange)
        throw new BlockRangeTooLargeError(`${name}: above ${budgets.portalRange} bytes of blocks`)
      const found = blocksIn(name, text)
      for (const block of found) {
        const { number } = block.header
        if (number < next || number > to) throw new RangeChangedError(`${name} gave block ${number} unasked`)
        next = number + 1
        blocks.push(block)
      }
      if (found.length === 0) throw new BlockNotYetAvailableError(next)
    }
    return blocks
  }
}

/** The blocks of an answer, a line each. Throws RpcUnavailableError: an answer that was cut off ends within a line. */
const blocksIn = (name: string, text: string): readonly PortalBlock[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => blockIn(line) ?? fail(name, line))

/** The block in a line; undefined: it is none, or lacks something that was asked for. */
function blockIn(line: string): PortalBlock | undefined {
  try {
    const block = JSON.parse(line) as PortalBlock
    const { header, logs = [], transactions = [] } = block
    const isSound =
      isCount(header.number) &&
      isCount(header.timestamp) &&
      areHashes(header.hash, header.parentHash) &&
      logs.every(({ logIndex }) => isCount(logIndex)) &&
      transactions.every(({ hash, from }) => areHashes(hash) && isSender(from))
    return isSound ? block : undefined
  } catch {
    return undefined
  }
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0
/** Absent where the portal has none: then it is asked for elsewhere. */
const isSender = (from: unknown): boolean => from === undefined || /^0x[0-9a-f]{40}$/i.test(String(from))

/** What is remembered of a portal has no other length. */
const areHashes = (...values: readonly unknown[]): boolean =>
  values.every((value) => typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value))

function fail(name: string, line: string): never {
  throw new RpcUnavailableError(name, `a line that is no block: ${line.slice(0, 100)}`)
}
