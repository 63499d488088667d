import { hourOfMinute } from '../market/calendar.ts'
import type { StoredBar } from '../market/index/index-history.ts'
import type { Minute } from '../market/segment.ts'
import { asOf } from '../market/window.ts'
import { documents } from '../schemas/api/documents.ts'
import type { Bucket } from '../store/aws/bucket.ts'
import { allOf } from '../store/aws/parallel.ts'
import type { Reads } from '../store/aws/table.ts'
import type { LogStore } from '../store/log/log.ts'
import { readBars } from '../store/published/index-history.ts'
import { type KeptStore, openKeptStore } from '../store/published/kept.ts'
import { openManifests } from '../store/published/manifests.ts'
import type { JsonRow } from './columns.ts'
import type { Span } from './span.ts'

/** What the archive is made from. */
export type ArchiveSource = {
  readonly chain: string
  /** The name of the log. */
  readonly name: string
  readonly log: Pick<LogStore, 'applied' | 'entriesAfter' | 'entriesBefore' | 'readSegment'>
  /** The bucket of the log's segments. */
  readonly segments: Pick<Bucket, 'read'>
  /** The last minute whose snapshot is published; null: none is. */
  readonly publishedTo: () => Promise<Minute | null>
  /** Hourly bars of the index that begin in a span. */
  readonly bars: (span: Span) => Promise<readonly StoredBar[]>
  /** Rows of both boards as published last in a span, each with their time as `timestamp`, Unix ms; none if they are not kept. */
  readonly boards: (span: Span) => Promise<readonly JsonRow[]>
}

/** The source over a deployment's stores, all of the live log. */
export const archiveSourceOf = ({
  table,
  published,
  kept,
  ...own
}: Pick<ArchiveSource, 'chain' | 'name' | 'log' | 'segments'> & {
  readonly table: Reads
  readonly published: Bucket
  /** The bucket with what is kept of each hour. */
  readonly kept: Bucket
}): ArchiveSource => ({
  ...own,
  publishedTo: async () => (await openManifests(published).newest())?.minute ?? null,
  bars: ({ first, end }) => allOf(readBars(table, 'hour', { from: first, to: end - 1 })),
  boards: (span) => boardsOf(openKeptStore(kept), span),
})

/** The documents of both boards, a day back. */
const boardDocuments = documents.filter(
  ({ operation, parameterValues }) => /^(creators|posts)$/.test(operation) && parameterValues[0] === '24h',
)

/** The rows of the last snapshot that is kept of a span: those that `as_of` its end answers with. */
async function boardsOf(kept: KeptStore, { first, end }: Span): Promise<readonly JsonRow[]> {
  const found = await kept.lastHour(hourOfMinute(end) - 1, hourOfMinute(first))
  if (!found) return []
  const timestamp = asOf(found.manifest.minute) * 1_000
  const texts = await Promise.all(
    boardDocuments.map(async ({ name }) => {
      const digest = found.documents[name]
      return (digest && (await kept.document(digest))) || '[]'
    }),
  )
  return texts.flatMap((text) =>
    (JSON.parse(text) as readonly JsonRow[]).map((row) => ({ ...row, timestamp })),
  )
}
