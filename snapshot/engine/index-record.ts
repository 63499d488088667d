import type { IndexBar } from '../../market/index/index-history.ts'
import type { HourlyClose, Member } from '../../market/index/index-members.ts'
import type { Z100Index } from '../../market/index/z100-index.ts'
import { type Address, emptyState, type MicroUsd, type Minute, type TokenKind } from '../../market/segment.ts'
import type { Bucket } from '../../store/aws/bucket.ts'
import { FORMAT_VERSION, minuteText, objectPrefixes, padded, sha256Of } from '../../store/aws/tables.ts'
import { stateShape, tokenLine, tokenShape } from '../../store/bytes/codec.ts'
import { unzip, zip } from '../../store/bytes/format.ts'
import {
  integer,
  type Json,
  listOf,
  mapOf,
  nullable,
  plain,
  recordOf,
  tupleOf,
} from '../../store/bytes/shape.ts'
import { type Engine, minuteOfEngine } from './engine.ts'
import {
  byInterval,
  emptyIndexState,
  type IndexPast,
  type IndexRecord,
  type IndexState,
  type PointAt,
} from './index-state.ts'

const minuteShape = nullable(plain<Minute>())

const indexShape = recordOf<Z100Index>({
  minute: minuteShape,
  baseMinute: minuteShape,
  members: mapOf<Address, Member>(recordOf<Member>({ kind: plain<TokenKind>(), quantity: integer })),
  since: mapOf<Address, Minute>(plain<Minute>()),
  divisor: integer,
  valueE8: integer,
})

const pointsShape = listOf(tupleOf<PointAt>({ minute: plain(), valueE8: integer }))

const closesShape = listOf(recordOf<HourlyClose>({ hour: plain(), caps: mapOf<Address, MicroUsd>(integer) }))

const barShape = nullable(
  recordOf<IndexBar>({
    at: plain(),
    open: integer,
    high: integer,
    low: integer,
    close: integer,
    creatorVolume: integer,
    postVolume: integer,
    trades: plain(),
    active: mapOf<Address, TokenKind>(plain<TokenKind>()),
  }),
)

const pastShape = recordOf<IndexPast>({
  index: indexShape,
  bars: recordOf<IndexState['bars']>(byInterval(() => barShape)),
})

const savedShape = recordOf({
  past: pastShape,
  points: pointsShape,
  closes: closesShape,
  needed: listOf(plain<Address>()),
  recordedMinute: minuteShape,
})

/** The complete state of the index, for a checkpoint. */
export const indexJson = (state: IndexState): Json =>
  savedShape.write({ ...state, past: state, needed: [...state.needed].sort() })

/**
 * Reads the state that `indexJson` wrote. Its bars are put into the table again, which may contain bars of minutes
 * rolled back since.
 */
export function indexFrom(json: Json): IndexState {
  const { past, points, closes, needed, recordedMinute } = savedShape.read(json)
  return {
    ...emptyIndexState(),
    ...past,
    points: [...points],
    closes,
    needed: new Set(needed),
    unwritten: byInterval((interval) => [past.bars[interval] ?? []].flat()),
    recordedMinute,
  }
}

/** The parts of an index record's name. */
export type RecordName = { readonly key: string; readonly n: number; readonly minute: Minute }

const recordShape = recordOf<IndexRecord>({
  n: plain(),
  minute: plain(),
  corrections: plain(),
  past: pastShape,
  points: pointsShape,
  tokens: listOf(recordOf<IndexRecord['tokens'][number]>({ token: tokenShape, state: stateShape })),
})

/** The record of an engine's newest minute; `after` is the minute of the previous record. */
export function recordOfEngine(engine: Engine, after: Minute | null): IndexRecord {
  const { n, corrections, index, market } = engine
  return {
    n,
    corrections,
    minute: minuteOfEngine(engine) ?? 0,
    past: { index: index.index, bars: { ...index.bars } },
    points: index.points.filter(({ minute }) => after === null || minute > after),
    tokens: [...index.needed].sort().flatMap((address: Address) => {
      const number = market.byAddress.get(address)
      if (number === undefined) return []
      const token = tokenLine.read(market.descriptions[number] as string)
      return [{ token, state: { ...emptyState, ...market.states.recordAt(number, 0) } }]
    }),
  }
}

/** Saves a record under its log position and the digest of its bytes. Idempotent. */
export async function saveRecord(record: IndexRecord, bucket: Bucket): Promise<void> {
  const { n, minute } = record
  const text = Buffer.from(JSON.stringify(recordShape.write(record)))
  const digest = sha256Of(text).slice(0, 8)
  const key = `${objectPrefixes.index}${padded(n, 12)}-${minuteText(minute)}-${digest}`
  const bytes = Buffer.concat([Buffer.of(FORMAT_VERSION), await zip(text)])
  await bucket.put(key, bytes, { contentType: 'application/octet-stream', ifNoneMatch: '*' })
}

/** How many log entries back to look for a record: two weeks of minutes, and every day has one. */
export const LOOKED_BACK = 20_000

/** Records of entries up to `to`, newest first; `back`: how many entries back. */
export async function listRecords(
  bucket: Bucket,
  to: number,
  back = LOOKED_BACK,
): Promise<readonly RecordName[]> {
  const from = `${objectPrefixes.index}${padded(Math.max(0, to - back), 12)}`
  const names: RecordName[] = []
  for await (const { key } of bucket.list(objectPrefixes.index, from)) {
    const [, n, minute] = /(\d{12})-(\d{8})-[0-9a-f]{8}$/.exec(key) ?? []
    if (minute !== undefined && Number(n) <= to) names.push({ key, n: Number(n), minute: Number(minute) })
  }
  return names.reverse()
}

/** Reads a record; undefined if it is gone, damaged, or of another version. */
export async function readRecord({ key }: RecordName, bucket: Bucket): Promise<IndexRecord | undefined> {
  const object = await bucket.read(key)
  if (object?.bytes[0] !== FORMAT_VERSION) return undefined
  const text = await unzip(object.bytes.subarray(1)).catch(() => undefined)
  if (!text || !key.endsWith(sha256Of(text).slice(0, 8))) return undefined
  return recordShape.read(JSON.parse(Buffer.from(text).toString()))
}
