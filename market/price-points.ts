import type { Candle, Minute, TokenState } from './segment.ts'
import { stepMinutes } from './window.ts'

/** Of a token's state what its price, market cap, volume and trades are made of. */
export type PriceState = Pick<TokenState, 'sqrtPriceX96' | 'supply' | 'cumVolumeMicroUsd' | 'cumTrades'>

/** A token's state after a minute, and the USD prices of its own pool since the point before; null: none was set. */
export type PricePoint = {
  readonly minute: Minute
  readonly candle: Candle | null
  readonly state: PriceState
}

/** Price history in steps that are whole numbers of it reads one point for all minutes of a quarter of an hour. */
export const QUARTER_MINUTES = stepMinutes['24h']

/** The points of minutes, oldest first, one for each quarter of an hour that has any. */
export function quartersOf(points: readonly PricePoint[]): readonly PricePoint[] {
  const quarters = new Map<number, PricePoint[]>()
  for (const point of points) {
    const quarter = Math.floor(point.minute / QUARTER_MINUTES)
    quarters.set(quarter, [...(quarters.get(quarter) ?? []), point])
  }
  return [...quarters.values()].flatMap((inside) => {
    const [last] = inside.slice(-1)
    return last ? [{ ...last, candle: candleOver(inside) }] : []
  })
}

/** One candle of all that points have, oldest first; those without a route to USD count only where no other is. */
export function candleOver(points: readonly Pick<PricePoint, 'candle'>[]): Candle | null {
  const candles = points.flatMap(({ candle }) => candle ?? [])
  const priced = candles.filter(({ close }) => close > 0n)
  return (
    priced.reduce<Candle | null>(
      (all, { open, high, low, close }) => ({
        open: all?.open ?? open,
        high: all && all.high > high ? all.high : high,
        low: all && all.low < low ? all.low : low,
        close,
      }),
      null,
    ) ??
    candles[0] ??
    null
  )
}
