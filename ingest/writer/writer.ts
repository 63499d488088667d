import { minuteOfBlock } from '../../market/calendar.ts'
import type { Block } from '../../market/segment.ts'
import { StaleReadError } from '../../store/items/tokens.ts'
import { MissingStateError } from '../../store/log/applied-read.ts'
import { headOf } from '../client/headers.ts'
import type { Range } from '../read/range.ts'
import { chainUpTo } from './canonical-chain.ts'
import { appendRewind } from './commit.ts'
import type { Pending } from './pending.ts'
import type { Progress } from './progress.ts'
import { openPushedFeed, type PushedFeed } from './pushed-feed.ts'
import { openRecheck, type Recheck } from './recheck.ts'
import { sealAll } from './sealing.ts'
import type { WriterDeps } from './writer-deps.ts'
import { Writer } from './writer-state.ts'

export type { Progress } from './progress.ts'
export type { WriterDeps } from './writer-deps.ts'

/** A writer with its publication of pushed blocks and its rechecks. */
type Parts = { readonly writer: Writer; readonly pushed: PushedFeed; readonly recheck: Recheck }

/**
 * Follows the chain: reads blocks, publishes their swaps to the live feed, seals minutes into the log and materializes them;
 * rolls back what a reorg orphaned. Yields what happened; the caller waits after 'idle'. Ends by throwing an IngestError.
 */
export async function* followChain(deps: WriterDeps): AsyncGenerator<Progress> {
  const writer = await Writer.open(deps)
  const parts = { writer, pushed: openPushedFeed(writer), recheck: openRecheck(writer) }
  try {
    const head = await headOf(deps.rpc)
    if (await isTailOrphaned(writer, head)) yield* rewind(writer, head)
    for (;;) {
      try {
        yield* goOn(parts)
      } catch (error) {
        if (!(await isBehind(writer, error))) throw error
        await writer.reopen()
        yield { is: 'lost' }
      }
    }
  } finally {
    // When the caller ends this generator, background work is awaited first.
    await deps.ranges.drop()
    await writer.finish()
  }
}

/** Whether an error is due to another writer, which has sealed and is materializing the minutes just read here. */
async function isBehind({ deps, tail }: Writer, error: unknown): Promise<boolean> {
  if (error instanceof StaleReadError) return true
  return error instanceof MissingStateError && (await deps.log.tail())?.n !== tail?.n
}

/** On a chain of five blocks a second, three wide ranges. */
const FAR_SECONDS = 6_000

/** What a round has seen of the chain. */
type Seen = {
  readonly head: Block
  /** Blocks after the last one that was read; undefined: there are none, or no more may wait. */
  readonly range: Range | 'reorged' | undefined
  readonly isFar: boolean
  readonly canRead: boolean
}

/**
 * One round, as the table of SPEC.md has it: new blocks go to the feed, blocks deep enough to the log. Far from the head
 * rounds overlap: while one commits, the next ranges are read, and earlier commits are published and materialized.
 */
async function* goOn({ writer, pushed, recheck }: Parts): AsyncGenerator<Progress> {
  yield* writer.takeDone()
  if (writer.isLost) {
    await writer.reopen()
    return yield { is: 'lost' }
  }
  const isPollDue = writer.deps.head.idleMs() === 0
  if (pushed.hasAdded() && writer.head && !isPollDue)
    return yield await publishPushed(writer, pushed, writer.head)
  await pushed.drop()
  const seen = await look(writer)
  const { head, range, isFar } = seen
  if (range === 'reorged' || isAnotherChain(writer, head, range)) return yield* rewind(writer, head)
  if (range) yield await takeRange({ writer, pushed }, range, seen)
  const didSeal = yield* sealAll(writer, head)
  if (!isFar) await writer.finish()
  yield* writer.takeDone()
  if (range || didSeal || writer.isLost || (yield* recheck(head))) return
  if (isPollDue) await pushed.confirm()
  await publishSealed(writer, head)
  yield (await refreshViews(writer)) ?? (await awaitPushes({ writer, pushed }, seen))
}

/** The head, and the blocks up to it that may be read. */
async function look(writer: Writer): Promise<Seen> {
  const { deps } = writer
  const last = writer.pending.last()
  const canRead = !isFull(writer)
  const isFar = canRead && isFarBehind(last, writer.head, deps.farSeconds ?? FAR_SECONDS)
  const head = (isFar && writer.head) || (await deps.head.read(last))
  writer.sawHead(head)
  const range =
    canRead && (!last || head.number > last.number)
      ? await deps.ranges.read(last ?? deps.start, head.number) // L5
      : undefined
  return { head, range, isFar, canRead }
}

const isAnotherChain = (writer: Writer, head: Block, range: Range | undefined): boolean =>
  range ? isResumed(writer, range) : isFork(writer, head)

/** Gives a range to the pending minutes and the feed. */
async function takeRange(
  { writer, pushed }: Pick<Parts, 'writer' | 'pushed'>,
  range: Range,
  { head, isFar }: Seen,
): Promise<Progress> {
  await writer.take(range)
  await pushed.confirm()
  await writer.publish(range.last, head)
  // Sealed blocks have been published before, unless the chain was reorganised meanwhile; then they stay unverified
  // in the feed.
  if (!isFar) await writer.finish()
  return { is: 'read', last: range.last, head }
}

async function refreshViews({ deps, tail }: Writer): Promise<Progress | undefined> {
  const viewed = tail && (await deps.holders.refresh(tail))
  return viewed ? { is: 'viewed', ...viewed } : undefined
}

async function awaitPushes(
  { writer, pushed }: Pick<Parts, 'writer' | 'pushed'>,
  { head, isFar, canRead }: Seen,
): Promise<Progress> {
  return isFar || !canRead ? { is: 'idle', head } : publishPushed(writer, pushed, head)
}

/** Publishes the blocks pushed since the last poll, before the next one reads them. */
async function publishPushed(writer: Writer, pushed: PushedFeed, head: Block): Promise<Progress> {
  const last = await pushed.add()
  if (!last) return { is: 'idle', head }
  await writer.publish(last, head)
  await writer.finish()
  return { is: 'pushed', last }
}

/** After a reorg, the head that is known may be of another fork: later by its time, but not by its number. */
const isFarBehind = (last: Block | null, head: Block | undefined, farSeconds: number): boolean =>
  last !== null &&
  head !== undefined &&
  head.number > last.number &&
  head.timestamp - last.timestamp > farSeconds

/**
 * Reconciles the feed with sealed minutes, even while the chain does not advance: a writer that died may have published
 * less of them.
 */
async function publishSealed(writer: Writer, head: Block): Promise<void> {
  const { pending, feed } = writer
  const last = pending.last()
  if (!last || !feed.isUnverifiedBefore(pending.firstBlock())) return
  await writer.finish()
  await writer.publish(last, head)
  await writer.finish()
}

/** Minutes that may accumulate behind a gap: two hours of the live feed. */
const PENDING_MAX = 120

const isFull = ({ gap, pending }: Writer): boolean => gap.isOpen() && pending.minutes().length > PENDING_MAX

/** The head has a height that we have read, but another hash. A head below what we have read means a lagging endpoint: wait. */
function isFork({ pending }: Writer, head: Block): boolean {
  const known = blocksOf(pending).find((block) => block.number === head.number)
  return known !== undefined && known.hash !== head.hash
}

/** The sealed minute continues: its last block is still canonical, and now another block of the same minute follows it. */
function isResumed({ tail, pending }: Writer, { blocks }: Range): boolean {
  const [first] = blocks
  if (!first || pending.minutes().length > 0) return false
  return minuteOfBlock(first.block) <= (tail?.minute ?? -1)
}

/** The blocks of the pending minutes, oldest first. */
const blocksOf = (pending: Pending): readonly Block[] =>
  pending.minutes().flatMap(({ blocks }) => blocks.map(({ block }) => block))

/** Here, too, a head below the tail state means a lagging endpoint. */
async function isTailOrphaned({ deps, pending }: Writer, head: Block): Promise<boolean> {
  const last = pending.last()
  if (last === null || head.number < last.number) return false
  return !(await chainUpTo(deps.rpc, head).isCanonical(last))
}

/** Rolls back to the newest block that is still canonical: in memory if it is there, else through the log. */
async function* rewind(writer: Writer, head: Block): AsyncGenerator<Progress> {
  await writer.finish()
  if (writer.isLost) return
  const { deps, pending, tail } = writer
  const { isCanonical, isEndOfMinute } = chainUpTo(deps.rpc, head)
  const ancestor = await newest(blocksOf(pending), isCanonical)
  if (ancestor) await pending.dropAbove(ancestor.number)
  else yield* writer.settleRewind(tail && (await appendRewind(deps.log, tail, isEndOfMinute)))
  yield await writer.retract('reorg')
}

async function newest(
  blocks: readonly Block[],
  isCanonical: (block: Block) => Promise<boolean>,
): Promise<Block | undefined> {
  for (const block of blocks.toReversed()) if (await isCanonical(block)) return block
  return undefined
}
