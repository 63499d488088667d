/** The published boards and trending lists, row by row and field by field, against the oracle. */

import type { Ready } from '../../dev/local/service.ts'
import { chains } from '../../ingest/client/chains.ts'
import { changeE2, formatPercent, formatUsd } from '../../market/display.ts'
import { hexQuantity, rpc } from '../support/chain/json-rpc.ts'
import { expectedBoards, type OracleRow, readMarket, viewAt } from './boards.ts'
import { wantedIndex, wantedTotals } from './figures.ts'
import { LOGS } from './logs.ts'
import type { RawMarket } from './market.ts'
import { expectedTotals } from './totals.ts'
import {
  type OracleFigures,
  PERIODS,
  readAnswer,
  rowDifferences,
  rowsIn,
  type ServedAnswer,
  supplyWire,
  tokenWire,
  trendingWire,
  usdOrNull,
  type Wanted,
  type Wire,
  wirePercent,
  wirePrice,
  wireTime,
  wireUsd,
} from './wire.ts'
import { expectedIndex } from './z100-index.ts'

type Document = Wanted & ServedAnswer & { rows: Wire[] }
const TIMEFRAMES = ['1h', '24h', '7d', '30d']
const SORTS = ['volume', 'rank_volume', 'market_cap', 'change', 'holders']

/** What differs between a running service and the oracle at each document's own block; empty: nothing. */
export async function compareService(ready: Ready): Promise<string[]> {
  const { rpc_url: rpcUrl } = ready
  const documents = await readDocuments(ready)
  const last = Math.max(...documents.map(({ dataBlock }) => dataBlock))
  const market = await readMarket(rpcUrl, chains.devnet, last)
  const known = new Map<number, OracleFigures>()
  const differences: string[] = []
  for (const document of documents) {
    const { path, asOf, rows, expected } = document
    const at = known.get(asOf) ?? {
      asOf,
      boards: expectedBoards(market, asOf),
      totals: expectedTotals(market, asOf),
      index: expectedIndex(market, asOf),
    }
    known.set(asOf, at)
    const found = [
      ...(await provenanceDifferences(document, market, rpcUrl)),
      ...rowDifferences(rows, expected(at)),
    ]
    differences.push(...found.map((difference) => `${path} @${document.dataBlock}: ${difference}`))
  }
  return differences
}

/** Reads the 8 boards, the 20 trending lists, the totals, the lists of discovery, the index and its history; a document is refused where its headers or its body are not as the contract says. */
async function readDocuments(ready: Ready): Promise<Document[]> {
  const wanted: Wanted[] = [
    ...wantedTotals,
    ...wantedIndex,
    ...PERIODS.flatMap((period) =>
      (['creators', 'posts'] as const).map((kind) => ({
        path: `/v1/z100/${kind}?period=${period}`,
        expected: ({ boards, index }: OracleFigures) =>
          boards[kind][period]!.map((row) => ({
            ...boardWire(row),
            sparkline_24h: shapeOf(index.courseOf(row.coin)),
          })),
      })),
    ),
    ...TIMEFRAMES.flatMap((timeframe) =>
      SORTS.map((sort) => ({
        path: `/v1/market/trending?timeframe=${timeframe}&sort=${sort}`,
        expected: ({ boards }: OracleFigures) => boards.trending[timeframe]![sort]!.map(trendingWire),
      })),
    ),
  ]
  return Promise.all(
    wanted.map(async (each) => {
      const answer = await readAnswer(ready, each.path)
      const { status, text } = answer
      if (status !== 200) throw new Error(`${each.path}: ${status} ${text.slice(0, 200)}`)
      if (/\d[eE][+-]?\d/.test(text.replace(/"(\\.|[^"\\])*"/g, '')))
        throw new Error(`${each.path}: a number is not in plain decimals`)
      return { ...each, ...answer, rows: rowsIn(JSON.parse(text), each.at) }
    }),
  )
}

async function provenanceDifferences(
  { dataBlock, dataHash, asOf }: Document,
  market: RawMarket,
  rpcUrl: string,
): Promise<string[]> {
  if (asOf % 60 !== 0) return [`X-Data-Time is not the end of a minute: ${asOf}`]
  const block = await rpc<{ hash: string }>(rpcUrl, 'eth_getBlockByNumber', [hexQuantity(dataBlock), false])
  const last = viewAt(market, asOf).before / LOGS - 1
  return [
    ...(last === dataBlock
      ? []
      : [`X-Data-Block is ${dataBlock}, the last block before X-Data-Time is ${last}`]),
    ...(block?.hash === dataHash ? [] : [`X-Data-Block-Hash is ${dataHash}, the chain says ${block?.hash}`]),
  ]
}

/** Change fields of a board row. Against a base without a USD route, price and cap have none. */
function changeWire({ now, base }: OracleRow): Wire {
  const isPriced = base.price > 0n
  return {
    price_change_percent: wirePercent(base.price, now.price),
    price_is_up: isPriced ? now.price > base.price : null,
    market_cap_change_percent: wirePercent(base.cap, now.cap),
    market_cap_is_up: isPriced ? now.cap > base.cap : null,
    market_cap_change_value: usdOrNull(now.cap - base.cap, isPriced),
    volume_change_percent: wirePercent(base.volume24h, now.volume24h),
    volume_is_up: now.volume24h > base.volume24h,
    holders_change_percent: wirePercent(BigInt(base.holders), BigInt(now.holders)),
    holders_change_value: now.holders - base.holders,
    holders_is_up: now.holders > base.holders,
    historical_price: wirePrice(base.price),
    historical_market_cap: usdOrNull(base.cap, isPriced),
    historical_volume: wireUsd(base.volume24h),
    historical_holders: base.holders,
    historical_baseline: base.is,
  }
}

/** From 0 for the least to 100 for the most. */
function shapeOf(course: (bigint | null)[]): (number | null)[] | null {
  const known = course.filter((value) => value !== null).sort((a, b) => (a < b ? -1 : 1))
  if (known.length === 0) return null
  const [least, most] = [known[0]!, known.at(-1)!]
  return course.map((value) =>
    value === null ? null : least === most ? 50 : Number(((value - least) * 100n) / (most - least)),
  )
}

function boardWire(row: OracleRow): Wire {
  const { rank, coin, now, day, period, previousRank } = row
  const token = tokenWire(row)
  const change24h = changeE2(day.price, now.price)
  return {
    ...token,
    ...changeWire(row),
    token_address: token['contract_address'],
    handle: token['creator_handle'],
    ...supplyWire(row),
    market_cap_raw: wireUsd(now.cap),
    market_cap_formatted: formatUsd(now.cap),
    volume_24h_raw: wireUsd(now.volume24h),
    volume_24h_formatted: formatUsd(now.volume24h),
    total_volume_raw: wireUsd(now.totalVolume),
    total_volume_formatted: formatUsd(now.totalVolume),
    volume_period: wireUsd(period.volume),
    trades_period: period.trades,
    engagement: now.engagement,
    change_24h: change24h === null ? null : formatPercent(change24h),
    change_1h: wirePercent(row.hour.price, now.price),
    change_24h_percent: wirePercent(day.price, now.price),
    change_7d: wirePercent(row.week.price, now.price),
    is_new: row.isNew,
    previous_rank: previousRank,
    rank_change: previousRank && previousRank - rank,
    period_start: wireTime(row.startSeconds),
    ...(coin.kind === 'creator' ? creatorWire(row) : postWire(row)),
  }
}

const creatorWire = ({ score, portfolio }: OracleRow): Wire => ({
  score: wireUsd(score),
  portfolio_value_raw: wireUsd(score),
  portfolio_value: formatUsd(score),
  portfolio: {
    token_market_cap: wireUsd(portfolio.token),
    token_counted: wireUsd(portfolio.tokenCounted),
    posts_market_cap: wireUsd(portfolio.posts),
    posts_counted: wireUsd(portfolio.postsCounted),
    posts_count: portfolio.count,
    coverage_from: null,
  },
})

const postWire = ({ score, now }: OracleRow): Wire => ({
  score: Number(score),
  portfolio_value_raw: wireUsd(now.cap),
  portfolio_value: formatUsd(now.cap),
  portfolio: null,
})
