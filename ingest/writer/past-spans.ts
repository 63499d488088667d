/** Rolls up the hours and days that are over, from the segments of their minutes: prices, and what is kept by hours. */

import type { SealedEntry, SegmentReference } from '../../market/log.ts'
import type { Minute, Segment } from '../../market/segment.ts'
import { mapParallel } from '../../store/aws/parallel.ts'
import type { Item } from '../../store/aws/table.ts'
import { itemsOfHourRecords } from '../../store/items/hour-records.ts'
import {
  byHour,
  isSpanExpired,
  itemsOfSpan,
  joined,
  marksOfSpans,
  type Rollup,
  rollupOf,
  type SpanName,
  spanAt,
} from '../../store/items/price-grains.ts'
import { effectiveBackwards, type LogStore } from '../../store/log/log.ts'

const PARALLEL_READS = 16

/** A minute in memory. */
type AtHand = { readonly entry: SealedEntry; readonly segment: Segment; readonly previous: Minute | null }

/** A minute of the log, and its segment if that is in memory. */
type Sealed = { readonly reference: SegmentReference; readonly segment: Segment | undefined }

/**
 * The items of the hour and the day that an entry's minute is the first one after; without prices expired by `now`.
 * `previous`: the last minute before it; `minutes`: consecutive minutes in memory, including the entry's.
 */
export async function itemsOfPastSpans(
  log: LogStore,
  entry: SealedEntry,
  previous: Minute | null,
  { now = 0, minutes = [] }: { readonly now?: number; readonly minutes?: readonly AtHand[] } = {},
): Promise<readonly Item[]> {
  if (previous === null) return []
  const items: Item[] = []
  for (const name of ['hour', 'day'] as const) {
    const at = spanAt(name, previous)
    const isExpired = isSpanExpired(name, at, now)
    if (at === spanAt(name, entry.minute) || (isExpired && name === 'day')) continue
    const sealed = await sealedIn(log, entry, { name, at, minutes })
    const segments = name === 'hour' ? await readSegments(log, sealed) : []
    if (name === 'hour') items.push(...itemsOfHourRecords(at, segments))
    if (isExpired) continue
    const rollup = name === 'hour' ? rolledUp(log, sealed, segments) : await readDay(log, sealed)
    items.push(...itemsOfSpan(name, at, rollup), ...marksOfSpans(name, previous, entry.minute))
  }
  return items
}

/** The effective minutes of a span before an entry, oldest first. */
async function sealedIn(
  log: LogStore,
  entry: SealedEntry,
  {
    name,
    at,
    minutes,
  }: { readonly name: SpanName; readonly at: number; readonly minutes: readonly AtHand[] },
): Promise<readonly Sealed[]> {
  const isInside = (minute: Minute) => spanAt(name, minute) === at
  const [first] = minutes
  if (first && spanAt(name, first.previous ?? -1) < at) {
    return minutes
      .filter(({ segment }) => isInside(segment.minute))
      .map(({ entry: { segment: reference }, segment }) => ({ reference, segment }))
  }
  const inMemory = new Map(minutes.map((minute) => [minute.entry.segment.key, minute.segment]))
  const sealed: Sealed[] = []
  for await (const { minute, segment } of effectiveBackwards(log, entry.n)) {
    if (spanAt(name, minute) < at) break
    if (isInside(minute)) sealed.unshift({ reference: segment, segment: inMemory.get(segment.key) })
  }
  return sealed
}

const readSegments = (log: LogStore, sealed: readonly Sealed[]): Promise<readonly Segment[]> =>
  mapParallel(sealed, PARALLEL_READS, async ({ reference, segment }) => segment ?? log.readSegment(reference))

/** The roll-up of minutes whose segments are read. */
function rolledUp(log: LogStore, sealed: readonly Sealed[], segments: readonly Segment[]): Rollup {
  const rollup = rollupOf(segments)
  remember(log, sealed, byHour(rollup))
  return rollup
}

/** Hours of a day that this process has rolled up are not read again. */
async function readDay(log: LogStore, sealed: readonly Sealed[]): Promise<Rollup> {
  const hours = new Map<number, Sealed[]>()
  for (const each of sealed) {
    const hour = spanAt('hour', each.reference.minute)
    hours.set(hour, [...(hours.get(hour) ?? []), each])
  }
  const rollups: Rollup[] = []
  for (const hour of hours.values())
    rollups.push(remembered(log, hour) ?? byHour(rolledUp(log, hour, await readSegments(log, hour))))
  return joined(rollups)
}

/** Roll-ups by hour of the hours last rolled up, by the segments they are made from. */
const memory = new WeakMap<LogStore, Map<string, Rollup>>()
/** A day and the hour in progress. */
const REMEMBERED = 25

const keyOf = (sealed: readonly Sealed[]): string => sealed.map(({ reference }) => reference.key).join()

const remembered = (log: LogStore, sealed: readonly Sealed[]): Rollup | undefined =>
  memory.get(log)?.get(keyOf(sealed))

function remember(log: LogStore, sealed: readonly Sealed[], rollup: Rollup): void {
  const known = memory.get(log) ?? new Map<string, Rollup>()
  memory.set(log, known)
  known.set(keyOf(sealed), rollup)
  const [oldest] = known.keys()
  if (known.size > REMEMBERED && oldest !== undefined) known.delete(oldest)
}
