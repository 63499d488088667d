import { createHash } from 'node:crypto'
import type { RunningTotals } from '../market/running-totals.ts'
import {
  type Address,
  type Block,
  type Minute,
  type SegmentReference,
  type StateField,
  stateFields,
} from '../market/segment.ts'
import { windows } from '../market/window.ts'
import type { Bucket } from '../store/bucket.ts'
import { ownerFrom, ownerText, referencesShape, tokenFrom, tokenText } from '../store/codec.ts'
import { unzip, zip } from '../store/gzip.ts'
import { totalsShape } from '../store/segment-bytes.ts'
import { integer, type Json, listOf, plain, tupleOf } from '../store/shape.ts'
import { objectPrefixes } from '../store/tables.ts'
import { type ActiveMarket, type ActiveOwner, type ActiveToken, admit } from './active-market.ts'
import { type Engine, emptyEngine, forgetPassed, minuteOf, type TotalsRing, trimTotals } from './engine.ts'
import { indexFrom, indexJson } from './index-record.ts'
import { trimPoints } from './index-state.ts'
import { RECORD_BYTES } from './state-records.ts'
import { distinctIn, fromDistinct } from './windowed.ts'

/** First byte of a checkpoint. One of another version is passed over: it only saves time. */
export const CHECKPOINT_VERSION = 1

/** Tokens and owners in a piece: so many are put together and compressed at a time. */
const PIECE = 10_000
/** A checkpoint is saved every few minutes and read once in a while: what counts is how fast. */
const LEVEL = 1

const ringShape = listOf(
  tupleOf<TotalsRing[number]>({
    minute: plain(),
    volume: integer,
    buyVolume: integer,
    creatorVolume: integer,
    trades: plain(),
    buys: plain(),
  }),
)

/** What a checkpoint says besides tokens and owners. */
type Header = {
  readonly n: number
  readonly last: Block | null
  readonly corrections: number
  readonly target: Engine['target']
  readonly segments: readonly (readonly [Minute, string, string])[]
  readonly starts: readonly {
    readonly minute: Minute | null
    readonly references: Json
    readonly totals: Json
  }[]
  readonly totals: Json
  readonly index: Json
  /** Pieces of tokens; pieces of owners follow them. */
  readonly tokenPieces: number
}

/** A checkpoint's bytes: the version, then pieces, each after its length (4 bytes, little-endian) and compressed: the header, the tokens, the owners. */
export async function checkpointBytes(engine: Engine): Promise<Uint8Array> {
  const { market } = engine
  const parts: Uint8Array[] = [Buffer.of(CHECKPOINT_VERSION)]
  const add = async (piece: Uint8Array) => {
    const bytes = await zip(piece, LEVEL)
    const length = Buffer.alloc(4)
    length.writeUInt32LE(bytes.length)
    parts.push(length, bytes)
  }
  await add(Buffer.from(JSON.stringify(headerOf(engine))))
  for (let from = 0; from < market.tokens.length; from += PIECE) {
    await add(tokensPiece(market, market.tokens.slice(from, from + PIECE)))
  }
  const lines: string[] = []
  for (const [address, owner] of market.owners) {
    lines.push(ownerLine(address, owner))
    if (lines.length === PIECE) await add(Buffer.from(lines.splice(0).join('')))
  }
  await add(Buffer.from(lines.join('')))
  return Buffer.concat(parts)
}

function headerOf(engine: Engine): Header {
  const minute = minuteOf(engine) ?? 0
  forgetPassed(engine)
  trimTotals(engine.totals, minute)
  trimPoints(engine.index, minute)
  const { n, last, corrections, target, segments, starts, totals, index, market } = engine
  return {
    ...{ n, last, corrections, target },
    segments: segments.map(({ minute, key, sha256 }) => [minute, key, sha256] as const),
    starts: starts.map((start) => ({
      minute: start.minute,
      references: referencesShape.write(start.references),
      totals: totalsShape.write(start.totals),
    })),
    totals: ringShape.write(totals),
    index: indexJson(index),
    tokenPieces: Math.ceil(market.tokens.length / PIECE),
  }
}

/** Lines of tokens after their length (4 bytes), then the records that the lines count. */
function tokensPiece({ records, slots }: ActiveMarket, tokens: readonly ActiveToken[]): Uint8Array {
  const lines: string[] = []
  const states: number[] = []
  for (const { number, token, descriptions, lastRow } of tokens) {
    const { distinct, places } = distinctIn(slots.of(number))
    const large = distinct.map((slot) => records.largeAt(slot))
    const hasLarge = large.some((amounts) => amounts.length > 0)
    const described = descriptions ? distinctIn(descriptions) : { distinct: [token], places: '' }
    const texts = described.distinct.map(tokenText)
    lines.push([lastRow, places, hasLarge ? largeText(large) : '', described.places, ...texts].join('\t'))
    states.push(...distinct)
  }
  const text = Buffer.from(lines.join('\n'))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(text.length)
  return Buffer.concat([length, text, records.bytesOf(states)])
}

type Large = readonly (readonly [StateField, bigint])[]
const largeText = (large: readonly Large[]): string =>
  JSON.stringify(large.map((amounts) => amounts.map(([field, value]) => [field, String(value)])))
const largeFrom = (text: string): readonly Large[] =>
  text === ''
    ? []
    : (JSON.parse(text) as [StateField, string][][]).map((amounts) =>
        amounts.map(([field, value]) => [field, BigInt(value)] as const),
      )

function ownerLine(address: Address, { sums, lastRow }: ActiveOwner): string {
  const { distinct, places } = distinctIn(sums)
  return `${[address, lastRow, places, ...distinct.map(ownerText)].join('\t')}\n`
}

/** The engine that `checkpointBytes` saved; undefined: it is of another version. */
export async function engineFrom(bytes: Uint8Array): Promise<Engine | undefined> {
  if (bytes[0] !== CHECKPOINT_VERSION) return undefined
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
  const shared = sharing()
  for (let piece = 0; piece < header.tokenPieces; piece++) readTokens(engine.market, await next(), shared)
  while (from < view.length) readOwners(engine.market, (await next()).toString())
  return engine
}

function engineOf({ n, last, corrections, target, segments, starts, totals, index }: Header): Engine {
  const engine: Engine = {
    ...emptyEngine(),
    ...{ n, last, corrections, target },
    starts: starts.map((start) => ({
      minute: start.minute,
      references: referencesShape.read(start.references),
      totals: totalsShape.read(start.totals) as RunningTotals,
    })),
    segments: segments.map(([minute, key, sha256]): SegmentReference => ({ minute, key, sha256 })),
    totals: [...ringShape.read(totals)],
    index: indexFrom(index),
  }
  engine.savedMinute = minuteOf(engine)
  return engine
}

function readTokens(market: ActiveMarket, piece: Buffer, shared: (text: Address) => Address): void {
  const length = piece.readUInt32LE(0)
  let at = 4 + length
  for (const line of piece.toString('utf8', 4, at).split('\n')) {
    const [lastRow, places = '', large = '', describedAt = '', ...texts] = line.split('\t')
    const amounts = largeFrom(large)
    const count = 1 + Math.max(...[...places].map(Number))
    const slots = Array.from({ length: count }, (_, nth) => {
      at += RECORD_BYTES
      return market.records.addBytes(piece.subarray(at - RECORD_BYTES, at), amounts[nth] ?? [])
    })
    const descriptions = texts.map(tokenFrom).map((token) => ({
      ...token,
      creator: shared(token.creator),
      quote: shared(token.quote),
      hook: shared(token.hook),
    }))
    const [token] = descriptions
    if (!token) continue
    const described = describedAt === '' ? undefined : fromDistinct(descriptions, describedAt)
    admit(market, { token, descriptions: described, lastRow: Number(lastRow) }, fromDistinct(slots, places))
  }
}

/** One text for all who name the same address: a text of its own takes 56 bytes, and time at each collection of garbage. */
function sharing(): (address: Address) => Address {
  const known = new Map<Address, Address>()
  return (address) => {
    const first = known.get(address)
    if (first === undefined) known.set(address, address)
    return first ?? address
  }
}

function readOwners({ owners }: ActiveMarket, text: string): void {
  for (const line of text.split('\n')) {
    const [address, lastRow, places = '', ...texts] = line.split('\t')
    if (!address) continue
    owners.set(address as Address, {
      sums: fromDistinct(texts.map(ownerFrom), places),
      lastRow: Number(lastRow),
    })
  }
}

/** What a checkpoint's name says: the place in the log and the minute that it stands at, or that it is being loaded for. */
export type CheckpointName = {
  readonly key: string
  readonly n: number
  readonly minute: Minute
  /** How far it is loaded: an entry of the log; `n` when it is whole. */
  readonly loaded: number
  readonly sha8: string
}

const sha8Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').slice(0, 8)

/** Checkpoints of other fields or windows stand under other names and are never read. */
const LAYOUT = sha8Of(Buffer.from(JSON.stringify([CHECKPOINT_VERSION, stateFields, windows])))
/** Those of the first minute of a day are kept for ever, the others for a while. */
const prefixes = {
  daily: `${objectPrefixes.checkpoints}daily/${LAYOUT}/`,
  recent: `${objectPrefixes.recentCheckpoints}${LAYOUT}/`,
}

const padded = (value: number, digits: number): string => String(value).padStart(digits, '0')
const dayOf = (minute: Minute): number => Math.floor(minute / 1_440)

/** Saves the engine; again at the same place is harmless. Null before the first minute. */
export async function saveCheckpoint(engine: Engine, bucket: Bucket): Promise<CheckpointName | null> {
  const reached = minuteOf(engine)
  if (reached === null) return null
  const bytes = await checkpointBytes(engine)
  const sha8 = sha8Of(bytes)
  const { n: loaded, savedMinute } = engine
  const { n, minute } = engine.target ?? { n: loaded, minute: reached }
  const isDaily = engine.target === null && (savedMinute === null || dayOf(savedMinute) !== dayOf(minute))
  const name = [padded(n, 12), padded(minute, 8), padded(loaded, 12), sha8].join('-')
  const key = `${isDaily ? prefixes.daily : prefixes.recent}${name}`
  await bucket.put(key, bytes, { contentType: 'application/octet-stream' })
  engine.savedMinute = reached
  return { key, n, minute, loaded, sha8 }
}

/** Every stored checkpoint, the furthest in the log first. */
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

/** The engine that a checkpoint holds; undefined when it has gone or its bytes are not those that were saved. */
export async function readCheckpoint(
  { key, sha8 }: Pick<CheckpointName, 'key' | 'sha8'>,
  bucket: Bucket,
): Promise<Engine | undefined> {
  const object = await bucket.read(key)
  return object && sha8Of(object.bytes) === sha8 ? engineFrom(object.bytes) : undefined
}
