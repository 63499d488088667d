/**
 * What a token's prices did in an hour that is over, one point for five minutes, in one item: so that price history reads an item an
 * hour and not one a minute. Put with the first minute of a later hour, from the segments of the hour.
 */

import { grouped } from '../market/grouped.ts'
import { fiveMinutePoints, type PricePoint, pointOf } from '../market/price-points.ts'
import type { Address, Minute, MinuteRow } from '../market/segment.ts'
import { hourOfMinute } from '../market/window.ts'
import { pricePointsBytes, pricePointsFrom } from './codec.ts'
import { assertReadableItem, FORMAT_VERSION } from './format.ts'
import type { Item, Reads } from './table.ts'
import { keptSeconds, marketKeys } from './tables.ts'

/** Of an hour marked in fewer log entries than that not every item may have reached every copy of the table. */
const UNSETTLED_ENTRIES = 5
/** Hours whose items have not expired. */
const KEPT_HOURS = keptSeconds.minute / 3_600

/** Hours from the first to the last, both included; none where the last is before the first. */
export type Hours = { readonly first: number; readonly last: number }

const endOf = (hour: number): number => hour * 3_600 + keptSeconds.minute

/** Whether the items of an hour are due for deletion at a time (Unix seconds). */
export const isHourExpired = (hour: number, now: number): boolean => endOf(hour) <= now

/** The items of an hour's tokens, from its minutes, oldest first. */
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

/** The marks of hours that are over once a minute is sealed that `last` was the last one before: their items are all there. */
export function marksOfHours(last: Minute, sealed: Minute): Item[] {
  const first = Math.max(hourOfMinute(last), hourOfMinute(sealed) - KEPT_HOURS)
  return Array.from({ length: hourOfMinute(sealed) - first }, (_, at) => markOf(first + at))
}

/** Keys, with their end, that rolling back a minute which touched these tokens makes void. */
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
 * The newest hours without a gap, from that of minute `from` to the last one over by minute `to`, whose items are all there and
 * settled at log entry `n`. Releases that put none, and a log younger than that, leave gaps: there the rows of minutes are read.
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

/** A token's points in such hours, oldest first: at most one item an hour. */
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
