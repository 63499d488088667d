import type { LogEntry } from '../../market/log.ts'
import { catchUp } from './materialize.ts'
import { openPending, type Pending } from './pending.ts'
import { tailStateBefore } from './tail-state.ts'
import type { WriterDeps } from './writer-deps.ts'

/** The end of the log, and the minutes read after it. */
export type LogEnd = { readonly tail: LogEntry | undefined; readonly pending: Pending }

/** Materializes what is missing, and opens the end of the log. */
export async function openLogEnd(deps: WriterDeps): Promise<LogEnd> {
  const tail = await catchUp(deps.log)
  const tailState = await tailStateBefore(deps, (tail?.n ?? 0) + 1)
  const firstBlock = (deps.start?.number ?? -1) + 1
  return { tail, pending: openPending(deps.tokens, tailState, firstBlock, deps.oldTokens) }
}
