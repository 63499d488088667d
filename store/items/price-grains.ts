/**
 * Prices of tokens and rates of reference currencies, rolled up, so that candles read few items: an hour by five
 * minutes, a day by hours, a day as a whole. Written with the first minute of a later hour or day, from the segments.
 */

import {
  type PricePoint,
  pointsOf,
  type RatePoint,
  ratesRolledUp,
  rolledUp,
} from '../../market/board/price-points.ts'
import { grouped } from '../../market/grouped.ts'
import type { Address, Minute, MinuteRow, Segment } from '../../market/segment.ts'
import type { Item, Reads } from '../aws/table.ts'
import { FORMAT_VERSION, marketKeys, type PriceGrain, type PriceSeries, priceGrains } from '../aws/tables.ts'
import { assertReadableItem } from '../bytes/format.ts'
import { pricePointsBytes, ratePointsBytes } from '../bytes/price-bytes.ts'
import { quoteVolumes } from './rows.ts'

/** With fewer log entries since a span's mark, not every item may have reached every replica of the table. */
const UNSETTLED_ENTRIES = 5

/** Hours and days, whose items are complete once they are marked. A day has items of two grains. */
const spans = { hour: priceGrains.hour, day: priceGrains.days } as const
/** A length of time that is rolled up. */
export type SpanName = keyof typeof spans

const grainsOf: { readonly [Name in SpanName]: readonly PriceGrain[] } = {
  hour: ['hour'],
  day: ['day', 'days'],
}

/** Number of the hour or day of a minute, counted from 1970. */
export const spanAt = (name: SpanName, minute: Minute): number => Math.floor(minute / spans[name].minutes)

/** Spans from the first to the last, inclusive; none if the last is before the first. */
export type SpanRange = { readonly first: number; readonly last: number }

/** Unix seconds after which items of a grain have expired; undefined: never. */
function endOf(grain: PriceGrain, at: number): number | undefined {
  const { minutes, kept } = priceGrains[grain]
  return kept === null ? undefined : at * minutes * 60 + kept
}

/** Whether every item of a span has expired at a time (Unix seconds). */
export const isSpanExpired = (name: SpanName, at: number, now: number): boolean =>
  grainsOf[name].every((grain) => (endOf(grain, at) ?? Number.POSITIVE_INFINITY) <= now)

/** What tokens and reference currencies did in a span. */
export type Rollup = {
  readonly prices: ReadonlyMap<Address, readonly PricePoint[]>
  readonly rates: ReadonlyMap<Address, readonly RatePoint[]>
}

type RolledMinute = Pick<Segment, 'minute' | 'swaps'> & {
  readonly rows: readonly MinuteRow[]
  readonly references: ReadonlyMap<Address, { readonly heldUsdE36: bigint }>
}

/** The roll-up of an hour, made from its minutes, oldest first. */
export function rollupOf(minutes: readonly RolledMinute[]): Rollup {
  const { pointMinutes } = priceGrains.hour
  const rows = minutes.flatMap((segment) => {
    const { minute } = segment
    const volumes = quoteVolumes(segment.swaps)
    const moved = segment.rows.filter(hasMoved)
    return moved.map((row) => ({ minute, row, volumeQuote: volumes.get(row.token) ?? 0n }))
  })
  const rates = minutes.flatMap(({ minute, references }) =>
    [...references].map(([currency, { heldUsdE36 }]) => ({
      currency,
      point: { minute, usdE36: heldUsdE36 },
    })),
  )
  return {
    prices: mapped(
      grouped(rows, ({ row }) => row.token),
      (own) => rolledUp(pointsOf(own), pointMinutes),
    ),
    rates: mapped(
      grouped(rates, ({ currency }) => currency),
      (own) =>
        ratesRolledUp(
          own.map(({ point }) => point),
          pointMinutes,
        ),
    ),
  }
}

/** A roll-up in points of hours: what a day needs of it. */
export const byHour = ({ prices, rates }: Rollup): Rollup =>
  rolledTo(priceGrains.day.pointMinutes, { prices, rates })

const rolledTo = (minutes: number, { prices, rates }: Rollup): Rollup => ({
  prices: mapped(prices, (points) => rolledUp(points, minutes)),
  rates: mapped(rates, (points) => ratesRolledUp(points, minutes)),
})

/** The roll-up of successive hours. The state before each hour but the first is that after the one before. */
export function joined(hours: readonly Rollup[]): Rollup {
  const all = <V>(valuesOf: (hour: Rollup) => ReadonlyMap<Address, readonly V[]>) =>
    grouped(
      hours.flatMap((hour) => [...valuesOf(hour)]),
      ([series]) => series,
    )
  return {
    prices: mapped(
      all(({ prices }) => prices),
      (parts) => parts.flatMap(([, points], at) => (at === 0 ? points : points.slice(1))),
    ),
    rates: mapped(
      all(({ rates }) => rates),
      (parts) => parts.flatMap(([, points]) => points),
    ),
  }
}

function mapped<K, V, W>(map: ReadonlyMap<K, V>, make: (value: V) => W): Map<K, W> {
  return new Map([...map].map(([key, value]) => [key, make(value)]))
}

/** The items of an hour or a day. */
export const itemsOfSpan = (name: SpanName, at: number, rollup: Rollup): Item[] =>
  grainsOf[name].flatMap((grain) => {
    const { prices, rates } = rolledTo(priceGrains[grain].pointMinutes, rollup)
    return [
      ...[...prices].map(([token, points]) => itemOf({ token }, [grain, at], pricePointsBytes.write(points))),
      ...[...rates].map(([currency, points]) =>
        itemOf({ currency }, [grain, at], ratePointsBytes.write(points)),
      ),
    ]
  })

const itemOf = (
  series: PriceSeries,
  [grain, at]: readonly [PriceGrain, number],
  points: Uint8Array,
): Item => ({ ...keyOf(series, grain, at), v: FORMAT_VERSION, points })

const keyOf = (series: PriceSeries, grain: PriceGrain, at: number): Item => ({
  ...marketKeys.prices(series, grain, at),
  ttl: endOf(grain, at),
})

/** The marks of the spans completed when a minute is sealed after `last`: their items are all written. */
export function marksOfSpans(name: SpanName, last: Minute, sealed: Minute): Item[] {
  const [open, kept] = [spanAt(name, sealed), spans[name].kept]
  const oldest = kept === null ? 0 : open - kept / 60 / spans[name].minutes
  const first = Math.max(spanAt(name, last), oldest)
  return Array.from({ length: open - first }, (_, at) => markOf(name, first + at))
}

function markOf(name: SpanName, at: number): Item {
  const ends = grainsOf[name].map((grain) => endOf(grain, at))
  return { ...marketKeys.rolledUp(name, at), ttl: ends.includes(undefined) ? undefined : ends[0] }
}

/** Keys and expiry of the items that rolling back a minute with these tokens and currencies invalidates. */
export const voidedSpans = (minute: Minute, series: readonly PriceSeries[]): Item[] =>
  (Object.keys(spans) as SpanName[]).flatMap((name) => {
    const at = spanAt(name, minute)
    return [
      markOf(name, at),
      ...grainsOf[name].flatMap((grain) => series.map((each) => keyOf(each, grain, at))),
    ]
  })

const hasMoved = ({ before, after, candle }: MinuteRow): boolean =>
  candle !== null ||
  before.sqrtPriceX96 !== after.sqrtPriceX96 ||
  before.supply !== after.supply ||
  before.cumVolumeMicroUsd !== after.cumVolumeMicroUsd ||
  before.cumTrades !== after.cumTrades

/**
 * The newest spans without a gap, from that of minute `from` to the last completed by minute `to`, whose items are
 * complete and settled at log entry `n`. A young log leaves gaps; the rows of minutes are read there instead.
 */
export async function readSpans(
  table: Reads,
  name: SpanName,
  { from, to, n }: { readonly from: Minute; readonly to: Minute; readonly n: number },
): Promise<SpanRange> {
  const open = spanAt(name, to)
  let range: SpanRange = { first: open, last: open - 1 }
  const { pk, sk } = marketKeys.rolledUp(name, spanAt(name, from))
  const newest = marketKeys.rolledUp(name, open - 1).sk
  for await (const mark of table.query({ pk, from: sk, to: newest, isDescending: true })) {
    const at = Number(mark.sk)
    const isNone = range.last < range.first
    if (isNone && Number(mark['pos']) > n - UNSETTLED_ENTRIES) continue
    if (!isNone && at !== range.first - 1) break
    range = { first: at, last: isNone ? at : range.last }
  }
  return range
}

/** Items of a grain as read, newest first unless `isAscending`: at most `limit`, the first and last span inclusive. */
export async function readPoints<V>(
  table: Reads,
  { series, grain, read }: PointsOf<V>,
  {
    first,
    last,
    limit,
    isAscending = false,
  }: SpanRange & { readonly limit: number; readonly isAscending?: boolean },
): Promise<readonly { readonly at: number; readonly points: readonly V[] }[]> {
  const { pk, sk: from } = marketKeys.prices(series, grain, first)
  const { sk: to } = marketKeys.prices(series, grain, last)
  const items: { at: number; points: readonly V[] }[] = []
  for await (const item of table.query({ pk, from, to, isDescending: !isAscending, limit })) {
    assertReadableItem(item)
    items.push({ at: Number(item.sk.slice(-6)), points: read(item['points'] as Uint8Array) })
  }
  return items
}

/** A grain of a series, and how its points are read. */
type PointsOf<V> = {
  readonly series: PriceSeries
  readonly grain: PriceGrain
  readonly read: (bytes: Uint8Array) => readonly V[]
}
