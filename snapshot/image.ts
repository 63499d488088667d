import { createHash } from 'node:crypto'
import { type Block, type Minute, type SegmentReference, stateFields } from '../market/segment.ts'
import { byEdge, type EdgeName, edgeNames, edges } from '../market/window.ts'
import type { Bucket } from '../store/bucket.ts'
import { tokenFrom, tokenText } from '../store/codec.ts'
import { unzip, zip } from '../store/gzip.ts'
import type { Json } from '../store/shape.ts'
import { objectPrefixes } from '../store/tables.ts'
import { columnBytes, columnBytesLength, columnsFrom } from './columns.ts'
import { emptyDoubles } from './double-columns.ts'
import { type EdgeState, type Engine, emptyEngine, restoreDoubles } from './engine.ts'
import { indexFrom, indexJson, referencesShape } from './index-image.ts'
import { trimPoints } from './index-state.ts'
import { lagBytes, lagFrom } from './lag.ts'
import { forgetPassed } from './passing.ts'
import { tokenLines, tokensFrom } from './token-lines.ts'
import { type RingTuple, ringFrom, ringTuples, trim } from './totals-ring.ts'

/** What an image's name says: the engine's place in the log, and the first digits of the sha256 of its bytes. */
export type ImageName = {
  readonly key: string
  readonly n: number
  readonly minute: Minute
  readonly sha8: string
}

const sha8Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').slice(0, 8)

/** Images of another layout (other fields, other edges, other header) stand under another prefix and are never read. */
const LAYOUT = 7
const PREFIX = `${objectPrefixes.images}${LAYOUT}-${sha8Of(Buffer.from(JSON.stringify([stateFields, edges])))}/`

/** An image is saved every few minutes and read once in a while: what counts is how fast. */
const IMAGE_LEVEL = 1

/** Saves the engine; again at the same place is harmless. */
export async function saveImage(engine: Engine, bucket: Bucket): Promise<ImageName | null> {
  const { minute } = engine.edges.now
  if (minute === null) return null
  const bytes = imageBytes(engine)
  const sha8 = sha8Of(bytes)
  const { n } = engine
  const key = `${PREFIX}${String(n).padStart(10, '0')}-${String(minute).padStart(8, '0')}-${sha8}.gz`
  await bucket.put(key, await zip(bytes, IMAGE_LEVEL), { contentType: 'application/gzip' })
  engine.savedMinute = minute
  return { key, n, minute, sha8 }
}

/** Every stored image, newest place in the log first. */
export async function listImages(bucket: Bucket): Promise<readonly ImageName[]> {
  const names: ImageName[] = []
  for await (const { key } of bucket.list(PREFIX)) {
    const [, n, minute, sha8] = /(\d{10})-(\d{8})-([0-9a-f]{8})\.gz$/.exec(key) ?? []
    if (sha8 !== undefined) names.push({ key, n: Number(n), minute: Number(minute), sha8 })
  }
  return names.reverse()
}

/** The engine that an image holds; undefined when it has gone or its bytes are not those that were saved. */
export async function readImage({ key, sha8 }: ImageName, bucket: Bucket): Promise<Engine | undefined> {
  const object = await bucket.read(key)
  if (!object) return undefined
  const bytes = await unzip(object.bytes).catch(() => undefined)
  return bytes && sha8Of(bytes) === sha8 ? engineFrom(bytes) : undefined
}

/** What an image says besides its columns and the tokens of now. Tokens of an edge are given where they differ from these. */
type Header = {
  readonly n: number
  readonly last: Block | null
  readonly firstMinute: Minute | null
  readonly corrections: number
  readonly tokensBytes: number
  readonly segments: readonly (readonly [Minute, string, string])[]
  readonly totals: readonly RingTuple[]
  readonly index: Json
  readonly edges: Readonly<
    Record<
      EdgeName,
      {
        readonly minute: Minute | null
        readonly references: ReturnType<typeof referencesShape.write>
        readonly tokensCount: number
        readonly otherTokens: readonly (readonly [number, string])[]
        /** Rows: of all tokens at `now`, elsewhere of those that changed since. */
        readonly rowsCount: number
      }
    >
  >
}

/** An image's bytes: the length of the header (4 bytes, little-endian), the header, the tokens, the columns of now, the lag of each other edge in the order of the table. */
export function imageBytes(engine: Engine): Uint8Array {
  forgetPassed(engine)
  trim(engine.totals, engine.edges.now.minute ?? 0)
  trimPoints(engine.index, engine.edges.now.minute ?? 0)
  const tokens = tokenLines(engine.edges.now.tokens)
  const tokensBytes = tokens.reduce((sum, { length }) => sum + length, 0)
  const header = Buffer.from(JSON.stringify({ ...headerOf(engine), tokensBytes }))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(header.length)
  const rows = edgeNames.flatMap((name) => {
    const { lag } = engine.edges[name]
    return lag ? lagBytes(lag) : columnBytes(engine.columns)
  })
  return Buffer.concat([length, header, ...tokens, ...rows]) // the only copy: an image has a KB a token
}

function headerOf({
  n,
  last,
  firstMinute,
  corrections,
  segments,
  totals,
  index,
  columns,
  edges: states,
}: Engine): Omit<Header, 'tokensBytes'> {
  const { tokens } = states.now
  const edgeOf = (name: EdgeName) => {
    const { minute, references, tokens: then, lag } = states[name]
    const others = then.flatMap((token, number) =>
      token === tokens[number] ? [] : [[number, tokenText(token)] as const],
    )
    const otherTokens = others.filter(([number, text]) => text !== textOf(tokens[number]))
    return {
      minute,
      references: referencesShape.write(references),
      tokensCount: then.length,
      otherTokens,
      rowsCount: lag ? lag.places.size : columns.count,
    }
  }
  return {
    n,
    last,
    firstMinute,
    corrections,
    segments: segments.map(({ minute, key, sha256 }) => [minute, key, sha256] as const),
    totals: ringTuples(totals),
    index: indexJson(index),
    edges: byEdge(edgeOf),
  }
}

const textOf = (token: Parameters<typeof tokenText>[0] | undefined): string => (token ? tokenText(token) : '')

/** The engine that `imageBytes` saved. */
export function engineFrom(bytes: Uint8Array): Engine {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const length = view.readUInt32LE(0)
  const header = JSON.parse(view.toString('utf8', 4, 4 + length)) as Header
  let from = 4 + length + header.tokensBytes
  const tokens = tokensFrom(view.subarray(4 + length, from))
  const take = (length: number) => {
    from += length
    return view.subarray(from - length, from)
  }
  const columns = columnsFrom(
    edges.now.fields,
    header.edges.now.rowsCount,
    take(columnBytesLength(edges.now.fields, header.edges.now.rowsCount)),
  )
  const edgeFrom = (name: EdgeName): EdgeState => {
    const { minute, references, tokensCount, otherTokens, rowsCount: count } = header.edges[name]
    const { fields } = edges[name]
    const lagOf = () =>
      lagFrom(columns, fields, { count, bytes: take(8 * count + columnBytesLength(fields, count)) })
    const then = tokens.slice(0, tokensCount)
    for (const [number, text] of otherTokens) then[number] = tokenFrom(text)
    return {
      minute,
      tokens: then,
      references: referencesShape.read(references),
      lag: name === 'now' ? null : lagOf(),
      doubles: emptyDoubles(),
    }
  }
  const engine: Engine = {
    ...emptyEngine(),
    n: header.n,
    last: header.last,
    firstMinute: header.firstMinute,
    corrections: header.corrections,
    numbers: new Map(tokens.map(({ address }, number) => [address, number])),
    columns,
    edges: byEdge(edgeFrom),
    savedMinute: header.edges.now.minute,
    segments: header.segments.map(([minute, key, sha256]): SegmentReference => ({ minute, key, sha256 })),
    totals: ringFrom(header.totals),
    index: indexFrom(header.index),
  }
  restoreDoubles(engine)
  return engine
}
