import type { LaunchRow, RisingRow } from '../../market/board/discovery.ts'
import { listsOf } from '../../market/board/lists.ts'
import { type Market, rankedMarket } from '../../market/board/rankings.ts'
import type { BoardRow, TrendingRow } from '../../market/board/row.ts'
import {
  boardFactsOf,
  type ScreenerRow,
  screenedAt,
  screenedTokens,
  screenerRow,
} from '../../market/board/screener.ts'
import { tokenPrices } from '../../market/board/token-prices.ts'
import {
  dayCountsOf,
  type MarketStats,
  type MarketVolume,
  marketStats,
  marketVolume,
} from '../../market/board/totals.ts'
import type { TrendingOrder } from '../../market/board/trending.ts'
import {
  type Constituents,
  constituentsOf,
  type IndexAnswer,
  type IndexFigures,
  indexAnswer,
  seatsOf,
} from '../../market/index/index-answer.ts'
import { type IndexHours, indexHoursOf } from '../../market/index/index-hours.ts'
import { BOARD_SIZE } from '../../market/rules.ts'
import type { Block, References } from '../../market/segment.ts'
import { asOf, type Period, type Timeframe, timeframes } from '../../market/window.ts'
import { documentName, documents } from '../../schemas/api/documents.ts'
import { operations, type PublishedName } from '../../schemas/api/operations.ts'
import { snapshotId } from '../../schemas/api/service.ts'
import { currenciesOf } from '../../schemas/records/currencies.ts'
import { launchFields, risingFields } from '../../schemas/records/discover-row.ts'
import { type AllAnswer, allFields, statsFields, volumeFields } from '../../schemas/records/market-totals.ts'
import { screenerFields } from '../../schemas/records/screener.ts'
import { boardFields, trendingFields } from '../../schemas/records/token-row.ts'
import { constituentsFields, indexFields, indexHoursFields } from '../../schemas/records/z100-index.ts'
import { rowWriter } from '../../schemas/values/field.ts'
import { isoTime } from '../../schemas/values/kinds.ts'
import { discoverLimit } from '../../schemas/values/parameters.ts'
import { tokenLine } from '../../store/bytes/codec.ts'
import { orderOf, type SnapshotInfo } from '../../store/published/documents.ts'
import type { ScreenedMarket } from '../../store/published/screened.ts'
import type { ArrayPool } from '../engine/active-market.ts'
import { EmptyEngineError, type Engine, minuteOfEngine, totalsOf, windowsOf } from '../engine/engine.ts'
import { indexFigures, openBarsOf } from '../engine/index-state.ts'

/** Everything that the documents of one minute are built from, as plain data. `n`: entry of the log. */
export type Snapshot = SnapshotOrigin &
  Required<Pick<SnapshotOrigin, 'switches'>> &
  ReturnType<typeof figuresOf> &
  ReturnType<typeof rowsOf> & { readonly id: string; readonly last: Block }

/** What a snapshot states that is not in the log. */
export type SnapshotOrigin = {
  readonly chain: string | null
  readonly codeVersion: string | null
  /** How often another log had become live. @default 0 */
  readonly switches?: number
  /** Seconds between two snapshots. @default REBUILD_EVERY_SECONDS */
  readonly everySeconds?: number
}

/** The engine's snapshot, valid until `arrays` are reclaimed. Its id depends on the log alone. Throws EmptyEngineError. */
export function snapshotOf(
  engine: Engine,
  { switches = 0, ...origin }: SnapshotOrigin,
  arrays?: ArrayPool,
): Snapshot {
  const market = rankedMarket(windowsOf(engine, arrays), currenciesOf(origin.chain ?? ''))
  const { n, last } = engine
  if (last === null) throw new EmptyEngineError()
  const figures = figuresOf(engine)
  const id = snapshotId({ n, last, minute: market.minute })
  return { id, last, ...figures, ...rowsOf(market, figures.index), ...origin, switches }
}

/** Figures that do not depend on single tokens. */
function figuresOf(engine: Engine) {
  const { n, corrections, starts } = engine
  const now = totalsOf(engine)
  const { firstMinute, coverageFrom } = now
  const minute = minuteOfEngine(engine)
  if (firstMinute === null || minute === null) throw new EmptyEngineError()
  const history = { line: engine.totals, firstMinute, coverageFrom }
  return {
    n,
    corrections,
    minute,
    firstMinute,
    coverageFrom,
    references: starts[0]?.references ?? (new Map() satisfies References),
    totals: { now, history },
    index: { ...indexFigures(engine.index, minute), coverageFrom },
    points: engine.index.points,
    openBars: openBarsOf(engine.index),
  }
}

/** What is made of single tokens. */
const rowsOf = (market: Market, index: IndexFigures) => ({
  lists: listsOf(market),
  counts: dayCountsOf(market),
  seats: seatsOf(market, index),
  screened: screenedTokens(market),
  prices: tokenPrices(market),
})

/** A document's JSON text, the total number of records, and the page size (absent: 100). */
export type Draft = {
  readonly text: string
  readonly total: number
  readonly limit?: number
  /** The whole list, if the document is only its first page. */
  readonly whole?: string
  /** Records that the list has no place for. @default 0 */
  readonly leftOut?: number
}

/** The operations with documents in a snapshot. v1/status depends on the clock and is published separately. */
export type SnapshotOperation = Exclude<PublishedName, 'status'>

export type SnapshotDocument = {
  readonly name: string
  readonly operation: SnapshotOperation
  /** Values of the operation's document parameters, in their order. */
  readonly parameterValues: readonly string[]
}

export const publishedDocuments: readonly SnapshotDocument[] = documents.flatMap(({ operation, ...rest }) =>
  operation === 'status' ? [] : [{ ...rest, operation }],
)

/** The largest losses: not the reverse of the top 100 gains, so they are documents of their own, in the tables only. */
const falls = timeframes.map((timeframe): SnapshotDocument => {
  const parameterValues = [timeframe, 'change_asc' satisfies TrendingOrder]
  return { name: documentName(operations.trending, parameterValues), operation: 'trending', parameterValues }
})

/**
 * The documents stored in the tables for parameterised answers. v1/all is composed from the others on request, and the
 * screener is answered from its columns.
 */
export const storedDocuments: readonly SnapshotDocument[] = [
  ...publishedDocuments.filter(({ operation }) => operation !== 'all' && operation !== 'screener'),
  ...falls,
]

/** Builders of each operation's documents, given the parameter values. */
export type Builders = {
  readonly [Name in SnapshotOperation]: (snapshot: Snapshot, parameterValues: readonly string[]) => Draft
}

/** One row per line, so that documents are readable and easy to diff. */
const listOf = <Row>(write: (row: Row) => string, rows: readonly Row[]): Draft => ({
  text: `[${rows.map(write).join(',\n')}]`,
  total: rows.length,
})

const firstPageOf = <Row>(write: (row: Row) => string, rows: readonly Row[]): Draft => ({
  ...listOf(write, rows.slice(0, DISCOVER_PAGE)),
  total: rows.length,
  limit: DISCOVER_PAGE,
  whole: listOf(write, rows).text,
})

/** Page size of a canonical discovery request. */
const DISCOVER_PAGE = Number(discoverLimit.fallback)

const boardText = rowWriter<BoardRow>(boardFields)
const indexRow = rowWriter<IndexAnswer>(indexFields)
const hours = rowWriter<IndexHours>(indexHoursFields)
const constituents = rowWriter<Constituents>(constituentsFields)
const all = rowWriter<AllAnswer>(allFields)
const trendingRow = rowWriter<TrendingRow>(trendingFields)
const volume = rowWriter<MarketVolume>(volumeFields)
const stats = rowWriter<MarketStats>(statsFields)
const risingRow = rowWriter<RisingRow>(risingFields)
const launchRow = rowWriter<LaunchRow>(launchFields)
const screenedRow = rowWriter<ScreenerRow>(screenerFields)

/** The snapshot's facts for answers cut from its documents. */
export const snapshotInfoOf = ({ id, n, switches, last, minute, everySeconds }: Snapshot): SnapshotInfo => ({
  id,
  n,
  switches,
  minute,
  blockNumber: last.number,
  blockHash: last.hash,
  ...(everySeconds === undefined ? {} : { everySeconds }),
})

/** Metadata of every published object: the snapshot it is of. The edge turns it into headers. */
export const snapshotMetadata = (facts: SnapshotInfo) => ({
  snapshot: facts.id,
  position: String(orderOf(facts)),
  block: String(facts.blockNumber),
  'block-hash': facts.blockHash,
  time: isoTime(asOf(facts.minute)),
})

const objectOf = (text: string): Draft => ({ text, total: 1 })

/** What the screener's columns are written from. */
export const screenedMarketOf = ({
  screened,
  lists,
}: Pick<Snapshot, 'screened' | 'lists'>): ScreenedMarket => ({
  ...screened,
  boards: {
    creator: lists.boards.creator['24h'].map(({ token }) => token),
    post: lists.boards.post['24h'].map(({ token }) => token),
  },
})

/** The first page of the screener. */
function screenerPage(snapshot: Snapshot): Draft {
  const { minute, chain, screened } = snapshot
  const { boards } = screenedMarketOf(snapshot)
  const facts = { ...boardFactsOf(boards, currenciesOf(chain ?? '')), seconds: asOf(minute) }
  const rows = screened.descriptions.slice(0, BOARD_SIZE).map((description, at) => {
    const creator = screened.creatorTokens[at]?.description ?? null
    const described = {
      token: tokenLine.read(description),
      creatorToken: creator === null ? null : tokenLine.read(creator),
    }
    return screenerRow(screenedAt(screened, at), described, { ...facts, rank: at + 1, position: at + 1 })
  })
  const { length: total } = screened.descriptions
  return { ...listOf(screenedRow, rows), total, limit: BOARD_SIZE, leftOut: screened.traded - total }
}

export const builders: Builders = {
  creators: ({ lists }, [period]) => listOf(boardText, lists.boards.creator[period as Period]),
  posts: ({ lists }, [period]) => listOf(boardText, lists.boards.post[period as Period]),
  index: ({ lists, index }, [period]) => objectOf(indexRow(indexAnswer(lists, index, period as Period))),
  indexHours: (snapshot) => objectOf(hours(indexHoursOf(snapshot.points, snapshot))),
  constituents: ({ seats, index }) => objectOf(constituents(constituentsOf(seats, index))),
  all: ({ lists, index }, [period]) => {
    const { creator, post } = lists.boards
    const answer = indexAnswer(lists, index, period as Period)
    return objectOf(
      all({ creators: creator[period as Period], posts: post[period as Period], index: answer }),
    )
  },
  trending: ({ lists }, [timeframe, order]) =>
    listOf(trendingRow, lists.trending[timeframe as Timeframe][order as TrendingOrder]),
  volume: ({ minute, totals }, [period]) =>
    objectOf(volume(marketVolume(totals.history, minute, period as Period))),
  stats: (snapshot) => objectOf(stats(marketStats(snapshot))),
  rising: ({ lists }) => firstPageOf(risingRow, lists.rising),
  launches: ({ lists }) => firstPageOf(launchRow, lists.launches),
  screener: screenerPage,
}
