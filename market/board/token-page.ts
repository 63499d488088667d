import { coverageFrom, isCovered, isImported } from '../coverage.ts'
import { marketCapMicroUsd } from '../pool.ts'
import { basePriceOf, figuresOfWorth, priceAlong, type Route, worthAlong } from '../route.ts'
import type { Candle, MicroUsd, Minute, Token, TokenState, UsdE36 } from '../segment.ts'
import { asOf, changeOf, startOf } from '../window.ts'
import type { NameFlags } from './lookalikes.ts'
import { type PricePoint, type PriceState, pricesOver } from './price-points.ts'
import type { TokenFigures } from './row.ts'

/** The states of a token and of its quotes along its path after a minute, and the rate of the currency at the end. */
export type PathState<S = TokenState> = { readonly states: readonly S[]; readonly rate: Route['rate'] }

/** A token and the tokens on its quote path, itself first. */
export type TokenPath = readonly [Token, ...Token[]]

const routeAt = <S extends PriceState>(path: TokenPath, { states, rate }: PathState<S>) => ({
  pools: path.map(({ isCurrency0 }, at) => ({ ...stateIn({ states }, at), isCurrency0 })),
  rate,
})

/** Figures of the pages of one token. */
export type TokenPage = TokenFigures & {
  readonly boardRank: number | null
  readonly state: TokenState
  readonly circulatingSupply: bigint
  readonly circulatingMarketCap: MicroUsd | null
  /** Unix seconds: the time the figures hold for. */
  readonly asOf: number
}

/** A token after a minute, and a day and a week before; a younger token is compared with its launch. */
export function tokenPageOf(facts: {
  readonly path: TokenPath
  readonly creatorToken: Token | null
  readonly nameFlags: NameFlags
  readonly minute: Minute
  readonly now: PathState
  readonly day: PathState
  readonly week: PathState
}): TokenPage {
  const { path, now, day, minute } = facts
  const [token] = path
  const state = stateIn(now)
  const before = stateIn(day)
  const figures = figuresOfWorth(worthAlong(routeAt(path, now), state))
  const price = figures.priceUsdE36
  const isKnown = isCovered(coverageFrom(token), startOf(minute, '24h'))
  const volume24h = isKnown ? state.cumVolumeMicroUsd - before.cumVolumeMicroUsd : null
  const trades24h = isKnown ? state.cumTrades - before.cumTrades : null
  const circulatingSupply = state.supply - state.selfHeld
  return {
    rank: 1,
    position: 1,
    token,
    creatorToken: facts.creatorToken,
    nameFlags: facts.nameFlags,
    ...figures,
    holders: isImported(token) ? null : state.holders,
    volume24h,
    totalVolume: isImported(token) ? null : state.cumVolumeMicroUsd,
    creatorEarnings24h: isKnown ? state.cumEarnedMicroUsd - before.cumEarnedMicroUsd : null,
    creatorEarnings: isImported(token) ? null : state.cumEarnedMicroUsd,
    trades24h,
    change24hE2: changeOf(basePrice(path, day, startOf(minute, '24h')), price).percentE2,
    change7dE2: changeOf(basePrice(path, facts.week, startOf(minute, '7d')), price).percentE2,
    volume: volume24h,
    trades: trades24h,
    boardRank: null,
    state,
    circulatingSupply,
    circulatingMarketCap: price === null ? null : marketCapMicroUsd(price, circulatingSupply),
    asOf: asOf(minute),
  }
}

const basePrice = (path: TokenPath, before: PathState, start: number): UsdE36 | null =>
  basePriceOf(path[0], start, () => priceAlong(routeAt(path, before)))

function stateIn<S>({ states }: Pick<PathState<S>, 'states'>, at = 0): S {
  const state = states[at]
  if (!state) throw new RangeError(`there is no state of token ${at} of the path`)
  return state
}

/** One step of a price history. Prices are null without a route to USD. */
export type PriceStep = {
  /** Unix seconds. */
  readonly start: number
  readonly candle: { readonly [N in keyof Candle]: UsdE36 | null }
  /** Null, like all but the close: the token is older than the log, and the step begins before it. */
  readonly volume: MicroUsd | null
  readonly trades: number | null
  readonly marketCap: MicroUsd | null
  /** The token's own price was not set in it; null: unknown. */
  readonly isFilled: boolean | null
  /** The step is not over yet. */
  readonly isPartial: boolean
}

/**
 * Builds a step from the points in it. Its close is the pool price at the quote's USD at its end, so the last step
 * closes at the current price. Its open is the first price set in it; an empty step opens at its close.
 */
export function stepOf(facts: {
  readonly start: number
  readonly end: number
  readonly asOf: number
  readonly path: TokenPath
  readonly before: PriceState
  readonly after: PathState<PriceState>
  readonly points: readonly PricePoint[]
}): PriceStep {
  const { path, after, before } = facts
  const state = stateIn(after)
  const isKnown = isCovered(coverageFrom(path[0]), facts.start)
  const close = priceAlong(routeAt(path, after)) || null
  const prices = pricesOver(facts.points)
  const atClose = close === null ? [] : [{ prices: { open: close, high: close, low: close } }]
  const priced = pricesOver([...(prices && prices.high > 0n ? [{ prices }] : []), ...atClose])
  return {
    start: facts.start,
    candle: {
      open: (isKnown && priced?.open) || null,
      high: (isKnown && priced?.high) || null,
      low: (isKnown && priced?.low) || null,
      close,
    },
    volume: isKnown ? state.cumVolumeMicroUsd - before.cumVolumeMicroUsd : null,
    trades: isKnown ? state.cumTrades - before.cumTrades : null,
    marketCap: close === null ? null : marketCapMicroUsd(close, state.supply),
    isFilled: prices !== null ? false : isKnown || null,
    isPartial: facts.end > facts.asOf,
  }
}
