/** The market's totals and the lists of discovery, as the oracle expects them. */
import type { Boards, Row } from '../oracle.ts'
import { type OracleTotals, rankOn, type Traded } from '../oracle-totals.ts'
import {
  type OracleFigures,
  PERIODS,
  trendingWire,
  type Wanted,
  type Wire,
  wirePercent,
  wirePrice,
  wireTime,
  wireUsd,
} from './oracle-wire.ts'

/** Which documents, and what they must say. */
export const wantedTotals: readonly Wanted[] = [
  ...PERIODS.map((period) => ({
    path: `/v1/market/volume?period=${period}`,
    expected: ({ totals }: OracleFigures) => [volumeWire(period, totals)],
  })),
  { path: '/v1/market/stats', expected: ({ totals }) => [statsWire(totals)] },
  {
    path: '/v1/discover/rising?limit=20',
    expected: ({ boards, totals }) =>
      totals.rising.slice(0, 20).map((row) => ({
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
      totals.launches.slice(0, 20).map((row) => ({
        ...summaryWire(boards, row),
        ...{ age_seconds: row.age, launch_price_usd: wirePrice(row.launchPrice), trades: row.now.trades },
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
  const of = volumes[period]!
  const { trades, ...traded } = tradedWire(of)
  return {
    ...{ ...traded, period, total_volume: wireUsd(of.volume), total_trades: trades },
    ...{ creator_volume: wireUsd(of.creators), post_volume: wireUsd(of.volume - of.creators) },
    ...{ total_buys: of.buyTrades, total_sells: of.trades - of.buyTrades },
    previous_volume: of.previous === null ? null : wireUsd(of.previous),
    volume_change_percent: of.previous === null ? null : wirePercent(of.previous, of.volume),
    ...stepsWire(of),
  }
}

const stepsWire = ({ step, buckets }: OracleTotals['volumes'][string]): Wire => ({
  bucket_seconds: step,
  buckets: buckets.map((bucket) => ({
    ...{ timestamp: bucket.start, datetime: wireTime(bucket.start) },
    ...tradedWire(bucket),
  })),
})

function statsWire({ stats, volumes }: OracleTotals): Wire {
  const day = volumes['24h']!
  return {
    ...{ total_market_cap: wireUsd(stats.counted), total_market_cap_plain: wireUsd(stats.plain) },
    creator_market_cap: wireUsd(stats.countedCreators),
    post_market_cap: wireUsd(stats.counted - stats.countedCreators),
    ...{ total_volume_24h: wireUsd(day.volume), buy_volume_24h: wireUsd(day.buys) },
    sell_volume_24h: wireUsd(day.volume - day.buys),
    volume_change_24h: day.previous === null ? null : wirePercent(day.previous, day.volume),
    ...{ total_trades_24h: day.trades, buys_24h: day.buyTrades, sells_24h: day.trades - day.buyTrades },
    ...{
      total_tokens: stats.creators + stats.posts,
      total_creators: stats.creators,
      total_posts: stats.posts,
    },
    ...{ active_tokens_24h: stats.active, new_tokens_24h: stats.born, total_holders: stats.holders },
    total_liquidity_usd: wireUsd(stats.liquidity),
    ...stepsWire(day),
  }
}
