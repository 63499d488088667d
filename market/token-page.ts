import { isAdopted } from './adoption.ts'
import type { NameFlags } from './lookalikes.ts'
import { marketCapMicroUsd } from './pool.ts'
import { basePriceOf, priceAlong, type Route, worthAlong } from './route.ts'
import type { TokenFigures } from './row.ts'
import {
  type Candle,
  emptyState,
  type MicroUsd,
  type Minute,
  type Token,
  type TokenState,
  type UsdE36,
} from './segment.ts'
import { asOf, changeOf, startOf } from './window.ts'

/** The states of a token and of what it is priced in, in the order of its path, after a minute, and the rate that the path ends in. */
export type Moment = { readonly states: readonly TokenState[]; readonly rate: Route['rate'] }

/** A token and the tokens that its price goes through, itself first. */
export type Path = readonly [Token, ...Token[]]

function routeAt(path: Path, { states, rate }: Moment): Route {
  const pools = path.map(({ isCurrency0 }, at) => {
    const { sqrtPriceX96, reserveQuote } = states[at] ?? emptyState
    return { isCurrency0, sqrtPriceX96, reserveQuote }
  })
  return { pools, rate }
}

/** USD of one whole token of the path at a moment; null without a price or a route. */
const priceIn = (path: Path, moment: Moment): UsdE36 | null => priceAlong(routeAt(path, moment)) || null

/** What the pages of one token say of it. */
export type TokenPage = TokenFigures & {
  readonly boardRank: number | null
  readonly state: TokenState
  readonly circulatingSupply: bigint
  readonly circulatingMarketCap: MicroUsd | null
  /** Unix seconds: the moment the figures hold for. */
  readonly asOf: number
}

/** A token after a minute, beside itself a day and a week before; younger ones are compared with their launch. */
export function pageOf(facts: {
  readonly path: Path
  readonly creatorToken: Token | null
  readonly nameFlags: NameFlags
  readonly minute: Minute
  readonly now: Moment
  readonly day: Moment
  readonly week: Moment
}): TokenPage {
  const { path, now, day, minute } = facts
  const [token] = path
  const state = stateIn(now)
  const before = stateIn(day)
  const worth = worthAlong(routeAt(path, now), state)
  const price = worth.priceUsdE36 || null
  const volume24h = state.cumVolumeMicroUsd - before.cumVolumeMicroUsd
  const trades24h = state.cumTrades - before.cumTrades
  const circulatingSupply = state.supply - state.selfHeld
  const capOf = (supply: bigint) => (price === null ? null : marketCapMicroUsd(price, supply))
  return {
    rank: 1,
    position: 1,
    token,
    creatorToken: facts.creatorToken,
    nameFlags: facts.nameFlags,
    priceUsdE36: price,
    marketCap: capOf(state.supply),
    effectiveMarketCap: price === null ? null : worth.effectiveCap,
    liquidity: price === null ? null : worth.liquidity,
    holders: isAdopted(token) ? null : state.holders,
    volume24h,
    totalVolume: isAdopted(token) ? null : state.cumVolumeMicroUsd,
    trades24h,
    change24hE2: changeOf(basePrice(path, day, startOf(minute, '24h')), price).percentE2,
    change7dE2: changeOf(basePrice(path, facts.week, startOf(minute, '7d')), price).percentE2,
    volume: volume24h,
    trades: trades24h,
    boardRank: null,
    state,
    circulatingSupply,
    circulatingMarketCap: capOf(circulatingSupply),
    asOf: asOf(minute),
  }
}

const basePrice = (path: Path, moment: Moment, start: number): UsdE36 | null =>
  basePriceOf(path[0], start, () => priceAlong(routeAt(path, moment)))

function stateIn({ states: [state] }: Moment): TokenState {
  if (!state) throw new EmptyMomentError()
  return state
}

/** A moment holds no state of the path's token: its maker's mistake. */
export class EmptyMomentError extends Error {
  override readonly name = 'EmptyMomentError'
}

/** One step of a price history. Prices are null without a route to USD. */
export type PriceStep = {
  /** Unix seconds. */
  readonly start: number
  readonly candle: { readonly [N in keyof Candle]: UsdE36 | null }
  readonly volume: MicroUsd
  readonly trades: number
  readonly marketCap: MicroUsd | null
  /** The token's own price was not set in it. */
  readonly isFilled: boolean
  /** It goes on after the newest minute. */
  readonly isPartial: boolean
}

/** One minute in which the token's own state changed. */
export type ActiveMinute = { readonly minute: Minute; readonly candle: Candle | null }

/**
 * A step from the minutes in it. It closes at the pool price and the quote's USD of its end, so that the last step ends
 * at the current price; it opens at the first price set in it, an empty one at its close.
 */
export function stepOf(facts: {
  readonly start: number
  readonly end: number
  readonly asOf: number
  readonly path: Path
  readonly before: TokenState
  readonly after: Moment
  readonly minutes: readonly ActiveMinute[]
}): PriceStep {
  const { path, after, before } = facts
  const state = stateIn(after)
  const close = priceIn(path, after)
  const candles = facts.minutes.flatMap(({ candle }) => (candle && candle.close > 0n ? [candle] : []))
  const known = close === null ? [] : [close]
  const highs = [...candles.map(({ high }) => high), ...known]
  const lows = [...candles.map(({ low }) => low), ...known]
  return {
    start: facts.start,
    candle: {
      open: candles[0]?.open ?? close,
      high: extreme(highs, (a, b) => a > b),
      low: extreme(lows, (a, b) => a < b),
      close,
    },
    volume: state.cumVolumeMicroUsd - before.cumVolumeMicroUsd,
    trades: state.cumTrades - before.cumTrades,
    marketCap: close === null ? null : marketCapMicroUsd(close, state.supply),
    isFilled: facts.minutes.every(({ candle }) => candle === null),
    isPartial: facts.end > facts.asOf,
  }
}

const extreme = (prices: readonly UsdE36[], isBeyond: (a: UsdE36, b: UsdE36) => boolean): UsdE36 | null =>
  prices.reduce<UsdE36 | null>((most, price) => (most === null || isBeyond(price, most) ? price : most), null)
