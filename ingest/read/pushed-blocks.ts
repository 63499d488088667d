/**
 * Blocks that a WebSocket pushed: headers and logs as they came, in any order, doubled, or incomplete. Only blocks that
 * continue a known block by their parents' hashes are used, so pushes of another chain or fork have no effect.
 */
import type { Block, Hash } from '../../market/segment.ts'
import { budgets } from '../../schemas/deployment/budgets.ts'
import type { EndpointTraits } from '../client/endpoint-traits.ts'
import { BlockNotYetAvailableError, RangeChangedError } from '../client/faults.ts'
import { type BlockHeader, headerFrom } from '../client/headers.ts'
import { answered, isWanted, type Log, type LogFilter, logsFrom } from '../client/logs.ts'
import type { Call, Rpc } from '../client/rpc.ts'

/** Consecutive blocks after `after`, ascending, with all logs that were pushed for them. */
export type PushedSpan = {
  readonly after: Block
  readonly headers: readonly BlockHeader[]
  readonly logs: readonly Log[]
}

/**
 * The blocks pushed recently. Times are Unix ms. `header` and `log` throw RangeChangedError for a malformed push, and forget all
 * blocks before they throw it for more bytes than the budget.
 */
export type PushedBlocks = {
  header(pushed: unknown, now: number): void
  log(pushed: unknown, now: number): void
  /** The complete blocks that continue a block; undefined: none. */
  after(block: Block, now: number): PushedSpan | undefined
  /** Forgets a block and its successors. */
  forget(hash: Hash): void
}

/** A block is complete when the next one has arrived, or when nothing more of it arrived for this long (ms). */
export const SETTLE_MS = 80
/** Most blocks that are kept: two minutes at five blocks a second. */
const BLOCKS_MAX = 600
/** What a block and a log take in memory, besides their texts. */
const OWN_BYTES = 500
/** Maximum blocks and seconds of one span: after a longer halt the next poll decides. */
const SPAN_MAX = 300
const SPAN_SECONDS = 60

type Own = {
  header: BlockHeader | undefined
  readonly logs: Map<number, Log>
  bytes: number
  touchedAt: number
  isContradictory: boolean
}

/** Opens an empty store of pushed blocks. */
export function openPushedBlocks(): PushedBlocks {
  const blocks = openHeldBlocks()
  return {
    header(pushed, now) {
      const header = headerFrom(pushed, 'latest')
      if (header?.parentHash.length !== HASH_LENGTH)
        throw new RangeChangedError('a header was pushed without content')
      const own = blocks.own(header.hash, now)
      if (own.header && own.header.parentHash !== header.parentHash)
        throw new RangeChangedError('a block was pushed with two parents')
      own.header = header
      blocks.byParent.set(header.parentHash, own)
    },
    log(pushed, now) {
      const { removed, ...raw } = (pushed ?? {}) as {
        readonly removed?: unknown
        readonly blockHash?: unknown
      }
      if (removed === true) return blocks.drop(String(raw.blockHash).toLowerCase() as Hash)
      const [log] = logsFrom([raw], { from: 0, to: Number.MAX_SAFE_INTEGER })
      if (log?.blockHash.length !== HASH_LENGTH)
        throw new RangeChangedError('a log was pushed without its block')
      const own = blocks.own(log.blockHash, now)
      const known = own.logs.get(log.logIndex)
      own.isContradictory ||= known !== undefined && JSON.stringify(known) !== JSON.stringify(log)
      own.logs.set(log.logIndex, log)
      blocks.grow(own, bytesOf(log) - (known ? bytesOf(known) : 0))
    },
    after: (block, now) =>
      spanAfter(block, (hash) => {
        const own = blocks.byParent.get(hash)
        if (!own?.header) return undefined
        const isOver = blocks.byParent.has(own.header.hash) || now - own.touchedAt >= SETTLE_MS
        const logs = isOver ? logsOf(own, own.header) : undefined
        return logs && { header: own.header, logs }
      }),
    forget: blocks.drop,
  }
}

/** The blocks that are kept, within the budget. */
function openHeldBlocks() {
  const byParent = new Map<Hash, Own>()
  const byHash = new Map<Hash, Own>()
  let bytes = 0
  const drop = (hash: Hash): void => {
    const own = byHash.get(hash)
    if (!own) return
    bytes -= own.bytes
    byHash.delete(hash)
    if (own.header && byParent.get(own.header.parentHash) === own) byParent.delete(own.header.parentHash)
  }
  /** Accounts for more of a block. Over the budget nothing is kept, and it throws RangeChangedError. */
  const grow = (own: Own, more: number): void => {
    own.bytes += more
    bytes += more
    if (bytes <= budgets.pushedBlocks) return
    for (const hash of [...byHash.keys()]) drop(hash)
    throw new RangeChangedError(`more than ${budgets.pushedBlocks} bytes of blocks were pushed`)
  }
  const add = (hash: Hash): Own => {
    const own = { header: undefined, logs: new Map(), bytes: 0, touchedAt: 0, isContradictory: false }
    byHash.set(hash, own)
    grow(own, OWN_BYTES)
    const [oldest = hash] = byHash.keys()
    if (byHash.size > BLOCKS_MAX) drop(oldest)
    return own
  }
  return {
    byParent,
    drop,
    grow,
    /** The block with this hash, of which something has come. */
    own(hash: Hash, now: number): Own {
      const own = byHash.get(hash) ?? add(hash)
      own.touchedAt = now
      return own
    },
  }
}

const HASH_LENGTH = 66

/** A log in memory. */
const bytesOf = ({ address, topics, data, transactionHash }: Log): number =>
  [address, data, transactionHash, ...topics].reduce((sum, text) => sum + text.length, OWN_BYTES)

/** Follows complete blocks from one to the next. */
function spanAfter(
  after: Block,
  nextOf: (hash: Hash) => { readonly header: BlockHeader; readonly logs: readonly Log[] } | undefined,
): PushedSpan | undefined {
  const headers: BlockHeader[] = []
  const logs: Log[] = []
  for (let last = after; headers.length < SPAN_MAX; ) {
    const next = nextOf(last.hash)
    if (!next || !isNext(last, next.header)) break
    last = next.header
    if (last.timestamp > after.timestamp + SPAN_SECONDS) break
    headers.push(next.header)
    for (const log of next.logs) logs.push(log)
  }
  return headers.length > 0 ? { after, headers, logs } : undefined
}

/** The logs of a block, in order; undefined: they contradict it or each other. */
function logsOf({ logs, isContradictory }: Own, { number }: BlockHeader): readonly Log[] | undefined {
  const found = [...logs.values()].sort((a, b) => a.logIndex - b.logIndex)
  return isContradictory || found.some(({ blockNumber }) => blockNumber !== number) ? undefined : found
}

const isNext = (last: Block, { number, timestamp }: BlockHeader): boolean =>
  number === last.number + 1 && timestamp >= last.timestamp

/** Answers headers and logs from a span; only senders of transactions and state are requested from `rpc`. Throws BlockNotYetAvailableError for other blocks. */
export function rpcOfSpan({ after, headers, logs }: PushedSpan, rpc: Rpc, endpoint: EndpointTraits): Rpc {
  const byNumber = new Map<number, object>(headers.map((header) => [header.number, header]))
  byNumber.set(after.number, { ...after, parentHash: '' })
  const times = new Map(headers.map(({ number, timestamp }) => [number, timestamp]))
  const answer = ({ method, params }: Call): Promise<unknown> | unknown => {
    const [asked] = params
    if (method === 'eth_getBlockByNumber') {
      const found = byNumber.get(Number(asked))
      if (!found) throw new BlockNotYetAvailableError(Number(asked))
      return found
    }
    if (method !== 'eth_getLogs') return rpc.request(method, params)
    const filter = asked as LogFilter & { readonly fromBlock: string; readonly toBlock: string }
    const [from, to] = [Number(filter.fromBlock), Number(filter.toBlock)]
    return logs
      .filter((log) => log.blockNumber >= from && log.blockNumber <= to && isWanted(log, filter))
      .map((log) => answered({ ...log, timestamp: times.get(log.blockNumber) ?? Number.NaN }))
  }
  const own: Rpc = {
    request: async (method, params) => answer({ method, params }),
    batch: (calls) => Promise.all(calls.map(answer)),
    pinned: () => own,
    next: () => own,
    fastest: () => own,
    each: () => [own],
    endpoint: { ...endpoint, sent: rpc.endpoint.sent },
  }
  return own
}
