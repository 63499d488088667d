import { fixedRate, unrated } from '../market/references.ts'
import type { Block, LogEntry, References, Swap } from '../market/segment.ts'
import type { Feed } from '../store/feed.ts'
import type { LogStore } from '../store/log.ts'
import type { TokenStore } from '../store/tokens.ts'
import type { Chain } from './chains.ts'
import { append, appendRewind, catchUp, effectiveBackwards, project } from './commit.ts'
import { BlockNotYetAvailableError } from './faults.ts'
import { type FeedWriter, openFeedWriter } from './feed-writer.ts'
import { openPending, type Pending, type PendingMinute } from './pending.ts'
import { type RangeReader, readHeader } from './range.ts'
import type { Registry } from './registry.ts'
import type { Rpc } from './rpc.ts'

/** Swaps older than this (seconds behind the head) do not enter the live feed. */
const FEED_REACH_SECONDS = 25 * 3_600

/** Everything the writer reads from and writes to. */
export type WriterRooms = {
  readonly rpc: Rpc
  readonly chain: Chain
  readonly registry: Registry
  readonly ranges: RangeReader
  readonly log: LogStore
  readonly tokens: TokenStore
  readonly feed: Feed
  /** The block before the first one to read when the log is empty; null: the whole chain. */
  readonly start: Block | null
}

/** What a step of the writer came to. */
export type Progress =
  | { readonly is: 'read'; readonly last: Block; readonly head: Block }
  | { readonly is: 'sealed'; readonly entry: LogEntry; readonly head: Block }
  | { readonly is: 'rewound'; readonly entry: LogEntry }
  | { readonly is: 'retracted'; readonly ancestor: Block | null }
  /** Another writer took the entry; the log has been read again. */
  | { readonly is: 'lost' }
  /** Nothing to do until the chain grows. */
  | { readonly is: 'idle'; readonly head: Block }

/** The writer between two steps. */
type Writer = {
  readonly rooms: WriterRooms
  readonly feed: FeedWriter
  tail: LogEntry | undefined
  pending: Pending
}

/**
 * Follows the chain: reads blocks, publishes their swaps to the live feed, seals minutes into the log and projects them;
 * takes back what a reorg orphaned. Yields what happened; the caller waits after 'idle'. Ends by throwing an IngestError.
 */
export async function* follow(rooms: WriterRooms): AsyncGenerator<Progress> {
  const writer = await openWriter(rooms)
  if (!(await isCheckpointCanonical(writer))) yield* rewind(writer)
  for (;;) {
    const head = await headOf(rooms)
    const last = writer.pending.last()
    const hasNews = !last || head.number > last.number
    const range = hasNews ? await rooms.ranges.read(last ?? rooms.start, head.number) : undefined
    if (range === 'reorged' || (!hasNews && isFork(writer, head))) {
      yield* rewind(writer)
      continue
    }
    if (range) {
      await publish(writer, await writer.pending.add(range.blocks), head)
      yield { is: 'read', last: range.last, head }
    }
    const didSeal = yield* sealAll(writer, head)
    if (!range && !didSeal) yield { is: 'idle', head }
  }
}

async function openWriter(rooms: WriterRooms): Promise<Writer> {
  await catchUp(rooms.log)
  const tail = await rooms.log.tail()
  const pending = openPending(rooms.tokens, await checkpointAt(rooms, tail), (rooms.start?.number ?? -1) + 1)
  return { rooms, feed: await openFeedWriter(rooms.feed), tail, pending }
}

/** Reads the log again: after losing an entry and after a rewind, nothing in memory is taken for true. */
async function reopen(writer: Writer): Promise<void> {
  const { rooms } = writer
  await catchUp(rooms.log)
  writer.tail = await rooms.log.tail()
  writer.pending = openPending(
    rooms.tokens,
    await checkpointAt(rooms, writer.tail),
    (rooms.start?.number ?? -1) + 1,
  )
}

async function checkpointAt(rooms: WriterRooms, tail: LogEntry | undefined) {
  const uncounted = new Set([rooms.chain.poolManager, ...(await rooms.tokens.hooks())])
  const last = tail?.last ?? rooms.start
  if (!tail?.last) return { last, references: unratedReferences(rooms.chain), uncounted }
  for await (const sealed of effectiveBackwards(rooms.log, tail.n + 1)) {
    const { references } = await rooms.log.readSegment(sealed.segment)
    return { last, references, uncounted }
  }
  return { last, references: unratedReferences(rooms.chain), uncounted }
}

const unratedReferences = (chain: Chain): References =>
  new Map(
    chain.references.map(({ address, decimals, source }) => [
      address,
      source.is === 'fixed' ? fixedRate(source.usdE36, decimals) : unrated(decimals),
    ]),
  )

async function headOf({ rpc }: WriterRooms): Promise<Block> {
  const head = await readHeader(rpc, 'latest')
  if (!head) throw new BlockNotYetAvailableError()
  return head
}

/** A head at a height we have read, with another hash. A head below what we have read is an endpoint that lags: we wait. */
function isFork({ pending }: Writer, head: Block): boolean {
  const known = blocksOf(pending).find((block) => block.number === head.number)
  return known !== undefined && known.hash !== head.hash
}

/** Every block that is remembered: the pending ones and the checkpoint, oldest first. */
const blocksOf = (pending: Pending): readonly Block[] =>
  pending.minutes().flatMap(({ blocks }) => blocks.map(({ block }) => block))

/** Does the chain have this very block? */
function isCanonicalIn({ rpc }: WriterRooms) {
  return async (block: Block): Promise<boolean> => (await readHeader(rpc, block.number))?.hash === block.hash
}

async function isCheckpointCanonical({ rooms, pending }: Writer): Promise<boolean> {
  const last = pending.last()
  return last === null || isCanonicalIn(rooms)(last)
}

/** A block goes to the feed before its minute can be sealed, so what the log has, the feed has had. */
async function publish({ feed }: Writer, changed: readonly PendingMinute[], head: Block): Promise<void> {
  for (const { segment } of changed) {
    for (const [block, swaps] of byBlock(segment.swaps)) {
      if (block.timestamp > head.timestamp - FEED_REACH_SECONDS) await feed.publish(block, swaps)
    }
  }
}

function byBlock(swaps: readonly Swap[]): Map<Block, Swap[]> {
  const groups = new Map<number, [Block, Swap[]]>()
  for (const swap of swaps) {
    const { blockNumber: number, blockHash: hash, timestamp } = swap
    const group = groups.get(number)
    if (group) group[1].push(swap)
    else groups.set(number, [{ number, hash, timestamp }, [swap]])
  }
  return new Map(groups.values())
}

/** Seals every minute that is over and deep enough; true when one was. */
async function* sealAll(writer: Writer, head: Block): AsyncGenerator<Progress, boolean> {
  const { rooms } = writer
  let didSeal = false
  for (;;) {
    const first = writer.pending.minutes()[0]
    if (!first || !isSealable(first, writer, head)) return didSeal
    const entry = await append(rooms.log, writer.tail, first.segment)
    didSeal = true
    if (entry === 'lost') {
      await reopen(writer)
      yield { is: 'lost' }
      return didSeal
    }
    await project(rooms.log, entry, first.segment)
    writer.tail = entry
    writer.pending.settleFirst()
    rooms.registry.settle(first.last.number)
    yield { is: 'sealed', entry, head }
  }
}

function isSealable(first: PendingMinute, { rooms, pending }: Writer, head: Block): boolean {
  const isOver = pending.minutes().length > 1
  return isOver && head.number - first.last.number >= rooms.chain.sealingDepth
}

/** Goes back to the newest block that both we and the chain have: in memory if it is there, else through the log. */
async function* rewind(writer: Writer): AsyncGenerator<Progress> {
  const { rooms, pending, tail } = writer
  const isCanonical = isCanonicalIn(rooms)
  const ancestor = await newest(blocksOf(pending), isCanonical)
  if (ancestor) {
    await pending.dropAbove(ancestor.number)
  } else {
    const entry = tail && (await appendRewind(rooms.log, tail, isCanonical))
    if (entry && entry !== 'lost') await project(rooms.log, entry)
    await reopen(writer)
    if (entry === 'lost') yield { is: 'lost' }
    else if (entry) yield { is: 'rewound', entry }
  }
  const last = writer.pending.last()
  rooms.registry.forgetAfter(last?.number ?? -1)
  await writer.feed.retractAbove(last?.number ?? -1, isCanonical)
  yield { is: 'retracted', ancestor: last }
}

async function newest(
  blocks: readonly Block[],
  isCanonical: (block: Block) => Promise<boolean>,
): Promise<Block | undefined> {
  for (const block of blocks.toReversed()) if (await isCanonical(block)) return block
  return undefined
}
