import type { Block } from '../market/segment.ts'
import { StaleReadError } from '../store/tokens.ts'
import { append, appendRewind, project } from './commit.ts'
import { findMissing, isRescanDue, rescanNewest } from './correction.ts'
import { BlockNotYetAvailableError, MissingTransferError } from './faults.ts'
import { minuteOf, type Pending, type PendingMinute } from './pending.ts'
import { type Range, readHeader } from './range.ts'
import { seenChain } from './seen-chain.ts'
import {
  isCanonicalIn,
  isEndOfMinuteIn,
  openWriter,
  type Progress,
  reopen,
  retract,
  settleRewind,
  type Writer,
  type WriterRooms,
} from './writer-state.ts'

export type { Progress, WriterRooms } from './writer-state.ts'

/**
 * Follows the chain: reads blocks, publishes their swaps to the live feed, seals minutes into the log and projects them;
 * takes back what a reorg orphaned. Yields what happened; the caller waits after 'idle'. Ends by throwing an IngestError.
 */
export async function* follow(rooms: WriterRooms): AsyncGenerator<Progress> {
  const writer = await openWriter(rooms)
  if (!(await isCheckpointCanonical(writer))) yield* rewind(writer)
  for (;;) {
    try {
      yield* goOn(writer)
    } catch (error) {
      // Another writer has sealed, and projected, what was just read here.
      if (!(error instanceof StaleReadError)) throw error
      await reopen(writer)
      yield { is: 'lost' }
    }
  }
}

/** One round: what is new on the chain goes to the feed, and what is deep enough to the log. */
async function* goOn(writer: Writer): AsyncGenerator<Progress> {
  const { rooms } = writer
  const last = writer.pending.last()
  const head = await (rooms.head ? rooms.head.read(last) : headOf(rooms))
  const hasNews = !last || head.number > last.number
  const range = hasNews ? await readNext(writer, last, head) : undefined
  if (range instanceof MissingTransferError) return yield* findMissing(writer, range, head)
  if (range === 'reorged' || (range ? isResumed(writer, range) : isFork(writer, head))) {
    return yield* rewind(writer)
  }
  if (range) {
    await writer.pending.add(range.blocks)
    // What is sealed has been told before, unless the chain went elsewhere meanwhile: then it stays in doubt.
    await writer.feed.bring(seenChain(writer, range.last, head))
    yield { is: 'read', last: range.last, head }
  }
  const didSeal = yield* sealAll(writer, head)
  if (isRescanDue(writer, head)) yield* rescanNewest(writer, head)
  if (range || didSeal) return
  const viewed = writer.tail && (await rooms.holders?.refresh(writer.tail))
  if (viewed) yield { is: 'viewed', ...viewed }
  else yield { is: 'idle', head }
}

/** The next range; what it shows to be missing is a result, not a failure. */
async function readNext(
  { rooms }: Writer,
  last: Block | null,
  head: Block,
): Promise<Range | 'reorged' | MissingTransferError> {
  try {
    return await rooms.ranges.read(last ?? rooms.start, head.number)
  } catch (error) {
    if (error instanceof MissingTransferError) return error
    throw error
  }
}

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

/** The sealed minute goes on: its last block is still the chain's, and another block of the minute comes after it now. */
function isResumed({ tail, pending }: Writer, { blocks }: Range): boolean {
  const [first] = blocks
  if (!first || pending.minutes().length > 0) return false
  return minuteOf(first.block) <= (tail?.minute ?? -1)
}

/** Every block that is remembered: the pending ones and the checkpoint, oldest first. */
const blocksOf = (pending: Pending): readonly Block[] =>
  pending.minutes().flatMap(({ blocks }) => blocks.map(({ block }) => block))

async function isCheckpointCanonical({ rooms, pending }: Writer): Promise<boolean> {
  const last = pending.last()
  return last === null || isCanonicalIn(rooms)(last)
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
    rooms.holders?.note(first.segment)
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
  if (ancestor) await pending.dropAbove(ancestor.number)
  else yield* settleRewind(writer, tail && (await appendRewind(rooms.log, tail, isEndOfMinuteIn(rooms))))
  yield await retract(writer, 'reorg')
}

async function newest(
  blocks: readonly Block[],
  isCanonical: (block: Block) => Promise<boolean>,
): Promise<Block | undefined> {
  for (const block of blocks.toReversed()) if (await isCanonical(block)) return block
  return undefined
}
