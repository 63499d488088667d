import { publishedPrice } from '../display.ts'
import { grouped } from '../grouped.ts'
import type { Candle, Minute, MinuteRow, TokenState } from '../segment.ts'
import { windows } from '../window.ts'

/** The part of a token's state that price, market cap, volume and trades need. */
export type PriceState = Pick<TokenState, 'sqrtPriceX96' | 'supply' | 'cumVolumeMicroUsd' | 'cumTrades'>

/** The first, highest and lowest USD price; all 0: without a route to USD. */
export type PriceRange = Pick<Candle, 'open' | 'high' | 'low'>

/** A token's state after a minute, and the prices of its own pool since the point before; null: none was set. */
export type PricePoint = {
  readonly minute: Minute
  readonly prices: PriceRange | null
  readonly state: PriceState
}

/** Price history in steps of a multiple of this reads one point per this many minutes. */
export const POINT_MINUTES = windows['4h'].stepMinutes

/** The point of a token's minute. */
export const pointOf = (
  minute: Minute,
  { candle, after }: Pick<MinuteRow, 'candle' | 'after'>,
): PricePoint => ({
  minute,
  prices: candle && (candle.close > 0n ? candle : { open: 0n, high: 0n, low: 0n }),
  state: after,
})

/** One point for each five minutes that have any, oldest first, with prices rounded to their published digits. */
export function fiveMinutePoints(points: readonly PricePoint[]): readonly PricePoint[] {
  const groups = grouped(points, ({ minute }) => Math.floor(minute / POINT_MINUTES))
  return [...groups.values()].flatMap((inside) => {
    const [last] = inside.slice(-1)
    const prices = pricesOver(inside)
    return last ? [{ ...last, prices: prices && published(prices) }] : []
  })
}

const published = ({ open, high, low }: PriceRange): PriceRange => ({
  open: publishedPrice(open),
  high: publishedPrice(high),
  low: publishedPrice(low),
})

/** The price range of all points, oldest first; points without a route to USD count only if there are no others. */
export function pricesOver(points: readonly Pick<PricePoint, 'prices'>[]): PriceRange | null {
  const all = points.flatMap(({ prices }) => prices ?? [])
  const priced = all.filter(({ high }) => high > 0n)
  return (
    priced.reduce<PriceRange | null>(
      (before, { open, high, low }) => ({
        open: before?.open ?? open,
        high: before && before.high > high ? before.high : high,
        low: before && before.low < low ? before.low : low,
      }),
      null,
    ) ??
    all[0] ??
    null
  )
}
