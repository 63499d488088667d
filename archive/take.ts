/**
 * Reads the log of another run or deployment from its archive. Nothing of it is believed that does not tie: each file has
 * the digest that the manifest names, each segment that of its entry, each minute continues the one before it, in its
 * blocks, its totals and the state of each token, and its blocks are those of this operator's own endpoints.
 */
import { LRUCache } from 'lru-cache'
import { minuteOfBlock } from '../market/calendar.ts'
import { CONTINUES_FOLD, FOLD_VERSION } from '../market/rules.ts'
import type { Address, Block, Hash, Minute, Segment, TokenState } from '../market/segment.ts'
import { budgets, isTooDense } from '../schemas/deployment/budgets.ts'
import type { ArchivedSpan, ArchiveFile, ArchiveManifest } from '../schemas/records/archive.ts'
import { StoreFault } from '../store/aws/fault.ts'
import { mapAhead } from '../store/aws/parallel.ts'
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

/** Files that are read ahead. */
const AHEAD = 4
/** Segments that are unpacked ahead, and minutes that are handed over together. */
const UNPACKED = 2
const MINUTES = 16
/** Tokens whose last state is remembered: those that were active last. */
const TOKENS = 250_000

/** A verified minute, and the digest that its segment must have. */
export type TakenMinute = { readonly segment: Segment; readonly sha256: string }

/**
 * The verified minutes of an archive after the own log's last one, oldest first, some of a day or hour at a time. Throws the
 * name of what does not tie: MissingArchiveError, ArchiveManifestError, OtherChainError, OtherRulesError,
 * ArchiveGapError, ArchiveFileMissingError, ArchiveTooLargeError, ArchiveDigestError, ArchiveSegmentMissingError,
 * ArchiveSegmentError, ArchiveEntryError, ArchiveForkError; or ArchiveUnreachableError.
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
  const parts = wanted.flatMap((span) =>
    filesOf(span, segmentsFile.name).map((file, at) => ({ span, file, isFirst: at === 0 })),
  )
  const read = async ({ span, file, isFirst }: (typeof parts)[number]) => {
    const lines = isFirst ? await linesOf(reader, span) : undefined
    if (lines) await assertOwnChain(taking, lines, newest)
    return { span: span.span, lines, packed: await contentOf(reader, file, budgets.archiveFile) }
  }
  let left: readonly LogLine[] = []
  for await (const { span, lines, packed } of mapAhead(parts, AHEAD, read)) {
    if (lines) assertNoneLeft(left)
    const objects = objectsIn(packed, lines ?? left, span)
    left = (lines ?? left).slice(objects.length)
    for await (const minutes of together(mapAhead(objects, UNPACKED, segmentOf))) {
      for (const { segment } of minutes) chained.add(segment)
      yield { span, minutes: minutes.filter(({ segment }) => segment.minute > (after?.minute ?? -1)) }
    }
  }
  assertNoneLeft(left)
}

/** Some minutes at a time: few enough, or few enough bytes. */
async function* together(segments: AsyncIterable<UnpackedMinute>): AsyncGenerator<readonly TakenMinute[]> {
  let [minutes, bytes]: [TakenMinute[], number] = [[], 0]
  for await (const { segment, sha256, unpackedBytes } of segments) {
    minutes.push({ segment, sha256 })
    bytes += unpackedBytes
    if (minutes.length < MINUTES && bytes < budgets.archiveMinutes) continue
    yield minutes
    ;[minutes, bytes] = [[], 0]
  }
  if (minutes.length > 0) yield minutes
}

const fault = (name: string, message: string) => new StoreFault(name, message)
const tooLarge = (what: string, most: number) =>
  fault('ArchiveTooLargeError', `${what} has more than ${most} bytes, the most that is read`)

async function manifestOf(reader: ArchiveReader, { chain }: Taking): Promise<ArchiveManifest> {
  const bytes = await reader.read(archiveManifestKey, budgets.archiveManifest)
  if (!bytes) throw fault('MissingArchiveError', `there is no ${archiveManifestKey} at this address`)
  if (bytes.length > budgets.archiveManifest) throw tooLarge(archiveManifestKey, budgets.archiveManifest)
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

/** A file of at most this many bytes, with the digest that the manifest names. */
async function contentOf(reader: ArchiveReader, file: ArchiveFile, most: number): Promise<Uint8Array> {
  if (file.bytes > most) throw tooLarge(file.path, most)
  const bytes = await reader.read(file.path, file.bytes)
  if (!bytes) throw fault('ArchiveFileMissingError', `${file.path} is in the manifest and not there`)
  if (bytes.length !== file.bytes || sha256Of(bytes) !== file.sha256)
    throw fault('ArchiveDigestError', `${file.path} does not have the digest that the manifest names`)
  return bytes
}

/** The entries of a span: of its minutes, each after the one before. */
async function linesOf(reader: ArchiveReader, span: ArchivedSpan): Promise<readonly LogLine[]> {
  const [file] = filesOf(span, logFile.name)
  const lines = linesFrom(Buffer.from(await contentOf(reader, file, budgets.archiveLog)).toString())
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

type PackedMinute = { readonly line: LogLine; readonly object: Uint8Array }

/** The segments in a file, one after the other, for the first of these lines. */
function objectsIn(packed: Uint8Array, lines: readonly LogLine[], span: string): readonly PackedMinute[] {
  const objects: PackedMinute[] = []
  for (let at = 0; at < packed.length; ) {
    const line = lines[objects.length]
    if (!line) throw fault('ArchiveEntryError', `the segments of ${span} have more than their entries name`)
    const object = packed.subarray(at, at + line.bytes)
    if (object.length < line.bytes || line.bytes === 0) throw missing(line)
    objects.push({ line, object })
    at += line.bytes
  }
  return objects
}

const missing = ({ minute }: LogLine) =>
  fault('ArchiveSegmentMissingError', `the segment of minute ${minute} is missing`)

function assertNoneLeft([first]: readonly LogLine[]): void {
  if (first) throw missing(first)
}

type UnpackedMinute = TakenMinute & { readonly unpackedBytes: number }

/** A segment, which must have the digest and the blocks of its entry. */
async function segmentOf({ line, object }: PackedMinute): Promise<UnpackedMinute> {
  const bytes = await unzip(object, budgets.segment).catch(() => undefined)
  if (!bytes || sha256Of(bytes) !== line.sha256)
    throw fault(
      'ArchiveSegmentError',
      `the segment of minute ${line.minute} has not its entry's digest, or more than ${budgets.segment} bytes`,
    )
  if (isTooDense(bytes))
    throw fault('ArchiveSegmentError', `the segment of minute ${line.minute} is made of separators`)
  const segment = segmentFrom(bytes)
  if (!isOf(segment, line))
    throw fault('ArchiveEntryError', `the entry of minute ${line.minute} names other blocks than its segment`)
  return { segment, sha256: line.sha256, unpackedBytes: bytes.length }
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
  const states = new LRUCache<Address, string>({ max: TOKENS })
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
