import type { Edge, Place, Portfolio, Valuation } from './board.ts'
import { marketCapMicroUsd } from './pool.ts'
import type { MicroUsd, Minute, Token, TokenKind, UsdE36 } from './segment.ts'
import { basePriceAt, isYounger, type Since, type TrendingSort, trendingAt } from './trending.ts'
import {
  type Change,
  changeOf,
  type EdgeName,
  type edges,
  type Period,
  startOf,
  type Timeframe,
} from './window.ts'

/** The market at every edge of a minute. `valuations` and `boards` are those of now and of the starts of periods. */
export type Market = {
  readonly minute: Minute
  readonly edges: { readonly [Name in EdgeName]: Edge<(typeof edges)[Name]['fields'][number]> }
  readonly valuations: Readonly<Record<'now' | Period, Valuation>>
  readonly boards: Readonly<Record<'now' | Period, Readonly<Record<TokenKind, readonly Place[]>>>>
  /** False for an edge that lies before the first minute of the log. */
  readonly hasState: (name: EdgeName) => boolean
}

/** What rows of every list say of a token now. Null: no route to USD, or nothing to compare with. */
export type TokenFigures = {
  readonly rank: number
  readonly position: number
  readonly token: Token
  /** Of a creator token itself; of a post the creator token it belongs to. */
  readonly creatorToken: Token | null
  readonly priceUsdE36: UsdE36 | null
  readonly marketCap: MicroUsd | null
  readonly liquidity: MicroUsd | null
  readonly holders: number
  readonly volume24h: MicroUsd
  readonly totalVolume: MicroUsd
  readonly trades24h: number
  /** Percent × 100. */
  readonly change24hE2: bigint | null
  /** Of the list's own window. */
  readonly volume: MicroUsd
  readonly trades: number
}

/** Rows of a board. */
export type BoardRow = TokenFigures & {
  readonly supply: bigint
  readonly circulatingSupply: bigint
  readonly circulatingMarketCap: MicroUsd | null
  /** Null on posts, whose portfolio value is their market cap. */
  readonly portfolio: Portfolio | null
  readonly portfolioValue: MicroUsd | null
  readonly engagement: number
  /** What the board is ranked by × 1e6: USD of creators, engagement of posts. */
  readonly scoreE6: bigint
  readonly isNew: boolean
  readonly previousRank: number | null
  /** Unix seconds. */
  readonly periodStart: number
  readonly baseline: Baseline | null
  readonly changes: {
    readonly price: Change
    readonly marketCap: Change
    readonly volume: Change
    readonly holders: Change
  }
}

/** Rows of a trending list. */
export type TrendingRow = TokenFigures & {
  readonly change7dE2: bigint | null
  /** Of the list's own window. */
  readonly changeE2: bigint | null
}

/** What discovery lists say of a token. Their own window is 24 hours. */
export type TokenSummary = TokenFigures & {
  readonly change7dE2: bigint | null
  /** Rank on the board of its kind; null: not on it. */
  readonly boardRank: number | null
}

/** What a token is compared with: its state at the start of the period, or at its launch if it is younger. */
export type Baseline = {
  readonly is: 'launch' | 'period'
  readonly priceUsdE36: UsdE36 | null
  readonly marketCap: MicroUsd | null
  readonly holders: number
  /** Of the 24 hours before the start. */
  readonly volume24h: MicroUsd
}

/** A board in a period: places of now, compared with the state and the board at the period's start. */
export function boardRows(market: Market, kind: TokenKind, period: Period): readonly BoardRow[] {
  const previousRanks = new Map(market.boards[period][kind].map(({ number }, index) => [number, index + 1]))
  return market.boards.now[kind].map((place, index) => {
    const previousRank = previousRanks.get(place.number) ?? null
    return {
      ...figuresOf(market, place, { rank: index + 1, window: period }),
      ...standingOf(market, place),
      ...comparisonOf(market, place, period),
      isNew: market.hasState(period) && previousRank === null,
      previousRank,
    }
  })
}

/** A trending list of a timeframe. */
export function trendingRows(
  market: Market,
  timeframe: Timeframe,
  sort: TrendingSort,
): readonly TrendingRow[] {
  const places = trendingAt(market.valuations.now, sinceOf(market, timeframe), sort)
  return places.map((place, index) => ({
    ...figuresOf(market, place, { rank: index + 1, window: timeframe }),
    change7dE2: priceChange(market, place, '7d').percentE2,
    changeE2: priceChange(market, place, timeframe).percentE2,
  }))
}

/** What a discovery list says of the token at `rank`. */
export function summaryOf(market: Market, place: Omit<Place, 'score'>, rank: number): TokenSummary {
  const onBoard = market.boards.now[place.token.kind].findIndex(({ number }) => number === place.number)
  return {
    ...figuresOf(market, place, { rank, window: '24h' }),
    change7dE2: priceChange(market, place, '7d').percentE2,
    boardRank: onBoard < 0 ? null : onBoard + 1,
  }
}

const sinceOf = ({ edges, minute }: Market, name: Period | Timeframe): Since => ({
  edge: edges[name],
  start: startOf(minute, name),
})

function figuresOf(
  market: Market,
  { number, token }: Omit<Place, 'score'>,
  list: { readonly rank: number; readonly window: Period | Timeframe },
): TokenFigures {
  const { edges, valuations } = market
  const { edge, worths, creatorTokens, volumes24h } = valuations.now
  const worth = worths[number]
  const hasPrice = worth !== undefined && worth.priceUsdE36 > 0n
  const totalVolume = edge.read('cumVolumeMicroUsd', number)
  const trades = edge.read('cumTrades', number)
  const { edge: before } = sinceOf(market, list.window)
  return {
    rank: list.rank,
    position: list.rank,
    token,
    creatorToken: token.kind === 'creator' ? token : (edge.tokens[creatorTokens[number] ?? -1] ?? null),
    priceUsdE36: hasPrice ? worth.priceUsdE36 : null,
    marketCap: hasPrice ? worth.marketCap : null,
    liquidity: hasPrice ? worth.liquidity : null,
    holders: edge.read('holders', number),
    volume24h: volumes24h[number] ?? 0n,
    totalVolume,
    trades24h: trades - edges['24h'].read('cumTrades', number),
    change24hE2: priceChange(market, { number, token }, '24h').percentE2,
    volume: totalVolume - before.read('cumVolumeMicroUsd', number),
    trades: trades - before.read('cumTrades', number),
  }
}

/** Change of a token's price in a window, or since its launch if that is later. */
export function priceChange(
  market: Market,
  { number, token }: Omit<Place, 'score'>,
  name: Period | Timeframe,
): Change {
  const base = basePriceAt(sinceOf(market, name), number, token)
  return changeOf(base, market.valuations.now.worths[number]?.priceUsdE36 || null)
}

function standingOf({ valuations: { now } }: Market, { number, token, score }: Place) {
  const { edge, worths, portfolios, engagements24h } = now
  const worth = worths[number]
  const supply = edge.read('supply', number)
  const circulatingSupply = supply - edge.read('selfHeld', number)
  const portfolio = portfolios.get(number) ?? null
  return {
    supply,
    circulatingSupply,
    circulatingMarketCap: worth ? marketCapMicroUsd(worth.priceUsdE36, circulatingSupply) : null,
    portfolio,
    portfolioValue: portfolio ? portfolio.tokenCounted + portfolio.postsCounted : (worth?.marketCap ?? null),
    engagement: engagements24h[number] ?? 0,
    scoreE6: (score?.over ?? 0n) * (token.kind === 'creator' ? 1n : 1_000_000n),
  }
}

function comparisonOf(market: Market, { number, token }: Place, period: Period) {
  const { edge, worths, volumes24h } = market.valuations.now
  const worth = worths[number]
  const baseline = baselineOf(market, { number, token }, period)
  return {
    periodStart: startOf(market.minute, period),
    baseline,
    changes: {
      price: changeOf(baseline?.priceUsdE36 ?? null, worth?.priceUsdE36 ?? null),
      marketCap: changeOf(baseline?.marketCap ?? null, worth?.marketCap ?? null),
      volume: changeOf(baseline?.volume24h ?? null, volumes24h[number] ?? null),
      holders: changeOf(baseline && BigInt(baseline.holders), BigInt(edge.read('holders', number))),
    },
  }
}

function baselineOf(
  market: Market,
  { number, token }: Omit<Place, 'score'>,
  period: Period,
): Baseline | null {
  if (isYounger(token, startOf(market.minute, period))) {
    const { priceUsdE36, supply } = token.launch
    const marketCap = priceUsdE36 === null ? null : marketCapMicroUsd(priceUsdE36, supply)
    return { is: 'launch', priceUsdE36, marketCap, holders: 0, volume24h: 0n }
  }
  const { edge, worths, volumes24h } = market.valuations[period]
  const worth = worths[number]
  if (!worth) return null
  const hasPrice = worth.priceUsdE36 > 0n
  return {
    is: 'period',
    priceUsdE36: hasPrice ? worth.priceUsdE36 : null,
    marketCap: hasPrice ? worth.marketCap : null,
    holders: edge.read('holders', number),
    volume24h: volumes24h[number] ?? 0n,
  }
}
