/**
 * Reads the log of another run or deployment from its archive. Nothing of it is believed that does not tie: each file has
 * the digest that the manifest names, each segment that of its entry, each minute continues the one before it, in its
 * blocks, its totals and the state of each token, and its blocks are those of this operator's own endpoints.
 */
import { minuteOfBlock } from '../market/calendar.ts'
import { CONTINUES_FOLD, FOLD_VERSION } from '../market/rules.ts'
import type { Address, Block, Hash, Minute, Segment, TokenState } from '../market/segment.ts'
import type { ArchivedSpan, ArchiveFile, ArchiveManifest } from '../schemas/records/archive.ts'
import { StoreFault } from '../store/aws/fault.ts'
import { mapAhead, mapParallel } from '../store/aws/parallel.ts'
import { sha256Of } from '../store/aws/tables.ts'
import { unzip } from '../store/bytes/format.ts'
import { segmentFrom } from '../store/bytes/segment-bytes.ts'
import { type LogLine, linesFrom, logFile, segmentsFile } from './log-files.ts'
import { manifestFrom } from './manifest.ts'
import type { ArchiveReader } from './reader.ts'
import { archiveManifestKey, spanMinutes, spanNamed } from './span.ts'

/** How an archive is read. */
export type Taking = {
  readonly chain: string
  /** The last minute that the own log has; null: it is empty. */
  readonly after: { readonly minute: Minute; readonly last: Block } | null
  /** The hashes of blocks as the own endpoints have them; a block that none has is missing. */
  readonly hashesOf: (blockNumbers: readonly number[]) => Promise<ReadonlyMap<number, Hash>>
}

/** Days or hours, and files of one, that are read at once: a busy day has some 30 MB. */
const AHEAD = 4
/** No manifest is larger: a day takes some 3 KB of it. */
const MANIFEST_BYTES = 64_000_000
/** No file is larger. */
const FILE_BYTES = 1_073_741_824
/** Segments of a day that are unpacked at once. */
const UNPACKED = 16

/** A verified minute, and the digest that its segment must have. */
export type TakenMinute = { readonly segment: Segment; readonly sha256: string }

/**
 * The verified minutes of an archive after the own log's last one, oldest first: those of a day or hour together. Throws the
 * name of what does not tie: MissingArchiveError, ArchiveManifestError, OtherChainError, OtherRulesError,
 * ArchiveGapError, ArchiveFileMissingError, ArchiveDigestError, ArchiveSegmentMissingError, ArchiveSegmentError,
 * ArchiveEntryError, ArchiveForkError; or ArchiveUnreachableError.
 */
export async function* takeArchive(
  reader: ArchiveReader,
  taking: Taking,
): AsyncGenerator<{ readonly span: string; readonly minutes: readonly TakenMinute[] }> {
  const manifest = await manifestOf(reader, taking)
  const spans = spansOf(manifest)
  const newest = spanNamed(spans.at(-1)?.span ?? '')?.end ?? 0
  const { after } = taking
  const wanted = spans.filter(({ span }) => !after || (spanNamed(span)?.end ?? 0) > after.minute)
  const chained = openChain(after)
  const read = async (span: ArchivedSpan) => {
    const lines = await linesOf(reader, span)
    await assertOwnChain(taking, lines, newest)
    const parts = await mapParallel(filesOf(span, segmentsFile.name), AHEAD, (file) =>
      contentOf(reader, file),
    )
    return { span, lines, packed: Buffer.concat(parts) }
  }
  for await (const { span, lines, packed } of mapAhead(wanted, AHEAD, read)) {
    const segments = await segmentsOf(span, lines, packed)
    const minutes = segments.map((segment, at) => ({ segment, sha256: lines[at]?.sha256 ?? '' }))
    for (const { segment } of minutes) chained.add(segment)
    yield {
      span: span.span,
      minutes: minutes.filter(({ segment }) => segment.minute > (after?.minute ?? -1)),
    }
  }
}

const fault = (name: string, message: string) => new StoreFault(name, message)

async function manifestOf(reader: ArchiveReader, { chain }: Taking): Promise<ArchiveManifest> {
  const bytes = await reader.read(archiveManifestKey, MANIFEST_BYTES)
  if (!bytes) throw fault('MissingArchiveError', `there is no ${archiveManifestKey} at this address`)
  const manifest = manifestFrom(bytes)
  if (manifest.chain !== chain)
    throw fault('OtherChainError', `this archive is of ${manifest.chain}, and this log of ${chain}`)
  return manifest
}

/** Its days and hours, which must follow each other. Throws ArchiveGapError. */
function spansOf({ days, hours }: ArchiveManifest): readonly ArchivedSpan[] {
  const spans = [...days, ...hours]
  let end: Minute | undefined
  for (const { span } of spans) {
    const found = spanNamed(span)
    if (!found || (end !== undefined && found.first !== end))
      throw fault('ArchiveGapError', `${span} does not follow the day or hour before it`)
    end = found.end
  }
  return spans
}

/** The files of a set of a span. */
function filesOf(span: ArchivedSpan, set: string): readonly [ArchiveFile, ...ArchiveFile[]] {
  const [first, ...others] = span.files.filter((one) => one.set === set)
  if (!first) throw fault('ArchiveFileMissingError', `the manifest names no ${set} of ${span.span}`)
  return [first, ...others]
}

/** A file with the digest that the manifest names. */
async function contentOf(reader: ArchiveReader, file: ArchiveFile): Promise<Uint8Array> {
  const bytes = await reader.read(file.path, Math.min(file.bytes, FILE_BYTES))
  if (!bytes) throw fault('ArchiveFileMissingError', `${file.path} is in the manifest and not there`)
  if (bytes.length !== file.bytes || sha256Of(bytes) !== file.sha256)
    throw fault('ArchiveDigestError', `${file.path} does not have the digest that the manifest names`)
  return bytes
}

/** The entries of a span: of its minutes, each after the one before. */
async function linesOf(reader: ArchiveReader, span: ArchivedSpan): Promise<readonly LogLine[]> {
  const [file] = filesOf(span, logFile.name)
  const lines = linesFrom(Buffer.from(await contentOf(reader, file)).toString())
  if (!lines) throw fault('ArchiveEntryError', `the log of ${span.span} has a line that is no entry`)
  const { first = 0, end = 0 } = spanNamed(span.span) ?? {}
  let last = first - 1
  for (const { minute, rules } of lines) {
    if (minute <= last || minute >= end)
      throw fault('ArchiveEntryError', `minute ${minute} is not the next one of ${span.span}`)
    if (rules < CONTINUES_FOLD || rules > FOLD_VERSION)
      throw fault(
        'OtherRulesError',
        `minute ${minute} was folded by version ${rules}; this is ${FOLD_VERSION}`,
      )
    last = minute
  }
  return lines
}

/** The segments of a span, one after the other in `packed`, each with the digest of its entry and of its blocks. */
async function segmentsOf(
  { span }: ArchivedSpan,
  lines: readonly LogLine[],
  packed: Uint8Array,
): Promise<readonly Segment[]> {
  let at = 0
  const objects = lines.map((line) => {
    const object = packed.subarray(at, at + line.bytes)
    if (object.length < line.bytes || line.bytes === 0)
      throw fault('ArchiveSegmentMissingError', `the segment of minute ${line.minute} is missing`)
    at += line.bytes
    return { line, object }
  })
  const segments = await mapParallel(objects, UNPACKED, ({ line, object }) => segmentOf(line, object))
  if (at !== packed.length)
    throw fault('ArchiveEntryError', `the segments of ${span} have more than their entries name`)
  return segments
}

async function segmentOf(line: LogLine, object: Uint8Array): Promise<Segment> {
  const bytes = await unzip(object).catch(() => undefined)
  if (!bytes || sha256Of(bytes) !== line.sha256)
    throw fault('ArchiveSegmentError', `the segment of minute ${line.minute} has not its entry's digest`)
  const segment = segmentFrom(bytes)
  if (!isOf(segment, line))
    throw fault('ArchiveEntryError', `the entry of minute ${line.minute} names other blocks than its segment`)
  return segment
}

const isOf = ({ minute, firstBlock, last, rules }: Segment, line: LogLine): boolean =>
  minute === line.minute &&
  firstBlock === line.first_block &&
  last.number === line.last_block &&
  last.hash === line.last_hash &&
  last.timestamp === line.last_timestamp &&
  minuteOfBlock(last) === minute &&
  rules === line.rules

/** What each minute leaves must be what the next one begins with, and the first new one begins where the own log ends. */
function openChain(after: Taking['after']) {
  let previous: Segment | undefined
  const states = new Map<Address, string>()
  const broken = (minute: Minute, what: string) =>
    fault('ArchiveEntryError', `minute ${minute} does not continue the one before: ${what}`)
  return {
    add(segment: Segment): void {
      const { minute, firstBlock, totals, rows } = segment
      if (!after && !previous && totals.after.firstMinute !== minute)
        throw fault('ArchiveGapError', `the archive begins with minute ${minute}, after its log does`)
      const isFirstNew = after && minute > after.minute && (previous?.minute ?? 0) <= after.minute
      if (isFirstNew && firstBlock !== after.last.number + 1)
        throw fault(
          'ArchiveGapError',
          `the archive goes on with block ${firstBlock}, and the own log ends with block ${after.last.number}`,
        )
      if (previous && firstBlock !== previous.last.number + 1) throw broken(minute, 'its blocks')
      if (previous && textOf(totals.before) !== textOf(previous.totals.after))
        throw broken(minute, 'the totals of the market')
      for (const { token, before, after } of rows) {
        const known = states.get(token)
        if (known !== undefined && known !== digestOf(before)) throw broken(minute, `the state of ${token}`)
        states.set(token, digestOf(after))
      }
      previous = segment
    },
  }
}

const textOf = (value: object): string =>
  JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'bigint' ? `${each}n` : each instanceof Map ? [...each] : each,
  )
const digestOf = (state: TokenState): string => sha256Of(Object.values(state).join()).slice(0, 16)

/** Of the last minutes every block is compared, of older ones the last of each hour. */
const COMPARED_MINUTES = spanMinutes.day

/** Compares the last blocks of minutes with those of the own endpoints and of the own log. */
async function assertOwnChain(
  { after, hashesOf }: Taking,
  lines: readonly LogLine[],
  newest: Minute,
): Promise<void> {
  const own = after && lines.find(({ minute }) => minute === after.minute)
  if (own && own.last_hash !== after?.last.hash)
    throw fault('ArchiveForkError', `the own log has another block ${own.last_block} than the archive`)
  const hourOf = (line: LogLine | undefined) => line && Math.floor(line.minute / spanMinutes.hour)
  const compared = lines.filter(
    (line, at) => line.minute >= newest - COMPARED_MINUTES || hourOf(line) !== hourOf(lines[at + 1]),
  )
  const hashes = await hashesOf(compared.map(({ last_block }) => last_block))
  for (const { last_block, last_hash } of compared) {
    const hash = hashes.get(last_block)
    if (hash !== last_hash)
      throw fault(
        'ArchiveForkError',
        `block ${last_block} is ${last_hash} in the archive and ${hash ?? 'absent'} at the own endpoints`,
      )
  }
}
