import {
  type Address,
  type LiquidityRange,
  type Minute,
  type MinuteRow,
  type PostSums,
  type Swap,
  stateNames,
  type TokenState,
} from '../../market/segment.ts'
import { chunked } from '../aws/parallel.ts'
import type { Item, Reads } from '../aws/table.ts'
import {
  addressOf,
  FORMAT_VERSION,
  keptSeconds,
  marketKeys,
  minuteOfSort,
  minuteSpan,
} from '../aws/tables.ts'
import { candleBytes, rangesBytes, stateBytes, sumsBytes, swapsBytes } from '../bytes/codec.ts'
import { assertReadableItem } from '../bytes/format.ts'

/** A row holds up to this many swaps itself; if there are more, all go to items of their own. */
const INLINE_SWAPS = 5
/** Swaps of one token compress to 220 bytes each at worst, so reading the newest ones reads at most 55 KB too many. */
export const SWAPS_PER_CHUNK = 250

/** A token's minute as read: states and prices, and the base units of the quote that were traded. */
export type StoredRow = {
  readonly minute: Minute
  readonly row: Omit<MinuteRow, 'ranges' | 'rangesBefore'>
  readonly volumeQuote: bigint
}

/** Base units of the quote that were traded, by token. */
export function quoteVolumes(swaps: readonly Swap[]): ReadonlyMap<Address, bigint> {
  const volumes = new Map<Address, bigint>()
  for (const { token, amountQuote } of swaps) volumes.set(token, (volumes.get(token) ?? 0n) + amountQuote)
  return volumes
}

/** Whether the items of a minute's rows have expired at a time (Unix seconds). */
export const areRowsExpired = (minute: Minute, now: number): boolean =>
  minute * 60 + keptSeconds.minute <= now

/** The items of a token's minute: its row, and chunks of swaps if the row cannot hold them. */
export function itemsOfRow(row: MinuteRow, minute: Minute, swaps: readonly Swap[]): Item[] {
  const ttl = minute * 60 + keptSeconds.minute
  const isInline = swaps.length <= INLINE_SWAPS
  const item: Item = {
    ...marketKeys.minute(row.token, minute),
    before: stateBytes.write(row.before),
    after: stateBytes.write(row.after),
    candle: row.candle ? candleBytes.write(row.candle) : undefined,
    n: swaps.length,
    quote: swaps.length > 0 ? String(quoteVolumes(swaps).get(row.token) ?? 0n) : undefined,
    v: FORMAT_VERSION,
    swaps: isInline && swaps.length > 0 ? swapsBytes.write(swaps) : undefined,
    ttl,
  }
  return isInline ? [item] : [item, ...chunksOf(row.token, minute, swaps)]
}

function chunksOf(token: Address, minute: Minute, swaps: readonly Swap[]): Item[] {
  const ttl = minute * 60 + keptSeconds.minute
  return chunked(swaps, SWAPS_PER_CHUNK).map((some, chunk) => ({
    ...marketKeys.swaps(token, minute, chunk),
    v: FORMAT_VERSION,
    swaps: swapsBytes.write(some),
    ttl,
  }))
}

/** Reads the row that `itemsOfRow` wrote. */
export function rowFrom(item: Item): StoredRow {
  assertReadableItem(item)
  const row = {
    token: addressOf(item.pk.slice(2)),
    before: stateBytes.read(bytes(item, 'before')),
    after: stateBytes.read(bytes(item, 'after')),
    candle: item['candle'] ? candleBytes.read(bytes(item, 'candle')) : null,
  }
  return { minute: minuteOfSort(item.sk), row, volumeQuote: BigInt(String(item['quote'] ?? 0)) }
}

/** A token's rows from minute `from` to `to`, inclusive, oldest first. */
export async function* rowsOf(
  table: Reads,
  token: Address,
  span: { readonly from: Minute; readonly to: Minute },
): AsyncGenerator<StoredRow> {
  const { pk } = marketKeys.token(token)
  for await (const item of table.query({ pk, ...minuteSpan('C', span.from, span.to) })) yield rowFrom(item)
}

/**
 * A token's newest state, and the sums of the posts quoted in it. `minute` is its last active one; null: a rollback
 * restored the state, and the minute is only known to be earlier.
 */
export type Now = {
  readonly minute: Minute | null
  readonly state: TokenState
  readonly ranges: readonly LiquidityRange[]
  readonly posts: PostSums | undefined
}

/** The item of a token's newest state. */
export const itemOfNow = (token: Address, { minute, state, ranges, posts }: Now): Item => ({
  ...marketKeys.now(token),
  minute: minute ?? undefined,
  v: FORMAT_VERSION,
  state: stateBytes.write(state),
  ranges: rangesBytes.write(ranges),
  posts: posts && sumsBytes.write(posts),
})

/** Reads the newest state that `itemOfNow` wrote. */
export function nowFrom(item: Item): Now {
  assertReadableItem(item)
  return {
    minute: item['minute'] === undefined ? null : Number(item['minute']),
    state: stateBytes.read(bytes(item, 'state')),
    ranges: rangesBytes.read(bytes(item, 'ranges')),
    posts: item['posts']
      ? { quote: addressOf(item.pk.slice(2)), ...sumsBytes.read(bytes(item, 'posts')) }
      : undefined,
  }
}

const bytes = (item: Item, name: string): Uint8Array => item[name] as Uint8Array

/** Whether a minute changed the row's state. */
export const isChanged = ({ before, after, rangesBefore, ranges, candle }: MinuteRow): boolean =>
  candle !== null ||
  stateNames.some((name) => before[name] !== after[name]) ||
  // Where nobody changed them, they are the same list.
  (rangesBefore !== ranges &&
    Buffer.compare(rangesBytes.write(rangesBefore), rangesBytes.write(ranges)) !== 0)
