import { greater, lesser } from '../bigints.ts'
import { publishedPrice } from '../display.ts'
import { grouped } from '../grouped.ts'
import type { Candle, Minute, MinuteRow, TokenState, UsdE36 } from '../segment.ts'

/** The part of a token's state that candles need. */
export type PriceState = Pick<
  TokenState,
  'sqrtPriceX96' | 'supply' | 'cumVolumeMicroUsd' | 'cumBuyVolumeMicroUsd' | 'cumTrades' | 'cumBuys'
>

/** The highest and lowest price that was set: USD (0: no route to it), and sqrtPriceX96 of the pool. */
export type PriceRange = Pick<Candle, 'high' | 'low' | 'highSqrt' | 'lowSqrt'>

/** A token's state after a minute, and what happened in its own pool since the point before. */
export type PricePoint = {
  readonly minute: Minute
  /** null: no price was set. */
  readonly prices: PriceRange | null
  /** Base units of the quote that were traded. */
  readonly volumeQuote: bigint
  readonly state: PriceState
}

/** USD × 1e36 of one whole reference currency after a minute. */
export type RatePoint = { readonly minute: Minute; readonly usdE36: UsdE36 }

/** A token's row of a minute, as far as points need it. */
export type PointRow = {
  readonly minute: Minute
  readonly row: Pick<MinuteRow, 'before' | 'after' | 'candle'>
  readonly volumeQuote: bigint
}

/** The points of a token's rows, oldest first. The first point is the state before them; none without rows. */
export function pointsOf(rows: readonly PointRow[]): readonly PricePoint[] {
  const [first] = rows
  if (!first) return []
  const { minute, row } = first
  // A pool's first price is the one it had before its first trade.
  const sqrtPriceX96 = row.before.sqrtPriceX96 || (row.candle?.firstSqrt ?? 0n)
  const before = { ...row.before, sqrtPriceX96 }
  return [{ minute: minute - 1, prices: null, volumeQuote: 0n, state: before }, ...rows.map(pointOf)]
}

const pointOf = ({ minute, row: { candle, after }, volumeQuote }: PointRow): PricePoint => ({
  minute,
  prices: candle && rangeOf(candle),
  volumeQuote,
  state: after,
})

/** Without a route to USD at its end, a minute has no price in USD. */
const rangeOf = ({ high, low, close, highSqrt, lowSqrt }: Candle): PriceRange =>
  close > 0n ? { high, low, highSqrt, lowSqrt } : { high: 0n, low: 0n, highSqrt, lowSqrt }

/**
 * One point for each `minutes` minutes that have any, with prices rounded to their published digits. The first point,
 * the state before, stays itself.
 */
export function rolledUp(points: readonly PricePoint[], minutes: number): readonly PricePoint[] {
  const [before, ...rest] = points
  const groups = grouped(rest, ({ minute }) => Math.floor(minute / minutes))
  return [before, ...[...groups.values()].map(together)].flatMap((point) => point ?? [])
}

function together(points: readonly PricePoint[]): PricePoint | undefined {
  const last = points.at(-1)
  const prices = pricesOver(points)
  const volumeQuote = points.reduce((sum, point) => sum + point.volumeQuote, 0n)
  return last && { ...last, volumeQuote, prices: prices && published(prices) }
}

const published = ({ high, low, ...pool }: PriceRange): PriceRange => ({
  ...pool,
  high: publishedPrice(high),
  low: publishedPrice(low),
})

/** The price range of all points; those without a route to USD count only if there are no others. */
export function pricesOver(points: readonly Pick<PricePoint, 'prices'>[]): PriceRange | null {
  const [first, ...rest] = points.flatMap(({ prices }) => prices ?? [])
  return first ? rest.reduce(wider, first) : null
}

function wider(a: PriceRange, b: PriceRange): PriceRange {
  const pool = { highSqrt: greater(a.highSqrt, b.highSqrt), lowSqrt: lesser(a.lowSqrt, b.lowSqrt) }
  if (a.high === 0n || b.high === 0n) return { ...(a.high === 0n ? b : a), ...pool }
  return { ...pool, high: greater(a.high, b.high), low: lesser(a.low, b.low) }
}

/** The last rate of each `minutes` minutes that have any. */
export const ratesRolledUp = (points: readonly RatePoint[], minutes: number): readonly RatePoint[] =>
  [...grouped(points, ({ minute }) => Math.floor(minute / minutes)).values()].flatMap((some) =>
    some.slice(-1),
  )
