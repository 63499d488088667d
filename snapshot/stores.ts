import type { Env } from '../schemas/deployment/env.ts'
import { openBucket } from '../store/aws/bucket.ts'
import { openTable } from '../store/aws/table.ts'
import { openTokenHistory } from '../store/items/token-history.ts'
import { openLog } from '../store/log/log.ts'
import { bucketOfLog, inLog, OWN_RULES, openLogs } from '../store/log/logs.ts'
import { openDocuments } from '../store/published/documents.ts'
import { openKeptStore } from '../store/published/kept.ts'
import { openChainTroubleStore, openGapStore, openStoredStatus } from '../store/published/stored-status.ts'
import { OWN_PUBLISHER } from './publish/role.ts'
import type { RebuildStores } from './rebuild.ts'

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
