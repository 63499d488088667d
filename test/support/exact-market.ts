/** A market in plain maps over all tokens ever launched, and its lists in exact arithmetic alone, for comparison with the engine's. */

import type { ByKind } from '../../market/board/board.ts'
import {
  type Coins,
  type MarketAt,
  type PostColumns,
  priceAt,
  worthAt,
} from '../../market/board/market-at.ts'
import { countedOf, portfolioAt, postsOf } from '../../market/board/portfolio.ts'
import type { Score } from '../../market/board/ranking.ts'
import { basePriceAt, type TrendingOrder } from '../../market/board/trending.ts'
import { isImported } from '../../market/coverage.ts'
import { noPosts, ownersAfter } from '../../market/fold/post-owners.ts'
import { byLaunch } from '../../market/launch-order.ts'
import { effectiveEntries } from '../../market/log.ts'
import { BOARD_SIZE, LIQUIDITY_MIN_MICRO_USD } from '../../market/rules.ts'
import {
  type Address,
  emptyState,
  type Minute,
  type PostOwner,
  type References,
  type Token,
  type TokenState,
  type UsdE36,
} from '../../market/segment.ts'
import { tokenLine } from '../../store/codec.ts'
import { references as ratesOf } from './facts.ts'
import { type World, worldsOf } from './market-history.ts'
import type { MemoryLog } from './memory-stores.ts'

/** The market of a world; tokens are numbered by their index in `tokens`. */
export function exactMarket(
  tokens: readonly Token[],
  world: Pick<World, 'tokens' | 'states' | 'owners'>,
  references: References,
  hourPrices: ReadonlyMap<Address, UsdE36> = new Map(),
): MarketAt {
  const numbers = new Map(tokens.map(({ address }, number) => [address, number]))
  const tokenOf = (number: number): Token => {
    const token = tokens[number] as Token
    return world.tokens.get(token.address) ?? token
  }
  const stateOf = (number: number): TokenState =>
    world.states.get((tokens[number] as Token).address) ?? emptyState
  const ownerOf = (address: Address) => world.owners.get(address) ?? noPosts
  const others: (Address | null)[] = []
  const quoteOf = (quote: Address | null) => (quote && numbers.get(quote)) ?? -others.push(quote)
  const all = tokens.map((_, number) => tokenOf(number))
  const hourPriceOf = (number: number) => hourPrices.get((tokens[number] as Token).address) ?? null
  const hourPrice = Float64Array.from(tokens, (_, number) => Number(hourPriceOf(number) ?? 0n) / 1e36)
  const [coins, posts] = [
    { ...coinsOf(all, { quoteOf, others }), hourPrice },
    postsBeside(world.owners, { quoteOf, numbers }),
  ]
  return {
    references,
    count: tokens.length,
    tokenOf,
    textOf: (number) => tokenLine.write(tokenOf(number)),
    numberOf: (address) => numbers.get(address),
    zeros: () => new Float64Array(tokens.length),
    withScratch: (use) => use(),
    coins: () => coins,
    posts: () => posts,
    read: (field, number) => stateOf(number)[field],
    column: (field) => Float64Array.from(tokens, (_, number) => Number(stateOf(number)[field])),
    ownerOf,
    hourPriceOf,
  }
}

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

type QuoteOf = (quote: Address | null) => number

function coinsOf(
  tokens: readonly Token[],
  { quoteOf, others }: { readonly quoteOf: QuoteOf; readonly others: Coins['others'] },
): Omit<Coins, 'hourPrice'> {
  return {
    others,
    quotes: tokens.map(({ quote }) => quoteOf(quote)),
    isCurrency0: Uint8Array.from(tokens, ({ isCurrency0 }) => Number(isCurrency0)),
    isCreator: Uint8Array.from(tokens, ({ kind }) => Number(kind === 'creator')),
    isImported: Uint8Array.from(tokens, (token) => Number(isImported(token))),
    launchedAt: Float64Array.from(tokens, ({ launchedAt }) => launchedAt.timestamp),
  }
}

function postsBeside(
  owners: ReadonlyMap<Address, PostOwner>,
  { quoteOf, numbers }: { readonly quoteOf: QuoteOf; readonly numbers: ReadonlyMap<Address, number> },
): PostColumns {
  const sums = [...owners].flatMap(([owner, { oldestCreatorToken, posts }]) =>
    posts.map((each) => ({ ...each, creator: each.quote === owner ? owner : oldestCreatorToken })),
  )
  return {
    creatorTokens: Int32Array.from(sums, ({ creator }) => (creator && numbers.get(creator)) ?? -1),
    quotes: sums.map(({ quote }) => quoteOf(quote)),
    counted: Float64Array.from(sums, ({ counted }) => Number(counted)),
    lastSwap: Float64Array.from(sums, ({ lastSwapMinute }) => lastSwapMinute),
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
        return [{ number, token, score: { over, under: 1n } }]
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
    const { priceUsdE36, pathLiquidity } = worthAt(market, number)
    if (priceUsdE36 === 0n) return []
    const isLiquid = pathLiquidity >= LIQUIDITY_MIN_MICRO_USD
    if (!['volume', 'rank_volume', 'holders'].includes(order) && !isLiquid) return []
    const isYoung = firstHourCounts(since, token)
    if (/change/.test(order) && isYoung && market.hourPriceOf(number) === null) return []
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
  if (order === 'holders') return { over: BigInt(market.read('holders', number)), under: 1n }
  if (order === 'market_cap') return { over: worthAt(market, number).marketCap, under: 1n }
  if (order === 'volume') {
    const then = since.market.read('cumVolumeMicroUsd', number)
    return { over: market.read('cumVolumeMicroUsd', number) - then, under: 1n }
  }
  if (order === 'rank_volume') {
    const then = since.market.read('cumRankVolumeMicroUsd', number)
    return { over: market.read('cumRankVolumeMicroUsd', number) - then, under: 1n }
  }
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

export type MarketEntry = readonly [Token, TokenState]

/** The market of these tokens, numbered by their index in `all`. */
export function marketOfEntries(
  entries: readonly MarketEntry[],
  {
    all = entries.map(([token]) => token),
    references = ratesOf(1000),
    hourPrices,
  }: { all?: readonly Token[]; references?: References; hourPrices?: ReadonlyMap<Address, UsdE36> } = {},
) {
  const tokens = new Map(entries.map(([token]) => [token.address, token]))
  const states = new Map(entries.map(([token, state]) => [token.address, state]))
  const steps = entries.map(([token, state]) => ({ before: null, after: { token, state } }))
  // In the order of the launches, as in a log.
  const inOrder = steps.toSorted(
    (a, b) => a.after.token.launchedAt.blockNumber - b.after.token.launchedAt.blockNumber,
  )
  const owners = ownersAfter(new Map(), inOrder, { references, tokenOf: (address) => tokens.get(address) })
  return exactMarket(all, { tokens, states, owners }, references, hourPrices)
}
