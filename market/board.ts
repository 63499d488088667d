import { effectiveCap, marketCapMicroUsd, microUsdOf, priceUsdE36 } from './pool.ts'
import { BOARD_SIZE, QUOTE_POOLS_MAX, TOKEN_DECIMALS } from './rules.ts'
import type {
  Address,
  MicroUsd,
  References,
  StateField,
  Token,
  TokenKind,
  TokenState,
  UsdE36,
} from './segment.ts'

/** The market at one moment, by token number (order of arrival in the log). A number not kept or not yet known reads as 0. */
export type Edge<Field extends StateField = StateField> = {
  readonly tokens: readonly Token[]
  readonly references: References
  /** Number of a token known at this edge. */
  readonly numberOf: (address: Address) => number | undefined
  readonly read: <N extends Field>(field: N, number: number) => TokenState[N]
}

type Quote = { readonly usdE36: UsdE36; readonly decimals: number; readonly number: number | undefined }

/** USD of what a token is priced in; 0 without a route. */
function quoteAt(edge: Edge<'sqrtPriceX96'>, token: Token, depth: number): Quote {
  const reference = edge.references.get(token.quote)
  if (reference) return { usdE36: reference.heldUsdE36, decimals: reference.decimals, number: undefined }
  const number = edge.numberOf(token.quote)
  const usdE36 = number === undefined || depth <= 1 ? 0n : priceAt(edge, number, depth - 1)
  return { usdE36, decimals: TOKEN_DECIMALS, number }
}

/** USD × 1e36 of one whole token at the edge's pool prices and reference rates; 0 without a price or a route. */
export function priceAt(edge: Edge<'sqrtPriceX96'>, number: number, depth = QUOTE_POOLS_MAX): UsdE36 {
  const token = edge.tokens[number]
  if (!token) return 0n
  const quote = quoteAt(edge, token, depth)
  const sqrtPriceX96 = edge.read('sqrtPriceX96', number)
  return priceUsdE36(
    { sqrtPriceX96, isCurrency0: token.isCurrency0, quoteDecimals: quote.decimals },
    quote.usdE36,
  )
}

/** What a token is worth at an edge. `priceUsdE36` and `marketCap` are 0 without a route to USD. */
export type Worth = {
  readonly priceUsdE36: UsdE36
  readonly marketCap: MicroUsd
  /** Both sides of the hook's ranges at the current price. */
  readonly liquidity: MicroUsd
  /** min(market cap, 25 × the least quote-side liquidity on the token's path to USD). */
  readonly effectiveCap: MicroUsd
}

/** Worth of one token, by its number. */
export function worthAt(edge: Edge, number: number): Worth {
  const price = priceAt(edge, number)
  const token = edge.tokens[number]
  if (!token || price === 0n) return { priceUsdE36: 0n, marketCap: 0n, liquidity: 0n, effectiveCap: 0n }
  const marketCap = marketCapMicroUsd(price, edge.read('supply', number))
  const tokenSide = microUsdOf(edge.read('reserveToken', number), price, TOKEN_DECIMALS)
  return {
    priceUsdE36: price,
    marketCap,
    liquidity: quoteSideAt(edge, token, number) + tokenSide,
    effectiveCap: effectiveCap(marketCap, pathLiquidityAt(edge, number)),
  }
}

function quoteSideAt(edge: Edge<'sqrtPriceX96' | 'reserveQuote'>, token: Token, number: number): MicroUsd {
  const quote = quoteAt(edge, token, QUOTE_POOLS_MAX)
  return microUsdOf(edge.read('reserveQuote', number), quote.usdE36, quote.decimals)
}

/** The least quote-side liquidity of the pools between a token and a reference currency: a pumped creator token cannot make a post look liquid. */
export function pathLiquidityAt(
  edge: Edge<'sqrtPriceX96' | 'reserveQuote'>,
  number: number,
  depth = QUOTE_POOLS_MAX,
): MicroUsd {
  const token = edge.tokens[number]
  if (!token || depth === 0) return 0n
  const own = quoteSideAt(edge, token, number)
  if (edge.references.has(token.quote)) return own
  const next = edge.numberOf(token.quote)
  const rest = next === undefined ? 0n : pathLiquidityAt(edge, next, depth - 1)
  return own < rest ? own : rest
}

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

/** What stands behind a creator: plain and counted (effective) caps of the creator token and of all its posts. */
export type Portfolio = {
  readonly tokenMarketCap: MicroUsd
  readonly tokenCounted: MicroUsd
  readonly postsMarketCap: MicroUsd
  readonly postsCounted: MicroUsd
  readonly postsCount: number
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
export type Valuation = {
  readonly edge: Edge
  readonly worths: readonly Worth[]
  readonly creatorTokens: readonly (number | null)[]
  readonly portfolios: ReadonlyMap<number, Portfolio>
  /** Of the 24 hours before the edge. */
  readonly volumes24h: readonly MicroUsd[]
  readonly engagements24h: readonly number[]
}

/** Values the market at an edge; `dayBefore` is the edge 24 hours before it. */
export function valuationAt(edge: Edge, dayBefore: Edge<'cumVolumeMicroUsd' | 'cumEngagement'>): Valuation {
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

/** What a list is ordered by, as an exact ratio; null stands last. */
export type Score = { readonly over: bigint; readonly under: bigint } | null

/** A token in a ranked list. */
export type Place = { readonly number: number; readonly token: Token; readonly score: Score }

/** The first BOARD_SIZE of the contenders in the total order: score, 24 h volume, market cap (each descending), then launch order. */
export function ranked(valuation: Valuation, contenders: readonly Place[]): readonly Place[] {
  const { volumes24h, worths } = valuation
  const compare = (a: Place, b: Place): number =>
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

/** Order of creation: block, log, and (never needed on one chain) address. */
export function byLaunch(a: Token, b: Token): number {
  return (
    a.launchedAt.blockNumber - b.launchedAt.blockNumber ||
    a.launchedAt.logIndex - b.launchedAt.logIndex ||
    (a.address < b.address ? -1 : a.address > b.address ? 1 : 0)
  )
}

/** What each board is ranked by: creators by counted portfolio (µ$), posts by engagement of 24 h (pairs). */
const boardScores: { readonly [Kind in TokenKind]: (valuation: Valuation, number: number) => bigint } = {
  creator: ({ portfolios }, number) => {
    const portfolio = portfolios.get(number)
    return portfolio ? portfolio.tokenCounted + portfolio.postsCounted : 0n
  },
  post: ({ engagements24h }, number) => BigInt(engagements24h[number] ?? 0),
}

/** Both boards at an edge. */
export const boardsAt = (valuation: Valuation): Readonly<Record<TokenKind, readonly Place[]>> => ({
  creator: boardAt(valuation, 'creator'),
  post: boardAt(valuation, 'post'),
})

/** A board at an edge: tokens of a kind that were ever traded and have a price. */
function boardAt(valuation: Valuation, kind: TokenKind): readonly Place[] {
  const { edge, worths } = valuation
  const contenders: Place[] = []
  for (const [number, token] of edge.tokens.entries()) {
    if (token.kind !== kind || worths[number]?.priceUsdE36 === 0n || edge.read('cumTrades', number) === 0)
      continue
    contenders.push({ number, token, score: { over: boardScores[kind](valuation, number), under: 1n } })
  }
  return ranked(valuation, contenders)
}
