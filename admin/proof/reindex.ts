import { setTimeout as sleep } from 'node:timers/promises'
import { openChainClock } from '../../ingest/client/chain-clock.ts'
import type { Chain } from '../../ingest/client/chains.ts'
import { IngestError } from '../../ingest/client/faults.ts'
import type { Rpc } from '../../ingest/client/rpc.ts'
import { openOldTokens } from '../../ingest/decode/old-tokens.ts'
import { openRegistry, tokensOfLog } from '../../ingest/decode/registry.ts'
import { newestEachTime } from '../../ingest/read/head.ts'
import { blockBefore } from '../../ingest/read/log-start.ts'
import { noPushes } from '../../ingest/read/pushes.ts'
import { openRanges } from '../../ingest/read/range.ts'
import { noHolderViews } from '../../ingest/writer/holder-views.ts'
import { openPending, type PendingMinute } from '../../ingest/writer/pending.ts'
import { tailStateBefore } from '../../ingest/writer/tail-state.ts'
import { noVerification } from '../../ingest/writer/verifying.ts'
import { followChain, type WriterDeps } from '../../ingest/writer/writer.ts'
import { effectiveEntries, type SealedEntry, type SegmentReference } from '../../market/log.ts'
import type { Address, Minute, Segment } from '../../market/segment.ts'
import { type CheckpointName, listCheckpoints, readCheckpoint } from '../../snapshot/engine/checkpoint.ts'
import type { Engine } from '../../snapshot/engine/engine.ts'
import { cachedSegments, followLog, type SegmentReader } from '../../snapshot/engine/follow.ts'
import { openMemoryBucket, openMemoryTable, overlaid } from '../../store/aws/memory.ts'
import { allOf, mapParallel } from '../../store/aws/parallel.ts'
import { itemsOfRewind } from '../../store/items/projection.ts'
import { openTokens, StaleReadError } from '../../store/items/tokens.ts'
import { MissingStateError } from '../../store/log/applied-read.ts'
import { openFeed } from '../../store/log/feed.ts'
import { type LogStore, openLog } from '../../store/log/log.ts'
import type { ServiceStores } from '../base/deployment.ts'
import { OperatorFault } from '../base/terminal.ts'
import { orAsRecorded } from './recorded-tokens.ts'

/** Minutes rebuilt from the chain: a log of their own, with numbers of its own. */
export type History = {
  /** Oldest first. */
  readonly entries: readonly SealedEntry[]
  readonly read: SegmentReader
  /** All of a rebuilt minute. */
  readonly readWhole: (reference: SegmentReference) => Promise<Segment>
  /** The engine before the first entry; undefined: the entries begin with the log's first block. */
  readonly checkpoint: Engine | undefined
}

/** Retries after an endpoint or a concurrent writer interrupted the work, with pauses that double (milliseconds). */
const ATTEMPTS = 6
const PAUSE_MS = 1_000

async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      const isBehind = error instanceof StaleReadError || error instanceof MissingStateError
      const isPassing = isBehind || (error instanceof IngestError && error.retryable)
      if (!isPassing || attempt === ATTEMPTS) throw error
      await sleep(PAUSE_MS * 2 ** (attempt - 1))
    }
  }
}

/** What reindexing reads, and up to where. */
export type ReindexOptions = {
  readonly rpc: Rpc
  readonly chain: Chain
  /** First block of the log. */
  readonly from: number
  /** Last block of a sealed minute. */
  readonly to: number
  /** Called with the last block of each rebuilt minute. */
  readonly onBlock: (blockNumber: number) => void
  /** The service's log: where no endpoint keeps state that old, tokens older than the log are taken from it. */
  readonly recorded: LogStore
  readonly onRecorded: (token: Address) => void
}

/**
 * Reads the whole chain from block `from` on again and folds it, as ingest does, into a log in memory that shares nothing
 * with the service's. Throws IngestError, ChainTooShort.
 */
export async function reindexChain(options: ReindexOptions): Promise<History> {
  const deps = await scratchDeps(options)
  await retried(() => sealUpTo(deps, options))
  const entries = effectiveEntries(await allOf(deps.log.entriesAfter(0)))
  return { entries, read: cachedSegments(deps.log), readWhole: deps.log.readSegment, checkpoint: undefined }
}

async function scratchDeps({
  rpc,
  chain,
  from,
  recorded: log,
  onRecorded,
}: ReindexOptions): Promise<WriterDeps> {
  const table = openMemoryTable()
  const tokens = openTokens(table)
  const start = await blockBefore(rpc, from)
  const oldTokens = orAsRecorded(openOldTokens({ rpc, chain }, start), { rpc, log }, onRecorded)
  const ownLog = openLog(table, openMemoryBucket())
  const registry = openRegistry({ ...tokens, allTokens: () => tokensOfLog(ownLog) }, chain, oldTokens)
  const clock = openChainClock(chain.schedule)
  return {
    rpc,
    chain,
    registry,
    tokens,
    oldTokens,
    start,
    clock,
    head: newestEachTime(rpc),
    pushes: noPushes,
    ranges: openRanges({ rpc, chain, registry, clock }),
    verification: noVerification,
    holders: noHolderViews,
    log: ownLog,
    feed: openFeed(table),
    isLive: async () => true,
  }
}

async function sealUpTo(deps: WriterDeps, { to, onBlock }: ReindexOptions): Promise<void> {
  for await (const progress of followChain(deps)) {
    if (progress.is === 'idle')
      throw new OperatorFault(
        'ChainTooShort',
        `the endpoint's chain ends at block ${progress.head.number}; block ${to} and one of a later minute are needed`,
      )
    if (progress.is !== 'sealed') continue
    const last = progress.entry.last?.number ?? 0
    onBlock(last)
    if (last >= to) return
  }
}

/** Reads at once. */
export const PARALLEL_READS = 16

/** The checkpoint cannot be used. */
const checkpoint = (message: string) => new OperatorFault('Checkpoint', message)

/** A checkpoint that has been read. */
export type NamedCheckpoint = { readonly name: CheckpointName; readonly engine: Engine }

/** The checkpoint by its key, or the `newest` at or before entry `n` of the log; its bytes are what its name says. Throws Checkpoint. */
export async function checkpointNamed(
  wanted: string,
  n: number,
  { segments }: ServiceStores,
): Promise<NamedCheckpoint> {
  const names = (await listCheckpoints(segments)).filter(({ n, loaded }) => loaded === n)
  const name = names.find((one) => (wanted === 'newest' ? one.n <= n : one.key === wanted))
  const known = names.slice(0, 5).map(({ key }) => `\n  ${key}`)
  if (!name)
    throw checkpoint(`there is no checkpoint ${wanted} before entry ${n}; the newest are${known.join('')}`)
  if (name.n > n)
    throw checkpoint(`${name.key} is of entry ${name.n}, after entry ${n} of the oldest snapshot`)
  const engine = await readCheckpoint(name, segments)
  if (!engine) throw checkpoint(`${name.key} does not have the digest ${name.sha8} that its name says`)
  return { name, engine }
}

/** Inputs of reindexing after a checkpoint. */
export type CheckpointReindexOptions = {
  readonly rpc: Rpc
  readonly chain: Chain
  readonly checkpoint: NamedCheckpoint
  /** Entry of the service's log with the last minute. */
  readonly to: number
}

/**
 * Reads the minutes after a checkpoint again and folds them over the service's tables as of the checkpoint. What is older is
 * taken from the service: its engine, the states of tokens, and the segments that leave a window. Throws
 * IngestError, Checkpoint, OtherFork, StaleReadError.
 */
export const reindexFromCheckpoint = (
  stores: ServiceStores,
  options: CheckpointReindexOptions,
): Promise<History> => retried(() => reindexOnce(stores, options))

async function reindexOnce(
  stores: ServiceStores,
  { rpc, chain, checkpoint: { name, engine }, to }: CheckpointReindexOptions,
): Promise<History> {
  const later = await allOf(stores.log.entriesAfter(name.n))
  const gone = later.find((entry) => entry.is === 'rewound' && (entry.minute ?? -1) < name.minute)
  if (gone) throw checkpoint(`${name.key} holds minutes that entry ${gone.n} of the log rolled back`)
  const wanted = effectiveEntries(later.filter(({ n }) => n <= to))
  const [oldest, newest] = [wanted[0], wanted.at(-1)]
  const { log, table } = stores
  const serviceRead = cachedSegments(log)
  if (!oldest || !newest)
    return { entries: [], read: serviceRead, readWhole: log.readSegment, checkpoint: engine }
  // The tables are as of the log's end: undo all minutes after the checkpoint, newest first.
  const since = await mapParallel(effectiveEntries(later).toReversed(), PARALLEL_READS, ({ segment }) =>
    log.readSegment(segment),
  )
  const tokens = openTokens(overlaid(table, itemsOfRewind(since)))
  const minutes = await readAgain({ rpc, chain, log }, tokens, { oldest, newest })
  if (!minutes)
    throw new OperatorFault(
      'OtherFork',
      'the endpoint is on another fork than the minutes after the checkpoint',
    )
  const own = await logOf(
    minutes.map(({ segment }) => segment),
    name.n,
  )
  const ownRead = cachedSegments(own.log)
  const keys = new Set(own.entries.map(({ segment }) => segment.key))
  return {
    entries: own.entries,
    read: (reference) => (keys.has(reference.key) ? ownRead(reference) : serviceRead(reference)),
    readWhole: own.log.readSegment,
    checkpoint: engine,
  }
}

/**
 * The minutes from `oldest` to `newest` as the chain gives them now, folded over `tokens`, which must be as of the minute
 * before. null: the endpoint is on another fork. Throws IngestError.
 */
async function readAgain(
  { rpc, chain, log }: { readonly rpc: Rpc; readonly chain: Chain; readonly log: LogStore },
  tokens: ReturnType<typeof openTokens>,
  { oldest, newest }: { readonly oldest: SealedEntry; readonly newest: SealedEntry },
): Promise<readonly PendingMinute[] | null> {
  const checkpoint = await tailStateBefore({ rpc, log, tokens, chain, start: null }, oldest.n)
  const start = await blockBefore(rpc, await firstBlockOf(log))
  const oldTokens = orAsRecorded(openOldTokens({ rpc, chain }, start), { rpc, log }, () => {})
  const pending = openPending(tokens, checkpoint, oldest.firstBlock, oldTokens)
  const registry = openRegistry({ ...tokens, allTokens: () => tokensOfLog(log) }, chain, oldTokens)
  const ranges = openRanges({ rpc, chain, registry })
  for (let last = checkpoint.last; last === null || last.number < newest.last.number; last = pending.last()) {
    const range = await ranges.read(last, newest.last.number)
    if (range === 'reorged') return null
    await pending.add(range.blocks)
  }
  return pending.minutes()
}

async function firstBlockOf(log: LogStore): Promise<number> {
  for await (const entry of log.entriesAfter(0)) if (entry.is === 'sealed') return entry.firstBlock
  return 0
}

/** The segments in a log of their own, numbered on from `n`. */
async function logOf(segments: readonly Segment[], n: number) {
  const log = openLog(openMemoryTable(), openMemoryBucket())
  const entries: SealedEntry[] = []
  for (const [at, segment] of segments.entries()) {
    const { minute, firstBlock, last } = segment
    const reference = await log.putSegment(segment)
    entries.push({ n: n + at + 1, is: 'sealed', minute, firstBlock, last, segment: reference })
  }
  return { log, entries }
}

/**
 * The engine as of a minute of a history. Each call advances the same engine: ask for minutes in ascending order, and use
 * one before asking for the next. `onMinute` is called after each minute that is folded, and now and then besides.
 */
export function enginesOf(history: History, onMinute: () => void): (minute: Minute) => Promise<Engine> {
  const { entries, read, checkpoint } = history
  const log = {
    async *entriesAfter(n: number) {
      yield* entries.filter((entry) => entry.n > n)
    },
    async *entriesBefore(n: number) {
      yield* entries.filter((entry) => entry.n < n).toReversed()
    },
  }
  const isOver = () => {
    onMinute()
    return false
  }
  const bucket = openMemoryBucket()
  let engine = checkpoint
  return async (minute) => {
    const to = entries.findLast((entry) => entry.minute <= minute)?.n ?? checkpoint?.n ?? 0
    engine = await followLog(engine, { log, bucket, read, to, isOver })
    return engine
  }
}
