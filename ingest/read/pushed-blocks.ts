/**
 * Blocks that a WebSocket pushed: headers and logs as they came, in any order, doubled, or incomplete. Only blocks that
 * continue a known block by their parents' hashes are used, so pushes of another chain or fork have no effect.
 */
import type { Block, Hash } from '../../market/segment.ts'
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

/** The blocks pushed recently. Times are Unix ms. `header` and `log` throw RangeChangedError for a malformed push. */
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
/** Most blocks that are kept, and most logs of all of them: two minutes at five blocks a second. */
const BLOCKS_MAX = 600
const LOGS_MAX = 100_000
/** Maximum blocks and seconds of one span: after a longer halt the next poll decides. */
const SPAN_MAX = 300
const SPAN_SECONDS = 60

type Own = { readonly logs: Map<number, Log>; touchedAt: number; isContradictory: boolean }

/** Opens an empty store of pushed blocks. */
export function openPushedBlocks(): PushedBlocks {
  const byParent = new Map<Hash, BlockHeader>()
  const byBlock = new Map<Hash, Own>()
  let logCount = 0

  const ownOf = (hash: Hash): Own => {
    const known = byBlock.get(hash) ?? { logs: new Map(), touchedAt: 0, isContradictory: false }
    byBlock.set(hash, known)
    return known
  }
  const drop = (hash: Hash): void => {
    logCount -= byBlock.get(hash)?.logs.size ?? 0
    byBlock.delete(hash)
    for (const [parent, header] of byParent) if (header.hash === hash) byParent.delete(parent)
  }
  const bound = (): void => {
    for (const hash of byBlock.keys()) {
      if (byBlock.size <= BLOCKS_MAX && logCount <= LOGS_MAX) return
      drop(hash)
    }
  }

  return {
    header(pushed, now) {
      const header = headerFrom(pushed, 'latest')
      if (!header) throw new RangeChangedError('a header was pushed without content')
      byParent.set(header.parentHash, header)
      ownOf(header.hash).touchedAt = now
      bound()
    },
    log(pushed, now) {
      const { removed, ...raw } = (pushed ?? {}) as {
        readonly removed?: unknown
        readonly blockHash?: unknown
      }
      if (removed === true) return drop(String(raw.blockHash).toLowerCase() as Hash)
      const [log] = logsFrom([raw], { from: 0, to: Number.MAX_SAFE_INTEGER })
      if (!log) return
      const own = ownOf(log.blockHash)
      const known = own.logs.get(log.logIndex)
      own.isContradictory ||= known !== undefined && JSON.stringify(known) !== JSON.stringify(log)
      if (!known) logCount += 1
      own.logs.set(log.logIndex, log)
      own.touchedAt = now
      bound()
    },
    after: (block, now) =>
      spanAfter(block, (hash) => {
        const header = byParent.get(hash)
        const own = header && byBlock.get(header.hash)
        const isOver = own && (byParent.has(header.hash) || now - own.touchedAt >= SETTLE_MS)
        const logs = isOver ? logsOf(own, header) : undefined
        return header && logs && { header, logs }
      }),
    forget: drop,
  }
}

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
