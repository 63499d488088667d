import { marketFields } from '../../market/board/market-at.ts'
import type { TotalsLine } from '../../market/board/totals.ts'
import { dayOfMinute } from '../../market/calendar.ts'
import type { SegmentReference } from '../../market/log.ts'
import type { Address, Minute } from '../../market/segment.ts'
import { windows } from '../../market/window.ts'
import type { Bucket } from '../../store/aws/bucket.ts'
import { FORMAT_VERSION, minuteText, objectPrefixes, padded, sha256Of } from '../../store/aws/tables.ts'
import { addressOfLine, referencesShape } from '../../store/bytes/codec.ts'
import { unzip, zip } from '../../store/bytes/format.ts'
import { totalsShape } from '../../store/bytes/segment-bytes.ts'
import { integer, listOf, nullable, plain, recordOf, tupleOf } from '../../store/bytes/shape.ts'
import { type ActiveMarket, type ActiveOwner, emptyMarket, growColumns, sumFields } from './active-market.ts'
import { type Engine, emptyEngine, minuteOfEngine, type WindowStart } from './engine.ts'
import { hourClosesFrom, hourClosesJson } from './hour-closes.ts'
import { indexFrom, indexJson } from './index-record.ts'
import { WindowedRecords } from './windowed.ts'

/** Lines of text compressed together in one piece. */
const PIECE = 10_000
/** Fast compression, since a checkpoint is saved every few minutes and rarely read. */
const LEVEL = 1

const segmentsShape = listOf(tupleOf<SegmentReference>({ minute: plain(), key: plain(), sha256: plain() }))

const startsShape = listOf(
  recordOf<WindowStart>({ minute: nullable(plain()), references: referencesShape, totals: totalsShape }),
)

const lineShape = listOf(
  tupleOf<TotalsLine[number]>({
    minute: plain(),
    volume: integer,
    buyVolume: integer,
    creatorVolume: integer,
    trades: plain(),
    buys: plain(),
  }),
)

/**
 * A checkpoint's bytes: the version, then compressed pieces, each preceded by its length (4 bytes, little-endian): the
 * header, the arrays of numbers as in memory, then lines of text with the tokens and their hour prices by number, and the
 * owners.
 */
async function checkpointBytes(engine: Engine): Promise<Uint8Array> {
  const { market } = engine
  const parts: Uint8Array[] = [Buffer.of(FORMAT_VERSION)]
  const add = async (piece: Uint8Array) => {
    const bytes = await zip(piece, LEVEL)
    const length = Buffer.alloc(4)
    length.writeUInt32LE(bytes.length)
    parts.push(length, bytes)
  }
  await add(Buffer.from(JSON.stringify(headerOf(engine))))
  for (const array of arraysOf(market)) await add(array)
  const hourPrices = market.descriptions.map((_, number) => market.hourPrices[number] ?? '')
  for (const lines of [market.descriptions, hourPrices, [...market.owners].map(ownerLine)]) {
    for (let from = 0; from < lines.length; from += PIECE) {
      await add(Buffer.from(lines.slice(from, from + PIECE).join('\n')))
    }
  }
  return Buffer.concat(parts)
}

/** The header of a checkpoint. */
type Header = ReturnType<typeof headerOf>

function headerOf(engine: Engine) {
  const { n, last, corrections, target, segments, starts, totals, index, closes, market } = engine
  return {
    n,
    last,
    corrections,
    target,
    segments: segmentsShape.write(segments),
    starts: startsShape.write(starts),
    totals: lineShape.write(totals),
    index: indexJson(index),
    closes: hourClosesJson(closes),
    others: [...market.others.keys()],
    states: market.states.saved().header,
    sums: market.sums.saved().header,
    redescribed: [...market.redescribed],
    young: market.young,
    reowned: [...market.reowned],
  }
}

/** The memory of a market's arrays in saving order; a market of the same size is restored through it. */
const arraysOf = ({ states, sums, columns }: ActiveMarket): readonly Uint8Array[] => [
  ...states.saved().pieces,
  ...sums.saved().pieces,
  ...Object.values(columns).map(
    ({ buffer, BYTES_PER_ELEMENT }) => new Uint8Array(buffer, 0, states.count * BYTES_PER_ELEMENT),
  ),
]

const ownerLine = ([address, { lastRow, oldestCreatorToken, sums }]: readonly [
  Address,
  ActiveOwner,
]): string =>
  JSON.stringify([address, lastRow, oldestCreatorToken, sums.map(({ quote, number }) => [quote, number])])

/** Restores the engine that `checkpointBytes` saved. */
async function engineFrom(bytes: Uint8Array): Promise<Engine> {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let from = 1
  const next = async (): Promise<Buffer> => {
    const start = from + 4
    from = start + view.readUInt32LE(from)
    const piece = await unzip(view.subarray(start, from))
    return Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
  }
  const header = JSON.parse((await next()).toString()) as Header
  const engine = engineOf(header)
  const { market } = engine
  for (const array of arraysOf(market)) array.set(await next())
  while (market.descriptions.length < market.states.count) {
    for (const line of linesOf(await next())) market.descriptions.push(line)
  }
  for (const [number, line] of market.descriptions.entries()) {
    if (line !== '') market.byAddress.set(addressOfLine(line), number)
  }
  while (market.hourPrices.length < market.states.count) {
    for (const line of linesOf(await next())) market.hourPrices.push(line)
  }
  while (from < view.length) for (const line of linesOf(await next())) readOwner(market, line)
  return engine
}

/** Lines as separate strings: a slice would keep the whole text in memory. */
function* linesOf(piece: Buffer): Generator<string> {
  for (let from = 0; from <= piece.length; ) {
    const end = piece.indexOf(10, from)
    const to = end < 0 ? piece.length : end
    yield piece.toString('utf8', from, to)
    from = to + 1
  }
}

function readOwner({ owners }: ActiveMarket, line: string): void {
  const [address, lastRow, oldestCreatorToken, sums] = JSON.parse(line) as OwnerLine
  owners.set(address, {
    lastRow,
    oldestCreatorToken,
    sums: sums.map(([quote, number]) => ({ quote, number })),
  })
}
type OwnerLine = [Address, Minute, Address | null, [Address | null, number][]]

function engineOf(header: Header): Engine {
  const { n, last, corrections, target, segments, starts, totals, index, closes } = header
  const market: ActiveMarket = {
    ...emptyMarket(),
    states: new WindowedRecords(marketFields, header.states),
    sums: new WindowedRecords(sumFields, header.sums),
    young: header.young,
    others: new Map(header.others.map((quote, index) => [quote, index])),
    redescribed: new Map(header.redescribed),
    reowned: new Map(header.reowned),
  }
  growColumns(market.columns, header.states.count)
  const engine: Engine = {
    ...emptyEngine(),
    n,
    last,
    corrections,
    target,
    market,
    starts: [...startsShape.read(starts)],
    segments: [...segmentsShape.read(segments)],
    totals: [...lineShape.read(totals)],
    index: indexFrom(index),
    closes: hourClosesFrom(closes),
  }
  engine.savedMinute = minuteOfEngine(engine)
  return engine
}

/** A checkpoint's name: its log position and its minute, or those that it is being loaded up to. */
export type CheckpointName = {
  readonly key: string
  readonly n: number
  readonly minute: Minute
  /** The log entry it is loaded up to; `n` if complete. */
  readonly loaded: number
  readonly sha8: string
}

const sha8Of = (bytes: Uint8Array): string => sha256Of(bytes).slice(0, 8)

/** What a checkpoint has besides those fields; raised when that changes. */
const PARTS = 2
/** Checkpoints with other fields, windows or parts have other names and are ignored. */
export const LAYOUT = sha8Of(
  Buffer.from(JSON.stringify([FORMAT_VERSION, marketFields, sumFields, windows, PARTS])),
)
/** Those of the first minute of a day are kept forever, the others for some days. */
const prefixes = {
  daily: `${objectPrefixes.dailyCheckpoints}${LAYOUT}/`,
  recent: `${objectPrefixes.recentCheckpoints}${LAYOUT}/`,
}

/** Saves the engine. Idempotent per position. Null before the first minute. */
export async function saveCheckpoint(engine: Engine, bucket: Bucket): Promise<CheckpointName | null> {
  const reached = minuteOfEngine(engine)
  if (reached === null) return null
  const bytes = await checkpointBytes(engine)
  const sha8 = sha8Of(bytes)
  const { n: loaded, savedMinute } = engine
  const { n, minute } = engine.target ?? { n: loaded, minute: reached }
  const isDaily =
    engine.target === null && (savedMinute === null || dayOfMinute(savedMinute) !== dayOfMinute(minute))
  const name = [padded(n, 12), minuteText(minute), padded(loaded, 12), sha8].join('-')
  const key = `${isDaily ? prefixes.daily : prefixes.recent}${name}`
  await bucket.put(key, bytes, { contentType: 'application/octet-stream' })
  engine.savedMinute = reached
  return { key, n, minute, loaded, sha8 }
}

/** All stored checkpoints, latest log position first. */
export async function listCheckpoints(bucket: Bucket): Promise<readonly CheckpointName[]> {
  const names: CheckpointName[] = []
  for (const prefix of Object.values(prefixes)) {
    for await (const { key } of bucket.list(prefix)) {
      const [, n, minute, loaded, sha8] = /(\d{12})-(\d{8})-(\d{12})-([0-9a-f]{8})$/.exec(key) ?? []
      if (sha8 === undefined) continue
      names.push({ key, n: Number(n), minute: Number(minute), loaded: Number(loaded), sha8 })
    }
  }
  return names.sort((a, b) => b.n - a.n || b.loaded - a.loaded)
}

/** Reads a checkpoint's engine; undefined if it is gone or damaged. */
export async function readCheckpoint(
  { key, sha8 }: Pick<CheckpointName, 'key' | 'sha8'>,
  bucket: Bucket,
): Promise<Engine | undefined> {
  const object = await bucket.read(key)
  return object && sha8Of(object.bytes) === sha8 ? engineFrom(object.bytes) : undefined
}
