import { randomBytes } from 'node:crypto'
import type { SealedEntry } from '../../market/log.ts'
import type { Minute } from '../../market/segment.ts'
import type { Bucket } from '../../store/aws/bucket.ts'
import { allOf, chunked, mapParallel } from '../../store/aws/parallel.ts'
import type { Table } from '../../store/aws/table.ts'
import { type LogStore, openLog } from '../../store/log/log.ts'
import { inLog, LOG_MARK, type Logs, OWN_RULES } from '../../store/log/logs.ts'
import { openMaterializer } from './materialize.ts'

/** A name that no other process uses. */
export const newLogName = (): string => `${LOG_MARK}${OWN_RULES}-${randomBytes(4).toString('hex')}`

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
