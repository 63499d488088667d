import type { LogEntry } from '../../market/log.ts'
import { appendRefold } from './commit.ts'
import { catchUp } from './materialize.ts'
import { openPending, type Pending } from './pending.ts'
import { tailStateBefore } from './tail-state.ts'
import type { WriterDeps } from './writer-deps.ts'

/** The end of the log, and the minutes read after it. */
export type LogEnd = {
  readonly tail: LogEntry | undefined
  readonly pending: Pending
  /** The last rollback of minutes folded by older rules, if there was one now. */
  readonly refold: LogEntry | undefined
}

/** Materializes what is missing, rolls back minutes that older rules folded, and opens the end of the log. */
export async function openLogEnd(deps: WriterDeps): Promise<LogEnd> {
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
