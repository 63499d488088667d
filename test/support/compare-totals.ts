/** The market's totals and the lists of discovery, as the oracle expects them. */
import type { Boards, Row } from '../oracle.ts'
import { rankOn, type Totals, type Traded } from '../oracle-totals.ts'
import { isoTime, percent, price, trendingWire, usd, type Wire } from './oracle-wire.ts'

const PERIODS = ['1h', '4h', '24h', '7d']

type Wanted = { path: string; expected: (boards: Boards, totals: Totals) => Wire[] }

/** Which documents, and what they must say. */
export const wantedTotals: readonly Wanted[] = [
  ...PERIODS.map((period) => ({
    path: `/v1/market/volume?period=${period}`,
    expected: (_: Boards, totals: Totals) => [volumeWire(period, totals)],
  })),
  { path: '/v1/market/stats', expected: (_, totals) => [statsWire(totals)] },
  {
    path: '/v1/discover/rising?limit=20',
    expected: (boards, { rising }) =>
      rising.slice(0, 20).map((row) => ({
        ...summaryWire(boards, row),
        rising_score: risingScore(row),
        components: {
          rank_volume_1h: usd(row.rank1h),
          rank_volume_25h: usd(row.rank25h),
          wallet_hours_1h: row.walletHours,
          change_1h: percent(row.hour.price, row.now.price),
        },
      })),
  },
  {
    path: '/v1/discover/new-launches?limit=20',
    expected: (boards, { launches }) =>
      launches.slice(0, 20).map((row) => ({
        ...summaryWire(boards, row),
        ...{ age_seconds: row.age, launch_price_usd: price(row.launchPrice), trades: row.now.trades },
        change_since_launch:
          row.launchPrice > 0n && row.now.price > 0n ? percent(row.launchPrice, row.now.price) : null,
      })),
  },
]

/** Six decimals, half up. */
function risingScore({ rank1h, rank25h }: Totals['rising'][number]): number {
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
  volume_usd: usd(volume),
  buy_volume: usd(buys),
  sell_volume: usd(volume - buys),
  trades,
})

function volumeWire(period: string, { volumes }: Totals): Wire {
  const of = volumes[period]!
  const { trades, ...traded } = tradedWire(of)
  return {
    ...{ ...traded, period, total_volume: usd(of.volume), total_trades: trades },
    ...{ creator_volume: usd(of.creators), post_volume: usd(of.volume - of.creators) },
    ...{ total_buys: of.buyTrades, total_sells: of.trades - of.buyTrades },
    previous_volume: of.previous === null ? null : usd(of.previous),
    volume_change_percent: of.previous === null ? null : percent(of.previous, of.volume),
    ...stepsWire(of),
  }
}

const stepsWire = ({ step, buckets }: Totals['volumes'][string]): Wire => ({
  bucket_seconds: step,
  buckets: buckets.map((bucket) => ({
    ...{ timestamp: bucket.start, datetime: isoTime(bucket.start) },
    ...tradedWire(bucket),
  })),
})

function statsWire({ stats, volumes }: Totals): Wire {
  const day = volumes['24h']!
  return {
    ...{ total_market_cap: usd(stats.counted), total_market_cap_plain: usd(stats.plain) },
    creator_market_cap: usd(stats.countedCreators),
    post_market_cap: usd(stats.counted - stats.countedCreators),
    ...{ total_volume_24h: usd(day.volume), buy_volume_24h: usd(day.buys) },
    sell_volume_24h: usd(day.volume - day.buys),
    volume_change_24h: day.previous === null ? null : percent(day.previous, day.volume),
    ...{ total_trades_24h: day.trades, buys_24h: day.buyTrades, sells_24h: day.trades - day.buyTrades },
    ...{
      total_tokens: stats.creators + stats.posts,
      total_creators: stats.creators,
      total_posts: stats.posts,
    },
    ...{ active_tokens_24h: stats.active, new_tokens_24h: stats.born, total_holders: stats.holders },
    total_liquidity_usd: usd(stats.liquidity),
    ...stepsWire(day),
  }
}
