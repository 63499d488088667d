import type { LaunchRow, RisingRow } from '../market/board/discovery.ts'
import { listsOf } from '../market/board/lists.ts'
import { rankedMarket } from '../market/board/rankings.ts'
import type { BoardRow, TrendingRow } from '../market/board/row.ts'
import { type MarketStats, type MarketVolume, marketStats, marketVolume } from '../market/board/totals.ts'
import type { TrendingOrder } from '../market/board/trending.ts'
import {
  type Constituents,
  constituentsOf,
  type IndexAnswer,
  indexAnswer,
} from '../market/index/index-answer.ts'
import { type IndexHours, indexHoursOf } from '../market/index/index-hours.ts'
import { asOf, type Period, type Timeframe, timeframes } from '../market/window.ts'
import { currenciesOf } from '../schemas/currencies.ts'
import { launchFields, risingFields } from '../schemas/discover-row.ts'
import { documentName, documents } from '../schemas/documents.ts'
import { rowWriter } from '../schemas/field.ts'
import { isoTime } from '../schemas/kinds.ts'
import { type AllAnswer, allFields, statsFields, volumeFields } from '../schemas/market-totals.ts'
import { operations, type PublishedName } from '../schemas/operations.ts'
import { discoverLimit } from '../schemas/parameters.ts'
import { snapshotId } from '../schemas/service.ts'
import { boardFields, trendingFields } from '../schemas/token-row.ts'
import { constituentsFields, indexFields, indexHoursFields } from '../schemas/z100-index.ts'
import type { SnapshotInfo } from '../store/documents.ts'
import type { ArrayPool } from './active-market.ts'
import { EmptyEngineError, type Engine, totalsOf, windowsOf } from './engine.ts'
import { indexFigures } from './index-state.ts'

/** Everything that the documents of one minute are built from. `n`: entry of the log. */
export type Snapshot = Readonly<ReturnType<typeof snapshotOf>>

/** The engine's snapshot, valid until `arrays` are reclaimed. Its id depends on the log alone. Throws EmptyEngineError. */
export function snapshotOf(
  engine: Engine,
  origin: { readonly chain: string | null; readonly codeVersion: string | null },
  arrays?: ArrayPool,
) {
  const { n, last, corrections } = engine
  const now = totalsOf(engine)
  const { firstMinute, coverageFrom } = now
  if (last === null || firstMinute === null) throw new EmptyEngineError()
  const market = rankedMarket(windowsOf(engine, arrays), currenciesOf(origin.chain ?? ''))
  const history = { line: engine.totals, firstMinute, coverageFrom }
  return {
    id: snapshotId({ n, last, minute: market.minute }),
    n,
    last,
    firstMinute,
    corrections,
    market,
    lists: listsOf(market),
    totals: { now, history },
    index: { ...indexFigures(engine.index, market.minute), coverageFrom },
    points: engine.index.points,
    ...origin,
  }
}

/** A document's JSON text, the total number of records, and the page size (absent: 100). */
export type Draft = {
  readonly text: string
  readonly total: number
  readonly limit?: number
  /** The whole list, if the document is only its first page. */
  readonly whole?: string
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

/** The documents stored in the tables for parameterised answers. v1/all is composed from the others on request. */
export const storedDocuments: readonly SnapshotDocument[] = [
  ...publishedDocuments.filter(({ operation }) => operation !== 'all'),
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

/** The snapshot's facts for answers cut from its documents. */
export const snapshotInfoOf = ({ id, n, last, market }: Snapshot): SnapshotInfo => ({
  id,
  n,
  minute: market.minute,
  blockNumber: last.number,
  blockHash: last.hash,
})

/** Metadata of every published object: the snapshot it is of. The edge turns it into headers. */
export const snapshotMetadata = ({ id, n, minute, blockNumber, blockHash }: SnapshotInfo) => ({
  snapshot: id,
  position: String(n),
  block: String(blockNumber),
  'block-hash': blockHash,
  time: isoTime(asOf(minute)),
})

const objectOf = (text: string): Draft => ({ text, total: 1 })

export const builders: Builders = {
  creators: ({ lists }, [period]) => listOf(boardText, lists.boards.creator[period as Period]),
  posts: ({ lists }, [period]) => listOf(boardText, lists.boards.post[period as Period]),
  index: ({ lists, index }, [period]) => objectOf(indexRow(indexAnswer(lists, index, period as Period))),
  indexHours: ({ market, points }) => objectOf(hours(indexHoursOf(points, market))),
  constituents: ({ market, index }) => objectOf(constituents(constituentsOf(market, index))),
  all: ({ lists, index }, [period]) => {
    const { creator, post } = lists.boards
    const answer = indexAnswer(lists, index, period as Period)
    return objectOf(
      all({ creators: creator[period as Period], posts: post[period as Period], index: answer }),
    )
  },
  trending: ({ lists }, [timeframe, order]) =>
    listOf(trendingRow, lists.trending[timeframe as Timeframe][order as TrendingOrder]),
  volume: ({ market, totals }, [period]) =>
    objectOf(volume(marketVolume(totals.history, market.minute, period as Period))),
  stats: (snapshot) => objectOf(stats(marketStats(snapshot))),
  rising: ({ lists }) => firstPageOf(risingRow, lists.rising),
  launches: ({ lists }) => firstPageOf(launchRow, lists.launches),
}
