/** Where the log of minutes begins: chosen once, when it is empty. */
import { HOUR_SECONDS } from '../../market/calendar.ts'
import type { Block, Hash } from '../../market/segment.ts'
import type { LogStore } from '../../store/log/log.ts'
import { firstBlockSince } from '../client/block-search.ts'
import type { Chain } from '../client/chains.ts'
import { endpointsOf } from '../client/endpoints.ts'
import {
  BlockNotYetAvailableError,
  HistoryUnavailableError,
  IngestError,
  kindOf,
  orFault,
  StateUnavailableError,
} from '../client/faults.ts'
import { headOf, quantity, readHeader } from '../client/headers.ts'
import type { Rpc } from '../client/rpc.ts'

/** The requested history: seconds before the head, from a block on, or everything. */
export type HistoryWanted =
  | { readonly is: 'ago'; readonly seconds: number }
  | { readonly is: 'block'; readonly block: number }
  | { readonly is: 'all' }

/** The text is not a valid start. */
const MalformedStartError = kindOf(
  'MalformedStartError',
  (text: string) =>
    `${JSON.stringify(text)} is no start: give hours or days (24h, 7d, 30d), a block number, or all`,
  false,
)

const unitSeconds = { h: HOUR_SECONDS, d: 24 * HOUR_SECONDS } as const

/** Reads `24h`, `7d`, a block number, or `all` (also 0 and nothing). Throws MalformedStartError. */
export function sinceFrom(text: string): HistoryWanted {
  if (text === '' || text === 'all' || text === '0') return { is: 'all' }
  const [, count, unit] = /^([1-9]\d{0,8})([hd]?)$/.exec(text) ?? []
  if (!count) throw new MalformedStartError(text)
  if (unit !== 'h' && unit !== 'd') return { is: 'block', block: Number(count) }
  return { is: 'ago', seconds: Number(count) * unitSeconds[unit] }
}

type Source = { readonly rpc: Rpc; readonly chain: Chain; readonly log: LogStore }

/** The log could not begin at `wanted`, because no endpoint serves the logs, or the state of old tokens, at that time. */
export type MovedStart = { readonly wanted: number; readonly block: number }

/**
 * The block before the log's first one; null: the log has all blocks. An existing log keeps its start. Calls `onMoved`
 * if it must begin later than wanted. Throws IngestError.
 */
export async function logStart(
  source: Source,
  since: HistoryWanted,
  onMoved: (moved: MovedStart) => void,
): Promise<Block | null> {
  const begun = await begunAt(source.log)
  if (begun !== undefined) return blockBefore(source.rpc, begun)
  const wanted = await firstBlockOf(source, since)
  const block = await visibleFrom(source, Math.max(wanted, source.chain.creationsFrom))
  if (block > Math.max(wanted, source.chain.creationsFrom)) onMoved({ wanted, block })
  return blockBefore(source.rpc, block)
}

async function begunAt(log: LogStore): Promise<number | undefined> {
  for await (const entry of log.entriesAfter(0)) if (entry.is === 'sealed') return entry.firstBlock
  return undefined
}

/** The block before a log that begins with this block; null: it is the chain's first one. */
export async function blockBefore(rpc: Rpc, block: number): Promise<Block | null> {
  if (block === 0) return null
  const header = await readHeader(rpc, block - 1)
  if (!header) throw new BlockNotYetAvailableError(block - 1)
  const { number, hash, timestamp } = header
  return { number, hash, timestamp }
}

/** Rounded down to the UTC hour, so that hourly figures are complete from the start. */
async function firstBlockOf({ rpc, chain }: Source, since: HistoryWanted): Promise<number> {
  if (since.is === 'all') return chain.creationsFrom
  if (since.is === 'block') return since.block
  const head = await headOf(rpc)
  const from = Math.floor((head.timestamp - since.seconds) / HOUR_SECONDS) * HOUR_SECONDS
  return firstBlockSince({ rpc, chain }, from, { from: chain.creationsFrom, head })
}

/** Any view function would do: owner(). */
const OWNER = '0x8da5cb5b'
/** A topic that no log has. */
const NO_TOPIC: Hash = `0x${'0'.repeat(64)}`

/**
 * The first block from `wanted` on whose logs some endpoint serves, with the state before it, which older tokens need. An
 * endpoint without an archive keeps them only for a while: of what it has, the newer half is used.
 */
async function visibleFrom({ rpc, chain }: Source, wanted: number): Promise<number> {
  const isVisible = async (block: number): Promise<boolean> => {
    const filter = { address: [chain.factory], topics: [[NO_TOPIC]] }
    const span = { fromBlock: quantity(block), toBlock: quantity(block) }
    if (!(await isServed(rpc, ['eth_getLogs', [{ ...filter, ...span }]]))) return false
    // There are no tokens older than a log of everything.
    const call = { to: chain.poolManager, data: OWNER }
    return block <= chain.creationsFrom || isServed(rpc, ['eth_call', [call, quantity(block - 1)]])
  }
  if (await isVisible(wanted)) return wanted
  const { number: head } = await headOf(rpc)
  if (!(await isVisible(head))) throw new StateUnavailableError('every endpoint', head - 1)
  const oldest = await firstWhere(wanted, head, isVisible)
  return oldest + Math.floor((head - oldest) / 2)
}

/** Whether some endpoint answers a call. False if those that can be reached do not serve blocks that old; throws the last fault if none can be reached. */
async function isServed(rpc: Rpc, call: Parameters<Rpc['request']>): Promise<boolean> {
  let fault: IngestError | undefined
  let isTooOld = false
  for (const one of endpointsOf(rpc)) {
    const answer = await one.request(...call).catch(orFault)
    if (!(answer instanceof IngestError)) return true
    if (answer instanceof HistoryUnavailableError || answer instanceof StateUnavailableError) isTooOld = true
    else fault = answer
  }
  if (!isTooOld && fault) throw fault
  return false
}

/** Binary search for the first number in `from`…`to` that satisfies a monotonic condition; `to` does. */
async function firstWhere(
  from: number,
  to: number,
  isTrue: (block: number) => Promise<boolean>,
): Promise<number> {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (await isTrue(middle)) high = middle
    else low = middle + 1
  }
  return high
}
