/** Minutes that were sealed without some of their logs are rolled back, and sealed anew. */
import { appendCorrection } from './commit.ts'
import { OmittedLogsError } from './faults.ts'
import type { PastGap } from './past-gap.ts'
import { type Progress, retract, settleRewind, type Writer } from './writer-state.ts'

/** Rolls back the minutes from the gap's first block on; they are read again from the next endpoint, and not sealed without what was found. */
export async function* correct(writer: Writer, { firstBlock, facts }: PastGap): AsyncGenerator<Progress> {
  const { rooms, tail } = writer
  if (!tail) return
  yield* settleRewind(writer, await appendCorrection(rooms.log, tail, firstBlock))
  writer.known = [...writer.known, ...facts]
  rooms.rpc.pinned(new OmittedLogsError(firstBlock))
  yield await retract(writer, 'omission')
}
