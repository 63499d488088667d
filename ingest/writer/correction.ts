import type { PastGap } from '../proof/missing-logs.ts'
import { appendCorrection } from './commit.ts'
import type { Progress } from './progress.ts'
import type { Writer } from './writer-state.ts'

/**
 * Rolls back the minutes from the gap's first block on. They are read again from the next endpoint, and not sealed
 * without the facts found.
 */
export async function* correct(writer: Writer, { firstBlock, facts }: PastGap): AsyncGenerator<Progress> {
  const { deps, tail } = writer
  if (!tail) return
  yield* writer.settleRewind(await appendCorrection(deps.log, tail, firstBlock))
  writer.evidence.prove(facts)
  deps.rpc.next()
  yield await writer.retract('omission')
}
