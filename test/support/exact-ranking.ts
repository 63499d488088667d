/** Boards and trending lists in exact arithmetic over every token: what the scan of doubles must give. */
import { byLaunch, type Place, type Score } from '../../market/ranking.ts'
import { BOARD_SIZE } from '../../market/rules.ts'
import type { Address, MicroUsd, TokenKind } from '../../market/segment.ts'
import { basePriceAt, type Since, type TrendingSort } from '../../market/trending.ts'
import type { Portfolio } from '../../market/valuation.ts'
import { type Edge, type Worth, worthAt } from '../../market/worth.ts'

type Scored = Place & { readonly score: Score }

/** The creator token that a post belongs to: its quote, else the oldest creator token of the same creator; by number, null on tokens without one. */
export function creatorTokensAt(edge: Pick<Edge, 'tokens' | 'numberOf'>): readonly (number | null)[] {
  const oldest = new Map<Address, number>()
  for (const [number, token] of edge.tokens.entries()) {
    const other = edge.tokens[oldest.get(token.creator) ?? -1]
    if (token.kind === 'creator' && (!other || byLaunch(token, other) < 0)) oldest.set(token.creator, number)
  }
  return edge.tokens.map((token) => {
    if (token.kind === 'creator') return null
    const quote = edge.numberOf(token.quote)
    if (quote !== undefined && edge.tokens[quote]?.kind === 'creator') return quote
    return oldest.get(token.creator) ?? null
  })
}

function portfoliosFrom(
  edge: Edge,
  worths: readonly Worth[],
  creatorTokens: readonly (number | null)[],
): ReadonlyMap<number, Portfolio> {
  const portfolios = new Map<number, { -readonly [N in keyof Portfolio]: Portfolio[N] }>()
  for (const [number, worth] of worths.entries()) {
    if (edge.tokens[number]?.kind !== 'creator') continue
    const { marketCap: tokenMarketCap, effectiveCap: tokenCounted } = worth
    portfolios.set(number, {
      tokenMarketCap,
      tokenCounted,
      postsMarketCap: 0n,
      postsCounted: 0n,
      postsCount: 0,
    })
  }
  for (const [number, worth] of worths.entries()) {
    const portfolio = portfolios.get(creatorTokens[number] ?? -1)
    if (!portfolio) continue
    portfolio.postsMarketCap += worth.marketCap
    portfolio.postsCounted += worth.effectiveCap
    portfolio.postsCount += 1
  }
  return portfolios
}

/** A market valued: everything that ranking and rows of one edge draw on, by token number. */
export type ExactValuation = {
  readonly edge: Edge
  readonly worths: readonly Worth[]
  readonly creatorTokens: readonly (number | null)[]
  readonly portfolios: ReadonlyMap<number, Portfolio>
  /** Of the 24 hours before the edge. */
  readonly volumes24h: readonly MicroUsd[]
  readonly engagements24h: readonly number[]
}

/** Values the market at an edge; `dayBefore` is the edge 24 hours before it. */
export function exactValuation(
  edge: Edge,
  dayBefore: Edge<'cumVolumeMicroUsd' | 'cumEngagement'>,
): ExactValuation {
  const numbers = edge.tokens.map((_, number) => number)
  const worths = numbers.map((number) => worthAt(edge, number))
  const creatorTokens = creatorTokensAt(edge)
  return {
    edge,
    worths,
    creatorTokens,
    portfolios: portfoliosFrom(edge, worths, creatorTokens),
    volumes24h: numbers.map(
      (n) => edge.read('cumVolumeMicroUsd', n) - dayBefore.read('cumVolumeMicroUsd', n),
    ),
    engagements24h: numbers.map((n) => edge.read('cumEngagement', n) - dayBefore.read('cumEngagement', n)),
  }
}

/** The first BOARD_SIZE of the contenders in the total order: score, 24 h volume, market cap (each descending), then launch order. */
function ranked(valuation: ExactValuation, contenders: readonly Scored[]): readonly Scored[] {
  const { volumes24h, worths } = valuation
  const compare = (a: Scored, b: Scored): number =>
    byScore(a.score, b.score) ||
    descending(volumes24h[a.number] ?? 0n, volumes24h[b.number] ?? 0n) ||
    descending(worths[a.number]?.marketCap ?? 0n, worths[b.number]?.marketCap ?? 0n) ||
    byLaunch(a.token, b.token)
  return contenders.toSorted(compare).slice(0, BOARD_SIZE)
}

function byScore(a: Score, b: Score): number {
  if (!a || !b) return Number(!a) - Number(!b)
  return descending(a.over * b.under, b.over * a.under)
}

const descending = (a: bigint, b: bigint): number => (a > b ? -1 : a < b ? 1 : 0)

/** What each board is ranked by: creators by counted portfolio (µ$), posts by engagement of 24 h (pairs). */
const boardScores: { readonly [Kind in TokenKind]: (valuation: ExactValuation, number: number) => bigint } = {
  creator: ({ portfolios }, number) => {
    const portfolio = portfolios.get(number)
    return portfolio ? portfolio.tokenCounted + portfolio.postsCounted : 0n
  },
  post: ({ engagements24h }, number) => BigInt(engagements24h[number] ?? 0),
}

/** Both boards at an edge. */
export const exactBoards = (valuation: ExactValuation): Readonly<Record<TokenKind, readonly Scored[]>> => ({
  creator: boardAt(valuation, 'creator'),
  post: boardAt(valuation, 'post'),
})

/** A board at an edge: tokens of a kind that were ever traded and have a price. */
function boardAt(valuation: ExactValuation, kind: TokenKind): readonly Scored[] {
  const { edge, worths } = valuation
  const contenders: Scored[] = []
  for (const [number, token] of edge.tokens.entries()) {
    if (token.kind !== kind || worths[number]?.priceUsdE36 === 0n || edge.read('cumTrades', number) === 0)
      continue
    contenders.push({ number, token, score: { over: boardScores[kind](valuation, number), under: 1n } })
  }
  return ranked(valuation, contenders)
}

const scores: {
  readonly [Sort in TrendingSort]: (now: ExactValuation, since: Since, place: Place) => Score
} = {
  volume: ({ edge }, since, { number }) =>
    whole(edge.read('cumVolumeMicroUsd', number) - since.edge.read('cumVolumeMicroUsd', number)),
  market_cap: ({ worths }, _since, { number }) => whole(worths[number]?.marketCap || null),
  change: ({ worths }, since, { number, token }) => {
    const base = basePriceAt(since, number, token)
    const price = worths[number]?.priceUsdE36
    return base && price ? { over: price, under: base } : null
  },
  holders: ({ edge }, _since, { number }) => whole(BigInt(edge.read('holders', number))),
}

const whole = (over: bigint | null): Score => (over === null ? null : { over, under: 1n })

/** The tokens with a price that were traded since the start of the window, in the order asked for. */
export function exactTrending(now: ExactValuation, since: Since, sort: TrendingSort): readonly Place[] {
  const contenders: Scored[] = []
  for (const [number, token] of now.edge.tokens.entries()) {
    if (now.edge.read('cumTrades', number) === since.edge.read('cumTrades', number)) continue
    if (now.worths[number]?.priceUsdE36 === 0n) continue
    contenders.push({ number, token, score: scores[sort](now, since, { number, token }) })
  }
  return ranked(now, contenders)
}
