import { coverageFrom, isCovered, isImported } from '../coverage.ts'
import { marketCapMicroUsd, priceUsdE36 } from '../pool.ts'
import { isYounger, priceAlong } from '../route.ts'
import type { MicroUsd, UsdE36 } from '../segment.ts'
import { type PricePoint, type PriceState, pricesOver } from './price-points.ts'
import { type PathState, routeAt, stateIn, type TokenPath } from './token-page.ts'

/** Prices × 1e36 of one whole token; null: unknown, or without a route to the currency. */
export type Prices = {
  readonly open: bigint | null
  readonly high: bigint | null
  readonly low: bigint | null
  readonly close: bigint | null
}

/** One slot of UTC time of a token. */
export type Slot = {
  /** Unix seconds. */
  readonly start: number
  readonly usd: Prices
  readonly quote: Prices
  /** Null, like all but the close: the token is older than the log, and the slot begins before it. */
  readonly volume: MicroUsd | null
  readonly buyVolume: MicroUsd | null
  /** Base units of the quote. */
  readonly volumeQuote: bigint | null
  readonly quoteDecimals: number
  readonly trades: number | null
  readonly buys: number | null
  readonly marketCap: MicroUsd | null
  /** The token's own price was not set in it; null: unknown. */
  readonly isFilled: boolean | null
  /** The slot is not over yet. */
  readonly isPartial: boolean
}

/** What a slot is made from. `before` and `after`: the states at its start and end, or now; `points`: those in it. */
export type SlotFacts = {
  readonly start: number
  readonly end: number
  readonly asOf: number
  readonly path: TokenPath
  readonly quoteDecimals: number
  readonly before: PathState<PriceState>
  readonly after: PathState<PriceState>
  readonly points: readonly PricePoint[]
}

/**
 * Builds a slot. It opens at the close of the slot before, a token's first one at the launch price; it closes at the
 * pool price at the quote's USD at its end, so the last slot closes at the current price. High and low include both.
 */
export function slotFrom(facts: SlotFacts): Slot {
  const { path, quoteDecimals } = facts
  const [token] = path
  const [before, after] = [stateIn(facts.before), stateIn(facts.after)]
  const isKnown = isCovered(coverageFrom(token), facts.start)
  const range = pricesOver(facts.points)
  const known = (prices: Prices): Prices =>
    isKnown ? prices : { open: null, high: null, low: null, close: prices.close }
  const quoteAt = (sqrtPriceX96: bigint): bigint =>
    priceUsdE36({ sqrtPriceX96, isCurrency0: token.isCurrency0, quoteDecimals }, ONE_E36)
  const usd = pricesFrom(
    openUsd(facts),
    range ? [range.high, range.low] : [],
    priceAlong(routeAt(path, facts.after)),
  )
  // Where the log says nothing of a quote's price at the start, the extremes are unknown too.
  const isOpenKnown = usd.open !== null || !isImported(token)
  const inRange = range ? [quoteAt(range.highSqrt), quoteAt(range.lowSqrt)] : []
  const quote = pricesFrom(quoteAt(before.sqrtPriceX96), inRange, quoteAt(after.sqrtPriceX96))
  const volumeQuote = facts.points.reduce((sum, point) => sum + point.volumeQuote, 0n)
  return {
    start: facts.start,
    usd: known(isOpenKnown ? usd : { ...usd, high: null, low: null }),
    quote: known(quote),
    volume: isKnown ? after.cumVolumeMicroUsd - before.cumVolumeMicroUsd : null,
    buyVolume: isKnown ? after.cumBuyVolumeMicroUsd - before.cumBuyVolumeMicroUsd : null,
    volumeQuote: isKnown ? volumeQuote : null,
    quoteDecimals,
    trades: isKnown ? after.cumTrades - before.cumTrades : null,
    buys: isKnown ? after.cumBuys - before.cumBuys : null,
    marketCap: usd.close === null ? null : marketCapMicroUsd(usd.close, after.supply),
    isFilled: range ? false : isKnown || null,
    isPartial: facts.end > facts.asOf,
  }
}

const ONE_E36 = 10n ** 36n

/** A slot in which the token was launched opens at the launch price. */
const openUsd = ({ path, start, before }: SlotFacts): UsdE36 =>
  isYounger(path[0], start) ? (path[0].launch.priceUsdE36 ?? 0n) : priceAlong(routeAt(path, before))

/** From an open, the prices set, and a close, each 0 if unknown. */
function pricesFrom(open: bigint, set: readonly bigint[], close: bigint): Prices {
  const all = [open, ...set, close].filter((price) => price > 0n)
  return {
    open: open || null,
    high: all.reduce<bigint | null>((high, price) => (high === null || price > high ? price : high), null),
    low: all.reduce<bigint | null>((low, price) => (low === null || price < low ? price : low), null),
    close: close || null,
  }
}
