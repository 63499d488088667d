import {
  firstMinuteOf,
  type Interval,
  intervalAt,
  intervalNames,
  type StoredBar,
} from '../../market/index/index-history.ts'
import type { Minute } from '../../market/segment.ts'
import { byName } from '../../market/window.ts'
import { mapParallel } from '../aws/parallel.ts'
import type { Item, Ledger, Table } from '../aws/table.ts'
import { indexPartition, marketKeys } from '../aws/tables.ts'

const PARALLEL_PUTS = 16

/**
 * Puts the bars as of log entry `n`. A bar from later in the log stays, so putting again, or late, is harmless; after a
 * rewind the bars are put again by a later entry.
 */
export async function putBars(
  ledger: Ledger,
  n: number,
  bars: Readonly<Record<Interval, readonly StoredBar[]>>,
): Promise<void> {
  const items = (Object.keys(bars) as Interval[]).flatMap((interval) =>
    bars[interval].map((bar) => itemOf(interval, bar, n)),
  )
  await mapParallel(items, PARALLEL_PUTS, (item) => ledger.put(item, { olderThan: n }))
}

/**
 * The bars whose first minutes are within a span (inclusive), oldest first. Ask for those that were over at a snapshot's
 * minute only: later ones may be of a later minute, or of minutes that were rolled back.
 */
export async function* readBars(
  table: Pick<Table, 'query'>,
  interval: Interval,
  span: { readonly from: Minute; readonly to: Minute },
): AsyncGenerator<StoredBar> {
  const [first, last] = [intervalAt(interval, span.from - 1) + 1, intervalAt(interval, span.to)]
  if (first > last) return
  for (const pk of partitions(interval, first, last)) {
    const from = marketKeys.indexBar(interval, first).sk
    const to = marketKeys.indexBar(interval, last).sk
    for await (const item of table.query({ pk, from, to })) yield barFrom(item)
  }
}

/** The bar of each interval that a snapshot's minute is in, as of that minute; null before the index begins. */
export type OpenBars = Readonly<Record<Interval, StoredBar | null>>

/** The stored document with them: the table's own bars may be of a later minute by the time the snapshot is read. */
export const OPEN_BARS = 'v1/z100/open-bars'

export const openBarsText = (bars: OpenBars): string =>
  JSON.stringify(bars, (_, value) => (typeof value === 'bigint' ? String(value) : value))

export function readOpenBars(text: string): OpenBars {
  const bars = JSON.parse(text) as Record<Interval, Item | null>
  return byName(intervalNames, (interval) => bars[interval] && barFrom(bars[interval]))
}

/** The partitions of the bars in a span, oldest first. */
function partitions(interval: Interval, first: number, last: number): readonly string[] {
  const [from, to] = [first, last].map((at) => yearOf(firstMinuteOf(interval, at)))
  const years = Array.from({ length: (to ?? 0) - (from ?? 0) + 1 }, (_, i) => (from ?? 0) + i)
  return [...new Set(years.map((year) => indexPartition(interval, year)))]
}

const yearOf = (minute: Minute): number => new Date(minute * 60_000).getUTCFullYear()

const itemOf = (interval: Interval, { at, ...numbers }: StoredBar, n: number): Item => ({
  ...marketKeys.indexBar(interval, at),
  ...numbers,
  at,
  pos: n,
})

function barFrom(item: Item): StoredBar {
  const whole = (name: keyof StoredBar): bigint => BigInt(String(item[name]))
  return {
    at: Number(item['at']),
    open: whole('open'),
    high: whole('high'),
    low: whole('low'),
    close: whole('close'),
    creatorVolume: whole('creatorVolume'),
    postVolume: whole('postVolume'),
    trades: Number(item['trades']),
    activeCreators: Number(item['activeCreators']),
    activePosts: Number(item['activePosts']),
  }
}
