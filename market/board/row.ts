import { DAY_SECONDS } from '../calendar.ts'
import { coverageFrom, isCovered, isCoveredByHour, isImported } from '../coverage.ts'
import { memoized, memoizedBy } from '../memoized.ts'
import { marketCapMicroUsd } from '../pool.ts'
import { figuresOfWorth, isYounger } from '../route.ts'
import { INDEX_CLOSES } from '../rules.ts'
import type { MicroUsd, Token, TokenKind, UsdE36 } from '../segment.ts'
import { type Change, changeOf, type Period, startOf, type Timeframe } from '../window.ts'
import { boardScore, mayHaveSwap } from './board.ts'
import type { NameFlags } from './lookalikes.ts'
import { amountSince, countSince, creatorNumberOf, type MarketAt } from './market-at.ts'
import { previousRank, ranksThen } from './past-ranks.ts'
import { countedOf, type Portfolio } from './portfolio.ts'
import type { ListedToken } from './ranking.ts'
import type { Market } from './rankings.ts'
import { basePriceAt, isByChange, listBaseAt, type TrendingOrder } from './trending.ts'

/** Current figures of a token, the same in every list. Null: no route to USD, or no value to compare with. */
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
  /** Null, like every figure of a window: the token is older than the log, and the window begins before it. */
  readonly volume24h: MicroUsd | null
  /** Null: the token is older than the log. */
  readonly totalVolume: MicroUsd | null
  /** Fees paid to the creator: by the token's trades and, of a creator token, by those of its posts. Null as above. */
  readonly creatorEarnings24h: MicroUsd | null
  readonly creatorEarnings: MicroUsd | null
  readonly trades24h: number | null
  /** Percent × 100. */
  readonly change24hE2: bigint | null
  readonly change7dE2: bigint | null
}

/** Figures of the rows of every list. */
export type TokenFigures = TokenNow & {
  readonly rank: number
  readonly position: number
  /** In the list's own window. */
  readonly volume: MicroUsd | null
  readonly trades: number | null
}

/** A portfolio and the time (Unix seconds) from which posts are known; null: all are. Older posts without a log since then are not in it. */
export type CoveredPortfolio = Portfolio & { readonly coverageFrom: number | null }

export type BoardRow = TokenFigures & {
  readonly supply: bigint
  readonly circulatingSupply: bigint
  readonly circulatingMarketCap: MicroUsd | null
  /** Null on posts, whose portfolio value is their market cap. */
  readonly portfolio: CoveredPortfolio | null
  readonly portfolioValue: MicroUsd | null
  readonly engagement: number | null
  /** Percent × 100. */
  readonly change1hE2: bigint | null
  /** Prices at the ends of the last hours, oldest first, null before the first; null: there is none yet. */
  readonly closePrices: readonly (UsdE36 | null)[] | null
  /** The board's score × 1e6: USD for creators, engagement for posts. */
  readonly scoreE6: bigint | null
  /** Null: whether the token was on the board at the start of the period, and where, needs older history. */
  readonly isNew: boolean | null
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
  readonly rankVolume: MicroUsd | null
  readonly changeE2: bigint | null
}

/** A row of a discovery list; its own window is 24 hours. */
export type TokenSummary = TokenFigures & {
  /** Rank on the board of its kind; null: not on it. */
  readonly boardRank: number | null
}

/** The base of a token's changes: its state at the start of the period, or at its launch if it is younger. Null: unknown. */
export type Baseline = {
  readonly is: 'launch' | 'period' | null
  readonly priceUsdE36: UsdE36 | null
  readonly marketCap: MicroUsd | null
  readonly holders: number | null
  /** In the 24 hours before the start. */
  readonly volume24h: MicroUsd | null
}

/** A board in a period: current ranks, compared with the state and the board at the start of the period. */
export function boardRows(market: Market, kind: TokenKind, period: Period): readonly BoardRow[] {
  const { [period]: sure } = market.boards
  const { [period]: fullest } = market.fullestBoards
  const numbersOf = (board: readonly ListedToken[]) => board.map(({ number }) => number)
  const rankThen = ranksThen(market, {
    sure: numbersOf(sure[kind]),
    fullest: numbersOf(fullest[kind]),
    mayHaveSwap: (number) => mayHaveSwap(market.valuations[period], number),
  })
  return market.boards.now[kind].map((entry, at) => {
    const then = rankThen(entry.number)
    const baseline = baselineOf(market, entry, period)
    return {
      ...figuresOf(market, entry, { rank: at + 1, window: period }),
      ...boardFigures(market, entry),
      ...previousRank(then, market.hasState(period)),
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
    rankVolume: isCoveredByHour(coverageFrom(entry.token), startOf(market.minute, timeframe))
      ? market.since[timeframe].rankVolume.exactly(entry.number)
      : null,
    changeE2: (isByChange(order) ? listChange : priceChange)(market, entry, timeframe).percentE2,
  }))

/** The row of a discovery list for the token at `rank`. */
export function summaryOf(market: Market, entry: ListedToken, rank: number): TokenSummary {
  const onBoard = market.boards.now[entry.token.kind].findIndex(({ number }) => number === entry.number)
  return { ...figuresOf(market, entry, { rank, window: '24h' }), boardRank: onBoard < 0 ? null : onBoard + 1 }
}

/** A creator token itself; for a post the creator token it belongs to, or null. */
export function creatorTokenOf({ at: { now } }: Market, number: number): Token | null {
  const creator = creatorNumberOf(now, number)
  return creator === undefined ? null : now.tokenOf(creator)
}

function figuresOf(
  market: Market,
  { number, token }: ListedToken,
  { rank, window }: { readonly rank: number; readonly window: Period | Timeframe },
): TokenFigures {
  const { now, [window]: then } = market.at
  const isKnown = isKnownSince(market, token, window)
  return {
    rank,
    position: rank,
    volume: isKnown ? amountSince('cumVolumeMicroUsd', now, then)(number) : null,
    trades: isKnown ? countSince('cumTrades', now, then)(number) : null,
    // Last: a spread that comes first takes V8 ten times as long.
    ...tokensNow(market)(number),
  }
}

const isKnownSince = (market: Market, token: Token, name: Period | Timeframe): boolean =>
  isCovered(coverageFrom(token), startOf(market.minute, name))

/** A market's tokens as all lists have them, each read once. */
const tokensNow = memoizedBy((market: Market) => {
  const { now, '24h': dayAgo } = market.at
  const { worthOf, volume24h } = market.valuations.now
  return memoized((number: number): TokenNow => {
    const token = now.tokenOf(number)
    const isDayKnown = isKnownSince(market, token, '24h')
    return {
      token,
      creatorToken: creatorTokenOf(market, number),
      nameFlags: market.nameFlagsOf(token),
      holders: holdersIn(now, number, token),
      volume24h: isDayKnown ? volume24h.exactly(number) : null,
      totalVolume: isImported(token) ? null : now.read('cumVolumeMicroUsd', number),
      creatorEarnings24h: isDayKnown ? amountSince('cumEarnedMicroUsd', now, dayAgo)(number) : null,
      creatorEarnings: isImported(token) ? null : now.read('cumEarnedMicroUsd', number),
      trades24h: isDayKnown ? countSince('cumTrades', now, dayAgo)(number) : null,
      change24hE2: priceChange(market, { number, token }, '24h').percentE2,
      change7dE2: priceChange(market, { number, token }, '7d').percentE2,
      ...figuresOfWorth(worthOf(number)),
    }
  })
})

/** Null: the token is older than the log. */
const holdersIn = (market: MarketAt, number: number, token: Token): number | null =>
  isImported(token) ? null : market.read('holders', number)

/** Change of a token's price in a window, or since its launch if that is later. */
export function priceChange(
  market: Market,
  { number, token }: ListedToken,
  name: Period | Timeframe,
): Change {
  const base = basePriceAt({ market: market.at[name], start: startOf(market.minute, name) }, number, token)
  return changeOf(base, market.valuations.now.worthOf(number).priceUsdE36 || null)
}

/** Change of a token's price as lists by change compare it. */
function listChange(market: Market, { number }: ListedToken, timeframe: Timeframe): Change {
  const base = listBaseAt(market.at.now, market.since[timeframe], number)
  return changeOf(base, market.valuations.now.worthOf(number).priceUsdE36 || null)
}

/** Further figures of board rows, independent of the period. */
function boardFigures(market: Market, { number, token }: ListedToken) {
  const { at, valuations, minute, coverageFrom: from } = market
  const closes = market.closePricesOf(token.address)
  // Scaled from the lowest to the highest of 24, so fewer of a token that had more would be other figures.
  const areKnown = !isImported(token) || closes.length === INDEX_CLOSES
  const { now } = at
  const { worthOf, portfolioOf, engagement24h } = valuations.now
  const { priceUsdE36, marketCap } = worthOf(number)
  const supply = now.read('supply', number)
  const circulatingSupply = supply - now.read('selfHeld', number)
  const portfolio = portfolioOf(number)
  const isDayKnown = isCoveredByHour(coverageFrom(token), startOf(minute, '24h'))
  const isScoreKnown = token.kind === 'creator' || isDayKnown
  const scoreUnit = token.kind === 'creator' ? 1n : 1_000_000n
  return {
    supply,
    circulatingSupply,
    circulatingMarketCap: marketCapMicroUsd(priceUsdE36, circulatingSupply),
    portfolio: portfolio && { ...portfolio, coverageFrom: from },
    portfolioValue: portfolio ? countedOf(portfolio) : marketCap,
    engagement: isDayKnown ? engagement24h.exactly(number) : null,
    change1hE2: priceChange(market, { number, token }, '1h').percentE2,
    closePrices: areKnown && closes.some((price) => price !== null) ? closes : null,
    scoreE6: isScoreKnown ? boardScore[token.kind](valuations.now, number) * scoreUnit : null,
  }
}

function changesOf(market: Market, { number, token }: ListedToken, baseline: Baseline) {
  const { at, valuations, minute } = market
  const { worthOf, volume24h } = valuations.now
  const worth = worthOf(number)
  const isKnown = isCovered(coverageFrom(token), startOf(minute, '24h'))
  return {
    price: changeOf(baseline.priceUsdE36, worth.priceUsdE36),
    marketCap: changeOf(baseline.marketCap, worth.marketCap),
    volume: changeOf(baseline.volume24h, isKnown ? volume24h.exactly(number) : null),
    holders: changeOf(wholeOf(baseline.holders), wholeOf(holdersIn(at.now, number, token))),
  }
}

const wholeOf = (count: number | null): bigint | null => (count === null ? null : BigInt(count))

const unknownBaseline: Baseline = {
  is: null,
  priceUsdE36: null,
  marketCap: null,
  holders: null,
  volume24h: null,
}

function baselineOf(market: Market, { number, token }: ListedToken, period: Period): Baseline {
  const start = startOf(market.minute, period)
  if (isImported(token) && isYounger(token, start)) return unknownBaseline
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
    volume24h: isCovered(coverageFrom(token), start - DAY_SECONDS) ? volume24h.exactly(number) : null,
  }
}
