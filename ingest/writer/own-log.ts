import { randomBytes } from 'node:crypto'
import { DAY_MINUTES } from '../../market/calendar.ts'
import type { SealedEntry } from '../../market/log.ts'
import { FOLD_VERSION } from '../../market/rules.ts'
import type { Minute } from '../../market/segment.ts'
import { LONGEST_WINDOW_MINUTES } from '../../market/window.ts'
import type { Bucket } from '../../store/aws/bucket.ts'
import { allOf, chunked, mapParallel } from '../../store/aws/parallel.ts'
import type { ScannedTable, Table } from '../../store/aws/table.ts'
import { copyLog } from '../../store/log/copy-log.ts'
import { effectiveBackwards, type LogStore, openLog } from '../../store/log/log.ts'
import {
  inLog,
  type Live,
  LOG_MARK,
  type Logs,
  OWN_RULES,
  type RegisteredLog,
  rulesOf,
} from '../../store/log/logs.ts'
import { kindOf } from '../client/faults.ts'
import { appendRefold } from './commit.ts'
import { openMaterializer } from './materialize.ts'

/** Whatever is published reaches back so far, and a day more. */
const REFOLDED_MINUTES = LONGEST_WINDOW_MINUTES + DAY_MINUTES

export type OwnLogStores = {
  readonly table: ScannedTable
  readonly segments: Bucket
  readonly logs: Logs
  /** Unix seconds. */
  readonly now: () => number
  /** Whether newer rules may catch up: otherwise only rules that readers follow, or have followed, are continued. */
  readonly isBeside: boolean
  /** How many minutes newer rules fold again. @default the longest window and a day */
  readonly refoldedMinutes?: number
  /** Called while a log is copied, with the number of items so far. */
  readonly onCopied?: (items: number) => void
}

/** Readers follow a log of other rules, which this process would leave without a writer. */
export const RulesNotLiveError = kindOf(
  'RulesNotLiveError',
  (live: string) =>
    `readers follow a log of rules ${live}, and those of this release (${OWN_RULES}) have not caught up: run it beside the service first ("Newer rules" in cdk/README.md)`,
  false,
)

/**
 * The log of this release's rules. The first time, it begins as a copy of the live log, rolled back by what any figure
 * reaches back to; what other rules folded before that is kept. The copy gets a name of its own and is registered when
 * it is whole, so of several copies, or after a crash, one counts and nothing else is touched. Throws RulesNotLiveError.
 */
export async function openOwnLog(stores: OwnLogStores): Promise<RegisteredLog> {
  const { table, segments, logs, now, isBeside, refoldedMinutes = REFOLDED_MINUTES } = stores
  const [known, live] = await Promise.all([logs.ofRules(OWN_RULES), logs.live()])
  if (known && (isBeside || hasBeenLive(known, live))) return known
  const { log: from } = live
  const own = { rules: OWN_RULES, since: Math.floor(now()) }
  if (!known && (await isUnclaimed(stores, from))) return logs.register({ ...own, log: from, copiedTo: null })
  if (!isBeside) throw new RulesNotLiveError(rulesOf(live.publisher) || 'unknown')
  const log = newLogName()
  const newest = await newestSealed(openLog(inLog(table, from), segments))
  const keptTo = (newest?.minute ?? 0) - refoldedMinutes
  const copy = await copyLog({
    table,
    segments,
    from,
    keptTo,
    to: log,
    ...(stores.onCopied ? { onItems: stores.onCopied } : {}),
  })
  const tail = await copy.tail()
  const entry = tail && (await appendRefold(copy, tail, keptTo))
  return logs.register({ ...own, log, copiedTo: entry && entry !== 'lost' ? entry.minute : null })
}

/** Whether readers follow a log, or have followed it: then its release goes on with it, so that they can go back to it. */
const hasBeenLive = ({ rules, log }: RegisteredLog, live: Live): boolean =>
  live.log === log || live.past.some((publisher) => rulesOf(publisher) === rules)

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

/** A name that no other process uses. */
const newLogName = (): string => `${LOG_MARK}${OWN_RULES}-${randomBytes(4).toString('hex')}`

/** The first log of a table, which is written before anybody knows it. */
export type NewLog = {
  readonly log: string
  /** The table as this log's process has it: its puts are bulk ones until the log is known. */
  readonly table: Table
  isKnown(): boolean
  /** Makes it the log of this release's rules, and readers follow it; false: there is another meanwhile. From here on every put is guarded. */
  register(): Promise<boolean>
}

export type NewLogStores = {
  readonly table: Table
  /** The same table, whose conditions always hold. */
  readonly bulk: Table
  readonly segments: Bucket
  readonly logs: Logs
  /** Unix seconds. */
  readonly now: () => number
  /** Called with the number of minutes that were taken from the log of a process that ended. */
  readonly onResumed?: (minutes: number) => void
}

/**
 * A log for a table that has none; undefined: there is one. Its name is its own, so no other process ever writes its keys, and
 * none of its puts needs a guard before it is registered. A process that ends before leaves its log unfinished: the next
 * one takes what that one sealed, and writes it into a log of its own.
 */
export async function openNewLog(stores: NewLogStores): Promise<NewLog | undefined> {
  const { table, bulk, segments, logs, now, onResumed = () => {} } = stores
  const [all, live] = await Promise.all([logs.all(), logs.live()])
  if (all.length > 0 || live.switches > 0 || (await openLog(table, segments).tail())) return undefined
  const log = newLogName()
  let isKnown = false
  const running = new Set<Promise<boolean>>()
  const put: Table['put'] = async (item, condition) => {
    if (isKnown) return table.put(item, condition)
    const done = bulk.put(item, condition)
    running.add(done)
    return done.finally(() => running.delete(done))
  }
  const own = inLog({ ...table, put }, log)
  const unfinished = await logs.unfinished()
  if (unfinished?.startsWith(`${LOG_MARK}${OWN_RULES}-`)) {
    const from = openLog(inLog(table, unfinished), segments)
    onResumed(await takeSealed(from, openLog(own, segments), now))
  }
  await logs.putUnfinished(log)
  return {
    log,
    table: own,
    isKnown: () => isKnown,
    async register() {
      isKnown = true
      await Promise.allSettled(running)
      const registered = await logs.register({
        rules: OWN_RULES,
        since: Math.floor(now()),
        log,
        copiedTo: null,
      })
      return registered.log === log && (await logs.putLive({ log, publisher: '', past: [] }, live))
    },
  }
}

/** Minutes read and put together. */
const PARALLEL_MINUTES = 16

/** Takes the minutes that another log has from its beginning on, up to the first one that is missing or rolled back. Returns their number. */
async function takeSealed(from: LogStore, to: LogStore, now: () => number): Promise<number> {
  const materializer = openMaterializer(to, () => {})
  let count = 0
  let previous: Minute | null = null
  for (const entries of chunked(await allOf(sealedFromTheStart(from)), PARALLEL_MINUTES)) {
    const segments = await mapParallel(entries, PARALLEL_MINUTES, ({ segment }) => from.readSegment(segment))
    await mapParallel(entries, PARALLEL_MINUTES, (entry) => to.append(entry))
    for (const [at, entry] of entries.entries()) {
      const segment = segments[at]
      if (segment) await materializer.add({ entry, segment, previous }, now())
      previous = entry.minute
    }
    count += entries.length
  }
  await materializer.drain()
  return count
}

async function* sealedFromTheStart(log: LogStore): AsyncGenerator<SealedEntry> {
  let n = 0
  for await (const entry of log.entriesAfter(0)) {
    n += 1
    if (entry.is !== 'sealed' || entry.n !== n) return
    yield entry
  }
}
