import { setTimeout as sleep } from 'node:timers/promises'
import { handler as rebuildSnapshots } from '../lambdas/rebuild-snapshots.ts'
import { openTable } from '../store/table.ts'
import type { Parts } from './parts.ts'

/** The Scheduler's beat, and how long after a full minute it falls here: the minute before is sealed by then. */
const REBUILD_EVERY_MS = 60_000
const REBUILD_OFFSET_MS = 14_000
const EXPIRY_EVERY_MS = 600_000

/** In place of the Scheduler, until the signal aborts. A failed run leaves the last good snapshot, is shown, and the next minute tries again. */
export async function rebuildEachMinute({ terminal }: Parts, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const sinceMinute = (Date.now() - REBUILD_OFFSET_MS) % REBUILD_EVERY_MS
    await pause(REBUILD_EVERY_MS - sinceMinute, signal)
    if (signal.aborted) return
    await rebuildSnapshots().catch((error: unknown) => terminal.say(`rebuild failed: ${String(error)}`))
  }
}

/** In place of DynamoDB's TTL. */
export async function expireNowAndThen(
  { stopping: { signal } }: Parts,
  tables: readonly string[],
): Promise<void> {
  while (!signal.aborted) {
    await pause(EXPIRY_EVERY_MS, signal)
    if (signal.aborted) return
    for (const name of tables) await openTable(name).deleteExpired(Math.floor(Date.now() / 1_000))
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
}
