/** The contents of a day's or hour's files. */
import type { SealedEntry } from '../market/log.ts'
import type { References } from '../market/segment.ts'
import { SegmentMissingError } from '../store/log.ts'
import { chunked } from '../store/parallel.ts'
import { openColumns } from './columns.ts'
import { type LogLine, lineOf, linesText, logFile, segmentsFile } from './log-files.ts'
import { type ArchiveMinute, openTokenSpans } from './rows.ts'
import { writtenSets } from './sets.ts'
import type { Span } from './span.ts'
import type { ArchiveSource } from './source.ts'

/** Segments read at once. */
const BATCH = 16

/** A file's content. */
type Content = { readonly rows: number; readonly bytes: Uint8Array }

/** The files of a span by the names of their sets. `previous`: the minute before it. */
export async function spanFiles(
  source: ArchiveSource,
  {
    span,
    minutes,
    previous,
  }: {
    readonly span: Span
    readonly minutes: readonly SealedEntry[]
    readonly previous: SealedEntry | undefined
  },
): Promise<ReadonlyMap<string, Content>> {
  const sets = writtenSets.map((set) => ({ set, columns: openColumns(set.columns) }))
  const tokens = openTokenSpans(span.first)
  const lines: LogLine[] = []
  const packed: Uint8Array[] = []
  for await (const { entry, minute, object } of read(source, minutes, previous)) {
    tokens.add(minute)
    for (const { set, columns } of sets) for (const row of set.ofMinute(minute)) columns.add(row)
    lines.push(lineOf(minute.segment, { sha256: entry.segment.sha256, bytes: object.length }))
    packed.push(object)
  }
  const facts = {
    span,
    tokens: tokens.all(),
    bars: await source.bars(span),
    boards: await source.boards(span),
  }
  for (const { set, columns } of sets) for (const row of set.ofSpan(facts)) columns.add(row)
  return new Map<string, Content>([
    ...sets.map(({ set, columns }) => [set.name, { rows: columns.count(), bytes: columns.bytes() }] as const),
    [logFile.name, { rows: lines.length, bytes: Buffer.from(linesText(lines)) }],
    [segmentsFile.name, { rows: lines.length, bytes: Buffer.concat(packed) }],
  ])
}

type ReadMinute = {
  readonly entry: SealedEntry
  readonly minute: ArchiveMinute
  /** The segment's object in the bucket. */
  readonly object: Uint8Array
}

async function* read(
  { log, segments }: ArchiveSource,
  minutes: readonly SealedEntry[],
  previous: SealedEntry | undefined,
): AsyncGenerator<ReadMinute> {
  let ratesBefore: References = previous ? (await log.readSegment(previous.segment)).references : new Map()
  for (const some of chunked(minutes, BATCH)) {
    const found = await Promise.all(
      some.map(async (entry) => {
        const [segment, object] = await Promise.all([
          log.readSegment(entry.segment),
          segments.read(entry.segment.key),
        ])
        if (!object) throw new SegmentMissingError(entry.segment.key)
        return { entry, segment, object: object.bytes }
      }),
    )
    for (const { entry, segment, object } of found) {
      yield { entry, object, minute: { segment, ratesBefore } }
      ratesBefore = segment.references
    }
  }
}
