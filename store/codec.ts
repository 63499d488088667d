import { deflateRawSync, inflateRawSync } from 'node:zlib'
import {
  type Address,
  type BalanceChange,
  type Block,
  type Candle,
  type FeedEntry,
  type Hash,
  type Launch,
  type LiquidityRange,
  type LogEntry,
  type Minute,
  type MinuteRow,
  type Position,
  type ReferenceRate,
  type References,
  type Segment,
  type StateField,
  type Swap,
  stateFields,
  type Token,
  type TokenChange,
  type TokenState,
} from '../market/segment.ts'
import {
  type Fields,
  integer,
  type Json,
  listOf,
  mapOf,
  nullable,
  plain,
  recordOf,
  tupleOf,
} from './shape.ts'

const text = plain<string>()
const count = plain<number>()
const flag = plain<boolean>()
const address = plain<Address>()
const hash = plain<Hash>()

const blockShape = recordOf<Block>({ number: count, hash, timestamp: count })

const positionFields: Fields<Position> = { blockNumber: count, logIndex: count, transactionHash: hash }

const tokenShape = recordOf<Token>({
  address,
  kind: plain<Token['kind']>(),
  creator: address,
  name: text,
  symbol: text,
  quote: address,
  poolId: hash,
  hook: address,
  isCurrency0: flag,
  launchedAt: recordOf<Token['launchedAt']>({ ...positionFields, timestamp: count }),
  launch: recordOf<Launch>({ priceUsdE36: nullable(integer), supply: integer }),
})

const stateNames = Object.keys(stateFields) as StateField[]

const stateShape = tupleOf<TokenState>(
  Object.fromEntries(
    stateNames.map((name) => [name, stateFields[name] === 'u32' ? count : integer]),
  ) as Fields<TokenState>,
)

const rangesShape = listOf(
  tupleOf<LiquidityRange>({ tickLower: count, tickUpper: count, liquidity: integer }),
)

const candleShape = tupleOf<Candle>({ open: integer, high: integer, low: integer, close: integer })

const swapFields: Fields<Swap> = {
  ...positionFields,
  blockHash: hash,
  timestamp: count,
  token: address,
  poolId: hash,
  quote: address,
  isBuy: flag,
  amountToken: integer,
  amountQuote: integer,
  trader: address,
  from: nullable(address),
  to: nullable(address),
  volumeMicroUsd: integer,
  paidUsdE36: integer,
}

const referencesShape = mapOf<Address, ReferenceRate>(
  recordOf<ReferenceRate>({ observedUsdE36: integer, heldUsdE36: integer, outside: count, decimals: count }),
)

const segmentShape = recordOf<Segment>({
  minute: count,
  firstBlock: count,
  last: blockShape,
  tokens: listOf(recordOf<TokenChange>({ before: nullable(tokenShape), after: tokenShape })),
  rows: listOf(
    recordOf<MinuteRow>({
      token: address,
      before: stateShape,
      after: stateShape,
      rangesBefore: rangesShape,
      ranges: rangesShape,
      candle: nullable(candleShape),
    }),
  ),
  swaps: listOf(recordOf<Swap>(swapFields)),
  balances: listOf(
    tupleOf<BalanceChange>({ token: address, holder: address, before: integer, after: integer }),
  ),
  references: referencesShape,
  hooks: listOf(address),
  facts: count,
})

/** In items, each of whose bytes is paid for: without the names of the fields a swap takes a third less. */
const swapsShape = listOf(tupleOf<Swap>(swapFields))

/** The bytes of a segment: JSON in UTF-8 with a fixed order of keys, so that equal segments have equal bytes and one digest. */
export const segmentBytes = (segment: Segment): Uint8Array =>
  Buffer.from(JSON.stringify(segmentShape.write(segment)))

/** The segment that `segmentBytes` wrote. */
export const segmentFrom = (bytes: Uint8Array): Segment =>
  segmentShape.read(JSON.parse(Buffer.from(bytes).toString()) as Json)

/** A token's numbers as a segment has them, amounts in decimal text: few of them are ever needed as numbers. */
export type StateText = { readonly [N in StateField]: string | number }

/** How a minute left what it touched: of a segment all that the snapshot engine takes in. */
export type SegmentCloses = {
  readonly minute: Minute
  readonly tokens: readonly { readonly after: Token }[]
  readonly rows: readonly { readonly token: Address; readonly after: StateText }[]
  readonly references: References
}

const stateTextShape = tupleOf<StateText>(
  Object.fromEntries(stateNames.map((name) => [name, plain<string | number>()])) as Fields<StateText>,
)

const closesShape = recordOf<SegmentCloses>({
  minute: count,
  tokens: listOf(recordOf<SegmentCloses['tokens'][number]>({ after: tokenShape })),
  rows: listOf(recordOf<SegmentCloses['rows'][number]>({ token: address, after: stateTextShape })),
  references: referencesShape,
})

// What closes need not is most of a segment, so it is cut before anything is parsed: swaps, balances, and of a row all but
// its token and how the minute left it. A quote within a text has a backslash before it, so no text contains a key.
const keys = { rows: ',"rows":[', swaps: ',"swaps":[', references: ',"references":[' } as const
const rowKeys = { token: '{"token":', after: ',"after":[' } as const

/** The closes of a segment that `segmentBytes` wrote: a tenth of the work of reading it whole. */
export function closesFrom(bytes: Uint8Array): SegmentCloses {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const swapsAt = buffer.indexOf(keys.swaps)
  const rowsAt = buffer.indexOf(keys.rows)
  const rows = cutRows(buffer.toString('latin1', rowsAt, swapsAt)) // addresses and numbers: no letter takes two bytes
  const rest = buffer.toString('utf8', buffer.lastIndexOf(keys.references))
  const text = `${buffer.toString('utf8', 0, rowsAt)}${keys.rows}${rows.join(',')}]${rest}`
  return closesShape.read(JSON.parse(text) as Json)
}

/** The rows' tokens and how the minute left them, each as JSON text. */
function cutRows(rows: string): readonly string[] {
  const cut: string[] = []
  for (let at = rows.indexOf(rowKeys.token); at >= 0; at = rows.indexOf(rowKeys.token, at + 1)) {
    const after = rows.indexOf(rowKeys.after, at)
    const token = rows.slice(at, rows.indexOf(',', at))
    cut.push(`${token}${rows.slice(after, rows.indexOf(']', after) + 1)}}`)
  }
  return cut
}

/** A token's description, as text. */
export const tokenText = (token: Token): string => JSON.stringify(tokenShape.write(token))

/** The token that `tokenText` wrote. */
export const tokenFrom = (written: string): Token => tokenShape.read(JSON.parse(written) as Json)

/** Swaps as text: equal swaps give equal text. */
export const swapsText = (swaps: readonly Swap[]): string => JSON.stringify(swapsShape.write(swaps))

/** Swaps, deflated. */
export const swapsBytes = (swaps: readonly Swap[]): Uint8Array => deflated(swapsShape.write(swaps))

/** The swaps that `swapsBytes` wrote. */
export const swapsFrom = (bytes: Uint8Array): readonly Swap[] => swapsShape.read(inflated(bytes))

/** An entry of the log of minutes, deflated. */
export const logEntryBytes = (entry: LogEntry): Uint8Array => deflated(entry)

/** The entry that `logEntryBytes` wrote. */
export const logEntryFrom = (bytes: Uint8Array): LogEntry => inflated(bytes) as LogEntry

/** An entry of the live feed, deflated. */
export const feedEntryBytes = (entry: FeedEntry): Uint8Array =>
  deflated(entry.is === 'block' ? { ...entry, swaps: swapsShape.write(entry.swaps) } : entry)

/** The entry that `feedEntryBytes` wrote. */
export function feedEntryFrom(bytes: Uint8Array): FeedEntry {
  const entry = inflated(bytes) as FeedEntry & { readonly swaps: Json }
  return entry.is === 'block' ? { ...entry, swaps: swapsShape.read(entry.swaps) } : entry
}

/** A token's state in as few bytes as its numbers need. */
export const stateBytes = (state: TokenState): Uint8Array =>
  packed(stateNames.map((name) => BigInt(state[name])))

/** The state that `stateBytes` wrote. Throws UnreadableBytesError when it was written by another table of fields. */
export function stateFrom(bytes: Uint8Array): TokenState {
  const values = unpacked(bytes, stateNames.length)
  const entries = stateNames.map((name, at) => {
    const value = values[at] ?? 0n
    return [name, stateFields[name] === 'u32' ? Number(value) : value]
  })
  return Object.fromEntries(entries) as TokenState
}

/** A pool's ranges in as few bytes as their numbers need. */
export const rangesBytes = (ranges: readonly LiquidityRange[]): Uint8Array =>
  packed(
    ranges.flatMap(({ tickLower, tickUpper, liquidity }) => [
      BigInt(tickLower),
      BigInt(tickUpper),
      liquidity,
    ]),
  )

/** The ranges that `rangesBytes` wrote. */
export function rangesFrom(bytes: Uint8Array): readonly LiquidityRange[] {
  const values = unpacked(bytes)
  return Array.from({ length: values.length / 3 }, (_, at) => {
    const [tickLower = 0n, tickUpper = 0n, liquidity = 0n] = values.slice(3 * at, 3 * at + 3)
    return { tickLower: Number(tickLower), tickUpper: Number(tickUpper), liquidity }
  })
}

/** A minute's candle in as few bytes as its numbers need. */
export const candleBytes = ({ open, high, low, close }: Candle): Uint8Array =>
  packed([open, high, low, close])

/** The candle that `candleBytes` wrote. */
export function candleFrom(bytes: Uint8Array): Candle {
  const [open = 0n, high = 0n, low = 0n, close = 0n] = unpacked(bytes, 4)
  return { open, high, low, close }
}

const deflated = (json: Json | LogEntry | object): Uint8Array => deflateRawSync(JSON.stringify(json))
const inflated = (bytes: Uint8Array): Json => JSON.parse(inflateRawSync(bytes).toString()) as Json

/**
 * Integers of any size and sign (each below 2^2039): a byte that says how many follow, then the magnitude, highest byte
 * first, with the sign folded into the lowest bit.
 */
function packed(values: readonly bigint[]): Uint8Array {
  return Buffer.concat(
    values.map((value) => {
      const unsigned = value < 0n ? -2n * value - 1n : 2n * value
      const hex = unsigned === 0n ? '' : unsigned.toString(16)
      const magnitude = Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex')
      return Buffer.concat([Buffer.of(magnitude.length), magnitude])
    }),
  )
}

function unpacked(bytes: Uint8Array, expected?: number): bigint[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const values: bigint[] = []
  for (let at = 0; at < buffer.length; ) {
    const end = at + 1 + (buffer[at] ?? 0)
    const unsigned = BigInt(`0x0${buffer.toString('hex', at + 1, end)}`)
    values.push(unsigned % 2n ? -(unsigned + 1n) / 2n : unsigned / 2n)
    at = end
  }
  if (expected !== undefined && values.length !== expected) {
    throw new UnreadableBytesError(values.length, expected)
  }
  return values
}

/** Bytes that hold another number of values than this version writes: they must be made again from the log. */
export class UnreadableBytesError extends Error {
  override readonly name = 'UnreadableBytesError'
  constructor(found: number, expected: number) {
    super(`found ${found} values where ${expected} are written`)
  }
}
