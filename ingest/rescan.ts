/**
 * The re-scan: the newest sealed minutes are read again, through an endpoint that may be another one, and folded over the
 * tables as they stood before them. An endpoint can leave logs out and never add any, so of two readings that differ the one
 * with more facts is right: a minute committed with fewer is to be taken back.
 */
import type { SealedEntry } from '../market/log.ts'
import type { Block, LogEntry, Minute, Segment } from '../market/segment.ts'
import type { LogStore } from '../store/log.ts'
import { overlaid } from '../store/overlay.ts'
import { itemsOfRewind } from '../store/projection.ts'
import { segmentBytes } from '../store/segment-bytes.ts'
import type { Reads } from '../store/table.ts'
import { openTokens } from '../store/tokens.ts'
import type { Chain } from './chains.ts'
import { checkpointBefore } from './checkpoint.ts'
import { effectiveBackwards } from './commit.ts'
import { OmittingEndpointError } from './faults.ts'
import { openPending, type PendingMinute } from './pending.ts'
import { openRanges } from './range.ts'
import { openRegistry } from './registry.ts'
import type { Rpc } from './rpc.ts'

/** Where minutes are read again, and what they are compared with. */
export type RescanRooms = {
  readonly rpc: Rpc
  readonly chain: Chain
  readonly log: LogStore
  readonly table: Reads
  readonly start: Block | null
}

/** The first minute that was committed with logs left out. */
export type Omission = { readonly minute: Minute; readonly firstBlock: number; readonly sha256: string }

/**
 * Reads again every minute in force up to `tail` that ends at block time `since` (Unix seconds) or later. null: nothing is
 * missing, or the endpoint is on another fork. Changes nothing. Throws IngestError: OmittingEndpointError where the second
 * reading is the one that lacks something.
 */
export async function findOmission(
  rooms: RescanRooms,
  tail: LogEntry,
  since: number,
): Promise<Omission | null> {
  const entries = await sealedSince(rooms.log, tail, since)
  const [newest] = entries
  const oldest = entries.at(-1)
  if (!newest || !oldest) return null
  const committed = await Promise.all(entries.map(({ segment }) => rooms.log.readSegment(segment)))
  const tokens = openTokens(overlaid(rooms.table, itemsOfRewind(committed)))
  const minutes = await readAgain(rooms, tokens, { oldest, newest })
  return minutes && compare(entries.toReversed(), committed.toReversed(), minutes)
}

/** Newest first. */
async function sealedSince(log: LogStore, tail: LogEntry, since: number): Promise<SealedEntry[]> {
  const entries: SealedEntry[] = []
  for await (const entry of effectiveBackwards(log, tail.n + 1)) {
    if (entry.last.timestamp < since) break
    entries.push(entry)
  }
  return entries
}

/**
 * The minutes from `oldest` to `newest` as the chain gives them now, folded over `tokens`, which must be as of the minute
 * before. null: the endpoint is on another fork. Throws IngestError.
 */
export async function readAgain(
  { rpc, chain, log, start }: Omit<RescanRooms, 'table'>,
  tokens: ReturnType<typeof openTokens>,
  { oldest, newest }: { readonly oldest: SealedEntry; readonly newest: SealedEntry },
): Promise<readonly PendingMinute[] | null> {
  const checkpoint = await checkpointBefore({ rpc, log, tokens, chain, start }, oldest.n)
  const pending = openPending(tokens, checkpoint, oldest.firstBlock)
  const ranges = openRanges({ rpc, chain, registry: openRegistry(tokens, chain) })
  for (let last = checkpoint.last; last === null || last.number < newest.last.number; last = pending.last()) {
    const range = await ranges.read(last, newest.last.number)
    if (range === 'reorged') return null
    await pending.add(range.blocks)
  }
  return pending.minutes()
}

/** Lists are oldest first. */
function compare(
  entries: readonly SealedEntry[],
  committed: readonly Segment[],
  minutes: readonly PendingMinute[],
): Omission | null {
  const pairs = entries.map((entry, at) => ({ entry, first: committed[at], again: minutes[at]?.segment }))
  if (pairs.some(({ entry, again }) => again?.last.hash !== entry.last.hash)) return null
  const fuller = pairs.find(({ first, again }) => (again?.facts ?? 0) > (first?.facts ?? 0))
  if (fuller) {
    const { minute, firstBlock, segment } = fuller.entry
    return { minute, firstBlock, sha256: segment.sha256 }
  }
  const other = pairs.find(({ first, again }) => first && again && !isSame(first, again))
  if (other) throw new OmittingEndpointError(other.entry.minute)
  return null
}

const isSame = (a: Segment, b: Segment): boolean => Buffer.compare(segmentBytes(a), segmentBytes(b)) === 0
