import { aboutVolume, tieKeys } from './board.ts'
import type { MarketAt } from './market-at.ts'
import { isAtLeast, type Key, type Place, ranked, type Score } from './ranking.ts'
import { LIQUIDITY_MIN_MICRO_USD } from './rules.ts'
import type { Token, UsdE36 } from './segment.ts'
import type { Valuation } from './valuation.ts'
import { priceAt } from './worth.ts'

/** What a trending list may be ordered by, best first. */
export const trendingSorts = ['volume', 'market_cap', 'change', 'holders'] as const
/** The lists of a timeframe: those, and the greatest falls: `change` in ascending order. */
export const trendingOrders = [...trendingSorts, 'change_asc'] as const
export type TrendingSort = (typeof trendingSorts)[number]
export type TrendingOrder = (typeof trendingOrders)[number]

/** The start of a window: the market there and its time in Unix seconds. */
export type Since = {
  readonly market: MarketAt
  readonly start: number
  /** USD of whole tokens there, in doubles. */
  readonly price: Float64Array
}

/** True when a token is compared with its launch, because it is younger than the window. */
export const isYounger = (token: Token, start: number): boolean => token.launchedAt.timestamp >= start

/** Price a token is compared with: its launch price if it is younger than the window, else the price at the start; null where neither is known. */
export function basePriceAt(
  { market, start }: Omit<Since, 'price'>,
  number: number,
  token: Token,
): UsdE36 | null {
  return isYounger(token, start) ? token.launch.priceUsdE36 : priceAt(market, number) || null
}

const aboutBasePrice = ({ start, price }: Since, number: number, token: Token): number =>
  isYounger(token, start) ? Number(token.launch.priceUsdE36 ?? 0n) / 1e36 : (price[number] as number)

/** Price now by price then, or the reverse; null where either is unknown. */
function changeKey({ market, approximation, worthOf }: Valuation, since: Since, isFall = false): Key {
  return {
    about: (number) => {
      const base = aboutBasePrice(since, number, market.tokenOf(number))
      const price = approximation.price[number] as number
      if (base === 0 || price === 0) return -1
      return isFall ? base / price : price / base
    },
    exactly: (number) => {
      const base = basePriceAt(since, number, market.tokenOf(number))
      const price = worthOf(number).priceUsdE36
      if (!base || !price) return null
      return isFall ? { over: base, under: price } : { over: price, under: base }
    },
  }
}

const trendingKeys: { readonly [Order in TrendingOrder]: (now: Valuation, since: Since) => Key } = {
  volume: ({ market }, since) => ({
    about: (number) => aboutVolume(since.market, market, number),
    exactly: (number) =>
      whole(market.read('cumVolumeMicroUsd', number) - since.market.read('cumVolumeMicroUsd', number)),
    isWhole: true,
  }),
  market_cap: ({ approximation, worthOf }) => ({
    about: (number) => approximation.marketCap[number] as number,
    exactly: (number) => whole(worthOf(number).marketCap),
    floored: 1,
  }),
  change: (now, since) => changeKey(now, since),
  change_asc: (now, since) => changeKey(now, since, true),
  holders: ({ market }) => ({
    about: (number) => market.read('holders', number),
    exactly: (number) => whole(BigInt(market.read('holders', number))),
    isWhole: true,
  }),
}

const whole = (over: bigint): Score => ({ over, under: 1n })

/** Lists that a launch price alone would lead. */
const needsLiquidity: ReadonlySet<TrendingOrder> = new Set(['market_cap', 'change', 'change_asc'])

/** Whether a token's least liquidity on its path is LIQUIDITY_MIN_MICRO_USD or more. */
export const isLiquid = ({ approximation, worthOf }: Valuation, number: number): boolean =>
  isAtLeast(
    approximation.pathLiquidity[number] as number,
    Number(LIQUIDITY_MIN_MICRO_USD),
    () => worthOf(number).pathLiquidity >= LIQUIDITY_MIN_MICRO_USD,
  )

/** The tokens with a price that were traded since the start of the window, in each of the orders. */
export function trendingAt(
  now: Valuation,
  since: Since,
  count: number,
): Readonly<Record<TrendingOrder, readonly Place[]>> {
  const { market, approximation } = now
  const traded: number[] = []
  for (let number = 0; number < count; number++) {
    const isTraded = market.read('cumTrades', number) > since.market.read('cumTrades', number)
    if (isTraded && approximation.price[number] !== 0) traded.push(number)
  }
  const liquid = traded.filter((number) => isLiquid(now, number))
  const ties = tieKeys(now)
  const listOf = (order: TrendingOrder): readonly Place[] =>
    ranked(needsLiquidity.has(order) ? liquid : traded, market.tokenOf, [
      trendingKeys[order](now, since),
      ...ties,
    ])
  return {
    volume: listOf('volume'),
    market_cap: listOf('market_cap'),
    change: listOf('change'),
    change_asc: listOf('change_asc'),
    holders: listOf('holders'),
  }
}
