import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { PostOwner, PostSums } from '../market/post-owners.ts'
import type { PricePoint } from '../market/price-points.ts'
import {
  type Address,
  type Block,
  type Candle,
  emptyState,
  type FeedEntry,
  type Hash,
  type Launch,
  type LiquidityRange,
  type LogEntry,
  type Position,
  type ReferenceRate,
  type StateField,
  type Swap,
  stateFields,
  type Token,
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

export const stateNames = Object.keys(stateFields) as StateField[]

/** So many fields at the end of the table are new in this version. */
const ADDED_FIELDS = 3

const stateTuple = tupleOf<TokenState>(
  Object.fromEntries(
    stateNames.map((name) => [name, stateFields[name] === 'u32' ? count : integer]),
  ) as Fields<TokenState>,
)
const emptyTuple = stateTuple.write(emptyState) as readonly Json[]

export const stateShape: Shape<TokenState> = {
  write: stateTuple.write,
  read: (json) => {
    const values = json as readonly Json[]
    const isWhole = values.length === emptyTuple.length
    return stateTuple.read(isWhole ? values : [...values, ...emptyTuple.slice(values.length)])
  },
}

export const rangesShape = listOf(
  tupleOf<LiquidityRange>({ tickLower: count, tickUpper: count, liquidity: integer }),
)

export const candleShape = tupleOf<Candle>({ open: integer, high: integer, low: integer, close: integer })

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

/** In items, each of whose bytes is paid for: without the names of the fields a swap takes a third less. */
const swapsShape = listOf(tupleOf<Swap>(swapShapes))

/** A token's description, as text. */
export const tokenText = (token: Token): string => JSON.stringify(tokenShape.write(token))

/** The token that `tokenText` wrote. */
export const tokenFrom = (written: string): Token => tokenShape.read(JSON.parse(written) as Json)

const tokenTuple = tupleOf<Token>(tokenFields)

/** A token's description in one line without the names of its fields, the address first. */
export const tokenLine = (token: Token): string => JSON.stringify(tokenTuple.write(token))

/** The token that `tokenLine` wrote. */
export const tokenOfLine = (line: string): Token => tokenTuple.read(JSON.parse(line) as Json)

/** The address of the token that `tokenLine` wrote. */
export const addressOfLine = (line: string): Address => `0x${line.slice(4, 44)}`

/** An owner of posts, as text. */
export const ownerText = (owner: PostOwner): string => JSON.stringify(ownerShape.write(owner))

/** The owner that `ownerText` wrote. */
export const ownerFrom = (written: string): PostOwner => ownerShape.read(JSON.parse(written) as Json)

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

/** The state that `stateBytes` wrote, of this version or the one before. Throws UnreadableBytesError when it was written by another table of fields. */
export function stateFrom(bytes: Uint8Array): TokenState {
  const values = unpacked(bytes, [stateNames.length, stateNames.length - ADDED_FIELDS])
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

/** What the posts that are quoted in a token come to, in as few bytes as their numbers need. */
export const sumsBytes = ({ counted, plain, count, lastSwapMinute }: PostSums): Uint8Array =>
  packed([counted, plain, BigInt(count), BigInt(lastSwapMinute)])

/** The sums that `sumsBytes` wrote. */
export function sumsFrom(bytes: Uint8Array, quote: Address): PostSums {
  const [counted = 0n, plain = 0n, count = 0n, lastSwapMinute = 0n] = unpacked(bytes, [4])
  return { quote, counted, plain, count: Number(count), lastSwapMinute: Number(lastSwapMinute) }
}

/** A minute's candle in as few bytes as its numbers need. */
export const candleBytes = ({ open, high, low, close }: Candle): Uint8Array =>
  packed([open, high, low, close])

/** The candle that `candleBytes` wrote. */
export function candleFrom(bytes: Uint8Array): Candle {
  const [open = 0n, high = 0n, low = 0n, close = 0n] = unpacked(bytes, [4])
  return { open, high, low, close }
}

const POINT_VALUES = 8

/** Points of a price history: of each number what it is more than at the point before. Prices that are none begin with -1. */
export const pricePointsBytes = (points: readonly PricePoint[]): Uint8Array => {
  const values = points.flatMap(({ minute, prices, state }) => [
    ...[BigInt(minute), state.sqrtPriceX96, state.supply, state.cumVolumeMicroUsd, BigInt(state.cumTrades)],
    ...[prices?.open ?? -1n, prices?.high ?? 0n, prices?.low ?? 0n].map(zerosCounted),
  ])
  return packed(values.map((value, at) => value - (values[at - POINT_VALUES] ?? 0n)))
}

/** The points that `pricePointsBytes` wrote. */
export function pricePointsFrom(bytes: Uint8Array): readonly PricePoint[] {
  const values = unpacked(bytes)
  values.forEach((value, at) => {
    values[at] = value + (values[at - POINT_VALUES] ?? 0n)
  })
  return Array.from({ length: values.length / POINT_VALUES }, (_, at) => {
    const [minute = 0n, sqrtPriceX96 = 0n, supply = 0n, cumVolumeMicroUsd = 0n, trades = 0n, ...prices] =
      values.slice(POINT_VALUES * at, POINT_VALUES * (at + 1))
    const [open = -1n, high = 0n, low = 0n] = prices.map(zerosWritten)
    return {
      minute: Number(minute),
      prices: open < 0n ? null : { open, high, low },
      state: { sqrtPriceX96, supply, cumVolumeMicroUsd, cumTrades: Number(trades) },
    }
  })
}

/** A copy: what zlib gives is the beginning of 16 KB, which a table in memory would keep. */
const deflated = (json: Json | LogEntry | object): Uint8Array =>
  new Uint8Array(deflateRawSync(JSON.stringify(json)))
const inflated = (bytes: Uint8Array): Json => JSON.parse(inflateRawSync(bytes).toString()) as Json

/** A number whose last digits are zeros, as most of a price are: the others, then in two digits how many zeros follow. */
function zerosCounted(value: bigint): bigint {
  const zeros = /0*$/.exec(String(value))?.[0].length ?? 0
  return (value / 10n ** BigInt(zeros)) * 100n + BigInt(zeros)
}
const zerosWritten = (counted: bigint): bigint => (counted / 100n) * 10n ** (counted % 100n)

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

function unpacked(bytes: Uint8Array, expected?: readonly number[]): bigint[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const values: bigint[] = []
  for (let at = 0; at < buffer.length; ) {
    const end = at + 1 + (buffer[at] ?? 0)
    const unsigned = BigInt(`0x0${buffer.toString('hex', at + 1, end)}`)
    values.push(unsigned % 2n ? -(unsigned + 1n) / 2n : unsigned / 2n)
    at = end
  }
  if (expected && !expected.includes(values.length)) throw new UnreadableBytesError(values.length, expected)
  return values
}

/** Bytes that hold another number of values than this version writes: they must be made again from the log. */
export class UnreadableBytesError extends Error {
  override readonly name = 'UnreadableBytesError'
  constructor(found: number, expected: readonly number[]) {
    super(`found ${found} values where ${expected.join(' or ')} are written`)
  }
}
