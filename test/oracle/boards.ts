/**
 * The oracle: both boards and the trending lists by brute force over arrays of raw logs. It shares no code with ingest/,
 * snapshot/ and the fold; of market/ it uses the price functions only. Readable before fast: every question is answered
 * by scanning a token's logs from its launch. For chains whose reference pools are Uniswap V4 (the devnet).
 */
import { getAddress } from 'viem'
import type { Chain } from '../../ingest/client/chains.ts'
import { changeE2 } from '../../market/display.ts'
import { marketCapMicroUsd, microUsdOf, sqrtPriceAtTick } from '../../market/pool.ts'
import { LOGS, readRaw } from './logs.ts'
import { coinAt, marketFrom, poolAt, type RawCoin, type RawMarket } from './market.ts'
import { balancesOf, type MarketView, quoteOf, secondsOf, sqrtOf, usdOf, valued } from './usd.ts'

const HOUR = 3_600
const DAY = 24 * HOUR
const BOARD = 100

/** 0x1234…abcd, in the mixed case of EIP-55. */
export function oracleShortAddress(address: string): string {
  const text = getAddress(address)
  return `${text.slice(0, 6)}…${text.slice(-4)}`
}

export type OracleView = MarketView & { seconds: number; states: Map<RawCoin, State> }
type Money =
  | 'price'
  | 'cap'
  | 'circulatingCap'
  | 'volume24h'
  | 'totalVolume'
  | 'earned24h'
  | 'earned'
  | 'liquidity'
  | 'pathLiquidity'
  | 'counted'
  /** In base units of the quote: the cap, what counts of it, and what the pool holds. */
  | 'plainInQuote'
  | 'countedInQuote'
  | 'reserve'
export type State = { [name in Money | 'supply' | 'circulating']: bigint } & {
  [name in 'holders' | 'trades' | 'trades24h' | 'engagement']: number
}

/** The market as of a block's end, valued. */
export const readMarket = async (rpcUrl: string, chain: Chain, toBlock: number): Promise<RawMarket> =>
  valued(marketFrom(chain, await readRaw(rpcUrl, toBlock)))

/** The end of the last minute before a UTC second: its logs and its closing rates. */
export function viewAt(market: RawMarket, seconds: number): OracleView {
  const closed = market.minutes.findLast(({ minute }) => minute * 60 < seconds)
  const before = closed ? (closed.lastBlock + 1) * LOGS : 0
  return { market, before, rate: (currency) => closed?.held.get(currency) ?? 0n, seconds, states: new Map() }
}

/** What the ranges of the current pool hold, in base units: [quote, token]. */
export function reservesAt(view: MarketView, coin: RawCoin): [bigint, bigint] {
  const sqrt = sqrtOf(view, coin)
  const { id, isCurrency0 } = poolAt(coin, view.before)
  const ranges = new Map<string, bigint>()
  for (const { at, lower, upper, delta } of view.market.ranges.get(id) ?? [])
    if (at < view.before) ranges.set(`${lower} ${upper}`, (ranges.get(`${lower} ${upper}`) ?? 0n) + delta)
  let [amount0, amount1] = [0n, 0n]
  for (const [range, liquidity] of ranges) {
    if (sqrt === 0n || liquidity <= 0n) continue
    const [low, high] = range.split(' ').map((tick) => sqrtPriceAtTick(Number(tick))) as [bigint, bigint]
    const inside = least(most(sqrt, low), high)
    amount0 += (liquidity * 2n ** 96n * (high - inside)) / (high * inside)
    amount1 += (liquidity * (inside - low)) / 2n ** 96n
  }
  return isCurrency0 ? [amount1, amount0] : [amount0, amount1]
}

/** All figures of a token at a time. */
export function oracleState(view: OracleView, coin: RawCoin): State {
  const known = view.states.get(coin)
  if (known) return known
  const { market, before } = view
  const { supply, self, holders } = balancesOf(market, coin, before)
  const price = usdOf(view, coin.address)
  const [reserveQuote, reserveToken] = reservesAt(view, coin)
  const quote = quoteOf(view, coin)
  const ownLiquidity = microUsdOf(reserveQuote, quote.usd, quote.decimals)
  const quoteCoin = coinAt(market, poolAt(coin, before).quote)
  const pathLiquidity = quoteCoin
    ? least(ownLiquidity, oracleState(view, quoteCoin).pathLiquidity)
    : ownLiquidity
  const cap = marketCapMicroUsd(price, supply)
  const dayAgo = viewAt(market, view.seconds - DAY)
  const state: State = {
    price,
    cap,
    supply,
    circulating: supply - self,
    circulatingCap: marketCapMicroUsd(price, supply - self),
    holders: holders.length,
    volume24h: tradedIn(coin, dayAgo, view).volume,
    totalVolume: tradedIn(coin, null, view).volume,
    earned24h: earnedIn(market, coin, dayAgo, view),
    earned: earnedIn(market, coin, null, view),
    trades: tradedIn(coin, null, view).trades,
    trades24h: tradedIn(coin, dayAgo, view).trades,
    engagement: engagementIn(market, coin, dayAgo, view),
    liquidity: ownLiquidity + microUsdOf(reserveToken, price, 18),
    pathLiquidity,
    counted: least(cap, 25n * pathLiquidity),
    plainInQuote: oracleInQuote(view, coin, supply),
    reserve: reserveQuote,
    countedInQuote: least(oracleInQuote(view, coin, supply), 25n * reserveQuote),
  }
  view.states.set(coin, state)
  return state
}

/** An amount of a coin in base units of its quote, at the pool's price. */
export function oracleInQuote(view: OracleView, coin: RawCoin, amount: bigint): bigint {
  const square = sqrtOf(view, coin) ** 2n
  if (square === 0n) return 0n
  return poolAt(coin, view.before).isCurrency0
    ? (amount * square) / 2n ** 192n
    : (amount * 2n ** 192n) / square
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const most = (a: bigint, b: bigint): bigint => (a < b ? b : a)

function tradedIn(
  coin: RawCoin,
  from: OracleView | null,
  to: OracleView,
): { volume: bigint; trades: number } {
  const trades = coin.trades.filter(({ at }) => at >= (from?.before ?? 0) && at < to.before)
  return { volume: trades.reduce((sum, { volume }) => sum + volume, 0n), trades: trades.length }
}

/** What the creator of a token was paid: by its own trades and, of a creator token, by those of its posts. */
export function earnedIn(market: RawMarket, coin: RawCoin, from: OracleView | null, to: OracleView): bigint {
  let sum = 0n
  for (const each of market.coins)
    for (const { at, recipient, usd } of each.payments) {
      if (at < (from?.before ?? 0) || at >= to.before) continue
      const isTheirs = each === coin || (recipient === coin.creator && creditOf(market, each, at) === coin)
      if (isTheirs) sum += usd.creator
    }
  return sum
}

/** The creator token that a post's payment counts for: its quote, if older, else the oldest of its creator's own launched in an earlier minute. */
function creditOf(market: RawMarket, post: RawCoin, at: number): RawCoin | undefined {
  if (post.kind === 'creator') return undefined
  const { quote } = poolAt(post, at)
  const creators = market.coins.filter(({ kind }) => kind === 'creator')
  const minute = Math.floor(secondsOf(market, at) / 60)
  const isEarlier = ({ launchSeconds }: RawCoin) => Math.floor(launchSeconds / 60) < minute
  return (
    creators.find(({ address, launchedAt }) => address === quote && launchedAt < post.launchedAt) ??
    creators.find(
      (token) => isOwn(token) && isOwn(post) && token.creator === post.creator && isEarlier(token),
    )
  )
}

/** (wallet, UTC hour) pairs whose first swap of at least $0.10 lies between two times. */
export function engagementIn(market: RawMarket, coin: RawCoin, from: OracleView, to: OracleView): number {
  const counting = new Map<string, number>()
  for (const { at, trader, volume } of coin.trades) {
    const pair = `${trader} ${Math.floor(secondsOf(market, at) / 3600)}`
    if (volume >= 100_000n && !counting.has(pair)) counting.set(pair, at)
  }
  return [...counting.values()].filter((at) => at >= from.before && at < to.before).length
}

/** How much the largest net position of each (wallet, UTC hour) grew between two seconds. */
export function rankVolume(market: RawMarket, coin: RawCoin, from: number, to: number): bigint {
  const wallets = new Map<string, { net: bigint; peak: bigint }>()
  let grown = 0n
  for (const { at, isBuy, trader, volume } of coin.trades) {
    const seconds = secondsOf(market, at)
    const key = `${trader} ${Math.floor(seconds / HOUR)}`
    const before = wallets.get(key) ?? { net: 0n, peak: 0n }
    const net = before.net + (isBuy ? volume : -volume)
    const size = net < 0n ? -net : net
    const peak = size > before.peak ? size : before.peak
    wallets.set(key, { net, peak })
    if (seconds >= from && seconds < to) grown += peak - before.peak
  }
  return grown
}

/** A base to compare with: the state at a period's start, or the launch. */
type Base = { is: 'period' | 'launch'; price: bigint; cap: bigint; volume24h: bigint; holders: number }
export type Row = {
  rank: number
  coin: RawCoin
  /** Names, pool and creator token as of the answer. */
  name: { name: string; symbol: string; symbolSince: number }
  poolId: string
  creatorToken: { name: string; symbol: string } | null
  /** The creator token whose money a post is quoted in. */
  quotedIn: { address: string; symbol: string } | null
  now: State
  base: Base
  day: Base
  week: Base
  /** Volume, rank volume (µ$) and trades of the period. */
  period: { volume: bigint; rankVolume: bigint; trades: number }
}
export type OracleRow = Row & {
  hour: Base
  startSeconds: number
  score: bigint
  portfolio: OraclePortfolio
  previousRank: number | null
  isNew: boolean
}
export type OraclePortfolio = {
  token: bigint
  tokenCounted: bigint
  posts: bigint
  postsCounted: bigint
  count: number
}
export type Boards = { creators: Record<string, OracleRow[]>; posts: Record<string, OracleRow[]> } & {
  trending: Record<string, Record<string, Row[]>>
}

export const oraclePeriods = { '1h': HOUR, '4h': 4 * HOUR, '24h': DAY, '7d': 7 * DAY }
const timeframes = { '1h': HOUR, '24h': DAY, '7d': 7 * DAY, '30d': 30 * DAY }

/** Both boards in every period, and the trending lists by timeframe and sort, at an exclusive end of a minute (Unix seconds). */
export function expectedBoards(market: RawMarket, asOf: number): Boards {
  const now = viewAt(market, asOf)
  const starts = mapped(timeframes, (width) => viewAt(market, asOf - width))
  const reference = { now, hour: starts['1h']!, day: starts['24h']!, week: starts['7d']! }
  const board = (kind: RawCoin['kind']) => {
    const eligible = activeAt(now, kind)
    const ranked = ranking(now, eligible)
    return mapped(oraclePeriods, (width) => {
      const start = viewAt(market, asOf - width)
      return boardOf(reference, ranked, { start, before: ranking(start, eligible) })
    })
  }
  const trending = mapped(starts, (start) => {
    const rows = alive(now).map((coin, i) => rowOf(reference, coin, { start, rank: i + 1 }))
    const traded = rows.filter((row) => row.period.trades > 0 && row.now.price > 0n)
    const deep = traded.filter(({ now }) => now.pathLiquidity >= 100_000_000n && now.counted === now.cap)
    const lists: Record<string, readonly Row[]> = {
      market_cap: deep,
      change: deep.flatMap((row) => afterFirstHour(row, start, asOf)).filter(hasPercent),
    }
    return mapped(orders, ([name, order]) =>
      topOf(lists[name] ?? traded, order).map((row, i) => ({ ...row, rank: i + 1 })),
    )
  })
  return { creators: board('creator'), posts: board('post'), trending }
}

const mapped = <T, R>(record: Record<string, T>, make: (value: T) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, make(value)]))

/** Tokens created before a time, oldest first. */
export const alive = (view: OracleView): RawCoin[] =>
  view.market.coins.filter(({ launchedAt }) => launchedAt < view.before)

type Order<T> = (a: T, b: T) => bigint
/** Largest first; ties: 24 h volume, market cap, creation order (the order they come in). */
export const topOf = <T extends { now: State }>(rows: readonly T[], order: Order<T>): T[] =>
  [...rows]
    .sort((a, b) => Number(order(b, a) || b.now.volume24h - a.now.volume24h || b.now.cap - a.now.cap))
    .slice(0, BOARD)

/** What each list is ordered by. */
const orders: Record<string, [string, Order<Row>]> = {
  volume: ['volume', (a, b) => a.period.volume - b.period.volume],
  rank_volume: ['rank_volume', (a, b) => a.period.rankVolume - b.period.rankVolume],
  market_cap: ['market_cap', (a, b) => a.now.cap - b.now.cap],
  // now/base as exact ratios; a base of 0 has no change and comes last.
  change: [
    'change',
    (a, b) =>
      a.base.price && b.base.price
        ? a.now.price * b.base.price - b.now.price * a.base.price
        : a.base.price - b.base.price,
  ],
  holders: ['holders', (a, b) => BigInt(a.now.holders - b.now.holders)],
}

/** A row whose base is the price an hour after the launch, where that is later than the start; none while there is none yet. */
function afterFirstHour(row: Row, start: OracleView, asOf: number): Row[] {
  const { market } = start
  const { launchSeconds, address } = row.coin
  const over = launchSeconds + HOUR
  if (over <= start.seconds || launchSeconds < asOf - 30 * DAY) return [row]
  const price = over > asOf ? 0n : usdOf(viewAt(market, over), address)
  return price > 0n ? [{ ...row, base: { ...row.base, price } }] : []
}

/** More than 1e9 % says nothing. */
const hasPercent = ({ base, now }: Row): boolean =>
  base.price === 0n || changeE2(base.price, now.price) !== null

type Entry = { coin: RawCoin; now: State; portfolio: OraclePortfolio; score: bigint }

/** Coins of a kind with a swap in the 30 days before a time, a creator token's posts counted as its own. */
function activeAt(view: OracleView, kind: RawCoin['kind']): RawCoin[] {
  const start = viewAt(view.market, view.seconds - 30 * DAY)
  return alive(view).filter((coin) => coin.kind === kind && tradesOf(view, coin, start.before) > 0)
}

/** Trades of a coin and, of a creator token, of its posts, from a position on. */
function tradesOf(view: OracleView, coin: RawCoin, from: number): number {
  const own = [coin, ...(coin.kind === 'creator' ? postsOf(view, coin) : [])]
  return own.reduce(
    (sum, { trades }) => sum + trades.filter(({ at }) => at >= from && at < view.before).length,
    0,
  )
}

const postsOf = (view: OracleView, token: RawCoin): RawCoin[] =>
  alive(view).filter((coin) => coin.kind === 'post' && creatorTokenOf(view, coin) === token)

/** A board at a time: of the eligible coins those with a price and a swap by then. */
function ranking(view: OracleView, eligible: readonly RawCoin[]): Entry[] {
  const known = alive(view)
  const entries = eligible
    .filter((coin) => known.includes(coin) && tradesOf(view, coin, 0) > 0)
    .map((coin): Entry => {
      const now = oracleState(view, coin)
      const portfolio = portfolioOf(view, coin)
      const score =
        coin.kind === 'creator' ? portfolio.tokenCounted + portfolio.postsCounted : BigInt(now.engagement)
      return { coin, now, portfolio, score }
    })
  return topOf(
    entries.filter(({ now }) => now.price > 0n),
    (a, b) => a.score - b.score,
  )
}

/** The portfolio of a creator token: posts quoted in it pass through its pool, its creator's others count where they are quoted. */
export function portfolioOf(view: OracleView, coin: RawCoin): OraclePortfolio {
  const { cap, plainInQuote, countedInQuote, reserve } = oracleState(view, coin)
  const posts = postsOf(view, coin)
  const isInToken = (post: RawCoin) => poolAt(post, view.before).quote === coin.address
  const sum = (some: readonly RawCoin[]) =>
    some.reduce((total, post) => total + oracleState(view, post).countedInQuote, 0n)
  const quote = quoteOf(view, coin)
  const own = poolAt(coin, view.before).quote
  const valued = (inOwnQuote: bigint) => {
    const others = posts.filter((post) => !isInToken(post))
    const references = view.market.chain.references.filter(({ address }) =>
      others.some((post) => poolAt(post, view.before).quote === address),
    )
    const sums = new Map([[own, inOwnQuote]])
    for (const { address } of references)
      sums.set(
        address,
        (sums.get(address) ?? 0n) + sum(others.filter((post) => poolAt(post, view.before).quote === address)),
      )
    return [...sums].reduce((total, [address, amount]) => {
      const reference = references.find((each) => each.address === address)
      const usd = reference ? usdOf(view, address) : quote.usd
      return total + microUsdOf(amount, usd, reference?.decimals ?? quote.decimals)
    }, 0n)
  }
  const linked = posts.filter(isInToken)
  const all = least(plainInQuote + oracleInQuote(view, coin, sum(linked)), 25n * reserve)
  const tokenCounted = microUsdOf(countedInQuote, quote.usd, quote.decimals)
  return {
    token: cap,
    tokenCounted,
    count: posts.length,
    posts: valued(oracleInQuote(view, coin, sum(linked))),
    postsCounted: valued(all) - tokenCounted,
  }
}

/** A plain cap that its pool does not back by a 25th is in no sum. */
export const partOf = (state: State, part: 'plainInQuote' | 'countedInQuote'): bigint =>
  part === 'plainInQuote' && state.plainInQuote > 25n * state.reserve ? 0n : state[part]

/** A token is its creator's own if they launched it: anyone may name anyone. */
const isOwn = ({ creator, launcher }: RawCoin): boolean => creator === launcher

/** The creator token a post belongs to: the one it is quoted in if it is older than the post, else, of a creator's own post, the oldest of their own. */
function creatorTokenOf(view: OracleView, post: RawCoin): RawCoin | undefined {
  const creators = alive(view).filter(({ kind }) => kind === 'creator')
  const { quote } = poolAt(post, view.before)
  return (
    creators.find(({ address, launchedAt }) => address === quote && launchedAt < post.launchedAt) ??
    creators.find((token) => isOwn(token) && isOwn(post) && token.creator === post.creator)
  )
}

function boardOf(
  reference: { now: OracleView; hour: OracleView; day: OracleView; week: OracleView },
  ranked: readonly Entry[],
  { start, before }: { start: OracleView; before: readonly Entry[] },
): OracleRow[] {
  return ranked.map(({ coin, portfolio, score }, i) => {
    const previousRank = before.findIndex((entry) => entry.coin === coin) + 1 || null
    const isNew = start.before > 0 && previousRank === null
    return {
      ...rowOf(reference, coin, { start, rank: i + 1 }),
      hour: baseOf(coin, reference.hour),
      portfolio,
      score,
      previousRank,
      isNew,
      startSeconds: start.seconds,
    }
  })
}

/** What a token and its creator token are called at a time. */
export function namesAt(view: OracleView, coin: RawCoin): Pick<Row, 'name' | 'creatorToken' | 'quotedIn'> {
  const nameOf = ({ names }: RawCoin) => names.findLast(({ at }) => at < view.before)!
  const shown = (owner: RawCoin, text: string) => text || oracleShortAddress(owner.address)
  const creatorToken = coin.kind === 'creator' ? coin : creatorTokenOf(view, coin)
  const { name, symbol } = nameOf(coin)
  return {
    name: { name: shown(coin, name), symbol: shown(coin, symbol), symbolSince: symbolSinceAt(view, coin) },
    // Its symbol is the handle, which falls back to another address.
    creatorToken: creatorToken
      ? { ...nameOf(creatorToken), name: shown(creatorToken, nameOf(creatorToken).name) }
      : null,
    quotedIn:
      coin.kind === 'post' && creatorToken?.address === poolAt(coin, view.before).quote
        ? { address: creatorToken.address, symbol: shown(creatorToken, nameOf(creatorToken).symbol) }
        : null,
  }
}

/** When the creation, or the last rename that changed the symbol, gave it. */
function symbolSinceAt({ market, before }: OracleView, { names }: RawCoin): number {
  const known = names.filter(({ at }) => at < before)
  const given = known.findLast(({ symbol }, i) => symbol !== known[i - 1]?.symbol)!
  return secondsOf(market, given.at)
}

/** All figures of a token in a list. */
export function rowOf(
  { now, day, week }: { now: OracleView; day: OracleView; week: OracleView },
  coin: RawCoin,
  { start, rank }: { start: OracleView; rank: number },
): Row {
  return {
    rank,
    coin,
    ...namesAt(now, coin),
    poolId: poolAt(coin, now.before).id,
    now: oracleState(now, coin),
    base: baseOf(coin, start),
    day: baseOf(coin, day),
    week: baseOf(coin, week),
    period: {
      ...tradedIn(coin, start, now),
      rankVolume: rankVolume(now.market, coin, start.seconds, now.seconds),
    },
  }
}

/** A token launched at or after the start is compared with its launch: no holders, no volume. */
function baseOf(coin: RawCoin, start: OracleView): Base {
  if (coin.launchSeconds >= start.seconds) return { is: 'launch', ...coin.launch, volume24h: 0n, holders: 0 }
  const { price, cap, volume24h, holders } = oracleState(start, coin)
  return { is: 'period', price, cap, volume24h, holders }
}
