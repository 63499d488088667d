import type { Env } from '../schemas/env.ts'
import { openBucket } from '../store/bucket.ts'
import { openDocuments } from '../store/documents.ts'
import { openKeptStore } from '../store/kept.ts'
import { openLog } from '../store/log.ts'
import { bucketOfLog, inLog, OWN_RULES, openLogs } from '../store/logs.ts'
import { openChainTroubleStore, openGapStore, openStoredStatus } from '../store/stored-status.ts'
import { openTable } from '../store/table.ts'
import { openTokenHistory } from '../store/token-history.ts'
import type { RebuildStores } from './rebuild.ts'
import { OWN_PUBLISHER } from './role.ts'

/** The stores of this release's publisher, over the log of its rules; undefined: ingest has not begun that log yet. */
export async function openRebuildStores(env: Env<'rebuildSnapshots'>): Promise<RebuildStores | undefined> {
  const whole = openTable(env.MARKET_TABLE)
  const logs = openLogs(whole)
  const registered = await logs.ofRules(OWN_RULES)
  if (!registered) return undefined
  const { log } = registered
  const segments = bucketOfLog(openBucket(env.SEGMENT_BUCKET), log)
  const table = inLog(whole, log)
  return {
    own: { logs, log, publisher: OWN_PUBLISHER },
    log: openLog(table, segments),
    segments,
    published: openBucket(env.PUBLISHED_BUCKET),
    documents: openDocuments(table),
    status: openStoredStatus(table),
    gaps: openGapStore(table),
    chainTrouble: openChainTroubleStore(table),
    days: { kept: openKeptStore(segments), ledger: whole, history: () => openTokenHistory(table) },
  }
}
