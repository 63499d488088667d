import { coverageFrom, isCovered, isImported } from '../coverage.ts'
import { marketCapMicroUsd } from '../pool.ts'
import { basePriceOf, figuresOfWorth, priceAlong, type Route, worthAlong } from '../route.ts'
import type { Hash, MicroUsd, Migration, Minute, Token, TokenState, UsdE36 } from '../segment.ts'
import { asOf, changeOf, startOf } from '../window.ts'
import type { NameFlags } from './lookalikes.ts'
import type { PriceState } from './price-points.ts'
import type { TokenFigures } from './row.ts'

/** The states of a token and of its quotes along its path after a minute, and the rate of the currency at the end. */
export type PathState<S = TokenState> = { readonly states: readonly S[]; readonly rate: Route['rate'] }

/** A token and the tokens on its quote path, itself first. */
export type TokenPath = readonly [Token, ...Token[]]

/** The route of a path in these states. */
export const routeAt = <S extends PriceState>(path: TokenPath, { states, rate }: PathState<S>) => ({
  pools: path.map(({ isCurrency0 }, at) => ({ ...stateIn({ states }, at), isCurrency0 })),
  rate,
})

/** A token's move to another pool, with the pool that it led to. */
export type Move = Migration & { readonly toPool: Hash }

/** The moves of a token that its description has, oldest first. */
export const movesOf = ({ migrations, poolId }: Token): readonly Move[] =>
  migrations.map((moved, at) => ({ ...moved, toPool: migrations[at + 1]?.fromPool ?? poolId }))

/** A token's highest or lowest price, and when it was first reached (Unix seconds). */
type Extreme = { readonly usdE36: UsdE36; readonly at: number }

/** Figures of the pages of one token, which has no place in a list. */
export type TokenPage = Omit<TokenFigures, 'rank' | 'position'> & {
  /** Null: no price yet, or the token is older than the log. */
  readonly high: Extreme | null
  readonly low: Extreme | null
  readonly boardRank: number | null
  readonly state: TokenState
  readonly circulatingSupply: bigint
  readonly circulatingMarketCap: MicroUsd | null
  /** Unix seconds: the time the figures hold for. */
  readonly asOf: number
}

/** A token's page with the time (Unix seconds) of the boards that its names were compared with; null: none yet. */
export type TokenDetail = TokenPage & { readonly namesAsOf: number | null }

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
    high: isImported(token) ? null : highOf(state, price, minute),
    low: isImported(token) ? null : lowOf(state, price, minute),
    boardRank: null,
    state,
    circulatingSupply,
    circulatingMarketCap: price === null ? null : marketCapMicroUsd(price, circulatingSupply),
    asOf: asOf(minute),
  }
}

/** The highest stored close, or the price now where that is higher: it also moves with the quote's. */
function highOf({ athUsdE36, athMinute }: TokenState, price: UsdE36 | null, now: Minute): Extreme | null {
  if (price !== null && price > athUsdE36) return { usdE36: price, at: asOf(now) }
  return athUsdE36 === 0n ? null : { usdE36: athUsdE36, at: asOf(athMinute) }
}

/** The lowest likewise. */
function lowOf({ atlUsdE36, atlMinute }: TokenState, price: UsdE36 | null, now: Minute): Extreme | null {
  const isFirst = atlUsdE36 === 0n
  if (price !== null && (isFirst || price < atlUsdE36)) return { usdE36: price, at: asOf(now) }
  return isFirst ? null : { usdE36: atlUsdE36, at: asOf(atlMinute) }
}

const basePrice = (path: TokenPath, before: PathState, start: number): UsdE36 | null =>
  basePriceOf(path[0], start, () => priceAlong(routeAt(path, before)))

/** The state of the `at`-th token of a path. */
export function stateIn<S>({ states }: Pick<PathState<S>, 'states'>, at = 0): S {
  const state = states[at]
  if (!state) throw new RangeError(`there is no state of token ${at} of the path`)
  return state
}
