import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { FeedEntry } from '../../market/feed-entry.ts'
import type { LogEntry } from '../../market/log.ts'
import {
  type Address,
  type Block,
  type Candle,
  type Hash,
  type Launch,
  type LiquidityRange,
  type Migration,
  type Position,
  type PostOwner,
  type PostSums,
  type RateSource,
  type ReferenceRate,
  type Swap,
  stateFields,
  stateNames,
  type Token,
  type TokenState,
} from '../../market/segment.ts'
import { byName } from '../../market/window.ts'
import { type Codec, type Numbers, packed, packedList } from './packed.ts'
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

const migrationsShape = listOf(tupleOf<Migration>({ blockNumber: count, timestamp: count, fromPool: hash }))

// Descriptions of earlier rules lack it.
const sinceShape = { write: nullable(count).write, read: (json: Json) => nullable(count).read(json ?? null) }

const tokenFields: Fields<Token> = {
  address,
  kind: plain<Token['kind']>(),
  creator: address,
  launchedBy: nullable(address),
  name: text,
  symbol: text,
  nameSince: sinceShape,
  symbolSince: sinceShape,
  uri: nullable(text),
  quote: address,
  poolId: hash,
  hook: address,
  isCurrency0: flag,
  launchedAt: recordOf<Token['launchedAt']>({ ...positionFields, timestamp: count }),
  launch: recordOf<Launch>({ priceUsdE36: nullable(integer), supply: integer }),
  // Descriptions of earlier rules lack it.
  migrations: { write: migrationsShape.write, read: (json) => migrationsShape.read(json ?? []) },
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

const sourcesShape = listOf(
  tupleOf<RateSource>({
    pool: hash,
    quote: address,
    isCurrency0: flag,
    sqrtPriceX96: integer,
    liquidity: integer,
    swappedAt: count,
  }),
)

export const referencesShape = mapOf<Address, ReferenceRate>(
  recordOf<ReferenceRate>({
    observedUsdE36: integer,
    heldUsdE36: integer,
    outside: count,
    drifted: count,
    decimals: count,
    sources: sourcesShape,
  }),
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

const launchesShape = listOf(tupleOf<Token>(tokenFields))

/** As text; equal values give equal text. */
const textOf = <V>(shape: Shape<V>): Codec<V, string> => ({
  write: (value) => JSON.stringify(shape.write(value)),
  read: (text) => shape.read(JSON.parse(text) as Json),
})

/** As a copy: zlib returns a slice of a 16 KB buffer, which a table in memory would retain. */
export const deflated = <V>(shape: Shape<V>): Codec<V, Uint8Array> => ({
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
  write: (entry) => {
    if (entry.is === 'retract') return entry as Json
    const { swaps, launches, ...rest } = entry
    const launched = launches ? { launches: launchesShape.write(launches) } : {}
    return { ...rest, swaps: swapsShape.write(swaps), ...launched } as Json
  },
  read: (json) => {
    const entry = json as FeedEntry & { readonly swaps: Json; readonly launches?: Json }
    if (entry.is === 'retract') return entry
    const { swaps, launches, ...rest } = entry
    const launched = launches ? { launches: launchesShape.read(launches) } : {}
    return { ...rest, swaps: swapsShape.read(swaps), ...launched }
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
