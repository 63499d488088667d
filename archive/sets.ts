/** Where the rows of each set come from. */
import { coverageFrom, isCovered } from '../market/coverage.ts'
import type { StoredBar } from '../market/index/index-history.ts'
import type { ArchiveColumn } from '../schemas/records/archive-columns.ts'
import {
  type ArchiveSetName,
  archiveColumns,
  archiveSets,
  earningsOf,
  type TokenOfSpan,
} from '../schemas/records/archive-sets.ts'
import type { FieldTable } from '../schemas/values/field.ts'
import { type JsonRow, rowReader } from './columns.ts'
import { type ArchiveMinute, candlesIn, launchesIn, swapsIn } from './rows.ts'
import type { SetFile, Span } from './span.ts'

/** What a day or hour has beside its minutes. */
export type SpanFacts = {
  readonly span: Span
  /** By token, of all tokens with a row. */
  readonly tokens: readonly TokenOfSpan[]
  /** Hourly bars of the index that begin in it. */
  readonly bars: readonly StoredBar[]
  /** Rows of both boards as published last in it, each with their time as `timestamp`, Unix ms. */
  readonly boards: readonly JsonRow[]
}

/** A set as it is written. */
export type WrittenSet = SetFile & {
  readonly columns: readonly ArchiveColumn[]
  readonly ofMinute: (minute: ArchiveMinute) => readonly JsonRow[]
  readonly ofSpan: (facts: SpanFacts) => readonly JsonRow[]
}

const none = () => []

type From<Row> = {
  readonly ofMinute?: (minute: ArchiveMinute) => readonly Row[]
  readonly ofSpan?: (facts: SpanFacts) => readonly Row[]
}

function written<Row>(
  name: ArchiveSetName,
  read: (row: Row) => JsonRow,
  { ofMinute = none, ofSpan = none }: From<Row>,
): WrittenSet {
  return {
    name,
    extension: 'parquet',
    columns: archiveColumns(name),
    ofMinute: (minute) => ofMinute(minute).map(read),
    ofSpan: (facts) => ofSpan(facts).map(read),
  }
}

const byFields = <Row>(
  name: ArchiveSetName,
  { fields }: { readonly fields: FieldTable<Row> },
  from: From<Row>,
): WrittenSet => written(name, rowReader(fields), from)

const hasEarned = (row: TokenOfSpan): boolean =>
  earningsOf(row).earned > 0n && isCovered(coverageFrom(row.token), row.first * 60)

/** Every set, in the order in which it is written. */
export const writtenSets: readonly WrittenSet[] = [
  byFields('swaps', archiveSets.swaps, { ofMinute: swapsIn }),
  byFields('candles', archiveSets.candles, { ofMinute: candlesIn }),
  byFields('launches', archiveSets.launches, { ofMinute: launchesIn }),
  written('boards', (row: JsonRow) => row, { ofSpan: ({ boards }) => boards }),
  byFields('index', archiveSets.index, { ofSpan: ({ bars }) => bars }),
  byFields('holders', archiveSets.holders, { ofSpan: ({ tokens }) => tokens }),
  byFields('earnings', archiveSets.earnings, { ofSpan: ({ tokens }) => tokens.filter(hasEarned) }),
]
