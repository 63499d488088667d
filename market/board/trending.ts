import { isCovered, isCoveredByHour, isImported } from '../coverage.ts'
import { changeE2 } from '../display.ts'
import { basePriceOf, isThin, isYounger } from '../route.ts'
import { BOARD_SIZE, CAP_PER_LIQUIDITY, LIQUIDITY_MIN_MICRO_USD, PERCENT_MAX } from '../rules.ts'
import type { Token, UsdE36 } from '../segment.ts'
import { byName } from '../window.ts'
import { marketCapKey, tieKeys } from './board.ts'
import { type MarketAt, priceAt } from './market-at.ts'
import { isAbove, isAtLeast, type ListedToken, type RankingKey, ranked, wholeKey } from './ranking.ts'
import { amountGrowth, approximatePrices, countGrowth, type Growth, type Valuation } from './valuation.ts'

/** Orders of a trending list, best first. */
export const trendingSorts = ['volume', 'rank_volume', 'market_cap', 'change', 'holders'] as const
/** The lists of a timeframe: those, and the largest losses (`change` ascending). */
export const trendingOrders = [...trendingSorts, 'change_asc'] as const
export type TrendingOrder = (typeof trendingOrders)[number]

/** A window: the market at its start, that time in Unix seconds, and the changes since. */
export type Since = {
  readonly market: MarketAt
  readonly start: number
  /** Tokens launched at or after this time are compared with their price an hour after the launch. */
  readonly youngFrom: number
  readonly trades: Growth<number>
  /** Micro-dollars. */
  readonly volume: Growth<bigint>
  /** Growth of the largest net position of each (wallet, UTC hour): trading back and forth adds nothing. */
  readonly rankVolume: Growth<bigint>
  /** By number: price now divided by that of `listBaseAt`; -1 if either is unknown. */
  readonly change: Float64Array
}

/** The changes of a market since the start of a window; `price` is the approximate prices at the start. */
export function sinceAt(
  { market: now, approximation }: Valuation,
  { market, start, youngFrom }: Pick<Since, 'market' | 'start' | 'youngFrom'>,
  price = approximatePrices(market),
): Since {
  const { launchedAt, isImported, hourPrice } = now.coins()
  const change = market.zeros()
  for (let number = 0; number < change.length; number++) {
    const launch = launchedAt[number] as number
    const young = isImported[number] ? 0 : hourPrice[number]
    const base = (launch >= youngFrom ? young : price[number]) as number
    const priceNow = approximation.price[number] as number
    change[number] = base === 0 || priceNow === 0 ? -1 : priceNow / base
  }
  return {
    market,
    start,
    youngFrom,
    change,
    trades: countGrowth('cumTrades', now, market),
    volume: amountGrowth('cumVolumeMicroUsd', now, market),
    rankVolume: amountGrowth('cumRankVolumeMicroUsd', now, market),
  }
}

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

/**
 * The price that lists by change compare a token with: at the start of the window, or, of a token that was launched later
 * or in the hour before, its price an hour after the launch, since a launch price is its launcher's choice. null: unknown,
 * as of a token older than the log that may have been launched in that hour.
 */
export function listBaseAt(
  now: MarketAt,
  since: Pick<Since, 'market' | 'start' | 'youngFrom'>,
  number: number,
): UsdE36 | null {
  const token = now.tokenOf(number)
  if (!isYounger(token, since.youngFrom)) return basePriceAt(since, number, token)
  return isImported(token) ? null : now.hourPriceOf(number)
}

/** Price now divided by price then, or the reverse; null if either is unknown. */
function changeKey({ market, worthOf }: Valuation, since: Since, isFall: boolean): RankingKey {
  return {
    about: isFall ? since.change.map((ratio) => (ratio === -1 ? -1 : 1 / ratio)) : since.change,
    exactly: (number) => {
      const base = listBaseAt(market, since, number)
      const price = worthOf(number).priceUsdE36
      if (!base || !price) return null
      return isFall ? { over: base, under: price } : { over: price, under: base }
    },
  }
}

const trendingKeys: { readonly [Order in TrendingOrder]: (now: Valuation, since: Since) => RankingKey } = {
  volume: (_, { volume }) => wholeKey(volume),
  rank_volume: (_, { rankVolume }) => wholeKey(rankVolume),
  market_cap: marketCapKey,
  change: (now, since) => changeKey(now, since, false),
  change_asc: (now, since) => changeKey(now, since, true),
  holders: ({ market }) =>
    wholeKey({ about: market.column('holders'), exactly: (number) => market.read('holders', number) }),
}

/** Orders by figures that are null for a token older than the log (known from `from`, Unix seconds) where that began too late. */
const isKnownIn: { readonly [Order in TrendingOrder]?: (from: number, since: Since) => boolean } = {
  volume: (from, { start }) => isCovered(from, start),
  rank_volume: (from, { start }) => isCoveredByHour(from, start),
  holders: () => false,
}

/** Lists that a token could lead by its launch price only. */
const needsMoney: ReadonlySet<TrendingOrder> = new Set(['market_cap', 'change', 'change_asc'])
const byChange: ReadonlySet<TrendingOrder> = new Set(['change', 'change_asc'])

/** Whether a list is ordered by change. */
export const isByChange = (order: TrendingOrder): boolean => byChange.has(order)

/** Whether a token's least liquidity on its path is LIQUIDITY_MIN_MICRO_USD or more, and backs its market cap. */
export function isBacked({ approximation, worthOf }: Valuation, number: number): boolean {
  const liquidity = approximation.pathLiquidity[number] as number
  const isLiquid = () => worthOf(number).pathLiquidity >= LIQUIDITY_MIN_MICRO_USD
  if (!isAtLeast(liquidity, Number(LIQUIDITY_MIN_MICRO_USD), isLiquid)) return false
  const marketCap = approximation.marketCap[number] as number
  return isAtLeast(Number(CAP_PER_LIQUIDITY) * liquidity, marketCap, () => !isThin(worthOf(number)))
}

/** A larger ratio is a change beyond PERCENT_MAX. */
const RATIO_MAX = Number(PERCENT_MAX) / 100 + 1

/** Whether a token's change since a window's start has a percent. */
const hasPercent = ({ market, worthOf }: Valuation, since: Since, number: number): boolean =>
  !isAbove(
    since.change[number] as number,
    RATIO_MAX,
    () => changeE2(listBaseAt(market, since, number) ?? 0n, worthOf(number).priceUsdE36) === null,
  )

/** The tokens with a price and a trade since the start of the window, in each order. */
export function trendingAt(
  now: Valuation,
  since: Since,
): Readonly<Record<TrendingOrder, readonly ListedToken[]>> {
  const { market, approximation } = now
  const { about: trades } = since.trades
  const traded: number[] = []
  for (let number = 0; number < trades.length; number++) {
    if ((trades[number] as number) > 0 && approximation.price[number] !== 0) traded.push(number)
  }
  const backed = traded.filter((number) => isBacked(now, number))
  const { launchedAt, isImported } = market.coins()
  const isInFirstHour = (number: number) =>
    since.change[number] === -1 && !isImported[number] && (launchedAt[number] as number) >= since.youngFrom
  const comparable = backed.filter((number) => !isInFirstHour(number) && hasPercent(now, since, number))
  const ties = tieKeys(now)
  /** Those whose figure is null come last. */
  const listOf = (order: TrendingOrder): readonly ListedToken[] => {
    const contenders = isByChange(order) ? comparable : needsMoney.has(order) ? backed : traded
    const covers = isKnownIn[order] ?? (() => true)
    const isKnown = (number: number) => !isImported[number] || covers(launchedAt[number] as number, since)
    const keys = [trendingKeys[order](now, since), ...ties]
    const known = ranked(contenders.filter(isKnown), market.tokenOf, keys)
    if (known.length === BOARD_SIZE) return known
    const others = contenders.filter((number) => !isKnown(number))
    return [...known, ...ranked(others, market.tokenOf, ties, BOARD_SIZE - known.length)]
  }
  return byName(trendingOrders, listOf)
}
