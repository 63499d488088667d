import { isAdopted } from './adoption.ts'
import { boardScore } from './board.ts'
import type { NameFlags } from './lookalikes.ts'
import { amountSince, countSince, creatorNumberOf, type MarketAt } from './market-at.ts'
import { marketCapMicroUsd } from './pool.ts'
import { countedOf, type Portfolio } from './portfolio.ts'
import type { RankedToken } from './ranking.ts'
import type { Market } from './rankings.ts'
import { figuresOfWorth, isYounger } from './route.ts'
import type { MicroUsd, Token, TokenKind, UsdE36 } from './segment.ts'
import { basePriceAt, isByChange, listBaseAt, type TrendingOrder } from './trending.ts'
import { type Change, changeOf, type Period, startOf, type Timeframe } from './window.ts'

/** What a token is now, whatever list it is on. Null: no route to USD, or nothing to compare with. */
export type TokenNow = {
  readonly token: Token
  /** Of a creator token itself; of a post the creator token it belongs to. */
  readonly creatorToken: Token | null
  readonly nameFlags: NameFlags
  readonly priceUsdE36: UsdE36 | null
  readonly marketCap: MicroUsd | null
  /** min(market cap, CAP_PER_LIQUIDITY × path liquidity). */
  readonly effectiveMarketCap: MicroUsd | null
  readonly liquidity: MicroUsd | null
  /** Null: the token is older than the log. */
  readonly holders: number | null
  readonly volume24h: MicroUsd
  /** Null: the token is older than the log. */
  readonly totalVolume: MicroUsd | null
  readonly trades24h: number
  /** Percent × 100. */
  readonly change24hE2: bigint | null
  readonly change7dE2: bigint | null
}

/** Figures of the rows of every list. */
export type TokenFigures = TokenNow & {
  readonly rank: number
  readonly position: number
  /** In the list's own window. */
  readonly volume: MicroUsd
  readonly trades: number
}

export type BoardRow = TokenFigures & {
  readonly supply: bigint
  readonly circulatingSupply: bigint
  readonly circulatingMarketCap: MicroUsd | null
  /** Null on posts, whose portfolio value is their market cap. */
  readonly portfolio: Portfolio | null
  readonly portfolioValue: MicroUsd | null
  readonly engagement: number
  /** The board's score × 1e6: USD for creators, engagement for posts. */
  readonly scoreE6: bigint
  readonly isNew: boolean
  readonly previousRank: number | null
  /** Unix seconds. */
  readonly periodStart: number
  readonly baseline: Baseline
  readonly changes: {
    readonly price: Change
    readonly marketCap: Change
    readonly volume: Change
    readonly holders: Change
  }
}

export type TrendingRow = TokenFigures & {
  /** Of the list's own window, like the change. */
  readonly rankVolume: MicroUsd
  readonly changeE2: bigint | null
}

/** A row of a discovery list; its own window is 24 hours. */
export type TokenSummary = TokenFigures & {
  /** Rank on the board of its kind; null: not on it. */
  readonly boardRank: number | null
}

/** The base of a token's changes: its state at the start of the period, or at its launch if it is younger. Null: unknown. */
export type Baseline = {
  readonly is: 'launch' | 'period'
  readonly priceUsdE36: UsdE36 | null
  readonly marketCap: MicroUsd | null
  readonly holders: number | null
  /** In the 24 hours before the start. */
  readonly volume24h: MicroUsd | null
}

/** A board in a period: current ranks, compared with the state and the board at the start of the period. */
export function boardRows(market: Market, kind: TokenKind, period: Period): readonly BoardRow[] {
  const previousRanks = new Map(market.boards[period][kind].map(({ number }, at) => [number, at + 1]))
  return market.boards.now[kind].map((entry, at) => {
    const previousRank = previousRanks.get(entry.number) ?? null
    const baseline = baselineOf(market, entry, period)
    return {
      ...figuresOf(market, entry, { rank: at + 1, window: period }),
      ...boardFigures(market, entry),
      isNew: market.hasState(period) && previousRank === null,
      previousRank,
      periodStart: startOf(market.minute, period),
      baseline,
      changes: changesOf(market, entry, baseline),
    }
  })
}

/** A trending list of a timeframe. */
export const trendingRows = (
  market: Market,
  timeframe: Timeframe,
  order: TrendingOrder,
): readonly TrendingRow[] =>
  market.trending[timeframe][order].map((entry, at) => ({
    ...figuresOf(market, entry, { rank: at + 1, window: timeframe }),
    rankVolume: market.since[timeframe].rankVolume.exactly(entry.number),
    changeE2: (isByChange(order) ? listChange : priceChange)(market, entry, timeframe).percentE2,
  }))

/** The row of a discovery list for the token at `rank`. */
export function summaryOf(market: Market, entry: RankedToken, rank: number): TokenSummary {
  const onBoard = market.boards.now[entry.token.kind].findIndex(({ number }) => number === entry.number)
  return {
    ...figuresOf(market, entry, { rank, window: '24h' }),
    boardRank: onBoard < 0 ? null : onBoard + 1,
  }
}

/** A creator token itself; for a post the creator token it belongs to, or null. */
export function creatorTokenOf({ at: { now } }: Market, number: number): Token | null {
  const creator = creatorNumberOf(now, number)
  return creator === undefined ? null : now.tokenOf(creator)
}

function figuresOf(
  market: Market,
  { number, token }: RankedToken,
  { rank, window }: { readonly rank: number; readonly window: Period | Timeframe },
): TokenFigures {
  const { at, valuations } = market
  const { worthOf, volume24h } = valuations.now
  const { now } = at
  const tradesSince = (name: Period | Timeframe) => countSince('cumTrades', now, at[name])(number)
  return {
    rank,
    position: rank,
    volume: amountSince('cumVolumeMicroUsd', now, at[window])(number),
    trades: tradesSince(window),
    token,
    creatorToken: creatorTokenOf(market, number),
    nameFlags: market.nameFlagsOf(token),
    ...figuresOfWorth(worthOf(number)),
    holders: holdersIn(now, number, token),
    volume24h: volume24h.exactly(number),
    totalVolume: isAdopted(token) ? null : now.read('cumVolumeMicroUsd', number),
    trades24h: tradesSince('24h'),
    change24hE2: priceChange(market, { number, token }, '24h').percentE2,
    change7dE2: priceChange(market, { number, token }, '7d').percentE2,
  }
}

/** Null: the token is older than the log. */
const holdersIn = (market: MarketAt, number: number, token: Token): number | null =>
  isAdopted(token) ? null : market.read('holders', number)

/** Change of a token's price in a window, or since its launch if that is later. */
export function priceChange(
  market: Market,
  { number, token }: RankedToken,
  name: Period | Timeframe,
): Change {
  const base = basePriceAt({ market: market.at[name], start: startOf(market.minute, name) }, number, token)
  return changeOf(base, market.valuations.now.worthOf(number).priceUsdE36 || null)
}

/** Change of a token's price as lists by change compare it. */
function listChange(market: Market, { number }: RankedToken, timeframe: Timeframe): Change {
  const base = listBaseAt(market.at.now, market.since[timeframe], number)
  return changeOf(base, market.valuations.now.worthOf(number).priceUsdE36 || null)
}

/** Further figures of board rows, independent of the period. */
function boardFigures({ at: { now }, valuations }: Market, { number, token }: RankedToken) {
  const { worthOf, portfolioOf, engagement24h } = valuations.now
  const { priceUsdE36, marketCap } = worthOf(number)
  const supply = now.read('supply', number)
  const circulatingSupply = supply - now.read('selfHeld', number)
  const portfolio = portfolioOf(number)
  return {
    supply,
    circulatingSupply,
    circulatingMarketCap: marketCapMicroUsd(priceUsdE36, circulatingSupply),
    portfolio,
    portfolioValue: portfolio ? countedOf(portfolio) : marketCap,
    engagement: engagement24h.exactly(number),
    scoreE6: boardScore[token.kind](valuations.now, number) * (token.kind === 'creator' ? 1n : 1_000_000n),
  }
}

function changesOf({ at, valuations }: Market, { number, token }: RankedToken, baseline: Baseline) {
  const { worthOf, volume24h } = valuations.now
  const worth = worthOf(number)
  return {
    price: changeOf(baseline.priceUsdE36, worth.priceUsdE36),
    marketCap: changeOf(baseline.marketCap, worth.marketCap),
    volume: changeOf(baseline.volume24h, volume24h.exactly(number)),
    holders: changeOf(wholeOf(baseline.holders), wholeOf(holdersIn(at.now, number, token))),
  }
}

const wholeOf = (count: number | null): bigint | null => (count === null ? null : BigInt(count))

const unknownBaseline: Baseline = {
  is: 'period',
  priceUsdE36: null,
  marketCap: null,
  holders: null,
  volume24h: null,
}

function baselineOf(market: Market, { number, token }: RankedToken, period: Period): Baseline {
  const start = startOf(market.minute, period)
  if (isAdopted(token) && isYounger(token, start)) return unknownBaseline
  if (isYounger(token, start)) {
    const { priceUsdE36, supply } = token.launch
    const marketCap = priceUsdE36 === null ? null : marketCapMicroUsd(priceUsdE36, supply)
    return { is: 'launch', priceUsdE36, marketCap, holders: 0, volume24h: 0n }
  }
  const { market: then, worthOf, volume24h } = market.valuations[period]
  const { priceUsdE36, marketCap } = figuresOfWorth(worthOf(number))
  return {
    is: 'period',
    priceUsdE36,
    marketCap,
    holders: holdersIn(then, number, token),
    volume24h: isAdopted(token) && isYounger(token, start - 86_400) ? null : volume24h.exactly(number),
  }
}
