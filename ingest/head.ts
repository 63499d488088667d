/**
 * The head of the chain. If block times are fixed, each block is requested when it is due, by one eth_getLogs from the last
 * block on for every event of any query: the answer shows new blocks, has their logs, and shows whether the last block is
 * still canonical. The filter is wide: it also returns swaps of other pools, some hundred logs per block of Base, which
 * are dropped here.
 */
import type { Block } from '../market/segment.ts'
import type { Chain } from './chains.ts'
import { openNewestBlock } from './endpoints.ts'
import { AddressRequiredError, BlockNotYetAvailableError, BlockRangeTooLargeError } from './faults.ts'
import { quantity } from './headers.ts'
import { isWanted, type Log, type LogFilter, logsFrom } from './logs.ts'
import { headQuery } from './queries.ts'
import type { Call, Rpc } from './rpc.ts'
import { guessedSeconds } from './schedule.ts'

export type Head = {
  /** The newest known block, if `after` was read last; `after` itself if it is not time to ask. Throws IngestError. */
  read(after: Block | null): Promise<Block>
  /** For reading ranges: logs that `read` received with the newest blocks are answered from memory. */
  readonly rpc: Rpc
  /** Milliseconds until it is worth asking again. */
  idleMs(): number
}

/** Farther behind the head than so many blocks, by the clock, the head's header is requested. */
const NEAR_BLOCKS = 30
/** Requests for one block that is late, and the pause between them. */
const LOOKS_MAX = 4
const LOOK_AGAIN_MS = 100
/** After this many blocks in a row without a log, the head's header is requested. */
const QUIET_BLOCKS = 15
/** If this share of the last blocks had logs, an answer without logs means that the block does not exist yet. */
const BUSY_SHARE = 0.9
const SHARE_MEMORY = 0.05
/** Pause before the next request if block times are not fixed. */
const IDLE_MS = 200
/** Longest pause, should the machine's clock change. */
const IDLE_MAX_MS = 5_000

/** Faults of endpoints that lack new blocks, or refuse so wide a filter. */
const faultsOfNewBlocks = [BlockNotYetAvailableError, BlockRangeTooLargeError, AddressRequiredError]

export function openHead(rpc: Rpc, chain: Chain): Head {
  const timestampOf = guessedSeconds(chain.schedule)
  const newestBlock = openNewestBlock(rpc)
  let beat: Beat | undefined
  let newBlocks: NewBlocks | undefined
  let [looks, lookedFor, quiet, busy, askAt] = [0, 0, 0, 1, 0]

  const fromAfar = async (): Promise<Block> => {
    const header = await newestBlock()
    if (timestampOf) beat = openBeat((block) => timestampOf(block) * 1_000, header.number)
    askAt = beat ? beat.visibleAt(header.number) : Date.now() + IDLE_MS
    return header
  }
  const nothingNew = (at: Beat, due: number): void => {
    looks += 1
    if (looks === 1) quiet += 1
    if (looks === 1) busy *= 1 - SHARE_MEMORY
    lookedFor = due
    const isLate = busy >= BUSY_SHARE && looks < LOOKS_MAX
    askAt = isLate ? Date.now() + LOOK_AGAIN_MS : at.visibleAt(due)
    looks = isLate ? looks : 0
  }
  const nearby = async (after: Block, timeOf: (block: number) => number, at: Beat): Promise<Block> => {
    const due = at.due()
    // Requested before the logs, so that no logs means that there are none up to it.
    const asked = quiet >= QUIET_BLOCKS ? await newestBlock() : undefined
    const found = await lookAfter({ rpc, chain, timeOf }, after, asked)
    // A fork shows as another hash at the same height.
    if (found === 'reorged') return { ...after, hash: '0x' }
    if (!found) {
      nothingNew(at, due)
      return after
    }
    newBlocks = found
    const first = found.logs.reduce((least, log) => Math.min(least, log.blockNumber), found.last.number)
    // An earlier request did not find it.
    if (first <= lookedFor) at.missed()
    at.seen(found.last.number, first > lookedFor && found.last.number >= due)
    lookedFor = found.last.number
    if (found.logs.length > 0) busy += (1 - busy) * SHARE_MEMORY
    looks = quiet = 0
    askAt = at.visibleAt(Math.max(found.last.number, due))
    return found.last
  }

  return {
    idleMs: () => Math.min(Math.max(0, askAt - Date.now()), IDLE_MAX_MS),
    rpc: answering(rpc, (call) => newBlocks && answerOf(newBlocks, call, timestampOf)),
    async read(after) {
      newBlocks = undefined
      // Far before it: the machine's clock was set back.
      const isNear = after && beat && Math.abs(beat.due() - after.number) <= NEAR_BLOCKS
      if (!isNear || !timestampOf || !beat || !rpc.endpoint.takesTopicsAlone) return fromAfar()
      if (Date.now() < askAt) return after
      try {
        return await nearby(after, timestampOf, beat)
      } catch (fault) {
        if (!faultsOfNewBlocks.some((kind) => fault instanceof kind)) throw fault
        return fromAfar()
      }
    },
  }
}

/** When the next block becomes visible: estimated by asking ever earlier, and a little later after each request that was too early. Times are Unix ms. */
type Beat = {
  /** The newest block that should be visible by now. */
  due(): number
  /** When the block after this one should be. */
  visibleAt(blockNumber: number): number
  /** A block is visible now. `isFirstLook`: on the first request for it. */
  seen(blockNumber: number, isFirstLook: boolean): void
  /** A block that was due was not visible. */
  missed(): void
}

/** One request in twenty is too early when steps down and up are balanced. */
const EARLIER_MS = 8
const LATER_MS = 152
/** The step until the first request that is too early. */
const SEARCH_MS = 100

/** `visible`: a block that is visible now. */
function openBeat(timeOf: (blockNumber: number) => number, visible: number): Beat {
  const beatMs = timeOf(visible + 1) - timeOf(visible)
  let delay = Date.now() - timeOf(visible)
  let step = SEARCH_MS
  return {
    due: () => visible + Math.floor((Date.now() - delay - timeOf(visible)) / beatMs),
    visibleAt: (blockNumber) => timeOf(blockNumber + 1) + delay,
    seen(blockNumber, isFirstLook) {
      delay = Math.min(delay - (isFirstLook ? step : 0), Date.now() - timeOf(blockNumber))
    },
    missed() {
      step = EARLIER_MS
      delay += LATER_MS
    },
  }
}

/** New blocks and their logs. */
type NewBlocks = { readonly after: Block; readonly last: Block; readonly logs: readonly Log[] }

/**
 * What is new after `after`. `head`: the newest block, if it was requested before; logs are then requested up to it, so
 * that no logs means that there are none. undefined: nothing is known to be new. 'reorged': `after` is another block now.
 */
async function lookAfter(
  {
    rpc,
    chain,
    timeOf,
  }: { readonly rpc: Rpc; readonly chain: Chain; readonly timeOf: (block: number) => number },
  after: Block,
  head?: Block,
): Promise<NewBlocks | 'reorged' | undefined> {
  const toBlock = head ? quantity(head.number) : 'latest'
  const asked = { ...headQuery(chain), fromBlock: quantity(after.number), toBlock }
  const span = { from: after.number, to: head?.number ?? Number.MAX_SAFE_INTEGER }
  const logs = logsFrom(await rpc.request('eth_getLogs', [asked]), span)
  const fresh = logs.filter(({ blockNumber }) => blockNumber > after.number)
  if (logs.some((log) => log.blockNumber === after.number && log.blockHash !== after.hash)) return 'reorged'
  if (head) return head.number > after.number ? { after, last: head, logs: fresh } : undefined
  const number = fresh.reduce((most, { blockNumber }) => Math.max(most, blockNumber), 0)
  const hash = fresh.find(({ blockNumber }) => blockNumber === number)?.blockHash
  return hash && { after, last: { number, hash, timestamp: timeOf(number) }, logs: fresh }
}

/** The same, with answers known already; the next endpoint is asked itself. */
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
function answerOf(
  { after, last, logs }: NewBlocks,
  { method, params: [asked] }: Call,
  timeOf: ((block: number) => number) | null,
): unknown {
  if (method === 'eth_getLogs') {
    const filter = asked as LogFilter & { readonly fromBlock: string; readonly toBlock: string }
    const isAll = Number(filter.fromBlock) === after.number + 1 && Number(filter.toBlock) === last.number
    return isAll ? logs.filter((log) => isWanted(log, filter)) : undefined
  }
  if (method !== 'eth_getBlockByNumber') return undefined
  const number = Number(asked)
  const found = logs.find(({ blockNumber }) => blockNumber === number)
  const hash = [after, last].find((block) => block.number === number)?.hash ?? found?.blockHash
  if (!hash) return undefined
  const before = number - 1 === after.number ? after.hash : ''
  return { number, hash, parentHash: before, timestamp: timeOf?.(number) }
}
