/** The documents beside boards and trending lists, as the oracle expects them. */
import { getAddress } from 'viem'
import { decimalText } from '../../market/display.ts'
import { type Boards, type OracleRow, oraclePeriods, type Row } from './boards.ts'
import { type OracleTotals, rankOn, type Traded } from './totals.ts'
import {
  handleWire,
  type OracleFigures,
  PERIODS,
  tokenWire,
  trendingWire,
  type Wanted,
  type Wire,
  wirePercent,
  wirePrice,
  wireTime,
  wireUsd,
} from './wire.ts'
import type { Bar, Index, OracleSeat } from './z100-index.ts'

/** The market's totals and the lists of discovery. */
export const wantedTotals: readonly Wanted[] = [
  ...PERIODS.map((period) => ({
    path: `/v1/market/volume?period=${period}`,
    expected: ({ totals }: OracleFigures) => [volumeWire(period, totals)],
  })),
  { path: '/v1/market/stats', expected: ({ totals }) => [statsWire(totals)] },
  {
    path: '/v1/discover/rising?limit=20',
    expected: ({ boards, totals }) =>
      totals.rising
        .slice(0, 20)
        .map((row) => ({
          ...summaryWire(boards, row),
          rising_score: risingScore(row),
          components: {
            rank_volume_1h: wireUsd(row.rank1h),
            rank_volume_25h: wireUsd(row.rank25h),
            wallet_hours_1h: row.walletHours,
            change_1h: wirePercent(row.hour.price, row.now.price),
          },
        })),
  },
  {
    path: '/v1/discover/new-launches?limit=20',
    expected: ({ boards, totals }) =>
      totals.launches
        .slice(0, 20)
        .map((row) => ({
          ...summaryWire(boards, row),
          age_seconds: row.age,
          launch_price_usd: wirePrice(row.launchPrice),
          trades: row.now.trades,
          change_since_launch:
            row.launchPrice > 0n && row.now.price > 0n ? wirePercent(row.launchPrice, row.now.price) : null,
        })),
  },
]

/** Six decimals, half up. */
function risingScore({ rank1h, rank25h }: OracleTotals['rising'][number]): number {
  const over = 24n * (rank1h + 50_000_000n) * 1_000_000n
  const under = rank25h - rank1h + 24n * 50_000_000n
  return Number((2n * over + under) / (2n * under)) / 1e6
}

function summaryWire({ creators, posts }: Boards, row: Row): Wire {
  const { volume, rank_volume, trade_count, change, ...summary } = trendingWire(row)
  const rank = rankOn((row.coin.kind === 'creator' ? creators : posts)['24h'] ?? [], row.coin)
  return { ...summary, z100_rank: rank, z100_board: rank && `${row.coin.kind}s` }
}

const tradedWire = ({ volume, buys, trades }: Traded): Wire => ({
  volume_usd: wireUsd(volume),
  buy_volume: wireUsd(buys),
  sell_volume: wireUsd(volume - buys),
  trades,
})

function volumeWire(period: string, { volumes }: OracleTotals): Wire {
  const volume = volumes[period]!
  const { trades, ...traded } = tradedWire(volume)
  return {
    ...traded,
    period,
    total_volume: wireUsd(volume.volume),
    total_trades: trades,
    creator_volume: wireUsd(volume.creators),
    post_volume: wireUsd(volume.volume - volume.creators),
    total_buys: volume.buyTrades,
    total_sells: volume.trades - volume.buyTrades,
    previous_volume: volume.previous === null ? null : wireUsd(volume.previous),
    volume_change_percent: volume.previous === null ? null : wirePercent(volume.previous, volume.volume),
    ...stepsWire(volume),
  }
}

const stepsWire = ({ step, buckets }: OracleTotals['volumes'][string]): Wire => ({
  bucket_seconds: step,
  buckets: buckets.map((bucket) => ({
    timestamp: bucket.start,
    datetime: wireTime(bucket.start),
    ...tradedWire(bucket),
  })),
})

function statsWire({ stats, volumes }: OracleTotals): Wire {
  const day = volumes['24h']!
  return {
    total_market_cap: wireUsd(stats.counted),
    total_market_cap_plain: wireUsd(stats.plain),
    creator_market_cap: wireUsd(stats.countedCreators),
    post_market_cap: wireUsd(stats.counted - stats.countedCreators),
    total_volume_24h: wireUsd(day.volume),
    buy_volume_24h: wireUsd(day.buys),
    sell_volume_24h: wireUsd(day.volume - day.buys),
    volume_change_24h: day.previous === null ? null : wirePercent(day.previous, day.volume),
    total_trades_24h: day.trades,
    buys_24h: day.buyTrades,
    sells_24h: day.trades - day.buyTrades,
    total_tokens: stats.creators + stats.posts,
    total_creators: stats.creators,
    total_posts: stats.posts,
    active_tokens_24h: stats.active,
    new_tokens_24h: stats.born,
    total_holders: stats.holders,
    total_liquidity_usd: wireUsd(stats.liquidity),
    ...stepsWire(day),
  }
}

const WEEK = 7 * 86_400
/** Seconds of an interval. */
const INTERVALS = { hourly: 3_600, daily: 86_400, weekly: WEEK }

/** The index, its members and its history. */
export const wantedIndex: readonly Wanted[] = [
  ...Object.entries(oraclePeriods).map(([period, seconds]) => ({
    path: `/v1/z100/index?period=${period}`,
    expected: ({ boards, index, asOf }: OracleFigures) => [
      { period, ...valueWire(index, { asOf, seconds }), ...totalsWire(boards, period) },
    ],
  })),
  {
    path: '/v1/z100/index/constituents',
    expected: ({ index, asOf }) => [{ ...standingWire(index, asOf), counted_usd: wireUsd(countedBy(index)) }],
  },
  {
    path: '/v1/z100/index/constituents?strict=true',
    at: 'constituents',
    expected: ({ index }) => index.seats.map((seat, at) => seatWire(seat, at + 1, index)),
  },
  ...(Object.keys(INTERVALS) as (keyof typeof INTERVALS)[]).map((interval) => ({
    path: `/v1/z100/historical?interval=${interval}`,
    expected: ({ index: { bars }, asOf }: OracleFigures) =>
      // Seven days unless asked otherwise: the minute that lies as far back, and the interval around it.
      bars[interval].filter(({ end }) => end > asOf - 60 - WEEK).map((bar) => barWire(bar, asOf)),
  })),
]

const points = (valueE8: bigint): number => Number(decimalText(valueE8, 8, 4))

const valueAt = ({ points: all }: Index, end: number): bigint | undefined =>
  [...all].findLast(([minute]) => (minute + 1) * 60 <= end)?.[1]
const valueNow = (index: Index, asOf: number): bigint => valueAt(index, asOf) ?? 1000n * 10n ** 8n

function valueWire(index: Index, { asOf, seconds }: { asOf: number; seconds: number }): Wire {
  const [now, start] = [valueNow(index, asOf), valueAt(index, asOf - seconds)]
  return {
    ...standingWire(index, asOf),
    index_value_start: start === undefined ? null : points(start),
    index_change_percent: start === undefined ? null : wirePercent(start, now),
  }
}

const standingWire = (index: Index, asOf: number): Wire => ({
  index_value: points(valueNow(index, asOf)),
  divisor: index.divisor === 0n ? null : decimalText(index.divisor, 24, 24),
  constituents_count: index.members.size,
  timestamp: asOf,
  as_of: wireTime(asOf),
})

const countedBy = ({ seats }: Index): bigint => seats.reduce((sum, { counted }) => sum + counted, 0n)

/** Points × 1e8, to the nearest; a half to the even one. */
function pointsOf(counted: bigint, divisor: bigint): bigint {
  const [floor, rest] = [(counted * 10n ** 26n) / divisor, ((counted * 10n ** 26n) % divisor) * 2n]
  return rest > divisor || (rest === divisor && floor % 2n === 1n) ? floor + 1n : floor
}

function seatWire(seat: OracleSeat, rank: number, index: Index): Wire {
  const { coin, name, creatorToken, quantity, counted, countedDayBefore: before, since } = seat
  const { divisor } = index
  const all = countedBy(index)
  const address = getAddress(coin.address)
  return {
    rank,
    type: coin.kind,
    symbol: name.symbol,
    name: name.name,
    contract_address: address,
    token_address: address,
    creator_handle: handleWire({ coin, creatorToken }),
    quantity: decimalText(quantity, 18, 18),
    price_usd: wirePrice(seat.price),
    counted_usd: wireUsd(counted),
    contribution_24h: before === null ? null : points(pointsOf(counted, divisor) - pointsOf(before, divisor)),
    // Parts of a million, to the nearest.
    weight_percent: Number((2n * counted * 1_000_000n + all) / (2n * all)) / 10_000,
    since: wireTime((since + 1) * 60),
  }
}

function totalsWire({ creators, posts }: Boards, period: string): Wire {
  const [makers, works] = [creators[period]!, posts[period]!]
  const volume = (rows: readonly OracleRow[]) => rows.reduce((sum, row) => sum + row.period.volume, 0n)
  const active = (rows: readonly OracleRow[]) => rows.filter((row) => row.period.trades > 0).length
  return {
    total_volume: wireUsd(volume([...makers, ...works])),
    total_trades: [...makers, ...works].reduce((sum, row) => sum + row.period.trades, 0),
    creator_volume: wireUsd(volume(makers)),
    post_volume: wireUsd(volume(works)),
    active_creators: active(makers),
    active_posts: active(works),
    top_creators: makers.slice(0, 10).map((row) => tokenWire(row)['creator_handle']),
    top_posts: works.slice(0, 10).map((row) => row.name.symbol),
  }
}

const barWire = ({ end, open, high, low, close, creator, post, trades }: Bar, asOf: number): Wire => ({
  timestamp: end,
  date: wireTime(end),
  index_value: points(close),
  open: points(open),
  high: points(high),
  low: points(low),
  change_percent: wirePercent(open, close),
  total_volume: wireUsd(creator.volume + post.volume),
  total_trades: trades,
  creator_volume: wireUsd(creator.volume),
  post_volume: wireUsd(post.volume),
  active_creators: creator.active.size,
  active_posts: post.active.size,
  partial: end > asOf,
})
