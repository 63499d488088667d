import { randomBytes } from 'node:crypto'
import type { SealedEntry } from '../../market/log.ts'
import { FOLD_VERSION } from '../../market/rules.ts'
import { LONGEST_WINDOW_MINUTES } from '../../market/window.ts'
import type { Bucket } from '../../store/bucket.ts'
import { copyLog } from '../../store/copy-log.ts'
import { effectiveBackwards, type LogStore, openLog } from '../../store/log.ts'
import { inLog, LOG_MARK, type Logs, OWN_RULES, type RegisteredLog } from '../../store/logs.ts'
import type { ScannedTable } from '../../store/table.ts'
import { appendRefold } from './commit.ts'

/** Whatever is published reaches back so far, and a day more. */
const REFOLDED_MINUTES = LONGEST_WINDOW_MINUTES + 1_440

export type OwnLogStores = {
  readonly table: ScannedTable
  readonly segments: Bucket
  readonly logs: Logs
  /** Unix seconds. */
  readonly now: () => number
  /** How many minutes newer rules fold again. @default the longest window and a day */
  readonly refoldedMinutes?: number
  /** Called while a log is copied, with the number of items so far. */
  readonly onCopied?: (items: number) => void
}

/**
 * The log of this release's rules. The first time, it begins as a copy of the live log, rolled back by what any figure
 * reaches back to; what other rules folded before that is kept. The copy gets a name of its own and is registered when
 * it is whole, so of several copies, or after a crash, one counts and nothing else is touched.
 */
export async function openOwnLog(stores: OwnLogStores): Promise<RegisteredLog> {
  const { table, segments, logs, now, refoldedMinutes = REFOLDED_MINUTES } = stores
  const known = await logs.ofRules(OWN_RULES)
  if (known) return known
  const { log: from } = await logs.live()
  const own = { rules: OWN_RULES, since: Math.floor(now()) }
  if (await isUnclaimed(stores, from)) return logs.register({ ...own, log: from, copiedTo: null })
  const log = `${LOG_MARK}${OWN_RULES}-${randomBytes(4).toString('hex')}`
  const copy = await copyLog({
    table,
    segments,
    from,
    to: log,
    ...(stores.onCopied ? { onItems: stores.onCopied } : {}),
  })
  const [tail, newest] = [await copy.tail(), await newestSealed(copy)]
  const keptTo = (newest?.minute ?? 0) - refoldedMinutes
  const entry = tail && (await appendRefold(copy, tail, keptTo))
  return logs.register({ ...own, log, copiedTo: entry && entry !== 'lost' ? entry.minute : null })
}

/** Whether a log is nobody's, because it is empty, or because it was written before logs were registered. */
async function isUnclaimed({ table, segments, logs }: OwnLogStores, log: string): Promise<boolean> {
  if ((await logs.all()).some((registered) => registered.log === log)) return false
  const newest = await newestSealed(openLog(inLog(table, log), segments))
  return !newest || newest.rules === FOLD_VERSION
}

async function newestSealed(log: LogStore): Promise<SealedEntry | undefined> {
  const tail = await log.tail()
  for await (const entry of effectiveBackwards(log, (tail?.n ?? 0) + 1)) return entry
  return undefined
}
