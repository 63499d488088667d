/**
 * The head of the chain: one eth_getLogs every `pollMs`, from the last known block to `latest`, for every event of any
 * query. The answer shows new blocks, has their logs, and shows whether the last block is still canonical; blocks without
 * logs cost nothing. Where no log shows that a minute has ended, or that the chain goes on, the newest header is requested
 * too. Block times are never assumed: all thresholds are seconds. The filter is wide: it also returns swaps of other pools,
 * which are dropped here.
 */
import { minuteOfBlock } from '../../market/calendar.ts'
import type { Block, Hash } from '../../market/segment.ts'
import type { Chain } from '../client/chains.ts'
import { openNewestBlock } from '../client/endpoints.ts'
import {
  AddressRequiredError,
  BlockNotYetAvailableError,
  BlockRangeTooLargeError,
  FilterTooLargeError,
  HistoryUnavailableError,
} from '../client/faults.ts'
import { headOf, quantity, readHeader } from '../client/headers.ts'
import { answered, isWanted, type Log, type LogFilter, logsFrom } from '../client/logs.ts'
import type { Call, Rpc } from '../client/rpc.ts'
import { headQuery } from '../decode/queries.ts'
import { NEAR_SECONDS, openProgress } from './head-progress.ts'
import { POLL_MS } from './poll.ts'

export type Head = {
  /** The newest known block, if `after` was read last; `after` itself if it is not time to ask. Throws IngestError. */
  read(after: Block | null): Promise<Block>
  /** For reading ranges: logs that `read` received with the newest blocks are answered from memory. */
  readonly rpc: Rpc
  /** Milliseconds until it is worth asking again. */
  idleMs(): number
  /** The chain has another newest block: it is asked at the next `read`. */
  heard(): void
}

/** Milliseconds between polls. `isTold`: the chain tells of each new block (`heard`), and is asked in between only for what no block tells. */
type HeadOptions = { readonly pollMs?: number; readonly isTold?: boolean }

/** A head that is requested each time. */
export const newestEachTime = (rpc: Rpc): Pick<Head, 'read' | 'idleMs'> => ({
  read: () => headOf(rpc),
  idleMs: () => 0,
})

/** How long (ms) headers and ranges replace polls at an endpoint that refused one. */
const REFUSED_MS = 60_000

/** Faults of endpoints that refuse so wide a filter, and of those that lack new blocks, no longer serve the last known one, or require addresses. */
const refusalsOfPolls = [BlockRangeTooLargeError, FilterTooLargeError]
const faultsOfNewBlocks = [
  ...refusalsOfPolls,
  BlockNotYetAvailableError,
  HistoryUnavailableError,
  AddressRequiredError,
]

const isOneOf = (kinds: readonly (abstract new (...facts: never) => unknown)[], fault: unknown): boolean =>
  kinds.some((kind) => fault instanceof kind)

/** A last known block that was replaced by another one: no block has this hash. */
const replaced = (block: Block): Block => ({ ...block, hash: '0x' })

export function openHead(
  rpc: Rpc,
  chain: Chain,
  { pollMs = POLL_MS, isTold = false }: HeadOptions = {},
): Head {
  const newestBlock = openNewestBlock(rpc)
  const progress = openProgress(chain)
  let newBlocks: NewBlocks | undefined
  /** The last known block with a log: each poll shows again that it is canonical. */
  let anchor: Block | undefined
  let [askAt, pauseMs, refusedUntil, hasNews] = [0, pollMs, 0, false]

  const idleMs = (): number => {
    const leftMs = hasNews ? 0 : askAt - Date.now()
    // Longer than a pause: the machine's clock was set back.
    return leftMs > pauseMs ? 0 : Math.max(0, leftMs)
  }
  const nearby = async (after: Block): Promise<Block> => {
    // The newest header, in place of the next poll and before the logs, so that no logs means that there are none up to it.
    const isLookDue = progress.lookDueMs(after) === 0
    if (isLookDue) pauseMs = 2 * pollMs
    const head = isLookDue ? await progress.looking(newestBlock) : undefined
    if (head && head.number <= after.number) {
      return head.number === after.number && head.hash !== after.hash ? replaced(after) : after
    }
    const source = { rpc, chain, latestMs: progress.nowMs(), anchor: usableAfter(rpc, anchor, after) }
    const found = await lookAfter(source, after, head)
    if (!found) return after
    if (found === 'reorged') {
      progress.forget()
      return replaced(after)
    }
    newBlocks = found
    const withLog = newestIn(found.logs)
    anchor = withLog?.number === found.last.number ? found.last : (withLog ?? anchor)
    return progress.saw(found.last)
  }

  const ask = async (after: Block | null): Promise<Block> => {
    const isPolled = rpc.endpoint.takesTopicsAlone && Date.now() >= refusedUntil
    try {
      if (!after || !isPolled || !progress.isNear(after)) return progress.saw(await newestBlock())
      return await nearby(after)
    } catch (fault) {
      if (!isOneOf(faultsOfNewBlocks, fault)) throw fault
      if (isOneOf(refusalsOfPolls, fault)) refusedUntil = Date.now() + REFUSED_MS
      return progress.saw(await newestBlock())
    }
  }

  return {
    idleMs,
    heard() {
      hasNews = true
    },
    rpc: answering(rpc, (call) => newBlocks && answerOf(newBlocks, call)),
    async read(after) {
      newBlocks = undefined
      const ahead = after && progress.ahead(after)
      if (ahead) return ahead
      if (after && idleMs() > 0) return after
      pauseMs = pollMs
      // Before it is asked: what comes meanwhile is asked for again.
      hasNews = false
      try {
        const seen = await ask(after)
        if (isTold) pauseMs = Math.max(pauseMs, progress.lookDueMs(seen))
        return seen
      } finally {
        askAt = Date.now() + pauseMs
      }
    },
  }
}

/** New blocks and their logs. */
type NewBlocks = {
  readonly after: Block
  readonly last: Block & { readonly parentHash?: Hash }
  readonly logs: readonly Log[]
}

type Source = {
  readonly rpc: Rpc
  readonly chain: Chain
  /** Chain time (ms) by which a new block should have been made. */
  readonly latestMs: number
  readonly anchor: Anchor | undefined
}

/** A known block with a log. */
type Anchor = Pick<Block, 'number' | 'hash'>

/**
 * What is new after `after`. `head`: the newest block, if it was requested before; logs are then requested up to it, so
 * that no logs means that there are none. undefined: nothing is known to be new. 'reorged': `after` is another block now.
 */
async function lookAfter(
  source: Source,
  after: Block,
  head?: Block,
): Promise<NewBlocks | 'reorged' | undefined> {
  const { rpc, chain, anchor = after } = source
  const toBlock = head ? quantity(head.number) : 'latest'
  const asked = { ...headQuery(chain), fromBlock: quantity(anchor.number), toBlock }
  const span = { from: anchor.number, to: head?.number ?? Number.MAX_SAFE_INTEGER }
  const logs = logsFrom(await rpc.request('eth_getLogs', [asked]), span)
  const own = logs.filter(({ blockNumber }) => blockNumber === anchor.number)
  if (own.some(({ blockHash }) => blockHash !== anchor.hash)) return 'reorged'
  const fresh = logs.filter(({ blockNumber }) => blockNumber > after.number)
  const last = head ?? (await newestOf(source, after, fresh))
  if (!last) return undefined
  // A log of the anchor shows that it is canonical. Without one its header does: at once if it had logs before, otherwise
  // when a minute ends.
  const isDoubtful = source.anchor !== undefined || minuteOfBlock(last) !== minuteOfBlock(after)
  if (own.length === 0 && isDoubtful && (await readHeader(rpc, anchor.number))?.hash !== anchor.hash)
    return 'reorged'
  return { after, last, logs: fresh }
}

/** The newest block with a log. Its time is the one that its logs report, if that continues `after`; else its header is read. */
async function newestOf(
  { rpc, latestMs }: Source,
  after: Block,
  fresh: readonly Log[],
): Promise<NewBlocks['last'] | undefined> {
  const reported = newestIn(fresh)
  if (!reported) return undefined
  const { number, hash, timestamp } = reported
  const isPlausible = timestamp >= after.timestamp && timestamp * 1_000 <= latestMs + NEAR_SECONDS * 1_000
  // The first block that is seen of a minute proves by its header that the one before has ended.
  if (isPlausible && minuteOfBlock(reported) === minuteOfBlock(after)) return reported
  const header = await readHeader(rpc, number)
  return header?.hash === hash ? header : undefined
}

/** The newest block of these logs, and the time that all of its logs report, else NaN. */
function newestIn(logs: readonly Log[]): Block | undefined {
  const number = logs.reduce((most, { blockNumber }) => Math.max(most, blockNumber), 0)
  const own = logs.filter(({ blockNumber }) => blockNumber === number)
  const [first] = own
  if (!first) return undefined
  const { blockHash: hash, timestamp = Number.NaN } = first
  return { number, hash, timestamp: own.every((log) => log.timestamp === timestamp) ? timestamp : Number.NaN }
}

/** The last known block with a log, if it is near enough to be asked for again with the blocks after `after`. */
function usableAfter({ endpoint }: Rpc, anchor: Block | undefined, after: Block): Anchor | undefined {
  const isUsable =
    anchor &&
    anchor.number <= after.number &&
    endpoint.reach.covers(anchor.number) &&
    after.number - anchor.number < endpoint.width.blocks() / 2 &&
    after.timestamp - anchor.timestamp <= NEAR_SECONDS
  return isUsable ? anchor : undefined
}

/** The same endpoints, with some answers from memory; not for the next endpoint. */
const answering = (rpc: Rpc, known: (call: Call) => unknown): Rpc => ({
  ...rpc,
  get endpoint() {
    return rpc.endpoint
  },
  request: async (method, params) => known({ method, params }) ?? rpc.request(method, params),
  batch: async (calls) => {
    const answers = calls.map(known)
    const asked = await rpc.batch(calls.filter((_, at) => answers[at] === undefined))
    let next = 0
    return answers.map((answer) => answer ?? asked[next++])
  },
  pinned: () => answering(rpc.pinned(), known),
  fastest: () => answering(rpc.fastest(), known),
})

/** The answer to a call, if the new blocks contain it. */
function answerOf({ after, last, logs }: NewBlocks, { method, params: [asked] }: Call): unknown {
  if (method === 'eth_getLogs') {
    const filter = asked as LogFilter & { readonly fromBlock: string; readonly toBlock: string }
    const isAll = Number(filter.fromBlock) === after.number + 1 && Number(filter.toBlock) === last.number
    if (!isAll) return undefined
    return logs.filter((log) => isWanted(log, filter)).map(answered)
  }
  if (method !== 'eth_getBlockByNumber') return undefined
  const number = Number(asked)
  if (number === after.number) return after
  if (number !== last.number) return undefined
  return { parentHash: number - 1 === after.number ? after.hash : '', ...last }
}
