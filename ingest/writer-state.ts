import type { BlockFacts } from '../market/fact.ts'
import type { Block, LogEntry } from '../market/segment.ts'
import type { StatusGap } from '../schemas/service.ts'
import type { Feed } from '../store/feed.ts'
import { effectiveBackwards, type LogStore } from '../store/log.ts'
import type { GapStore } from '../store/stored-status.ts'
import type { Reads } from '../store/table.ts'
import type { TokenStore } from '../store/tokens.ts'
import type { Chain } from './chains.ts'
import { checkpointBefore } from './checkpoint.ts'
import { appendRefold } from './commit.ts'
import { anySays } from './endpoints.ts'
import { BlockNotYetAvailableError, type IngestError } from './faults.ts'
import { type FeedWriter, openFeedWriter } from './feed-writer.ts'
import type { Head } from './head.ts'
import { readHeader } from './headers.ts'
import type { HolderViews } from './holder-views.ts'
import { catchUp, type Materializer, openMaterializer } from './materialize.ts'
import type { OldTokens } from './old-tokens.ts'
import { minuteOfBlock, openPending, type Pending } from './pending.ts'
import type { RangeReader } from './range.ts'
import type { SecondReading } from './read-ahead.ts'
import type { Registry } from './registry.ts'
import type { Rpc } from './rpc.ts'

/** Everything the writer reads from and writes to. */
export type WriterRooms = {
  readonly rpc: Rpc
  readonly chain: Chain
  readonly registry: Registry
  readonly ranges: RangeReader
  /** Where the head is; absent: the endpoint is asked for it each time. */
  readonly head?: Pick<Head, 'read'>
  readonly log: LogStore
  readonly tokens: TokenStore
  readonly feed: Feed
  /** The block before the first one to read when the log is empty; null: the whole chain. */
  readonly start: Block | null
  /** Farther from the head than so many blocks it is not asked where it is, and rounds overlap. @default 3_000 */
  readonly farBlocks?: number
  /** Tokens older than that; absent: there are none. The registry has to know the same. */
  readonly oldTokens?: OldTokens
  /** What minutes are verified with before they are sealed; absent: what an endpoint says is sealed. */
  readonly verification?: VerificationRooms
  /** What is said of holders; absent: nothing is. */
  readonly holders?: HolderViews
}

/** `retryMs`: the first pause before a gap is looked at again; `quietMs`: how long a single endpoint must go on saying that nothing happened, where much usually does. */
export type VerificationRooms = {
  readonly table: Reads
  readonly gaps: GapStore
  readonly retryMs?: number
  readonly quietMs?: number
}

/** What a step of the writer came to. */
export type Progress =
  | { readonly is: 'read'; readonly last: Block; readonly head: Block }
  | { readonly is: 'sealed'; readonly entry: LogEntry; readonly head: Block }
  | { readonly is: 'rewound'; readonly entry: LogEntry }
  | { readonly is: 'retracted'; readonly ancestor: Block | null }
  /** Sealed minutes were counted again, or (`fault`) could not be. What lacked logs is then 'rewound'. */
  | { readonly is: 'recounted'; readonly to: Block; readonly fault: IngestError | null }
  /** Logs are missing that no endpoint gives: sealing stands still until one does. */
  | { readonly is: 'gap'; readonly gap: StatusGap }
  | { readonly is: 'gap closed' }
  /** The holders of so many tokens were looked at, or (`fault`) could not be. */
  | { readonly is: 'viewed'; readonly tokens: number; readonly fault: IngestError | null }
  /** Another writer took the entry; the log has been read again. */
  | { readonly is: 'lost' }
  /** Nothing to do until the chain grows. */
  | { readonly is: 'idle'; readonly head: Block }

/** The writer between two steps. */
export type Writer = {
  readonly rooms: WriterRooms
  readonly feed: FeedWriter
  /** Puts into the tables what is committed. */
  readonly materializer: Materializer
  tail: LogEntry | undefined
  pending: Pending
  /** The head when it was last asked for. */
  head?: Block
  /** What is told of in the feed, and what is committed, meanwhile; neither rejects. */
  feeding: Promise<Failed | undefined>
  committing: Promise<Failed | undefined> | undefined
  /** What was committed and is still to be told of. */
  readonly done: Progress[]
  /** Another writer took the entry that was to be committed. */
  isLost: boolean
  /** A second reading of the range that was read last, up to this block. */
  second?: { readonly after: Block | null; readonly to: number; readonly reading: SecondReading } | undefined
  /** Up to this block minutes are verified. */
  verifiedTo: number
  /** Where what is not verified was read. */
  readFrom: readonly { readonly from: number; readonly to: number; readonly endpoint: string }[]
  /** Facts that are proved, of blocks that are read again: a reading without them is incomplete. */
  known: readonly BlockFacts[]
  /** Facts and blocks of verified spans, the newest counting most. */
  activity: { readonly facts: number; readonly blocks: number }
  gap?: StatusGap & { readonly pauseMs: number; readonly retryAt: number }
  /** What is counted again, by the recount's name, and how often endpoints took their turn. */
  readonly recounts: Map<string, Recount>
  turns: number
  /** What rolled back minutes that older rules had folded, when the log was last read. */
  refold?: LogEntry | undefined
}

/** What something that went on by itself ended with. */
export type Failed = { readonly error: unknown }

/** A pass over sealed minutes. `dueAt`: chain time of the next one; `next`: the next block of the one under way. */
export type Recount = { readonly dueAt: number; readonly next?: number }

/** A writer at the end of the log, after materializing what nobody has. */
export async function openWriter(rooms: WriterRooms): Promise<Writer> {
  const { tail, pending, refold } = await openLogEnd(rooms)
  const feed = await openFeedWriter(rooms.feed)
  const gap = await rooms.verification?.gaps.read()
  const materializer = openMaterializer(rooms.log, (minutes) => {
    for (const { entry, segment } of minutes) {
      rooms.holders?.note(segment)
      writer.pending.materialized(entry.minute)
      rooms.registry.settle(entry.last.number)
    }
  })
  const writer: Writer = {
    ...{ feeding: Promise.resolve(undefined), committing: undefined, done: [], isLost: false },
    ...{
      rooms,
      feed,
      materializer,
      tail,
      pending,
      refold,
      verifiedTo: -1,
      readFrom: [],
      known: [],
      recounts: new Map(),
      turns: 0,
    },
    activity: await activityOf(rooms.log, tail),
    ...(gap ? { gap: { ...gap, pauseMs: 0, retryAt: 0 } } : {}),
  }
  return writer
}

/** Waits for all that was begun and not waited for. Throws what has failed. */
export async function finish(writer: Writer): Promise<void> {
  const failed = (await writer.committing) ?? (await writer.feeding)
  await writer.materializer.drain()
  if (failed) throw failed.error
}

/** Minutes at the end of the log that tell how much usually happens. */
const USUAL_MINUTES = 10

async function activityOf(log: LogStore, tail: LogEntry | undefined): Promise<Writer['activity']> {
  const activity = { facts: 0, blocks: 0 }
  let minutes = 0
  for await (const { firstBlock, last, segment } of effectiveBackwards(log, (tail?.n ?? 0) + 1)) {
    activity.facts += (await log.readSegment(segment)).facts
    activity.blocks += last.number - firstBlock + 1
    minutes += 1
    if (minutes === USUAL_MINUTES) break
  }
  return activity
}

/** Reads the log again: after losing an entry and after a rewind, nothing in memory is taken for true. */
export async function reopen(writer: Writer): Promise<void> {
  await finish(writer)
  await writer.rooms.ranges.drop?.()
  writer.second = undefined
  writer.rooms.holders?.doubt()
  writer.isLost = false
  writer.feed.doubtFrom(writer.pending.firstBlock())
  for await (const entry of writer.rooms.log.entriesAfter(writer.tail?.n ?? 0)) {
    if (entry.is === 'rewound') writer.feed.doubtFrom((entry.last?.number ?? -1) + 1)
  }
  Object.assign(writer, await openLogEnd(writer.rooms))
}

async function openLogEnd(rooms: WriterRooms): Promise<Pick<Writer, 'tail' | 'pending' | 'refold'>> {
  let tail = await catchUp(rooms.log)
  let refold: LogEntry | undefined
  // After an update of the rules: a minute that older ones folded is no ground to go on from.
  for (;;) {
    const entry = tail && (await appendRefold(rooms.log, tail))
    if (!entry) break
    if (entry !== 'lost') refold = entry
    tail = await catchUp(rooms.log)
  }
  const checkpoint = await checkpointBefore(rooms, (tail?.n ?? 0) + 1)
  const firstBlock = (rooms.start?.number ?? -1) + 1
  return { tail, refold, pending: openPending(rooms.tokens, checkpoint, firstBlock, rooms.oldTokens) }
}

/** After a rewind was appended (undefined: there was nothing to roll back): materializes it, and goes on from the log as it then is. */
export async function* settleRewind(
  writer: Writer,
  entry: LogEntry | 'lost' | undefined,
): AsyncGenerator<Progress> {
  await reopen(writer)
  if (entry === 'lost') yield { is: 'lost' }
  else if (entry) yield { is: 'rewound', entry }
}

/** What was learnt of blocks after the last one known is forgotten, and what was told of them is rolled back where it was not all. What a reorg left in the feed goes when the blocks in its place are read. */
export async function retract(writer: Writer, cause: 'reorg' | 'omission'): Promise<Progress> {
  const { rooms, pending, feed } = writer
  await finish(writer)
  await rooms.ranges.drop?.()
  writer.second = undefined
  const last = pending.last()
  const blockNumber = last?.number ?? -1
  writer.verifiedTo = Math.min(writer.verifiedTo, blockNumber)
  writer.readFrom = writer.readFrom.filter(({ from }) => from <= blockNumber)
  if (cause === 'reorg') writer.known = []
  rooms.registry.forgetAfter(blockNumber)
  if (cause === 'omission') await feed.retractAbove(blockNumber)
  return { is: 'retracted', ancestor: last }
}

/** Does the chain have this very block? */
export function isCanonicalIn({ rpc }: WriterRooms) {
  return async (block: Block): Promise<boolean> => (await readHeader(rpc, block.number))?.hash === block.hash
}

/**
 * What a rewind asks of a block. One up to the head that was seen is there, if with another hash: an endpoint that does not
 * have it lags, and says nothing of what is to be rolled back. Both throw IngestError, BlockNotYetAvailableError for that.
 */
export function chainUpTo({ rpc }: WriterRooms, head: Block) {
  const headerAt = async (endpoint: Rpc, number: number) => {
    const header = await readHeader(endpoint, number)
    if (!header && number <= head.number) throw new BlockNotYetAvailableError(number)
    return header
  }
  const has = async (endpoint: Rpc, block: Block): Promise<boolean> =>
    (await headerAt(endpoint, block.number))?.hash === block.hash
  return {
    isCanonical: (block: Block) => has(rpc, block),
    /** Does any endpoint have this very block, and after it none of the same minute? So it is with the last block of a sealed minute. */
    isEndOfMinute: (block: Block) =>
      anySays(rpc, async (endpoint) => {
        if (!(await has(endpoint, block))) return false
        const next = await headerAt(endpoint, block.number + 1)
        return !next || minuteOfBlock(next) > minuteOfBlock(block)
      }),
  }
}
