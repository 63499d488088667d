import { isAdopted } from './adoption.ts'
import type { NameFlags } from './lookalikes.ts'
import { effectiveCap, marketCapMicroUsd, microUsdOf, priceUsdE36 } from './pool.ts'
import type { TokenFigures } from './row.ts'
import { TOKEN_DECIMALS } from './rules.ts'
import type { Candle, MicroUsd, Minute, Token, TokenState, UsdE36 } from './segment.ts'
import { asOf, changeOf, startOf } from './window.ts'

/** A reference currency in force at a moment; null where a path ends in none. */
export type Rate = { readonly usdE36: UsdE36; readonly decimals: number } | null

/** The states of a token and of what it is priced in, in the order of its path, after a minute. */
export type Moment = { readonly states: readonly TokenState[]; readonly rate: Rate }

/** A token and the tokens that its price goes through, itself first. */
export type Path = readonly [Token, ...Token[]]

/** USD of one whole quote currency of the path's first token, and its decimals; 0 without a route. */
function quoteOf(path: Path, { states, rate }: Moment): { usdE36: UsdE36; decimals: number } {
  let quote = rate ?? { usdE36: 0n, decimals: TOKEN_DECIMALS }
  for (let at = path.length - 1; at > 0; at--) {
    quote = { usdE36: poolPrice(path[at], states[at], quote), decimals: TOKEN_DECIMALS }
  }
  return quote
}

function poolPrice(
  token: Token | undefined,
  state: TokenState | undefined,
  quote: { readonly usdE36: UsdE36; readonly decimals: number },
): UsdE36 {
  if (!token || !state) return 0n
  const pool = { sqrtPriceX96: state.sqrtPriceX96, isCurrency0: token.isCurrency0 }
  return priceUsdE36({ ...pool, quoteDecimals: quote.decimals }, quote.usdE36)
}

/** USD of one whole token of the path at a moment; null without a price or a route. */
export function priceAlong(path: Path, moment: Moment): UsdE36 | null {
  return poolPrice(path[0], moment.states[0], quoteOf(path, moment)) || null
}

/** Both sides of the hook's ranges at a moment; null without a route. */
function liquidityAlong(path: Path, moment: Moment, price: UsdE36 | null): MicroUsd | null {
  const [state] = moment.states
  if (price === null || !state) return null
  const quote = quoteOf(path, moment)
  return (
    microUsdOf(state.reserveQuote, quote.usdE36, quote.decimals) +
    microUsdOf(state.reserveToken, price, TOKEN_DECIMALS)
  )
}

/** The least quote side of the pools on the path, in USD; 0 without a route. */
function pathLiquidityAlong(path: Path, { states, rate }: Moment): MicroUsd {
  const sides = path.map((token, at) => {
    const quote = quoteOf([token, ...path.slice(at + 1)], { states: states.slice(at), rate })
    return microUsdOf(states[at]?.reserveQuote ?? 0n, quote.usdE36, quote.decimals)
  })
  return sides.reduce((lowest, side) => least(lowest, side))
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)

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
  const price = priceAlong(path, now)
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
    effectiveMarketCap:
      price === null
        ? null
        : effectiveCap(marketCapMicroUsd(price, state.supply), pathLiquidityAlong(path, now)),
    liquidity: liquidityAlong(path, now, price),
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

const basePrice = (path: Path, moment: Moment, start: number): UsdE36 | null => {
  const [{ launchedAt, launch }] = path
  return launchedAt.timestamp >= start ? launch.priceUsdE36 : priceAlong(path, moment)
}

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
  const close = priceAlong(path, after)
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
