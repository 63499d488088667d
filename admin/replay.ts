import { setTimeout as sleep } from 'node:timers/promises'
import type { Chain } from '../ingest/chains.ts'
import { BlockNotYetAvailableError, IngestError } from '../ingest/faults.ts'
import { readHeader } from '../ingest/headers.ts'
import { openOldTokens } from '../ingest/old-tokens.ts'
import { openRanges } from '../ingest/range.ts'
import { openRegistry } from '../ingest/registry.ts'
import type { Rpc } from '../ingest/rpc.ts'
import { followChain, type WriterRooms } from '../ingest/writer.ts'
import { effectiveEntries, type SealedEntry } from '../market/log.ts'
import type { Address, Block, LogEntry } from '../market/segment.ts'
import type { Engine } from '../snapshot/engine.ts'
import { cachedSegments, type SegmentReader } from '../snapshot/follow.ts'
import { openFeed } from '../store/feed.ts'
import { type LogStore, openLog } from '../store/log.ts'
import { openMemoryBucket, openMemoryTable } from '../store/memory.ts'
import { openTokens } from '../store/tokens.ts'

import { AdminFault } from './command.ts'
import { orAsRecorded } from './recorded-tokens.ts'

/** Minutes that were made again: a log of their own, numbered from its own beginning. */
export type History = {
  /** Oldest first. */
  readonly entries: readonly SealedEntry[]
  readonly read: SegmentReader
  /** The engine before the first of the entries; undefined: they begin with the chain's first. */
  readonly checkpoint: Engine | undefined
}

/** A fault that may pass is waited for so often in a row, with pauses that double (milliseconds). */
const ATTEMPTS = 6
const PAUSE_MS = 1_000

/** The endpoint's chain ends before the block that was asked for. */
export const chainTooShort = (head: number, wanted: number) =>
  new AdminFault(
    'ChainTooShort',
    `the endpoint's chain ends at block ${head}; block ${wanted} and one of a later minute are needed`,
  )

/** What a replay reads, and up to where. */
export type ReplayOptions = {
  readonly rpc: Rpc
  readonly chain: Chain
  /** First block of the log. */
  readonly from: number
  /** Last block of a sealed minute. */
  readonly to: number
  /** Told of the last block of each minute that was made. */
  readonly onBlock: (blockNumber: number) => void
  /** The service's log: what it says of tokens older than it is believed where no endpoint keeps state that old. Absent: nothing is. */
  readonly recorded?: { readonly log: LogStore; readonly onRecorded: (token: Address) => void }
}

/**
 * Reads the whole chain from block `from` on again and folds it, as ingest does, into a log in memory that shares nothing
 * with the service's. Throws IngestError, ChainTooShort.
 */
export async function replayChain(options: ReplayOptions): Promise<History> {
  const rooms = await scratchRooms(options)
  for (let attempt = 1; ; attempt += 1) {
    try {
      await sealUpTo(rooms, options)
      return historyOf(rooms.log)
    } catch (error) {
      if (!(error instanceof IngestError && error.retryable) || attempt === ATTEMPTS) throw error
      await sleep(PAUSE_MS * 2 ** (attempt - 1))
    }
  }
}

async function scratchRooms({ rpc, chain, from, recorded }: ReplayOptions): Promise<WriterRooms> {
  const table = openMemoryTable()
  const tokens = openTokens(table)
  const start = await blockBefore(rpc, from)
  const found = openOldTokens({ rpc, chain }, start)
  const oldTokens = recorded ? orAsRecorded(found, { rpc, log: recorded.log }, recorded.onRecorded) : found
  const registry = openRegistry(tokens, chain, oldTokens)
  return {
    ...{ rpc, chain, registry, tokens, oldTokens, start },
    ranges: openRanges({ rpc, chain, registry }),
    log: openLog(table, openMemoryBucket()),
    feed: openFeed(table),
  }
}

/** What a log that begins with block `from` was begun after; null: the chain's first block. */
export async function blockBefore(rpc: Rpc, from: number): Promise<Block | null> {
  if (from === 0) return null
  const header = await readHeader(rpc, from - 1)
  if (!header) throw new BlockNotYetAvailableError(from - 1)
  return header
}

async function sealUpTo(rooms: WriterRooms, { to, onBlock }: ReplayOptions): Promise<void> {
  for await (const progress of followChain(rooms)) {
    if (progress.is === 'idle') throw chainTooShort(progress.head.number, to)
    if (progress.is !== 'sealed') continue
    const last = progress.entry.last?.number ?? 0
    onBlock(last)
    if (last >= to) return
  }
}

async function historyOf(log: LogStore): Promise<History> {
  const entries: LogEntry[] = []
  for await (const entry of log.entriesAfter(0)) entries.push(entry)
  return { entries: effectiveEntries(entries), read: cachedSegments(log), checkpoint: undefined }
}
