/** The index and its history, as the oracle expects them. */
import { getAddress } from 'viem'
import { decimalText } from '../../market/display.ts'
import { type Boards, type OracleRow, oraclePeriods } from '../oracle.ts'
import type { Bar, Index, Seat } from '../oracle-index.ts'
import {
  handleWire,
  type OracleFigures,
  tokenWire,
  type Wanted,
  type Wire,
  wirePercent,
  wirePrice,
  wireTime,
  wireUsd,
} from './oracle-wire.ts'

const WEEK = 7 * 86_400
/** Seconds of an interval. */
const INTERVALS = { hourly: 3_600, daily: 86_400, weekly: WEEK }

/** Which answers, and what they must say. */
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
    expected: ({ index }) => index.seats.map((seat, at) => seatWire(seat, at + 1, countedBy(index))),
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
  ...{ constituents_count: index.members.size, timestamp: asOf, as_of: wireTime(asOf) },
})

const countedBy = ({ seats }: Index): bigint => seats.reduce((sum, { counted }) => sum + counted, 0n)

function seatWire(seat: Seat, rank: number, all: bigint): Wire {
  const { coin, name, creatorToken, quantity, counted, since } = seat
  const address = getAddress(coin.address)
  return {
    ...{ rank, type: coin.kind, symbol: name.symbol, name: name.name },
    ...{ contract_address: address, token_address: address },
    creator_handle: handleWire({ coin, creatorToken }),
    ...{
      quantity: decimalText(quantity, 18, 18),
      price_usd: wirePrice(seat.price),
      counted_usd: wireUsd(counted),
    },
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
    ...{ creator_volume: wireUsd(volume(makers)), post_volume: wireUsd(volume(works)) },
    ...{ active_creators: active(makers), active_posts: active(works) },
    top_creators: makers.slice(0, 10).map((row) => tokenWire(row)['creator_handle']),
    top_posts: works.slice(0, 10).map((row) => row.name.symbol),
  }
}

const barWire = ({ end, open, high, low, close, creator, post, trades }: Bar, asOf: number): Wire => ({
  ...{ timestamp: end, date: wireTime(end), index_value: points(close) },
  ...{ open: points(open), high: points(high), low: points(low), change_percent: wirePercent(open, close) },
  ...{ total_volume: wireUsd(creator.volume + post.volume), total_trades: trades },
  ...{ creator_volume: wireUsd(creator.volume), post_volume: wireUsd(post.volume) },
  ...{ active_creators: creator.active.size, active_posts: post.active.size, partial: end > asOf },
})
