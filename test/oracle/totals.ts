/** The oracle, continued: figures of the whole market and the lists of discovery, by scanning every trade. See boards.ts. */
import { microUsdOf } from '../../market/pool.ts'
import {
  alive,
  engagementIn,
  type OracleRow,
  type OracleView,
  oracleInQuote,
  oraclePeriods,
  oracleState,
  partOf,
  type Row,
  rankVolume,
  rowOf,
  topOf,
  viewAt,
} from './boards.ts'
import { poolAt, type RawCoin, type RawMarket } from './market.ts'
import { secondsOf, usdOf } from './usd.ts'

const HOUR = 3_600
const DAY = 24 * HOUR
/** Seconds of a step of each period's volume. */
const steps: Record<string, number> = { '1h': 60, '4h': 300, '24h': 900, '7d': HOUR }

export type Traded = { volume: bigint; buys: bigint; creators: bigint; trades: number; buyTrades: number }
export type Volume = Traded & {
  step: number
  previous: bigint | null
  buckets: (Traded & { start: number })[]
}
export type Stats = {
  [name in 'counted' | 'countedCreators' | 'plain' | 'liquidity']: bigint
} & { [name in 'creators' | 'posts' | 'born' | 'active' | 'holders']: number }
export type OracleRising = Row & { rank1h: bigint; rank25h: bigint; walletHours: number; hour: Row['base'] }
export type OracleLaunch = Row & { age: number; launchPrice: bigint }
export type OracleTotals = {
  volumes: Record<string, Volume>
  stats: Stats
  rising: OracleRising[]
  launches: OracleLaunch[]
}

/** At an exclusive end of a minute (Unix seconds). */
export function expectedTotals(market: RawMarket, asOf: number): OracleTotals {
  const now = viewAt(market, asOf)
  const reference = { now, day: viewAt(market, asOf - DAY), week: viewAt(market, asOf - 7 * DAY) }
  const entries = Object.entries(oraclePeriods).map(([period, width]) => [
    period,
    volumeOf(market, { asOf, width, step: steps[period]! }),
  ])
  const rowAt = (coin: RawCoin, rank: number, start = reference.day): Row =>
    rowOf(reference, coin, { start, rank })
  return {
    volumes: Object.fromEntries(entries),
    stats: statsOf(market, now, asOf),
    rising: risingAt(market, now, rowAt),
    launches: alive(now)
      .filter(({ launchSeconds }) => asOf - launchSeconds <= 7 * DAY)
      .reverse()
      .slice(0, 50)
      .map((coin, i) => ({
        ...rowAt(coin, i + 1),
        age: asOf - coin.launchSeconds,
        launchPrice: coin.launch.price,
      })),
  }
}

/** Every trade from one second to another. */
function tradedBetween(market: RawMarket, from: number, to: number): Traded {
  const sum = { volume: 0n, buys: 0n, creators: 0n, trades: 0, buyTrades: 0 }
  for (const { kind, trades } of market.coins)
    for (const { at, isBuy, volume } of trades) {
      const seconds = secondsOf(market, at)
      if (seconds < from || seconds >= to) continue
      sum.volume += volume
      sum.trades += 1
      if (kind === 'creator') sum.creators += volume
      if (isBuy) [sum.buys, sum.buyTrades] = [sum.buys + volume, sum.buyTrades + 1]
    }
  return sum
}

function volumeOf(
  market: RawMarket,
  { asOf, width, step }: { asOf: number; width: number; step: number },
): Volume {
  const start = asOf - width
  const isKnown = start - width >= (market.minutes[0]?.minute ?? 0) * 60
  return {
    ...tradedBetween(market, start, asOf),
    step,
    previous: isKnown ? tradedBetween(market, start - width, start).volume : null,
    buckets: Array.from({ length: width / step }, (_, i) => start + i * step).map((from) => ({
      start: from,
      ...tradedBetween(market, from, from + step),
    })),
  }
}

function statsOf(market: RawMarket, now: OracleView, asOf: number): Stats {
  const coins = alive(now)
  const states = coins.map((coin) => ({ coin, state: oracleState(now, coin) }))
  const isIn = (seconds: number) => seconds >= asOf - DAY && seconds < asOf
  return {
    ...sumsOf(now, coins),
    creators: coins.filter(({ kind }) => kind === 'creator').length,
    posts: coins.filter(({ kind }) => kind === 'post').length,
    born: coins.filter(({ launchSeconds }) => isIn(launchSeconds)).length,
    active: coins.filter(({ trades }) => trades.some(({ at }) => isIn(secondsOf(market, at)))).length,
    holders: states.reduce((total, { state }) => total + state.holders, 0),
  }
}

/** Sums in base units of each reference currency, each valued once. What creator tokens quoted in anything else have behind them counts for nothing. */
function sumsOf(now: OracleView, coins: readonly RawCoin[]) {
  const sums = { counted: 0n, countedCreators: 0n, plain: 0n, liquidity: 0n }
  for (const { address, decimals } of now.market.chain.references) {
    const quoted = coins.filter((coin) => poolAt(coin, now.before).quote === address)
    const reached = { token: 0n, posts: 0n, plain: 0n, liquidity: 0n }
    for (const coin of quoted) {
      const state = oracleState(now, coin)
      const { plainInQuote, countedInQuote, reserve } = state
      reached.liquidity += reserve
      reached.plain += partOf(state, 'plainInQuote')
      if (coin.kind === 'post') reached.posts += countedInQuote
      else {
        const inToken = coins.filter(
          (post) =>
            post.kind === 'post' &&
            poolAt(post, now.before).quote === coin.address &&
            coin.launchedAt < post.launchedAt,
        )
        const sum = (what: 'plainInQuote' | 'countedInQuote') =>
          oracleInQuote(
            now,
            coin,
            inToken.reduce((total, post) => total + partOf(oracleState(now, post), what), 0n),
          )
        const all = plainInQuote + sum('countedInQuote')
        reached.token += countedInQuote
        reached.posts += (all < 25n * reserve ? all : 25n * reserve) - countedInQuote
        if (plainInQuote <= 25n * reserve) reached.plain += sum('plainInQuote')
      }
    }
    const usd = (amount: bigint) => microUsdOf(amount, usdOf(now, address), decimals)
    sums.countedCreators += usd(reached.token)
    sums.counted += usd(reached.token) + usd(reached.posts)
    sums.plain += usd(reached.plain)
    sums.liquidity += usd(reached.liquidity)
  }
  return sums
}

type RowAt = (coin: RawCoin, rank: number, start?: OracleView) => Row

function risingAt(market: RawMarket, now: OracleView, rowAt: RowAt): OracleRising[] {
  const hourAgo = viewAt(market, now.seconds - HOUR)
  const rows = alive(now).map((coin): OracleRising => {
    const hour = rowAt(coin, 0, hourAgo)
    return {
      ...rowAt(coin, 0),
      hour: hour.base,
      rank1h: rankVolume(market, coin, now.seconds - HOUR, now.seconds),
      rank25h: rankVolume(market, coin, now.seconds - 25 * HOUR, now.seconds),
      walletHours: engagementIn(market, coin, hourAgo, now),
    }
  })
  const eligible = rows.filter(
    ({ walletHours, hour, now: { price } }) => walletHours >= 3 && hour.price > 0n && price > hour.price,
  )
  const over = ({ rank1h }: OracleRising) => 24n * (rank1h + 50_000_000n)
  const under = ({ rank1h, rank25h }: OracleRising) => rank25h - rank1h + 24n * 50_000_000n
  return topOf(eligible, (a, b) => over(a) * under(b) - over(b) * under(a))
    .slice(0, 50)
    .map((row, i) => ({ ...row, rank: i + 1 }))
}

/** Rank of a token on its board. */
export const rankOn = (rows: readonly OracleRow[], coin: RawCoin): number | null =>
  rows.findIndex((row) => row.coin === coin) + 1 || null
