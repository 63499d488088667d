/** The rows and the states of tokens in the tables, compared with rebuilt minutes. */
import { grouped } from '../../market/grouped.ts'
import type { SealedEntry, SegmentReference } from '../../market/log.ts'
import { type Address, type Minute, type Segment, stateNames } from '../../market/segment.ts'
import type { SegmentReader } from '../../snapshot/engine/follow.ts'
import { toAttributes } from '../../store/aws/attributes.ts'
import { chunked, mapParallel } from '../../store/aws/parallel.ts'
import type { Item, Reads } from '../../store/aws/table.ts'
import { keyText } from '../../store/aws/tables.ts'
import type { SegmentStates } from '../../store/bytes/segment-bytes.ts'
import { itemsOfHourRecords } from '../../store/items/hour-records.ts'
import { byHour, itemsOfSpan, joined, rollupOf, spanAt } from '../../store/items/price-grains.ts'
import { rowItemsOf } from '../../store/items/projection.ts'
import type { Now } from '../../store/items/rows.ts'
import { UNSETTLED_MINUTES } from '../../store/items/token-history.ts'
import { readCurrent } from '../../store/items/tokens.ts'
import { fieldDifferences, STORED } from './difference.ts'
import { type Finding, foundIf } from './finding.ts'
import { PARALLEL_READS } from './reindex.ts'

/** So many minutes are compared: two days, so that a whole one is among them. */
const COMPARED_MINUTES = 2 * 1_440
/** An item that expires within this many seconds may be gone. */
const EXPIRING_SECONDS = 600
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
      const own = stored.get(keyText(item))
      const fault = own ? rowFault(item, own) : 'it is missing'
      findings.push(...foundIf(`row ${item.pk} ${item.sk}`, fault))
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

function rowFault(wanted: Item, stored: Item): string | undefined {
  const names = Object.keys({ ...wanted, ...stored }).filter((name) => name !== 'pos')
  return fieldDifferences(names, comparable(stored), comparable(wanted), STORED)[0]
}

/** The text of each attribute: numbers and bytes have several forms in memory. */
const comparable = (item: Item): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(toAttributes(item)).map(([name, { B, ...plain }]) => [
      name,
      B ? Buffer.from(B).toString('hex') : String(Object.values(plain)),
    ]),
  )

/** Tokens per read. */
const TOKENS_AT_ONCE = 50

type Row = SegmentStates['rows'][number]

/**
 * Tokens that the rebuilt minutes touched whose description or newest state in the tables is missing, or is not that of
 * the chain. States of later minutes are left out: the service goes on meanwhile.
 */
export async function checkStates(
  table: Reads,
  { entries, read }: { readonly entries: readonly SealedEntry[]; readonly read: SegmentReader },
): Promise<readonly Finding[]> {
  const last = new Map<Address, Row>()
  for (const { segment } of entries) for (const row of (await read(segment)).rows) last.set(row.token, row)
  const findings: Finding[] = []
  const end = entries.at(-1)?.minute ?? 0
  for (const some of chunked([...last], TOKENS_AT_ONCE)) {
    const { tokens, nows } = await readCurrent(
      table,
      some.map(([token]) => token),
    )
    for (const [token, row] of some) {
      const fault = tokens.has(token)
        ? stateFault(row, nows.get(token), end)
        : 'the tables do not describe it'
      findings.push(...foundIf(`token ${token}`, fault))
    }
  }
  return findings
}

function stateFault({ after }: Row, now: Now | undefined, end: Minute): string | undefined {
  if (!now) return 'it is described, but the tables have no state of it'
  if (now.minute !== null && now.minute > end) return undefined
  return fieldDifferences(stateNames, now.state, after, STORED)[0]
}
