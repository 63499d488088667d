import { tieKeys } from './board.ts'
import { type MarketAt, priceAt } from './market-at.ts'
import { isAtLeast, type RankedToken, type RankingKey, ranked, type Score } from './ranking.ts'
import { basePriceOf } from './route.ts'
import { LIQUIDITY_MIN_MICRO_USD } from './rules.ts'
import type { MicroUsd, Token, UsdE36 } from './segment.ts'
import { approximateWorth, differences, type Valuation, volumeSince } from './valuation.ts'
import { byName } from './window.ts'

/** Orders of a trending list, best first. */
export const trendingSorts = ['volume', 'rank_volume', 'market_cap', 'change', 'holders'] as const
/** The lists of a timeframe: those, and the largest losses (`change` ascending). */
export const trendingOrders = [...trendingSorts, 'change_asc'] as const
export type TrendingOrder = (typeof trendingOrders)[number]

/** A window: the market at its start, that time in Unix seconds, and the changes since as doubles by number. */
export type Since = {
  readonly market: MarketAt
  readonly start: number
  /** Trades at the start. */
  readonly trades: Float64Array
  /** Micro-dollars, exact below 2^53. */
  readonly volume: Float64Array
  /** Price now divided by price then; -1 if either is unknown. */
  readonly change: Float64Array
}

/** The changes of a market since the start of a window. */
export function sinceAt(
  { market: now, approximation }: Valuation,
  { market, start }: Pick<Since, 'market' | 'start'>,
  { price, trades }: Pick<Valuation['approximation'], 'price' | 'trades'> = {
    ...approximateWorth(market),
    trades: market.columns(['cumTrades']).cumTrades,
  },
): Since {
  const { cumVolumeMicroUsd } = market.columns(['cumVolumeMicroUsd'])
  const { launchedAt, launchPrice } = now.coins()
  const change = market.zeros()
  for (let number = 0; number < change.length; number++) {
    const isYounger = (launchedAt[number] as number) >= start
    const base = (isYounger ? launchPrice[number] : price[number]) as number
    const priceNow = approximation.price[number] as number
    change[number] = base === 0 || priceNow === 0 ? -1 : priceNow / base
  }
  return {
    ...{ market, start, trades, change },
    volume: differences(approximation.cumVolume, cumVolumeMicroUsd, volumeSince(now, market)),
  }
}

const RANK_VOLUME = 'cumRankVolumeMicroUsd'

/**
 * Growth of the largest net position of each (wallet, UTC hour) between two times, in micro-dollars. Trading back and
 * forth adds nothing.
 */
export const rankVolumeSince =
  (now: MarketAt, then: MarketAt) =>
  (number: number): MicroUsd =>
    now.read(RANK_VOLUME, number) - then.read(RANK_VOLUME, number)

/**
 * Base price of a token: its launch price if it is younger than the window, else the price at the start; null if neither
 * is known.
 */
export function basePriceAt(
  { market, start }: Pick<Since, 'market' | 'start'>,
  number: number,
  token: Token,
): UsdE36 | null {
  return basePriceOf(token, start, () => priceAt(market, number))
}

/** Price now divided by price then, or the reverse; null if either is unknown. */
function changeKey({ market, worthOf }: Valuation, since: Since, isFall: boolean): RankingKey {
  return {
    about: isFall ? since.change.map((ratio) => (ratio === -1 ? -1 : 1 / ratio)) : since.change,
    exactly: (number) => {
      const base = basePriceAt(since, number, market.tokenOf(number))
      const price = worthOf(number).priceUsdE36
      if (!base || !price) return null
      return isFall ? { over: base, under: price } : { over: price, under: base }
    },
  }
}

const trendingKeys: { readonly [Order in TrendingOrder]: (now: Valuation, since: Since) => RankingKey } = {
  volume: ({ market }, since) => {
    const exactly = volumeSince(market, since.market)
    return { about: since.volume, exactly: (number) => whole(exactly(number)), isWhole: true }
  },
  rank_volume: ({ market }, since) => {
    const exactly = rankVolumeSince(market, since.market)
    const [now, then] = [market, since.market].map((at) => at.columns([RANK_VOLUME])[RANK_VOLUME])
    const about = differences(now as Float64Array, then as Float64Array, exactly)
    return { about, exactly: (number) => whole(exactly(number)), isWhole: true }
  },
  market_cap: ({ approximation, worthOf }) => ({
    about: approximation.marketCap,
    exactly: (number) => whole(worthOf(number).marketCap),
    floored: 1,
  }),
  change: (now, since) => changeKey(now, since, false),
  change_asc: (now, since) => changeKey(now, since, true),
  holders: ({ market, approximation }) => ({
    about: approximation.holders,
    exactly: (number) => whole(BigInt(market.read('holders', number))),
    isWhole: true,
  }),
}

const whole = (over: bigint): Score => ({ over, under: 1n })

/** Lists in which a launch price alone could lead. */
const needsLiquidity: ReadonlySet<TrendingOrder> = new Set(['market_cap', 'change', 'change_asc'])

/** Whether a token's least liquidity on its path is LIQUIDITY_MIN_MICRO_USD or more. */
export const isLiquid = ({ approximation, worthOf }: Valuation, number: number): boolean =>
  isAtLeast(
    approximation.pathLiquidity[number] as number,
    Number(LIQUIDITY_MIN_MICRO_USD),
    () => worthOf(number).pathLiquidity >= LIQUIDITY_MIN_MICRO_USD,
  )

/** The tokens with a price and a trade since the start of the window, in each order. */
export function trendingAt(
  now: Valuation,
  since: Since,
): Readonly<Record<TrendingOrder, readonly RankedToken[]>> {
  const { market, approximation } = now
  const { price, trades } = approximation
  const traded: number[] = []
  for (let number = 0; number < trades.length; number++) {
    const isTraded = (trades[number] as number) > (since.trades[number] as number)
    if (isTraded && price[number] !== 0) traded.push(number)
  }
  const liquid = traded.filter((number) => isLiquid(now, number))
  const ties = tieKeys(now)
  const listOf = (order: TrendingOrder): readonly RankedToken[] =>
    ranked(needsLiquidity.has(order) ? liquid : traded, market.tokenOf, [
      trendingKeys[order](now, since),
      ...ties,
    ])
  return byName(trendingOrders, listOf)
}
