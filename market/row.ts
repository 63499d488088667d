import { boardScore } from './board.ts'
import { marketCapMicroUsd } from './pool.ts'
import type { Place } from './ranking.ts'
import type { MarketEdges, Rankings } from './rankings.ts'
import { rememberedIn } from './remembered.ts'
import type { MicroUsd, Token, TokenKind, UsdE36 } from './segment.ts'
import { basePriceAt, isYounger, type Since, type TrendingSort } from './trending.ts'
import type { Portfolio } from './valuation.ts'
import {
  byName,
  type Change,
  changeOf,
  type EdgeName,
  type Period,
  startOf,
  type Timeframe,
  timeframes,
} from './window.ts'
import type { Workspace } from './workspace.ts'
import { liquidityAt } from './worth.ts'

/** The market of a minute, ranked: what its documents are made from. */
export type Market = MarketEdges &
  Rankings & {
    /** What ranking computed in: units of prices, until the next minute is ranked. */
    readonly space: Workspace
    /** False for an edge that lies before the first minute of the log. */
    readonly hasState: (name: EdgeName) => boolean
  }

/** What a token is now, whatever list it stands on. Null: no route to USD, or nothing to compare with. */
export type TokenNow = {
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
  readonly change7dE2: bigint | null
}

/** What boards say beside that, whatever their period. */
export type Standing = {
  readonly supply: bigint
  readonly circulatingSupply: bigint
  readonly circulatingMarketCap: MicroUsd | null
  /** Null on posts, whose portfolio value is their market cap. */
  readonly portfolio: Portfolio | null
  readonly portfolioValue: MicroUsd | null
  readonly engagement: number
  /** What the board is ranked by × 1e6: USD of creators, engagement of posts. */
  readonly scoreE6: bigint
}

/** What rows of every list say. */
export type TokenFigures = TokenNow & {
  readonly rank: number
  readonly position: number
  /** Of the list's own window. */
  readonly volume: MicroUsd
  readonly trades: number
  /** The part that all rows of the token share, one object for them all. */
  readonly now?: TokenNow
}

/** Rows of a board. */
export type BoardRow = TokenFigures &
  Standing & {
    readonly now?: TokenNow & Standing
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
  /** Of the list's own window. */
  readonly changeE2: bigint | null
}

/** What discovery lists say of a token. Their own window is 24 hours. */
export type TokenSummary = TokenFigures & {
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
export const boardRows = (market: Market, kind: TokenKind, period: Period): readonly BoardRow[] =>
  rememberedBoard(market, `${kind} ${period}`, () => makeBoard(market, kind, period))

/** Boards stand in documents of their own, in the index and in v1/all: their rows are made once. */
const rememberedBoard = rememberedIn<Market, string, readonly BoardRow[]>()
const rememberedList = rememberedIn<Market, string, readonly TrendingRow[]>()

function makeBoard(market: Market, kind: TokenKind, period: Period): readonly BoardRow[] {
  const previousRanks = new Map(market.boards[period][kind].map(({ number }, index) => [number, index + 1]))
  return market.boards.now[kind].map((place, index) => {
    const previousRank = previousRanks.get(place.number) ?? null
    const now = boardNow(market, place)
    const baseline = baselineOf(market, place, period)
    return {
      rank: index + 1,
      position: index + 1,
      volume: volumeIn(market, place, period),
      trades: tradesIn(market, place, period),
      isNew: market.hasState(period) && previousRank === null,
      previousRank,
      periodStart: startOf(market.minute, period),
      baseline,
      changes: changesOf(market, place, baseline),
      now,
      ...now,
    }
  })
}

/** A trending list of a timeframe. */
export const trendingRows = (
  market: Market,
  timeframe: Timeframe,
  sort: TrendingSort,
): readonly TrendingRow[] =>
  rememberedList(market, `${timeframe} ${sort}`, () =>
    market.trending[timeframe][sort].map((place, index) => ({
      ...trendingToken[timeframe](market, place),
      rank: index + 1,
      position: index + 1,
    })),
  )

/** What a discovery list says of the token at `rank`. */
export function summaryOf(market: Market, place: Place, rank: number): TokenSummary {
  const onBoard = market.boards.now[place.token.kind].findIndex(({ number }) => number === place.number)
  return {
    boardRank: onBoard < 0 ? null : onBoard + 1,
    ...figuresOf(market, place, { rank, window: '24h' }),
  }
}

/** What does not depend on a list's window is worked out once a token and minute. */
function ofNow<V extends object>(
  make: (market: Market, place: Place) => V,
): (market: Market, place: Place) => V {
  const remembered = rememberedIn<Market, number, V>()
  return (market, place) => remembered(market, place.number, () => make(market, place))
}

/** A token stands in several lists of a timeframe, at other places. */
const trendingToken = byName(timeframes, (window) =>
  ofNow(
    (market, place): TrendingRow => ({
      changeE2: priceChange(market, place, window).percentE2,
      ...figuresOf(market, place, { rank: 0, window }),
    }),
  ),
)

/** A creator token itself; of a post the creator token that it belongs to, null without one. */
export const creatorTokenOf = ({ edges, valuations }: Market, { number, token }: Place): Token | null =>
  token.kind === 'creator' ? token : (edges.now.tokens[valuations.now.creatorTokenOf(number) ?? -1] ?? null)

const rememberedSince = rememberedIn<Market, Period | Timeframe, Since>()
const sinceOf = (market: Market, name: Period | Timeframe): Since =>
  rememberedSince(market, name, () => {
    const since = { edge: market.edges[name], start: startOf(market.minute, name) }
    if (name === '30d') return since // no moment that anything is valued at
    const { worthOf } = market.valuations[name]
    return { ...since, priceOf: (number) => worthOf(number).priceUsdE36 }
  })

// Own keys first, then one spread: a key that follows a spread, and a second spread, cost many times the rest.
function figuresOf(
  market: Market,
  place: Place,
  { rank, window }: { readonly rank: number; readonly window: Period | Timeframe },
): TokenFigures {
  const now = tokenNow(market, place)
  const [volume, trades] = [volumeIn(market, place, window), tradesIn(market, place, window)]
  return { rank, position: rank, volume, trades, now, ...now }
}

const volumeIn = (market: Market, { number }: Place, window: Period | Timeframe): MicroUsd => {
  const { edge } = sinceOf(market, window)
  return market.edges.now.read('cumVolumeMicroUsd', number) - edge.read('cumVolumeMicroUsd', number)
}

const tradesIn = (market: Market, { number }: Place, window: Period | Timeframe): number => {
  const { edge } = sinceOf(market, window)
  return market.edges.now.read('cumTrades', number) - edge.read('cumTrades', number)
}

const tokenNow = ofNow((market, place): TokenNow => {
  const { edges, valuations } = market
  const { number, token } = place
  const { now: edge } = edges
  const { worthOf, volume24hOf } = valuations.now
  const worth = worthOf(number)
  const hasPrice = worth.priceUsdE36 > 0n
  return {
    token,
    creatorToken: creatorTokenOf(market, place),
    priceUsdE36: hasPrice ? worth.priceUsdE36 : null,
    marketCap: hasPrice ? worth.marketCap : null,
    liquidity: hasPrice ? liquidityAt(edge, number, worth.priceUsdE36) : null,
    holders: edge.read('holders', number),
    volume24h: volume24hOf(number),
    totalVolume: edge.read('cumVolumeMicroUsd', number),
    trades24h: edge.read('cumTrades', number) - edges['24h'].read('cumTrades', number),
    change24hE2: priceChange(market, place, '24h').percentE2,
    change7dE2: priceChange(market, place, '7d').percentE2,
  }
})

/** Change of a token's price in a window, or since its launch if that is later. */
export function priceChange(market: Market, { number, token }: Place, name: Period | Timeframe): Change {
  const base = basePriceAt(sinceOf(market, name), number, token)
  return changeOf(base, market.valuations.now.worthOf(number).priceUsdE36 || null)
}

const boardNow = ofNow((market, place): TokenNow & Standing => {
  const { edges, valuations } = market
  const { number, token } = place
  const { now } = valuations
  const worth = now.worthOf(number)
  const supply = edges.now.read('supply', number)
  const circulatingSupply = supply - edges.now.read('selfHeld', number)
  const portfolio = now.portfolioOf(number)
  return {
    supply,
    circulatingSupply,
    circulatingMarketCap: marketCapMicroUsd(worth.priceUsdE36, circulatingSupply),
    portfolio,
    portfolioValue: portfolio ? portfolio.tokenCounted + portfolio.postsCounted : worth.marketCap,
    engagement: now.engagement24hOf(number),
    scoreE6: boardScore[token.kind](now, number) * (token.kind === 'creator' ? 1n : 1_000_000n),
    ...tokenNow(market, place),
  }
})

function changesOf({ edges, valuations }: Market, { number }: Place, baseline: Baseline | null) {
  const { worthOf, volume24hOf } = valuations.now
  const worth = worthOf(number)
  return {
    price: changeOf(baseline?.priceUsdE36 ?? null, worth.priceUsdE36),
    marketCap: changeOf(baseline?.marketCap ?? null, worth.marketCap),
    volume: changeOf(baseline?.volume24h ?? null, volume24hOf(number)),
    holders: changeOf(baseline && BigInt(baseline.holders), BigInt(edges.now.read('holders', number))),
  }
}

function baselineOf(market: Market, { number, token }: Place, period: Period): Baseline | null {
  if (isYounger(token, startOf(market.minute, period))) {
    const { priceUsdE36, supply } = token.launch
    const marketCap = priceUsdE36 === null ? null : marketCapMicroUsd(priceUsdE36, supply)
    return { is: 'launch', priceUsdE36, marketCap, holders: 0, volume24h: 0n }
  }
  const edge = market.edges[period]
  if (number >= edge.tokens.length) return null
  const { worthOf, volume24hOf } = market.valuations[period]
  const worth = worthOf(number)
  const hasPrice = worth.priceUsdE36 > 0n
  return {
    is: 'period',
    priceUsdE36: hasPrice ? worth.priceUsdE36 : null,
    marketCap: hasPrice ? worth.marketCap : null,
    holders: edge.read('holders', number),
    volume24h: volume24hOf(number),
  }
}
