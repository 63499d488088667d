import { createHash } from 'node:crypto'
import { type LaunchRow, launchRows } from '../market/launches.ts'
import { type RisingRow, risingRows } from '../market/rising.ts'
import { type BoardRow, boardRows, type Market, type TrendingRow, trendingRows } from '../market/row.ts'
import { RULES_VERSION } from '../market/rules.ts'
import type { Block, Minute } from '../market/segment.ts'
import { type MarketStats, marketStats } from '../market/stats.ts'
import { type MarketVolume, marketVolume, type TotalsHistory } from '../market/totals.ts'
import type { TrendingSort } from '../market/trending.ts'
import { asOf, type Period, type Timeframe } from '../market/window.ts'
import { launchFields, risingFields } from '../schemas/discover-row.ts'
import { rowWriter } from '../schemas/field.ts'
import { isoTime } from '../schemas/kinds.ts'
import { statsFields, volumeFields } from '../schemas/market-totals.ts'
import { documents, type OperationName } from '../schemas/operations.ts'
import { discoverLimit } from '../schemas/parameters.ts'
import { type Status, statusFields } from '../schemas/service.ts'
import { boardFields, trendingFields } from '../schemas/token-row.ts'
import { EmptyEngineError, type Engine, marketOf } from './engine.ts'

/** Everything the documents of one minute are made from. */
export type Snapshot = {
  readonly id: string
  /** Entry of the log. */
  readonly n: number
  readonly last: Block
  readonly firstMinute: Minute
  readonly corrections: number
  readonly market: Market
  readonly totals: TotalsHistory
  readonly chain: string | null
  readonly codeVersion: string | null
  /** Documents of this snapshot that could not be published. */
  readonly unpublished: readonly string[]
}

/** The engine's snapshot; its id follows from the log alone. Throws EmptyEngineError. */
export function snapshotOf(
  engine: Engine,
  origin: { readonly chain: string | null; readonly codeVersion: string | null },
): Snapshot {
  const { n, last, firstMinute, corrections } = engine
  if (last === null || firstMinute === null) throw new EmptyEngineError()
  const market = marketOf(engine)
  return {
    id: idOf({ n, last, minute: market.minute }),
    n,
    last,
    firstMinute,
    corrections,
    market,
    totals: { line: engine.totals, firstMinute },
    unpublished: [],
    ...origin,
  }
}

/** `20251006T1520Z-1a2b3c4d`: the minute, and a digest of the place in the log and on the chain. */
function idOf({ n, last, minute }: { n: number; last: Block; minute: Minute }): string {
  const time = isoTime(minute * 60).replace(/[-:]/g, '')
  const digest = createHash('sha256').update(`${n} ${minute} ${last.hash}`).digest('hex')
  return `${time.slice(0, 13)}Z-${digest.slice(0, 8)}`
}

/** A document's JSON text, the number of records in all, and how many of them a page has (absent: 100). */
export type Draft = { readonly text: string; readonly total: number; readonly limit?: number }

/** How each published operation's documents are made, given the values of their axes. */
export type Builders = {
  readonly [Name in OperationName]: (snapshot: Snapshot, axes: readonly string[]) => Draft
}

/** A row a line: readable, and a difference shows. */
const listOf = <Row>(write: (row: Row) => string, rows: readonly Row[]): Draft => ({
  text: `[${rows.map(write).join(',\n')}]`,
  total: rows.length,
})

/** The first page of a list of discovery. */
const firstPageOf = <Row>(write: (row: Row) => string, rows: readonly Row[]): Draft => ({
  ...listOf(write, rows.slice(0, DISCOVER_PAGE)),
  total: rows.length,
  limit: DISCOVER_PAGE,
})

/** Rows of a canonical request of discovery. */
const DISCOVER_PAGE = Number(discoverLimit.fallback)

const boardRow = rowWriter<BoardRow>(boardFields)
const trendingRow = rowWriter<TrendingRow>(trendingFields)
const volume = rowWriter<MarketVolume>(volumeFields)
const stats = rowWriter<MarketStats>(statsFields)
const risingRow = rowWriter<RisingRow>(risingFields)
const launchRow = rowWriter<LaunchRow>(launchFields)
const status = rowWriter<Status>(statusFields)

export const builders: Builders = {
  creators: ({ market }, [period]) => listOf(boardRow, boardRows(market, 'creator', period as Period)),
  posts: ({ market }, [period]) => listOf(boardRow, boardRows(market, 'post', period as Period)),
  trending: ({ market }, [timeframe, sort]) =>
    listOf(trendingRow, trendingRows(market, timeframe as Timeframe, sort as TrendingSort)),
  volume: ({ market, totals }, [period]) => ({
    text: volume(marketVolume(totals, market.minute, period as Period)),
    total: 1,
  }),
  stats: ({ market, totals }) => ({ text: stats(marketStats(market, totals)), total: 1 }),
  rising: ({ market }) => firstPageOf(risingRow, risingRows(market)),
  launches: ({ market }) => firstPageOf(launchRow, launchRows(market)),
  status: (snapshot) => ({ text: status(statusOf(snapshot)), total: 1 }),
}

function statusOf({ id, n, last, firstMinute, market, unpublished, ...origin }: Snapshot): Status {
  return {
    ...origin,
    reasons: unpublished.map((name) => `${name} could not be published; its last good version stays`),
    unpublished,
    snapshotId: id,
    asOf: asOf(market.minute),
    minute: market.minute,
    blockNumber: last.number,
    blockHash: last.hash,
    logPosition: n,
    documents: documents.length,
    rulesVersion: RULES_VERSION,
    historyFrom: firstMinute * 60,
  }
}
