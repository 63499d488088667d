/**
 * A token's prices in a completed hour, one point per five minutes, in one item: price history then reads one item an
 * hour instead of one a minute. Written with the first minute of a later hour, from the segments of the hour.
 */

import { fiveMinutePoints, type PricePoint, pointOf } from '../market/board/price-points.ts'
import { grouped } from '../market/grouped.ts'
import type { Address, Minute, MinuteRow } from '../market/segment.ts'
import { hourOfMinute } from '../market/window.ts'
import { pricePointsBytes, pricePointsFrom } from './codec.ts'
import { assertReadableItem } from './format.ts'
import type { Item, Reads } from './table.ts'
import { FORMAT_VERSION, keptSeconds, marketKeys } from './tables.ts'

/** With fewer log entries since an hour's mark, not every item may have reached every replica of the table. */
const UNSETTLED_ENTRIES = 5
/** Age in hours after which an hour's items expire. */
const KEPT_HOURS = keptSeconds.minute / 3_600

/** Hours from the first to the last, inclusive; none if the last is before the first. */
export type Hours = { readonly first: number; readonly last: number }

const endOf = (hour: number): number => hour * 3_600 + keptSeconds.minute

/** Whether the items of an hour have expired at a time (Unix seconds). */
export const isHourExpired = (hour: number, now: number): boolean => endOf(hour) <= now

/** The items of an hour's tokens, made from its minutes, oldest first. */
export function itemsOfHour(
  hour: number,
  minutes: readonly { readonly minute: Minute; readonly rows: readonly MinuteRow[] }[],
): Item[] {
  const moved = minutes.flatMap(({ minute, rows }) =>
    rows.filter(hasMoved).map((row) => ({ token: row.token, point: pointOf(minute, row) })),
  )
  return [...grouped(moved, ({ token }) => token)].map(([token, own]) => ({
    ...keyOf(token, hour),
    v: FORMAT_VERSION,
    points: pricePointsBytes(fiveMinutePoints(own.map(({ point }) => point))),
  }))
}

/** The marks of the hours completed when a minute is sealed after `last`: their items are all written. */
export function marksOfHours(last: Minute, sealed: Minute): Item[] {
  const first = Math.max(hourOfMinute(last), hourOfMinute(sealed) - KEPT_HOURS)
  return Array.from({ length: hourOfMinute(sealed) - first }, (_, at) => markOf(first + at))
}

/** Keys and expiry of the items that rolling back a minute with these tokens invalidates. */
export const voidedHours = (minute: Minute, tokens: readonly Address[]): Item[] => [
  markOf(hourOfMinute(minute)),
  ...tokens.map((token) => keyOf(token, hourOfMinute(minute))),
]

const keyOf = (token: Address, hour: number): Item => ({
  ...marketKeys.priceHour(token, hour),
  ttl: endOf(hour),
})
const markOf = (hour: number): Item => ({ ...marketKeys.pricedHour(hour), ttl: endOf(hour) })

const hasMoved = ({ before, after, candle }: MinuteRow): boolean =>
  candle !== null ||
  before.sqrtPriceX96 !== after.sqrtPriceX96 ||
  before.supply !== after.supply ||
  before.cumVolumeMicroUsd !== after.cumVolumeMicroUsd ||
  before.cumTrades !== after.cumTrades

/**
 * The newest hours without a gap, from that of minute `from` to the last completed by minute `to`, whose items are
 * complete and settled at log entry `n`. Earlier releases and a young log leave gaps; the rows of minutes are read there
 * instead.
 */
export async function readPricedHours(
  table: Reads,
  { from, to, n }: { readonly from: Minute; readonly to: Minute; readonly n: number },
): Promise<Hours> {
  const open = hourOfMinute(to)
  let hours: Hours = { first: open, last: open - 1 }
  const { pk, sk } = marketKeys.pricedHour(hourOfMinute(from))
  for await (const mark of table.query({
    pk,
    from: sk,
    to: marketKeys.pricedHour(open - 1).sk,
    isDescending: true,
  })) {
    const hour = Number(mark.sk)
    const isNone = hours.last < hours.first
    if (isNone && Number(mark['pos']) > n - UNSETTLED_ENTRIES) continue
    if (!isNone && hour !== hours.first - 1) break
    hours = { first: hour, last: isNone ? hour : hours.last }
  }
  return hours
}

/** A token's points in these hours, oldest first: at most one item an hour. */
export async function readPriceHours(
  table: Reads,
  token: Address,
  { first, last }: Hours,
): Promise<readonly PricePoint[]> {
  const { pk, sk: from } = marketKeys.priceHour(token, first)
  const points: PricePoint[] = []
  for await (const item of table.query({ pk, from, to: marketKeys.priceHour(token, last).sk })) {
    assertReadableItem(item)
    points.push(...pricePointsFrom(item['points'] as Uint8Array))
  }
  return points
}
