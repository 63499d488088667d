/** What was committed without some of its logs is found and taken back: by the re-scan, and by a balance that does not tie. */
import type { Block, LogEntry } from '../market/segment.ts'
import { StaleReadError } from '../store/tokens.ts'
import { appendCorrection } from './commit.ts'
import {
  BlockNotYetAvailableError,
  IngestError,
  type MissingTransferError,
  OmittedLogsError,
} from './faults.ts'
import { readHeader } from './range.ts'
import { findOmission, type Omission } from './rescan.ts'
import { type Progress, retract, settleRewind, type Writer, type WriterRooms } from './writer-state.ts'

/** So often, in seconds of chain time, the minutes that ended in the last so many seconds (300 blocks of Base) are read again: what is wrong is corrected within 5 minutes. */
const RESCAN_EVERY_SECONDS = 180
const RESCAN_REACH_SECONDS = 600
/** A missing transfer is looked for in sealed minutes this far back, in seconds: a balance may have been seen last long ago. */
const SEARCH_REACH_SECONDS = 3_600
/** So often a minute is taken back for one and the same reading of it. */
const CORRECTIONS_MAX = 3

/** At the head, now and then. */
export function isRescanDue(writer: Writer, head: Block): boolean {
  writer.rescannedAt ??= head.timestamp
  const isAtHead = writer.pending.last()?.number === head.number
  return isAtHead && head.timestamp - writer.rescannedAt >= RESCAN_EVERY_SECONDS
}

/** Reads the newest sealed minutes again. */
export const rescanNewest = (writer: Writer, head: Block): AsyncGenerator<Progress, boolean> =>
  rescan(writer, head, head.timestamp - RESCAN_REACH_SECONDS)

/** Reads minutes that ended at `since` or later again, and takes back those that were committed incomplete; true when some were. */
async function* rescan(writer: Writer, head: Block, since: number): AsyncGenerator<Progress, boolean> {
  const { rooms, tail, corrections } = writer
  writer.rescannedAt = head.timestamp
  if (!rooms.rescan || !tail) return false
  const found = await findOmission({ ...rooms, ...rooms.rescan }, tail, since).catch(faultOfRescan)
  const fault = found instanceof IngestError ? found : null
  if (fault) rooms.rescan.rpc.pinned(fault)
  yield { is: 'rescanned', fault }
  if (!found || found instanceof IngestError) return false
  const times = corrections.get(found.sha256) ?? 0
  if (times >= CORRECTIONS_MAX) return false
  corrections.set(found.sha256, times + 1)
  yield* correct(writer, tail, found)
  return true
}

/** A re-scan that fails is made again when the next is due. A stale read: another writer is further on. */
function faultOfRescan(error: unknown): IngestError | null {
  if (error instanceof IngestError) return error
  if (error instanceof StaleReadError) return null
  throw error
}

/** Takes back the minutes from an omission on; they are read again from the next endpoint. */
async function* correct(writer: Writer, tail: LogEntry, omission: Omission): AsyncGenerator<Progress> {
  const { rooms } = writer
  yield* settleRewind(writer, await appendCorrection(rooms.log, tail, omission.firstBlock))
  rooms.rpc.pinned(new OmittedLogsError(omission.minute))
  yield await retract(writer, 'omission')
}

/**
 * A transfer is missing in what was read. It may lie in sealed minutes: they are read again. Else, or besides, it lies in
 * the pending ones: they are dropped and read again from the next endpoint. Throws the fault where both have not helped.
 */
export async function* findMissing(
  writer: Writer,
  fault: MissingTransferError,
  head: Block,
): AsyncGenerator<Progress> {
  const { rooms, pending } = writer
  if (writer.missing === fault.message) throw fault
  writer.missing = fault.message
  const sealed = pending.firstBlock() - 1
  const since = Math.max(await timeOf(rooms, fault.from), head.timestamp - SEARCH_REACH_SECONDS)
  if (fault.from <= sealed && (yield* rescan(writer, head, since))) return
  await pending.dropAbove(sealed)
  rooms.rpc.pinned(fault)
  yield await retract(writer, 'omission')
}

async function timeOf({ rpc }: WriterRooms, blockNumber: number): Promise<number> {
  const header = await readHeader(rpc, blockNumber)
  if (!header) throw new BlockNotYetAvailableError(blockNumber)
  return header.timestamp
}
