import { setTimeout as sleep } from 'node:timers/promises'
import { dayOfMinute } from '../../market/calendar.ts'
import type { LogEntry, SealedEntry, SegmentReference } from '../../market/log.ts'
import type { Block, Minute, Segment } from '../../market/segment.ts'
import type { Bucket } from '../aws/bucket.ts'
import type { Item, Ledger, Reads, Table } from '../aws/table.ts'
import { FORMAT_VERSION, marketKeys, minuteText, objectPrefixes, padded, sha256Of } from '../aws/tables.ts'
import { logEntryBytes } from '../bytes/codec.ts'
import { assertReadableItem, unzip, zip } from '../bytes/format.ts'
import { type SegmentStates, segmentBytes, segmentFrom, segmentStatesFrom } from '../bytes/segment-bytes.ts'

/**
 * How far the log is materialized: entry `n` (complete or, while lowered, in progress) and the last minute and block
 * that readers may see.
 */
export type Applied = {
  readonly n: number
  readonly minute: Minute | null
  readonly last: Block | null
  /** Entry `n` is a rollback in progress: nothing after `minute` may be read. */
  readonly isLowered: boolean
}

/** The log of minutes: entries in the table, segments in the bucket. */
export type LogStore = {
  readonly ledger: Ledger
  tail(): Promise<LogEntry | undefined>
  /** Entries after the n-th, oldest first. */
  entriesAfter(n: number): AsyncGenerator<LogEntry>
  /** Entries before the n-th, newest first. */
  entriesBefore(n: number): AsyncGenerator<LogEntry>
  /** Puts the entry if its number is free. True: this very entry is stored there now, whoever put it. */
  append(entry: LogEntry): Promise<boolean>
  /** Stores a segment under the digest of its bytes. Idempotent. */
  putSegment(segment: Segment): Promise<SegmentReference>
  /** Throws SegmentMissingError, or SegmentDigestError if the bytes are not those committed. */
  readSegment(reference: SegmentReference): Promise<Segment>
  /** The activity of a segment's minute; throws as `readSegment` does. */
  readSegmentStates(reference: SegmentReference): Promise<SegmentStates>
  applied(): Promise<Applied | undefined>
  /** Moves APPLIED forward in the log; false: it is there or further already. */
  putApplied(applied: Applied): Promise<boolean>
  /** Waits, after APPLIED was lowered, until no reader uses its earlier value. */
  readersGone(): Promise<void>
}

/** A lowered APPLIED is stored as a number between the entry before the rewind and the rewind. */
const LOWERED = 0.5

/** Opens the log. Before it rolls minutes back, a writer waits `rewindWaitMs` for current readers. */
export function openLog(table: Table, bucket: Bucket, { rewindWaitMs = 0 } = {}): LogStore {
  const { pk } = marketKeys.logEntry(0)
  return {
    ledger: table,
    async tail() {
      for await (const item of table.query({ pk, isDescending: true, limit: 1 })) return entryFrom(item)
      return undefined
    },
    async *entriesAfter(n) {
      const from = marketKeys.logEntry(n + 1).sk
      for await (const item of table.query({ pk, from })) yield entryFrom(item)
    },
    async *entriesBefore(n) {
      const to = marketKeys.logEntry(n - 1).sk
      for await (const item of table.query({ pk, to, isDescending: true })) yield entryFrom(item)
    },
    async append(entry) {
      const item = itemOfEntry(entry)
      // L1
      if (await table.put(item, 'absent')) return true
      // If the answer of a put was lost, the retry finds its own entry.
      const current = await table.read(item)
      return current !== undefined && JSON.stringify(entryFrom(current)) === JSON.stringify(entry)
    },
    async putSegment(segment) {
      const bytes = segmentBytes(segment)
      const reference = referenceOf(segment.minute, sha256Of(bytes))
      await bucket.put(reference.key, await zip(bytes), { contentType: 'application/gzip' })
      return reference
    },
    readSegment: async (reference) => segmentFrom(await bytesOf(bucket, reference)),
    readSegmentStates: async (reference) => segmentStatesFrom(await bytesOf(bucket, reference)),
    applied: () => readAppliedOf(table),
    putApplied(applied) {
      const item = itemOfApplied(applied)
      // A4
      return table.put(item, { olderThan: Number(item['pos']) })
    },
    async readersGone() {
      if (rewindWaitMs > 0) await sleep(rewindWaitMs)
    },
  }
}

/** Sealed entries that no later entry rolled back, newest first. */
export async function* effectiveBackwards(
  log: Pick<LogStore, 'entriesBefore'>,
  before: number,
): AsyncGenerator<SealedEntry> {
  let ceiling = Number.POSITIVE_INFINITY
  for await (const entry of log.entriesBefore(before)) {
    if (entry.is === 'rewound') ceiling = Math.min(ceiling, entry.minute ?? -1)
    else if (entry.minute <= ceiling) yield entry
  }
}

/** How far the log is materialized; undefined: nothing was ever applied. */
export async function readAppliedOf(table: Pick<Reads, 'read'>): Promise<Applied | undefined> {
  const item = await table.read(marketKeys.applied)
  return item && appliedFrom(item)
}

const bytesOf = async (bucket: Bucket, reference: SegmentReference): Promise<Uint8Array> =>
  bytesIn(reference, await readSegmentObject(bucket, reference))

/** The object of a segment as stored. Throws SegmentMissingError. */
export async function readSegmentObject(
  bucket: Pick<Bucket, 'read'>,
  { key }: SegmentReference,
): Promise<Uint8Array> {
  const object = await bucket.read(key)
  if (!object) throw new SegmentMissingError(key)
  return object.bytes
}

async function bytesIn({ key, sha256: digest }: SegmentReference, object: Uint8Array): Promise<Uint8Array> {
  const bytes = await unzip(object).catch(() => undefined) // damaged: it has no digest
  if (!bytes || sha256Of(bytes) !== digest) throw new SegmentDigestError(key)
  return bytes
}

/** The segment in its object. Throws SegmentDigestError. */
export const segmentIn = async (reference: SegmentReference, object: Uint8Array): Promise<Segment> =>
  segmentFrom(await bytesIn(reference, object))

/** `is` and `minute` are there for people who look at the table. */
const itemOfEntry = (entry: LogEntry): Item => ({
  ...marketKeys.logEntry(entry.n),
  is: entry.is,
  v: FORMAT_VERSION,
  minute: entry.minute ?? undefined,
  entry: logEntryBytes.write(entry),
})

function entryFrom(item: Item): LogEntry {
  assertReadableItem(item)
  return logEntryBytes.read(item['entry'] as Uint8Array)
}

const itemOfApplied = ({ n, minute, last, isLowered }: Applied): Item => ({
  ...marketKeys.applied,
  pos: isLowered ? n - LOWERED : n,
  minute: minute ?? undefined,
  last: last ? JSON.stringify(last) : undefined,
})

function appliedFrom(item: Item): Applied {
  const pos = Number(item['pos'])
  const { minute, last } = item
  return {
    n: Math.ceil(pos),
    minute: minute === undefined ? null : Number(minute),
    last: last === undefined ? null : (JSON.parse(String(last)) as Block),
    isLowered: !Number.isInteger(pos),
  }
}

/** `segments/<day>/<minute>-<first 8 digits of the digest>.gz`: by day, for lifecycle rules and for people. */
function referenceOf(minute: Minute, digest: string): SegmentReference {
  const day = padded(dayOfMinute(minute), 5)
  const name = `${minuteText(minute)}-${digest.slice(0, 8)}.gz`
  return { minute, key: `${objectPrefixes.segments}${day}/${name}`, sha256: digest }
}

/** A committed segment is missing from the bucket. */
export class SegmentMissingError extends Error {
  override readonly name = 'SegmentMissingError'
  constructor(key: string) {
    super(`${key} is in the log and not in the bucket`)
  }
}

/** A segment's bytes are not those that were committed. */
export class SegmentDigestError extends Error {
  override readonly name = 'SegmentDigestError'
  constructor(key: string) {
    super(`${key} does not have the digest that the log names`)
  }
}
