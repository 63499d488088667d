/** The contents of a day's or hour's files. */
import type { SealedEntry } from '../market/log.ts'
import type { References } from '../market/segment.ts'
import { chunked } from '../store/aws/parallel.ts'
import { readSegmentObject, segmentIn } from '../store/log/log.ts'
import { openColumns } from './columns.ts'
import { type LogLine, linesText, logFile, logLine, segmentsFile } from './log-files.ts'
import { type ArchiveMinute, openTokenSpans } from './rows.ts'
import { writtenSets } from './sets.ts'
import type { ArchiveSource } from './source.ts'
import type { SetFile, Span } from './span.ts'

/** Objects of segments read at once; they are parsed one by one. */
const BATCH = 16
/** A file of segments ends with the one that makes it so large: it is put before the next is begun. */
const SEGMENTS_BYTES = 8_000_000

/** A file's content; `part`: its number among those of its set. */
export type Content = {
  readonly file: SetFile
  readonly part: number
  readonly rows: number
  readonly bytes: Uint8Array
}

/** What a span's files are made from. `previous`: the minute before it. */
export type SpanMinutes = {
  readonly span: Span
  readonly minutes: readonly SealedEntry[]
  readonly previous: SealedEntry | undefined
}

/** The files of a span, each as soon as it is complete. */
export async function* spanFiles(
  source: ArchiveSource,
  { span, minutes, previous }: SpanMinutes,
): AsyncGenerator<Content> {
  const sets = writtenSets.map((set) => ({ set, columns: openColumns(set.columns) }))
  const tokens = openTokenSpans(span.first)
  const lines: LogLine[] = []
  let [packed, size, part]: [Uint8Array[], number, number] = [[], 0, 0]
  const segments = (): Content => {
    const content = { file: segmentsFile, part, rows: packed.length, bytes: Buffer.concat(packed) }
    ;[packed, size, part] = [[], 0, part + 1]
    return content
  }
  for await (const { entry, minute, object } of read(source, minutes, previous)) {
    tokens.add(minute)
    for (const { set, columns } of sets) for (const row of set.ofMinute(minute)) columns.add(row)
    lines.push(logLine(minute.segment, { sha256: entry.segment.sha256, bytes: object.length }))
    packed.push(object)
    size += object.length
    if (size >= SEGMENTS_BYTES) yield segments()
  }
  if (packed.length > 0 || part === 0) yield segments()
  yield { file: logFile, part: 0, rows: lines.length, bytes: Buffer.from(linesText(lines)) }
  const [bars, boards] = [await source.bars(span), await source.boards(span)]
  for (const { set, columns } of sets) {
    for (const row of set.ofSpan({ span, tokens: tokens.all(), bars, boards })) columns.add(row)
    yield { file: set, part: 0, rows: columns.count(), bytes: columns.bytes() }
  }
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
    const objects = await Promise.all(some.map((entry) => readSegmentObject(segments, entry.segment)))
    for (const [at, entry] of some.entries()) {
      const object = objects[at] ?? new Uint8Array()
      const segment = await segmentIn(entry.segment, object)
      yield { entry, object, minute: { segment, ratesBefore } }
      ratesBefore = segment.references
    }
  }
}
