import { isDeepStrictEqual } from 'node:util'
import { grouped } from '../../market/grouped.ts'
import type { SealedEntry, SegmentReference } from '../../market/log.ts'
import type { Segment } from '../../market/segment.ts'
import { chunked, mapParallel } from '../../store/aws/parallel.ts'
import type { Item, Reads } from '../../store/aws/table.ts'
import { keyText } from '../../store/aws/tables.ts'
import { itemsOfHourRecords } from '../../store/items/hour-records.ts'
import { byHour, itemsOfSpan, joined, rollupOf, spanAt } from '../../store/items/price-tiers.ts'
import { rowItemsOf } from '../../store/items/projection.ts'
import { UNSETTLED_MINUTES } from '../../store/items/token-history.ts'
import { different, type Finding } from './check.ts'

/** So many minutes are compared: two days, so that a whole one is among them. */
const COMPARED_MINUTES = 2 * 1_440
/** An item that expires within this many seconds may be gone. */
const EXPIRING_SECONDS = 600
const PARALLEL_READS = 16
const ITEMS_AT_ONCE = 1_000

type Rebuilt = {
  readonly entries: readonly SealedEntry[]
  readonly readWhole: (reference: SegmentReference) => Promise<Segment>
}

/**
 * Rows in the tables that are missing, or are not what the rebuilt minutes say: of each minute with its swaps, of each whole
 * hour and day. `now`: Unix seconds; `checked`: how many were compared.
 */
export async function checkRows(
  table: Reads,
  { entries, readWhole }: Rebuilt,
  now: number,
): Promise<{ readonly findings: readonly Finding[]; readonly checked: number }> {
  // The service may still be writing the newest.
  const end = (entries.at(-1)?.minute ?? 0) - UNSETTLED_MINUTES
  const compared = entries.filter(({ minute }) => minute > end - COMPARED_MINUTES && minute <= end)
  const segments = await mapParallel(compared, PARALLEL_READS, ({ segment }) => readWhole(segment))
  const [oldest = Number.POSITIVE_INFINITY] = segments.map(({ minute }) => minute)
  const isWhole = (name: 'hour' | 'day', at: number) =>
    spanAt(name, oldest - 1) < at && spanAt(name, end) > at
  const wanted = [...segments.flatMap(rowItemsOf), ...spanItemsOf(segments, isWhole)].filter(
    ({ ttl }) => ttl === undefined || Number(ttl) > now + EXPIRING_SECONDS,
  )
  const findings: Finding[] = []
  for (const some of chunked(wanted, ITEMS_AT_ONCE)) {
    const stored = new Map((await table.readMany(some)).map((item) => [keyText(item), item]))
    for (const item of some) {
      const fault = faultOf(item, stored.get(keyText(item)))
      if (fault) findings.push(different(`row ${item.pk} ${item.sk}`, fault))
    }
  }
  return { findings, checked: wanted.length }
}

/** The items of the hours and days that are whole. */
function spanItemsOf(
  segments: readonly Segment[],
  isWhole: (name: 'hour' | 'day', at: number) => boolean,
): readonly Item[] {
  const hours = [...grouped(segments, ({ minute }) => spanAt('hour', minute))].map(([hour, own]) => ({
    hour,
    own,
    rollup: rollupOf(own),
  }))
  const days = grouped(hours, ({ own: [first] }) => spanAt('day', first?.minute ?? 0))
  return [
    ...hours
      .filter(({ hour }) => isWhole('hour', hour))
      .flatMap(({ hour, own, rollup }) => [
        ...itemsOfHourRecords(hour, own),
        ...itemsOfSpan('hour', hour, rollup),
      ]),
    ...[...days]
      .filter(([day]) => isWhole('day', day))
      .flatMap(([day, own]) => itemsOfSpan('day', day, joined(own.map(({ rollup }) => byHour(rollup))))),
  ]
}

function faultOf(wanted: Item, stored: Item | undefined): string | undefined {
  if (!stored) return 'it is missing'
  const names = [...new Set([...Object.keys(wanted), ...Object.keys(stored)])].filter(
    (name) => name !== 'pos',
  )
  const name = names.find((one) => !isDeepStrictEqual(comparable(wanted[one]), comparable(stored[one])))
  return name && `${name}: stored ${shown(stored[name])}, rebuilt ${shown(wanted[name])}`
}

/** Numbers and bytes have several forms in memory. */
const comparable = (value: Item[string]): unknown =>
  value instanceof Uint8Array
    ? Buffer.from(value).toString('hex')
    : typeof value === 'number' || typeof value === 'bigint'
      ? String(value)
      : value

const shown = (value: Item[string]): string => String(comparable(value)).slice(0, 80)
