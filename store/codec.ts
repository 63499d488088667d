import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { PricePoint, RatePoint } from '../market/board/price-points.ts'
import type { FeedEntry } from '../market/feed-entry.ts'
import type { LogEntry } from '../market/log.ts'
import {
  type Address,
  type Block,
  type Candle,
  type Hash,
  type Launch,
  type LiquidityRange,
  type Position,
  type PostOwner,
  type PostSums,
  type ReferenceRate,
  type Swap,
  stateFields,
  stateNames,
  type Token,
  type TokenState,
} from '../market/segment.ts'
import { byName } from '../market/window.ts'
import { StoreFault } from './fault.ts'
import {
  type Fields,
  integer,
  type Json,
  listOf,
  mapOf,
  nullable,
  plain,
  recordOf,
  type Shape,
  tupleOf,
} from './shape.ts'

const text = plain<string>()
const count = plain<number>()
const flag = plain<boolean>()
const address = plain<Address>()
const hash = plain<Hash>()

export const blockShape = recordOf<Block>({ number: count, hash, timestamp: count })

const positionFields: Fields<Position> = { blockNumber: count, logIndex: count, transactionHash: hash }

const tokenFields: Fields<Token> = {
  address,
  kind: plain<Token['kind']>(),
  creator: address,
  launchedBy: nullable(address),
  name: text,
  symbol: text,
  quote: address,
  poolId: hash,
  hook: address,
  isCurrency0: flag,
  launchedAt: recordOf<Token['launchedAt']>({ ...positionFields, timestamp: count }),
  launch: recordOf<Launch>({ priceUsdE36: nullable(integer), supply: integer }),
}
export const tokenShape = recordOf<Token>(tokenFields)

export const stateShape = tupleOf<TokenState>(
  Object.fromEntries(
    stateNames.map((name) => [name, stateFields[name] === 'u32' ? count : integer]),
  ) as Fields<TokenState>,
)

export const rangesShape = listOf(
  tupleOf<LiquidityRange>({ tickLower: count, tickUpper: count, liquidity: integer }),
)

/** An integer that segments of earlier rules lack. */
const addedInteger: Shape<bigint> = {
  write: integer.write,
  read: (json) => BigInt((json as string | null) ?? 0),
}

export const candleShape = tupleOf<Candle>({
  open: integer,
  high: integer,
  low: integer,
  close: integer,
  firstSqrt: addedInteger,
  highSqrt: addedInteger,
  lowSqrt: addedInteger,
})

export const swapShapes: Fields<Swap> = {
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
  timestampMs: nullable(count),
}

export const referencesShape = mapOf<Address, ReferenceRate>(
  recordOf<ReferenceRate>({ observedUsdE36: integer, heldUsdE36: integer, outside: count, decimals: count }),
)

const sumsShape = tupleOf<PostSums>({
  quote: nullable(address),
  counted: integer,
  plain: integer,
  count,
  lastSwapMinute: count,
})
export const ownerShape = recordOf<PostOwner>({
  oldestCreatorToken: nullable(address),
  posts: listOf(sumsShape),
})

/** For items, whose bytes cost money: without field names a swap is a third smaller. */
const swapsShape = listOf(tupleOf<Swap>(swapShapes))

/** How a value is written and read. */
type Form<V, Kept> = { readonly write: (value: V) => Kept; readonly read: (kept: Kept) => V }

/** As text; equal values give equal text. */
const textOf = <V>(shape: Shape<V>): Form<V, string> => ({
  write: (value) => JSON.stringify(shape.write(value)),
  read: (text) => shape.read(JSON.parse(text) as Json),
})

/** As a copy: zlib returns a slice of a 16 KB buffer, which a table in memory would retain. */
export const deflated = <V>(shape: Shape<V>): Form<V, Uint8Array> => ({
  write: (value) => new Uint8Array(deflateRawSync(JSON.stringify(shape.write(value)))),
  read: (bytes) => shape.read(JSON.parse(inflateRawSync(bytes).toString()) as Json),
})

const asItIs = <V>(): Shape<V> => ({ write: (value) => value as Json, read: (json) => json as V })

export const tokenText = textOf(tokenShape)

/** A token's description as one line without field names, the address first. */
export const tokenLine = textOf(tupleOf<Token>(tokenFields))

/** The address of the token in a line of `tokenLine`. */
export const addressOfLine = (line: string): Address => `0x${line.slice(4, 44)}`

export const ownerText = textOf(ownerShape)
export const swapsText = textOf(swapsShape)
export const swapsBytes = deflated(swapsShape)
export const logEntryBytes = deflated(asItIs<LogEntry>())
export const feedEntryBytes = deflated<FeedEntry>({
  write: (entry) =>
    (entry.is === 'block' ? { ...entry, swaps: swapsShape.write(entry.swaps) } : entry) as Json,
  read: (json) => {
    const entry = json as FeedEntry & { readonly swaps: Json }
    return entry.is === 'block' ? { ...entry, swaps: swapsShape.read(entry.swaps) } : entry
  },
})

const whole = (value: bigint): bigint => value

export const stateBytes = packed(
  byName(stateNames, (name) => (stateFields[name] === 'u32' ? Number : whole)) as Numbers<TokenState>,
)
export const rangesBytes = packedList<LiquidityRange>({
  tickLower: Number,
  tickUpper: Number,
  liquidity: whole,
})
export const sumsBytes = packed<Omit<PostSums, 'quote'>>({
  counted: whole,
  plain: whole,
  count: Number,
  lastSwapMinute: Number,
})
export const candleBytes = packed<Candle>({
  open: whole,
  high: whole,
  low: whole,
  close: whole,
  firstSqrt: whole,
  highSqrt: whole,
  lowSqrt: whole,
})

/** Numbers of a record, and the record of the same numbers. */
type Columns<V> = {
  readonly of: (value: V) => readonly bigint[]
  readonly from: (values: readonly bigint[]) => V
}

/** Records of as many numbers each, each number as the difference from that of the record before. */
function growing<V>(width: number, { of, from }: Columns<V>): Form<readonly V[], Uint8Array> {
  return {
    write: (records) => {
      const values = records.flatMap(of)
      return integerBytes(values.map((value, at) => value - (values[at - width] ?? 0n)))
    },
    read: (bytes) => {
      const values = integersFrom(bytes)
      if (values.length % width !== 0) throw unreadable(values.length, width)
      values.forEach((value, at) => {
        values[at] = value + (values[at - width] ?? 0n)
      })
      return Array.from({ length: values.length / width }, (_, at) =>
        from(values.slice(width * at, width * (at + 1))),
      )
    },
  }
}

/** Points of a price history. Pool prices are differences from the last; a high of -1: no price was set. */
export const pricePointsBytes = growing<PricePoint>(12, {
  of: ({ minute, prices, volumeQuote, state }) => [
    ...[
      BigInt(minute),
      state.sqrtPriceX96,
      state.supply,
      state.cumVolumeMicroUsd,
      state.cumBuyVolumeMicroUsd,
    ],
    ...[BigInt(state.cumTrades), BigInt(state.cumBuys), volumeQuote],
    ...(prices ? [zerosCounted(prices.high), zerosCounted(prices.low)] : [-1n, 0n]),
    ...[prices?.highSqrt, prices?.lowSqrt].map((sqrt = state.sqrtPriceX96) => sqrt - state.sqrtPriceX96),
  ],
  from: ([minute, sqrt = 0n, supply = 0n, volume = 0n, buyVolume = 0n, ...more]) => {
    const [trades, buys, volumeQuote = 0n, high = -1n, low = 0n, highSqrt = 0n, lowSqrt = 0n] = more
    return {
      minute: Number(minute),
      prices:
        high < 0n
          ? null
          : {
              high: zerosWritten(high),
              low: zerosWritten(low),
              highSqrt: sqrt + highSqrt,
              lowSqrt: sqrt + lowSqrt,
            },
      volumeQuote,
      state: {
        sqrtPriceX96: sqrt,
        supply,
        cumVolumeMicroUsd: volume,
        cumBuyVolumeMicroUsd: buyVolume,
        cumTrades: Number(trades),
        cumBuys: Number(buys),
      },
    }
  },
})

/** Points of a reference currency's rate. */
export const ratePointsBytes = growing<RatePoint>(2, {
  of: ({ minute, usdE36 }) => [BigInt(minute), zerosCounted(usdE36)],
  from: ([minute, usdE36 = 0n]) => ({ minute: Number(minute), usdE36: zerosWritten(usdE36) }),
})

/** The constructor of each field of a record of integers, in order. */
type Numbers<V> = { readonly [N in keyof V]-?: (value: bigint) => V[N] }
/** A record of integers. */
type Whole<V> = { readonly [N in keyof V]: number | bigint }

/** Records of integers in as few bytes as their values need. Reading throws UnreadableBytesError for bytes of other fields. */
function packedList<V extends Whole<V>>(fields: Numbers<V>): Form<readonly V[], Uint8Array> {
  const entries = Object.entries(fields) as [keyof V & string, Numbers<V>[keyof V & string]][]
  const width = entries.length
  return {
    write: (records) =>
      integerBytes(records.flatMap((record) => entries.map(([name]) => BigInt(record[name])))),
    read: (bytes) => {
      const values = integersFrom(bytes)
      if (values.length % width !== 0) throw unreadable(values.length, width)
      return Array.from({ length: values.length / width }, (_, at) => {
        const record: Partial<V> = {}
        for (const [field, [name, made]] of entries.entries())
          record[name] = made(values[at * width + field] ?? 0n)
        return record as V
      })
    },
  }
}

/** The same for one record. */
function packed<V extends Whole<V>>(fields: Numbers<V>): Form<V, Uint8Array> {
  const list = packedList(fields)
  return {
    write: (record) => list.write([record]),
    read: (bytes) => {
      const [record] = list.read(bytes)
      if (!record) throw unreadable(0, Object.keys(fields).length)
      return record
    },
  }
}

/** The bytes have other fields than this version writes; they must be written again from the log. */
const unreadable = (found: number, width: number) =>
  new StoreFault('UnreadableBytesError', `found ${found} values where ${width} a record are written`)

/** An integer with trailing zeros, as most prices have: the other digits, then two digits for the number of zeros. */
function zerosCounted(value: bigint): bigint {
  const zeros = /0*$/.exec(String(value))?.[0].length ?? 0
  return (value / 10n ** BigInt(zeros)) * 100n + BigInt(zeros)
}
const zerosWritten = (counted: bigint): bigint => (counted / 100n) * (powers[Number(counted % 100n)] ?? 0n)
const powers = Array.from({ length: 100 }, (_, at) => 10n ** BigInt(at))

/**
 * Integers of any size and sign (below 2^2039): a length byte, then the magnitude, most significant byte first, with the
 * sign folded into the lowest bit.
 */
function integerBytes(values: readonly bigint[]): Uint8Array {
  return Buffer.concat(
    values.map((value) => {
      const unsigned = value < 0n ? -2n * value - 1n : 2n * value
      const hex = unsigned === 0n ? '' : unsigned.toString(16)
      const magnitude = Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex')
      return Buffer.concat([Buffer.of(magnitude.length), magnitude])
    }),
  )
}

function integersFrom(bytes: Uint8Array): bigint[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const values: bigint[] = []
  for (let at = 0; at < buffer.length; ) {
    const length = buffer[at] ?? 0
    const end = at + 1 + length
    // Most values fit a number; reading them as text takes three times as long.
    const isShort = length > 0 && length <= 6
    const unsigned = isShort
      ? BigInt(buffer.readUIntBE(at + 1, length))
      : BigInt(`0x0${buffer.toString('hex', at + 1, end)}`)
    values.push(unsigned & 1n ? -(unsigned >> 1n) - 1n : unsigned >> 1n)
    at = end
  }
  return values
}
