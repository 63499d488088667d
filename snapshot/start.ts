import type { SealedEntry } from '../market/log.ts'
import type { LogEntry } from '../market/segment.ts'
import { LONGEST_WINDOW_MINUTES } from '../market/window.ts'
import { StoreFault } from '../store/fault.ts'
import { effectiveBackwards, type LogStore } from '../store/log.ts'
import { mapParallel } from '../store/parallel.ts'
import { enterAll } from './active-market.ts'
import { listCheckpoints, readCheckpoint } from './checkpoint.ts'
import { type Engine, emptyEngine, load, type Target } from './engine.ts'
import { BATCH, type Following, readAll } from './follow.ts'
import { listRecords, readRecord } from './index-record.ts'
import { byInterval, KEPT_MINUTES } from './index-state.ts'

/**
 * A checkpoint so much older than the newest index record is left aside: each minute after a checkpoint is read once for each
 * window start, and each of the 30 days before a record once in all.
 */
const FAR_MINUTES = 3 * 1_440

/** The engine to begin with: of the newest checkpoint in force, else one to be loaded up to the newest index record, else one before the first entry. */
export async function startEngine(following: Following): Promise<Engine> {
  const { bucket, log, to } = following
  const { value: record } = await inForce(await listRecords(bucket, to), log, to).next()
  const checkpoints = (await listCheckpoints(bucket)).filter(({ n }) => n <= to)
  for await (const name of inForce(checkpoints, log, to)) {
    if (record && record.minute - name.minute > FAR_MINUTES) break
    const engine = await readCheckpoint(name, bucket)
    if (engine) return engine
  }
  return record ? { ...emptyEngine(), target: { n: record.n, minute: record.minute } } : emptyEngine()
}

/** Of names in the order of the log, the newest first, those whose minute no entry after them up to `to` took back. */
async function* inForce<Name extends Target>(
  names: readonly Name[],
  log: Pick<LogStore, 'entriesBefore'>,
  to: number,
): AsyncGenerator<Name, undefined> {
  const later = log.entriesBefore(to + 1)
  let reach = Number.POSITIVE_INFINITY
  let next = await later.next()
  for (const name of names) {
    while (!next.done && next.value.n > name.n) {
      reach = Math.min(reach, lowestRewind([next.value]))
      next = await later.next()
    }
    if (reach >= name.minute) yield name
  }
}

const lowest = Number.NEGATIVE_INFINITY

/** The lowest minute that these entries go back to. */
export const lowestRewind = (entries: readonly LogEntry[]): number =>
  Math.min(...entries.map((entry) => (entry.is === 'rewound' ? (entry.minute ?? lowest) : Infinity)))

/** Reads on the 30 days before the target, then takes the index as it was recorded there. False: time was over first. */
export async function finishLoading(engine: Engine, target: Target, following: Following): Promise<boolean> {
  const entries = await entriesUpTo(target, following)
  const left = entries.filter(({ n }) => n > engine.n)
  for (let from = 0; from < left.length; from += BATCH) {
    const batch = left.slice(from, from + BATCH)
    const segments = await readAll(
      batch.map(({ segment }) => segment),
      following.read,
    )
    for (const entry of batch) {
      const segment = segments.get(entry.segment.key)
      if (segment) load(engine, entry, segment, target.minute)
    }
    if (following.isOver() && from + BATCH < left.length) return false
  }
  await restoreIndex(engine, target, following)
  engine.target = null
  return true
}

/** The sealed minutes in force of the longest window before the target, and the one before them. */
async function entriesUpTo({ n, minute }: Target, { log }: Following): Promise<readonly SealedEntry[]> {
  const entries: SealedEntry[] = []
  for await (const entry of effectiveBackwards(log, n + 1)) {
    entries.push(entry)
    if (entry.minute <= minute - LONGEST_WINDOW_MINUTES) break
  }
  return entries.reverse()
}

/** Puts the recorded index in place, its points of the longest period, and the members without a row in the last 30 days. */
async function restoreIndex(engine: Engine, target: Target, { bucket, log }: Following): Promise<void> {
  const names = inForce(await listRecords(bucket, target.n), log, target.n)
  const wanted = []
  for await (const name of names) {
    wanted.push(name)
    if (name.minute < target.minute - KEPT_MINUTES) break
  }
  const records = await mapParallel(wanted, BATCH, (name) => readRecord(name, bucket))
  const [newest] = records
  if (!newest || newest.n !== target.n)
    throw new StoreFault('RecordMissingError', `the index record of entry ${target.n} has gone`)
  const { index, market } = engine
  const { past } = newest
  index.index = past.index
  Object.assign(index.bars, past.bars)
  Object.assign(
    index.unwritten,
    byInterval((interval) => [past.bars[interval] ?? []].flat()),
  )
  index.points = records.toReversed().flatMap((record) => record?.points ?? [])
  index.recordedMinute = newest.minute
  index.needed = new Set(newest.tokens.map(({ token }) => token.address))
  engine.corrections = newest.corrections
  engine.refoldTo = newest.refoldTo
  const inactive = newest.tokens.filter(({ token }) => !market.byAddress.has(token.address))
  enterAll(
    market,
    inactive.map(({ token, state }) => [token, state]),
  )
}
