/** The lists of a market in exact arithmetic alone, over all tokens ever launched, for comparison with the engine's. */
import { expect } from 'vitest'
import type { ByKind } from '../../market/board/board.ts'
import { type MarketAt, priceAt, worthAt } from '../../market/board/market-at.ts'
import { countedOf, portfolioAt, postsOf } from '../../market/board/portfolio.ts'
import type { Score } from '../../market/board/ranking.ts'
import { basePriceAt, type TrendingOrder } from '../../market/board/trending.ts'
import { isImported } from '../../market/coverage.ts'
import { changeE2 } from '../../market/display.ts'
import { byLaunch } from '../../market/launch-order.ts'
import { effectiveEntries } from '../../market/log.ts'
import { BOARD_SIZE, LIQUIDITY_MIN_MICRO_USD } from '../../market/rules.ts'
import type { Address, Minute, Token, UsdE36 } from '../../market/segment.ts'
import { type Engine, windowsOf } from '../../snapshot/engine/engine.ts'
import type { MemoryLog } from '../support/aws/memory-stores.ts'
import { exactMarket } from '../support/market/exact-market.ts'
import { worldsOf } from '../support/market/market-history.ts'

/** What each token cost at the end of its first hour: after the last minute that began within it. */
export async function exactHourPrices(log: MemoryLog, tokens: readonly Token[], minute: Minute) {
  const entries = effectiveEntries(log.entries)
  const prices = new Map<Address, UsdE36>()
  for (const [number, { address, launchedAt }] of tokens.entries()) {
    const end = launchedAt.timestamp + 3_600
    const entry = entries.findLast((each) => each.minute * 60 < end)
    const world = worldsOf(log).findLast((each) => each.minute === entry?.minute)
    if (end > (minute + 1) * 60 || !entry || !world) continue
    const { references } = await log.readSegment(entry.segment)
    const price = priceAt(exactMarket(tokens, world, references), number)
    if (price > 0n) prices.set(address, price)
  }
  return prices
}

/** Each active token's prices at the ends of the last 24 hours are those after the last minute before each end. */
export async function expectExactCloses(log: MemoryLog, engine: Engine): Promise<void> {
  const entries = effectiveEntries(log.entries)
  const { minute } = entries.at(-1)!
  const hours = Array.from({ length: 24 }, (_, at) => Math.floor(minute / 60) - 23 + at)
  const tokens = [
    ...worldsOf(log)
      .findLast((world) => world.minute === minute)!
      .tokens.values(),
  ]
  const markets: MarketAt[] = []
  for (const hour of hours) {
    const entry = entries.findLast((each) => each.minute < hour * 60)
    const world = worldsOf(log).findLast((each) => each.minute === entry?.minute)
    if (!entry || !world) continue
    const { references } = await log.readSegment(entry.segment)
    markets.push(exactMarket(tokens, world, references))
  }
  const { closePricesOf } = windowsOf(engine)
  for (const [number, { address }] of tokens.entries()) {
    if (!engine.market.byAddress.has(address)) continue
    const exact = markets.map((market) => priceAt(market, number) || null)
    expect([address, closePricesOf(address)]).toEqual([address, exact])
  }
}

type Scored = { readonly number: number; readonly token: Token; readonly score: Score }

/** Score, 24 h volume, market cap (each descending), then launch. */
function ordered(now: MarketAt, dayBefore: MarketAt, contenders: readonly Scored[]): readonly Address[] {
  const volumeOf = (number: number) =>
    now.read('cumVolumeMicroUsd', number) - dayBefore.read('cumVolumeMicroUsd', number)
  const each = contenders.map((one) => ({
    ...one,
    volume: volumeOf(one.number),
    cap: worthAt(now, one.number).marketCap,
  }))
  return each
    .sort(
      (a, b) =>
        byScore(a.score, b.score) ||
        descending(a.volume, b.volume) ||
        descending(a.cap, b.cap) ||
        byLaunch(a.token, b.token),
    )
    .slice(0, BOARD_SIZE)
    .map(({ token }) => token.address)
}

function byScore(a: Score, b: Score): number {
  if (!a || !b) return Number(!a) - Number(!b)
  return descending(a.over * b.under, b.over * a.under)
}

const whole = (over: bigint): Score => ({ over, under: 1n })
const descending = (a: bigint, b: bigint): number => (a > b ? -1 : a < b ? 1 : 0)

/** Both boards at a time; `now` decides which tokens are eligible. */
export function exactBoards(
  now: MarketAt,
  { market, dayBefore }: { readonly market: MarketAt; readonly dayBefore: MarketAt },
  { tokens, minute }: { readonly tokens: readonly Token[]; readonly minute: Minute },
): ByKind<readonly Address[]> {
  const boardOf = (kind: Token['kind']) =>
    ordered(
      market,
      dayBefore,
      tokens.flatMap((token, number) => {
        const isActive = lastSwapOf(now, number) > minute - 43_200
        const isKnown = worthAt(market, number).priceUsdE36 > 0n && lastSwapOf(market, number) > 0
        if (token.kind !== kind || !isActive || !isKnown) return []
        const engagement = market.read('cumEngagement', number) - dayBefore.read('cumEngagement', number)
        const over = kind === 'creator' ? countedOf(portfolioAt(market, number)) : BigInt(engagement)
        return [{ number, token, score: whole(over) }]
      }),
    )
  return { creator: boardOf('creator'), post: boardOf('post') }
}

/** The tokens traded since the start of the window, in an order. */
export function exactTrending(
  now: { readonly market: MarketAt; readonly dayBefore: MarketAt },
  since: ExactSince,
  { tokens, order }: { readonly tokens: readonly Token[]; readonly order: TrendingOrder },
): readonly Address[] {
  const { market, dayBefore } = now
  const contenders = tokens.flatMap((token, number): Scored[] => {
    if (market.read('cumTrades', number) <= since.market.read('cumTrades', number)) return []
    const { priceUsdE36, pathLiquidity, marketCap } = worthAt(market, number)
    if (priceUsdE36 === 0n) return []
    const isBacked = pathLiquidity >= LIQUIDITY_MIN_MICRO_USD && marketCap <= 25n * pathLiquidity
    if (!['volume', 'rank_volume', 'holders'].includes(order) && !isBacked) return []
    const isYoung = firstHourCounts(since, token)
    if (/change/.test(order) && isYoung && market.hourPriceOf(number) === null) return []
    const base = isYoung ? market.hourPriceOf(number) : basePriceAt(since, number, token)
    if (/change/.test(order) && base && changeE2(base, priceUsdE36) === null) return []
    return [{ number, token, score: scoreOf(market, since, { number, token, order }) }]
  })
  return ordered(market, dayBefore, contenders)
}

/** The start of a window and, in Unix seconds, of the longest. */
type ExactSince = { readonly market: MarketAt; readonly start: number; readonly longest: number }

/** Lists by change compare with the price an hour after the launch where that is later than the window's start. */
const firstHourCounts = ({ start, longest }: ExactSince, token: Token): boolean =>
  !isImported(token) && token.launchedAt.timestamp + 3_600 > start && token.launchedAt.timestamp >= longest

function scoreOf(
  market: MarketAt,
  since: ExactSince,
  { number, token, order }: { readonly number: number; readonly token: Token; readonly order: TrendingOrder },
): Score {
  const grown = (field: 'cumVolumeMicroUsd' | 'cumRankVolumeMicroUsd') =>
    whole(market.read(field, number) - since.market.read(field, number))
  if (order === 'holders') return whole(BigInt(market.read('holders', number)))
  if (order === 'market_cap') return whole(worthAt(market, number).marketCap)
  if (order === 'volume') return grown('cumVolumeMicroUsd')
  if (order === 'rank_volume') return grown('cumRankVolumeMicroUsd')
  const price = worthAt(market, number).priceUsdE36
  const base = firstHourCounts(since, token) ? market.hourPriceOf(number) : basePriceAt(since, number, token)
  if (!price || !base) return null
  return order === 'change' ? { over: price, under: base } : { over: base, under: price }
}

/** The last minute with a swap of a token or, of a creator token, of one of its posts; 0: none yet. */
export function lastSwapOf(market: MarketAt, number: number): Minute {
  const token = market.tokenOf(number)
  const own = market.read('lastSwapMinute', number)
  if (token.kind === 'post') return own
  const { inToken, byAddress } = postsOf(market, number)
  return byAddress.reduce(
    (last, posts) => Math.max(last, posts.lastSwapMinute),
    Math.max(own, inToken?.lastSwapMinute ?? 0),
  )
}
