import type { LogEntry, SealedEntry } from '../market/log.ts'
import type { Minute } from '../market/segment.ts'
import type { ArchivedSpan, ArchiveFile, ArchiveManifest } from '../schemas/records/archive.ts'
import { isoTime } from '../schemas/values/kinds.ts'
import type { Bucket } from '../store/aws/bucket.ts'
import { StoreFault } from '../store/aws/fault.ts'
import { sha256Of } from '../store/aws/tables.ts'
import { effectiveBackwards } from '../store/log/log.ts'
import { emptyManifest, filePut, putManifest, type ReadManifest, readManifest, withSpan } from './manifest.ts'
import type { ArchiveSource } from './source.ts'
import { fileKey, replacedKey, type Span, spanHolding, spanNamed, spansBetween } from './span.ts'
import { type SpanMinutes, spanFiles } from './span-files.ts'

/** Which minutes are archived, and until when the work goes on. */
export type ArchiveLimits = {
  /** The first minute of an archive that is empty. @default the log's first */
  readonly from?: Minute
  /** @default what is sealed and published */
  readonly end?: Minute
  readonly isOver?: () => boolean
}

/**
 * Brings the archive in a bucket up to the log: days that are over, and the hours of the day after them. Yields each span
 * once it is written. May be interrupted, repeated, and run by several processes: a span counts once the manifest names it.
 * A span whose minutes are other ones than those it was made from gets a new revision; the earlier one is kept beside it. Throws OtherChainError, and what reading and putting throw.
 */
export async function* writeArchive(
  source: ArchiveSource,
  into: Bucket,
  { from, end = Number.POSITIVE_INFINITY, isOver = () => false }: ArchiveLimits = {},
): AsyncGenerator<ArchivedSpan> {
  const applied = await source.log.applied()
  const published = await source.publishedTo()
  if (!applied || applied.minute === null || applied.isLowered || published === null) return
  let read: ReadManifest = (await readManifest(into)) ?? {
    manifest: emptyManifest(source.chain, source.name),
    etag: undefined,
  }
  if (read.manifest.chain !== source.chain)
    throw new StoreFault(
      'OtherChainError',
      `this archive is of ${read.manifest.chain}, and this log of ${source.chain}`,
    )
  const sealed = Math.min(applied.minute, published, end)
  const begin = firstOf(read.manifest) ?? from ?? (await firstOfLog(source))
  const changed = await unchangedTo(source, read.manifest)
  const isAsBefore = (span: Span) => span.end <= changed && archivedOf(read.manifest, span) !== undefined
  const spans = spansUpTo(begin, sealed).filter((span) => !isAsBefore(span))
  const entries = spans[0] ? await entriesFrom(source, applied.n, spans[0].first) : []
  for (const span of spans) {
    const minutes = entries.filter(({ minute }) => minute >= span.first && minute < span.end)
    const before = archivedOf(read.manifest, span)
    if (before?.log_sha256 === digestOf(minutes)) continue
    const previous = entries.findLast(({ minute }) => minute < span.first)
    const archived = await writeSpan(source, into, { span, minutes, before, previous })
    read = await noteSpan(into, read, { span, archived })
    yield archived
    if (isOver()) return
  }
  // A span that the log has rolled back and not sealed again is looked at again next time.
  if (endOf(read.manifest) <= sealed) await note(into, read, { log: source.name, log_entry: applied.n })
}

/** The days that are over, and the hours after them. */
function spansUpTo(first: Minute, sealed: Minute): readonly Span[] {
  const days = spansBetween('day', first, sealed)
  return [...days, ...spansBetween('hour', days.at(-1)?.end ?? spanHolding('day', first).first, sealed)]
}

const digestOf = (minutes: readonly SealedEntry[]): string =>
  sha256Of(minutes.map(({ segment }) => segment.sha256).join())

const archivedOf = ({ days, hours }: ArchiveManifest, { name }: Span): ArchivedSpan | undefined =>
  [...days, ...hours].find(({ span }) => span === name)

const firstOf = ({ days, hours }: ArchiveManifest): Minute | undefined =>
  spanNamed((days[0] ?? hours[0])?.span ?? '')?.first

/** The end of what is archived. */
const endOf = ({ days, hours }: ArchiveManifest): Minute =>
  spanNamed((hours.at(-1) ?? days.at(-1))?.span ?? '')?.end ?? 0

/** The first minute of a log that has one. */
async function firstOfLog({ log }: ArchiveSource): Promise<Minute> {
  for await (const entry of log.entriesAfter(0)) if (entry.is === 'sealed') return entry.minute
  return Number.POSITIVE_INFINITY
}

/** The first minute that the log has rolled back since a manifest; what is older is as it was. */
async function unchangedTo(
  { log, name }: ArchiveSource,
  { log: archivedLog, log_entry }: ArchiveManifest,
): Promise<Minute> {
  if (archivedLog !== name) return 0
  let changed = Number.POSITIVE_INFINITY
  for await (const entry of log.entriesAfter(log_entry)) changed = Math.min(changed, keptTo(entry) + 1)
  return changed
}

/** The last minute that an entry leaves as it was. */
const keptTo = (entry: LogEntry): Minute =>
  entry.is === 'rewound' ? (entry.minute ?? -1) : Number.POSITIVE_INFINITY

/** The effective entries up to the n-th from a minute's day on, and the one before them, oldest first. */
async function entriesFrom(
  { log }: ArchiveSource,
  n: number,
  minute: Minute,
): Promise<readonly SealedEntry[]> {
  const first = spanHolding('day', minute).first
  const entries: SealedEntry[] = []
  for await (const entry of effectiveBackwards(log, n + 1)) {
    entries.push(entry)
    if (entry.minute < first) break
  }
  return entries.reverse()
}

type Writing = SpanMinutes & { readonly before: ArchivedSpan | undefined }

/** Writes the files of a span; those of the revision before are copied first. */
async function writeSpan(source: ArchiveSource, into: Bucket, writing: Writing): Promise<ArchivedSpan> {
  const { span, minutes, before } = writing
  if (before) await keepReplaced(into, before)
  const files: ArchiveFile[] = []
  for await (const { file, part, rows, bytes } of spanFiles(source, writing)) {
    const path = fileKey(file, span, part)
    await into.put(path, bytes, filePut)
    files.push({ set: file.name, path, rows, bytes: bytes.length, sha256: sha256Of(bytes) })
  }
  return {
    span: span.name,
    first_block: minutes[0]?.firstBlock ?? null,
    last_block: minutes.at(-1)?.last.number ?? null,
    revision: (before?.revision ?? 0) + 1,
    log_sha256: digestOf(minutes),
    files,
    replaced: before ? [...before.replaced, replacedOf(before)] : [],
  }
}

/** An earlier copy is not replaced: after a crash the file may be the next revision's already. */
async function keepReplaced(into: Bucket, { files, revision }: ArchivedSpan): Promise<void> {
  for (const { path } of files) {
    const object = await into.read(path)
    if (object) await into.put(replacedKey(path, revision), object.bytes, { ...filePut, ifNoneMatch: '*' })
  }
}

const replacedOf = ({ revision, log_sha256, files }: ArchivedSpan): ArchivedSpan['replaced'][number] => ({
  revision,
  log_sha256,
  files: files.map((file) => ({ ...file, path: replacedKey(file.path, revision) })),
})

/** Names a span in the manifest, a day in the place of its hours, whose files expire. */
function noteSpan(
  into: Bucket,
  read: ReadManifest,
  { span, archived }: { readonly span: Span; readonly archived: ArchivedSpan },
): Promise<ReadManifest> {
  const { days, hours } = read.manifest
  const isLater = (hour: ArchivedSpan) => (spanNamed(hour.span)?.first ?? 0) >= span.end
  return note(
    into,
    read,
    span.kind === 'day'
      ? { days: withSpan(days, archived), hours: hours.filter(isLater) }
      : { hours: withSpan(hours, archived) },
  )
}

async function note(into: Bucket, read: ReadManifest, more: Partial<ArchiveManifest>): Promise<ReadManifest> {
  const manifest = { ...read.manifest, ...more }
  const last = spanNamed((manifest.hours.at(-1) ?? manifest.days.at(-1))?.span ?? '')
  const sealed_until = last ? isoTime(last.end * 60) : null
  if (JSON.stringify({ ...manifest, sealed_until }) === JSON.stringify(read.manifest)) return read
  await putManifest(into, { manifest: { ...manifest, sealed_until }, etag: read.etag })
  const stored = await readManifest(into)
  return stored ?? read
}
