import type { BlockFacts } from '../../market/fold/fact.ts'
import type { LogEntry } from '../../market/log.ts'
import type { Block, Hash } from '../../market/segment.ts'
import type { StatusGap } from '../../schemas/service.ts'
import type { Feed } from '../../store/feed.ts'
import { effectiveBackwards, type LogStore } from '../../store/log.ts'
import type { GapStore } from '../../store/stored-status.ts'
import type { Reads } from '../../store/table.ts'
import type { TokenStore } from '../../store/tokens.ts'
import type { ChainClock } from '../client/chain-clock.ts'
import type { Chain } from '../client/chains.ts'
import { anyConfirms } from '../client/endpoints.ts'
import { BlockNotYetAvailableError, type IngestError } from '../client/faults.ts'
import { minuteOfBlock, readHeader } from '../client/headers.ts'
import type { Rpc } from '../client/rpc.ts'
import type { OldTokens } from '../decode/old-tokens.ts'
import type { Registry } from '../decode/registry.ts'
import type { Head } from '../read/head.ts'
import type { Pushes } from '../read/pushes.ts'
import type { RangeReader, SecondReading } from '../read/range.ts'
import { appendRefold } from './commit.ts'
import { type FeedWriter, openFeedWriter } from './feed-writer.ts'
import type { HolderViews } from './holder-views.ts'
import { catchUp, type Materializer, openMaterializer } from './materialize.ts'
import { openPending, type Pending } from './pending.ts'
import { tailStateBefore } from './tail-state.ts'

/** Everything the writer reads from and writes to. */
export type WriterDeps = {
  readonly rpc: Rpc
  readonly chain: Chain
  readonly registry: Registry
  readonly ranges: RangeReader
  /** What the headers show of the schedule; absent: each reader has its own. */
  readonly clock?: ChainClock
  /** Source of the head; absent: the endpoint is asked each time. */
  readonly head?: Pick<Head, 'read'> & Partial<Pick<Head, 'idleMs'>>
  /** What WebSockets push between polls of the head; absent: nothing. */
  readonly pushes?: Pushes
  readonly log: LogStore
  readonly tokens: TokenStore
  readonly feed: Feed
  /** If the log is empty: the block before the first one to read; null: the whole chain. */
  readonly start: Block | null
  /** Farther behind the head than this many seconds, the head is not asked for and rounds overlap. @default 6_000 */
  readonly farSeconds?: number
  /** Tokens older than that; absent: none. The registry must use the same. */
  readonly oldTokens?: OldTokens
  /** Verification of minutes before sealing; absent: one endpoint's answer is sealed as is. */
  readonly verification?: VerificationDeps
  /** Holder views; absent: none are computed. */
  readonly holders?: HolderViews
}

/**
 * `retryMs`: the first pause before a gap is retried; `quietMs`: for how long a single endpoint must keep reporting no
 * logs, where there usually are many.
 */
export type VerificationDeps = {
  readonly table: Reads
  readonly gaps: GapStore
  readonly retryMs?: number
  readonly quietMs?: number
}

/** Result of a writer's step. */
export type Progress =
  | { readonly is: 'read'; readonly last: Block; readonly head: Block }
  | { readonly is: 'sealed'; readonly entry: LogEntry; readonly head: Block }
  | { readonly is: 'rewound'; readonly entry: LogEntry }
  | { readonly is: 'retracted'; readonly ancestor: Block | null }
  /** Sealed minutes were counted again, or (`fault`) could not be; for minutes with omitted logs 'rewound' follows. */
  | { readonly is: 'rechecked'; readonly to: Block; readonly fault: IngestError | null }
  /** Logs are missing that no endpoint delivers: sealing stops until one does. */
  | { readonly is: 'gap'; readonly gap: StatusGap }
  | { readonly is: 'gap closed' }
  /** The holders of this many tokens were refreshed, or (`fault`) could not be. */
  | { readonly is: 'viewed'; readonly tokens: number; readonly fault: IngestError | null }
  /** Pushed blocks were published; the next poll confirms them. */
  | { readonly is: 'pushed'; readonly last: Block }
  /** Another writer took the entry; the log was read again. */
  | { readonly is: 'lost' }
  /** Nothing to do until the chain grows. */
  | { readonly is: 'idle'; readonly head: Block }

/** State of the writer between two steps. */
export type Writer = {
  readonly deps: WriterDeps
  readonly feed: FeedWriter
  /** Materializes committed minutes. */
  readonly materializer: Materializer
  tail: LogEntry | undefined
  pending: Pending
  /** The head as last asked for. */
  head?: Block
  /** Publication to the feed and commits under way; neither rejects. */
  feeding: Promise<Failed | undefined>
  committing: Promise<Failed | undefined> | undefined
  /** Committed minutes not yet published to the feed. */
  readonly done: Progress[]
  /** Another writer took the entry to be committed. */
  isLost: boolean
  /** A second reading of the last range, up to this block. */
  second?: { readonly after: Block | null; readonly to: number; readonly reading: SecondReading } | undefined
  readonly unconfirmed: Unconfirmed
  /** Hash of the last block read, if a block of a later minute follows it. */
  endOfMinute?: Hash | undefined
  /** Minutes are verified up to this block. */
  verifiedTo: number
  /** Where the unverified blocks were read. */
  readFrom: readonly { readonly from: number; readonly to: number; readonly endpoint: string }[]
  /** Proven facts of blocks that are being read again; a reading without them is incomplete. */
  known: readonly BlockFacts[]
  /** Moving sums of the facts and minutes that were verified. */
  usualFacts: { readonly facts: number; readonly minutes: number }
  gap?: StatusGap & { readonly pauseMs: number; readonly retryAt: number }
  /** Rechecks by name, and the turn counter of endpoints. */
  readonly rechecks: Map<string, Recheck>
  turns: number
  /** The last rollback of minutes folded by older rules, when the log was last read. */
  refold?: LogEntry | undefined
}

/** Outcome of background work. */
export type Failed = { readonly error: unknown }

/** A pass over sealed minutes. `dueAt`: chain time of the next pass; `next`: the next block of the current one. */
export type Recheck = { readonly dueAt: number; readonly next?: number }

/** A writer at the end of the log, after materializing what is missing. */
export async function openWriter(deps: WriterDeps): Promise<Writer> {
  const { tail, pending, refold } = await openLogEnd(deps)
  const feed = await openFeedWriter(deps.feed)
  const gap = await deps.verification?.gaps.read()
  const materializer = openMaterializer(deps.log, (minutes) => {
    for (const { entry, segment } of minutes) {
      deps.holders?.note(segment)
      writer.pending.materialized(entry.minute)
      deps.registry.settle(entry.last.number)
    }
  })
  const writer: Writer = {
    deps,
    feed,
    materializer,
    tail,
    pending,
    refold,
    feeding: Promise.resolve(undefined),
    committing: undefined,
    done: [],
    isLost: false,
    verifiedTo: -1,
    readFrom: [],
    known: [],
    rechecks: new Map(),
    turns: 0,
    unconfirmed: { published: new Map() },
    usualFacts: await usualFactsOf(deps.log, tail),
    ...(gap ? { gap: { ...gap, pauseMs: 0, retryAt: 0 } } : {}),
  }
  return writer
}

/** Waits for all background work. Throws its failure. */
export async function finish(writer: Writer): Promise<void> {
  const failed = (await writer.committing) ?? (await writer.feeding)
  await writer.materializer.drain()
  if (failed) throw failed.error
}

/** Number of last minutes from which the usual activity is measured. */
const USUAL_MINUTES = 10

async function usualFactsOf(log: LogStore, tail: LogEntry | undefined): Promise<Writer['usualFacts']> {
  const usualFacts = { facts: 0, minutes: 0 }
  for await (const { segment } of effectiveBackwards(log, (tail?.n ?? 0) + 1)) {
    usualFacts.facts += (await log.readSegment(segment)).facts
    usualFacts.minutes += 1
    if (usualFacts.minutes === USUAL_MINUTES) break
  }
  return usualFacts
}

/** Reads the log again after losing an entry or after a rewind; everything in memory is discarded. */
export async function reopen(writer: Writer): Promise<void> {
  await finish(writer)
  writer.deps.holders?.reread()
  writer.isLost = false
  writer.unconfirmed.base = undefined
  writer.feed.markUnverified(writer.pending.firstBlock())
  for await (const entry of writer.deps.log.entriesAfter(writer.tail?.n ?? 0)) {
    if (entry.is === 'rewound') writer.feed.markUnverified((entry.last?.number ?? -1) + 1)
  }
  Object.assign(writer, await openLogEnd(writer.deps))
  await forgetUnread(writer)
}

async function openLogEnd(deps: WriterDeps): Promise<Pick<Writer, 'tail' | 'pending' | 'refold'>> {
  let tail = await catchUp(deps.log)
  let refold: LogEntry | undefined
  // After an update of the rules, the log cannot continue from minutes that older rules folded.
  for (;;) {
    const entry = tail && (await appendRefold(deps.log, tail))
    if (!entry) break
    if (entry !== 'lost') refold = entry
    tail = await catchUp(deps.log)
  }
  const tailState = await tailStateBefore(deps, (tail?.n ?? 0) + 1)
  const firstBlock = (deps.start?.number ?? -1) + 1
  return { tail, refold, pending: openPending(deps.tokens, tailState, firstBlock, deps.oldTokens) }
}

/** After a rewind was appended (undefined: nothing to roll back): materializes it and continues from the log. */
export async function* settleRewind(
  writer: Writer,
  entry: LogEntry | 'lost' | undefined,
): AsyncGenerator<Progress> {
  await reopen(writer)
  if (entry === 'lost') yield { is: 'lost' }
  else if (entry) yield { is: 'rewound', entry }
}

/**
 * Forgets the blocks after the last known one, and retracts their feed entries if these were incomplete. Entries left by a reorg are retracted when the replacing blocks are read.
 */
export async function retract(writer: Writer, cause: 'reorg' | 'omission'): Promise<Progress> {
  const { pending, feed } = writer
  await finish(writer)
  await forgetUnread(writer)
  if (cause === 'reorg') writer.known = []
  else await feed.retractAbove(pending.last()?.number ?? -1)
  return { is: 'retracted', ancestor: pending.last() }
}

/** Forgets the blocks after the last known one, which are read again, and those read ahead. */
async function forgetUnread(writer: Writer): Promise<void> {
  // First, since what is still being read registers tokens.
  await writer.deps.ranges.drop?.()
  writer.second = undefined
  const blockNumber = writer.pending.last()?.number ?? -1
  writer.verifiedTo = Math.min(writer.verifiedTo, blockNumber)
  writer.readFrom = writer.readFrom.filter(({ from }) => from <= blockNumber)
  writer.deps.registry.forgetAfter(blockNumber)
}

/**
 * Whether a block is canonical, for a rewind. Up to the last seen head some block exists at its height; an endpoint
 * without one lags and proves nothing. Both throw IngestError, BlockNotYetAvailableError in that case.
 */
export function chainUpTo({ rpc }: WriterDeps, head: Block) {
  const headerAt = async (endpoint: Rpc, number: number) => {
    const header = await readHeader(endpoint, number)
    if (!header && number <= head.number) throw new BlockNotYetAvailableError(number)
    return header
  }
  const has = async (endpoint: Rpc, block: Block): Promise<boolean> =>
    (await headerAt(endpoint, block.number))?.hash === block.hash
  return {
    isCanonical: (block: Block) => has(rpc, block),
    /**
     * Whether any endpoint has this very block, followed by none of the same minute, as must hold for the last block of
     * a sealed minute.
     */
    isEndOfMinute: (block: Block) =>
      anyConfirms(rpc, async (endpoint) => {
        if (!(await has(endpoint, block))) return false
        const next = await headerAt(endpoint, block.number + 1)
        return !next || minuteOfBlock(next) > minuteOfBlock(block)
      }),
  }
}

/** Pushed blocks that no poll has confirmed yet. */
export type Unconfirmed = {
  /** The last block that was polled, if blocks after it are in the pending minutes now. */
  base?: Block | undefined
  /** Blocks that were published with swaps, by hash. `digest`: of these. `since`: Unix ms. */
  readonly published: Map<Hash, { readonly block: Block; readonly digest: string; readonly since: number }>
}
