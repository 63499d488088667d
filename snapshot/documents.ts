import { type IndexAnswer, type IndexFigures, indexAnswer } from '../market/index-answer.ts'
import { type Constituents, constituentsOf } from '../market/index-constituents.ts'
import { type LaunchRow, launchRows } from '../market/launches.ts'
import { rememberedIn } from '../market/remembered.ts'
import { type RisingRow, risingRows } from '../market/rising.ts'
import { type BoardRow, boardRows, type Market, type TrendingRow, trendingRows } from '../market/row.ts'
import type { Block, Minute } from '../market/segment.ts'
import { type MarketStats, marketStats } from '../market/stats.ts'
import { type MarketVolume, marketVolume, type TotalsHistory } from '../market/totals.ts'
import type { TrendingSort } from '../market/trending.ts'
import type { Period, Timeframe } from '../market/window.ts'
import { launchFields, risingFields } from '../schemas/discover-row.ts'
import { rememberingWriter, rowWriter, type WrittenRow } from '../schemas/field.ts'
import { constituentsFields } from '../schemas/index-constituents.ts'
import { type AllAnswer, allFields, statsFields, volumeFields } from '../schemas/market-totals.ts'
import { documentName, type OperationName, operations } from '../schemas/operations.ts'
import { discoverLimit } from '../schemas/parameters.ts'
import { snapshotId } from '../schemas/snapshot-id.ts'
import { boardFields, trendingFields } from '../schemas/token-row.ts'
import { indexFields } from '../schemas/z100-index.ts'
import { EmptyEngineError, type Engine, marketOf } from './engine.ts'
import { indexFigures } from './index-state.ts'

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
  readonly index: IndexFigures
  readonly chain: string | null
  readonly codeVersion: string | null
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
    id: snapshotId({ n, last, minute: market.minute }),
    n,
    last,
    firstMinute,
    corrections,
    market,
    totals: { line: engine.totals, firstMinute },
    index: indexFigures(engine.index, market.minute),
    ...origin,
  }
}

/** A document's JSON text, the number of records in all, and how many of them a page has (absent: 100). */
export type Draft = {
  readonly text: string
  readonly total: number
  readonly limit?: number
  /** Of a document that repeats lists of others: the text with those lists empty, and the documents that they are. */
  readonly frame?: { readonly text: string; readonly lists: readonly string[] }
}

/** The operations whose documents make up a snapshot: v1/status knows the clock, so it stands beside it. */
export type SnapshotOperation = Exclude<OperationName, 'status'>

/** How each operation's documents are made, given the values of their axes. */
export type Builders = {
  readonly [Name in SnapshotOperation]: (snapshot: Snapshot, axes: readonly string[]) => Draft
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

/** Rows of a board stand in two documents and in the tables: what is written of them is kept. */
export const boardRow: (row: BoardRow) => WrittenRow = rememberingWriter<BoardRow>(boardFields)
const boardText = (row: BoardRow) => boardRow(row).text
const indexRow = rowWriter<IndexAnswer>(indexFields)
const constituents = rowWriter<Constituents>(constituentsFields)
const all = rowWriter<AllAnswer>(allFields)
const trendingRow = rowWriter<TrendingRow>(trendingFields)
const volume = rowWriter<MarketVolume>(volumeFields)
const stats = rowWriter<MarketStats>(statsFields)
const risingRow = rowWriter<RisingRow>(risingFields)
const launchRow = rowWriter<LaunchRow>(launchFields)

const remembered = rememberedIn<Snapshot, string, Draft>()

/** Objects are published and put into the tables as the same text: it is made once a snapshot. */
const once =
  (name: string, text: (snapshot: Snapshot, axes: readonly string[]) => string) =>
  (snapshot: Snapshot, axes: readonly string[]): Draft =>
    remembered(snapshot, [name, ...axes].join('/'), () => ({ text: text(snapshot, axes), total: 1 }))

export const builders: Builders = {
  creators: ({ market }, [period]) => listOf(boardText, boardRows(market, 'creator', period as Period)),
  posts: ({ market }, [period]) => listOf(boardText, boardRows(market, 'post', period as Period)),
  index: once('index', ({ market, index }, [period]) =>
    indexRow(indexAnswer(market, index, period as Period)),
  ),
  constituents: once('constituents', ({ market, index }) => constituents(constituentsOf(market, index))),
  all: ({ market, index }, [period]) => {
    const answer = indexAnswer(market, index, period as Period)
    const creators = boardRows(market, 'creator', period as Period)
    const posts = boardRows(market, 'post', period as Period)
    const frame = all({ creators: [], posts: [], index: answer })
    const lists = (['creators', 'posts'] as const).map((board) =>
      documentName(operations[board], [period ?? '']),
    )
    return { text: all({ creators, posts, index: answer }), total: 1, frame: { text: frame, lists } }
  },
  trending: ({ market }, [timeframe, sort]) =>
    listOf(trendingRow, trendingRows(market, timeframe as Timeframe, sort as TrendingSort)),
  volume: once('volume', ({ market, totals }, [period]) =>
    volume(marketVolume(totals, market.minute, period as Period)),
  ),
  stats: once('stats', ({ market, totals, index }) => stats(marketStats(market, totals, index))),
  rising: ({ market }) => firstPageOf(risingRow, risingRows(market)),
  launches: ({ market }) => firstPageOf(launchRow, launchRows(market)),
}
