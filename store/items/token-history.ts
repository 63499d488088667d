import type { RatePoint } from '../../market/board/price-points.ts'
import { minuteOfBlock } from '../../market/calendar.ts'
import { memoized } from '../../market/memoized.ts'
import {
  type Address,
  emptyState,
  type Hash,
  type Minute,
  type Swap,
  type Token,
  type TokenState,
  type UsdE36,
} from '../../market/segment.ts'
import { type Before, isBefore } from '../../schemas/values/swap-cursor.ts'
import { allOf } from '../aws/parallel.ts'
import type { Item, Reads } from '../aws/table.ts'
import { marketKeys, minuteOfSort, minuteSpan } from '../aws/tables.ts'
import { swapsBytes } from '../bytes/codec.ts'
import { MissingStateError, MovedOnError } from '../log/applied-read.ts'
import { type FoundToken, type LaunchSpan, launchesOf, oldestOf } from './lookups.ts'
import { type Now, rowFrom, type StoredRow, SWAPS_PER_CHUNK } from './rows.ts'
import { openTokens, ownerOfItem, readCurrent } from './tokens.ts'

/** Maximum tokens of an answer from look-ups. */
export const LOOKUP_MAX = 1_000
/** Rows of the last minutes may not have reached every replica, so they are read strongly, at twice the cost. */
export const UNSETTLED_MINUTES = 5
/** Later than any minute in a key. */
const LAST_MINUTE: Minute = 99_999_999

/** The history of tokens as of a minute, for answers: nothing put after that minute is visible. Each read is bounded. */
export type TokenHistory = {
  tokens(addresses: readonly Address[]): Promise<ReadonlyMap<Address, Token>>
  /** As `tokens`, and caches their newest states for `stateAt`: 2 items a token, all in one request. */
  current(addresses: readonly Address[]): Promise<ReadonlyMap<Address, Token>>
  tokenOfPool(poolId: Hash): Promise<Address | null>
  /** A token's state after the minute: at most 1 item in addition to those of `current`. Throws MovedOnError if it is being changed. */
  stateAt(token: Address, minute: Minute): Promise<TokenState>
  /** The rate of a reference currency after the minute; null: not a reference currency, or not rated yet. 1 item. */
  rateAt(currency: Address, minute: Minute): Promise<UsdE36 | null>
  /** The newest rates of a reference currency in a span of minutes, newest first: at most one a minute. */
  newestRates(currency: Address, span: NewestOf): Promise<readonly RatePoint[]>
  /** A token's newest rows in a span of minutes, newest first: at most one a minute. */
  newestRows(token: Address, span: NewestOf): Promise<readonly StoredRow[]>
  /** The newest swaps up to a minute and before a place or time. */
  newestSwaps(token: Address, span: SwapSpan): Promise<NewestSwaps>
  /** Tokens of look-ups launched up to a block, oldest first, at most `limit` (default LOOKUP_MAX). */
  lookup(partitions: readonly string[], lastBlock: number, limit?: number): Promise<readonly FoundToken[]>
  /** A page of all tokens by launch. */
  launches(span: LaunchSpan): Promise<readonly FoundToken[]>
  /** The first creator token of an address; null: none yet. 1 item. */
  oldestCreatorToken(creator: Address): Promise<Address | null>
}

/** At most `limit` items of the minutes `from` to `to`, inclusive. `isFresh`: of the last UNSETTLED_MINUTES. */
type NewestOf = {
  readonly from: Minute
  readonly to: Minute
  readonly limit: number
  readonly isFresh: boolean
}

type SwapSpan = {
  readonly from: Minute
  readonly to: Minute
  /** Maximum swaps, and maximum rows searched for them. */
  readonly limit: number
  readonly rows: number
  readonly before: Before
}

/** Newest first. `isCut`: there may be older ones. `lookedTo`: the oldest minute that was looked at. */
type NewestSwaps = { readonly swaps: readonly Swap[]; readonly isCut: boolean; readonly lookedTo: Minute }

/**
 * Opens the histories of a table. Reads are cached, so open one instance per answer. `past` is the same table with
 * eventual reads, at half the cost, for rows of past minutes and look-ups. Throws MovedOnError if it lags so far that
 * the row that ended a state is missing.
 */
export function openTokenHistory(table: Reads, past: Reads = table): TokenHistory {
  const { tokens } = openTokens(table)
  const current = openCurrent(table)
  const statesOf = memoized((address: Address) =>
    memoized(async (minute: Minute) => {
      const [known] = await current([address])
      // Launched after the minute: its state was empty, without a read.
      if (known?.token && known.token.launchedAt.timestamp >= (minute + 1) * 60) return emptyState
      return readState(past, address, { minute, now: known?.now ?? null })
    }),
  )
  const ratesOf = memoized((currency: Address) =>
    memoized((minute: Minute) => readRate(table, currency, minute)),
  )
  return {
    tokens,
    async current(addresses) {
      const found = (await current(addresses)).flatMap(({ token }) => token ?? [])
      return new Map(found.map((token) => [token.address, token]))
    },
    stateAt: (token, minute) => statesOf(token)(minute),
    rateAt: (currency, minute) => ratesOf(currency)(minute),
    async tokenOfPool(poolId) {
      const item = await table.read(marketKeys.pool(poolId))
      return item ? (item['token'] as Address) : null
    },
    async newestRates(currency, { from, to, limit, isFresh }) {
      const { pk, sk } = marketKeys.reference(currency, from)
      const span = { pk, from: sk, to: marketKeys.reference(currency, to).sk, isDescending: true, limit }
      return (await allOf((isFresh ? table : past).query(span))).map(rateFrom)
    },
    async newestRows(token, { from, to, limit, isFresh }) {
      const { pk } = marketKeys.token(token)
      const span = { pk, ...minuteSpan('C', from, to), isDescending: true, limit }
      return (await allOf((isFresh ? table : past).query(span))).map(rowFrom)
    },
    async newestSwaps(token, span) {
      const settled = span.to - UNSETTLED_MINUTES
      const newest = await readNewestSwaps(table, token, { ...span, from: Math.max(span.from, settled + 1) })
      if (newest.isCut || settled < span.from) return newest
      const limit = span.limit - newest.swaps.length
      const older = await readNewestSwaps(past, token, { ...span, to: settled, limit })
      return { ...older, swaps: [...newest.swaps, ...older.swaps] }
    },
    lookup: (partitions, lastBlock, limit = LOOKUP_MAX) => oldestOf(past, partitions, { lastBlock, limit }),
    launches: (span) => launchesOf(past, span),
    async oldestCreatorToken(creator) {
      const item = await past.read(marketKeys.postOwner(creator))
      return item ? ownerOfItem(item).oldestCreatorToken : null
    },
  }
}

/** The newest state; if it was put after the minute, the state before the first later row. */
async function readState(
  table: Reads,
  token: Address,
  { minute, now }: { readonly minute: Minute; readonly now: Now | null },
): Promise<TokenState> {
  if (now && now.minute !== null && now.minute <= minute) return now.state
  const { pk } = marketKeys.token(token)
  for await (const row of table.query({ pk, ...minuteSpan('C', minute + 1, LAST_MINUTE), limit: 1 })) {
    return rowFrom(row).row.before
  }
  if (!now) throw new MissingStateError(token)
  // A rollback restored the state without a minute of its own: it is older than everything rolled back.
  if (now.minute === null) return now.state
  throw new MovedOnError()
}

async function readRate(table: Reads, currency: Address, minute: Minute): Promise<UsdE36 | null> {
  const { pk, sk: to } = marketKeys.reference(currency, minute)
  for await (const item of table.query({ pk, to, isDescending: true, limit: 1 })) {
    return rateFrom(item).usdE36
  }
  return null
}

const rateFrom = (item: Item): RatePoint => ({
  minute: Number(item.sk),
  usdE36: BigInt(String(item['heldUsdE36'])),
})

/** At most two queries: for the rows, which hold the swaps of quiet minutes, and for the chunks of busy ones. */
async function readNewestSwaps(
  table: Reads,
  token: Address,
  { from, to, limit, rows, before }: SwapSpan,
): Promise<NewestSwaps> {
  const { pk } = marketKeys.token(token)
  const inMinute = new Map<Minute, readonly Swap[]>()
  const busy = { from: to, chunks: 0 }
  let [found, looked, lookedTo] = [0, 0, to]
  const minuteOfPlace = before.place && minuteOfBlock(before.place)
  const isEnough = () => found >= limit || looked === rows
  const span = { pk, ...minuteSpan('C', from, to), isDescending: true, limit: rows }
  for await (const item of table.query(span)) {
    const minute = minuteOfSort(item.sk)
    const [swaps, count] = [item['swaps'] as Uint8Array | undefined, Number(item['n'])]
    if (swaps) inMinute.set(minute, swapsBytes.read(swaps))
    // Read all swaps of the minute of `before`, since its newest are skipped.
    const isWhole = (minute + 1) * 60 <= before.seconds && minute !== minuteOfPlace
    if (!swaps && count > 0) {
      const [all, wanted] = [count, limit - found].map((swaps) => Math.ceil(swaps / SWAPS_PER_CHUNK)) as [
        number,
        number,
      ]
      busy.from = minute
      busy.chunks += isWhole ? Math.min(all, wanted + 1) : all
    }
    looked += 1
    lookedTo = minute
    if (isWhole) found += count
    if (isEnough()) break
  }
  if (busy.chunks > 0) await addChunks(table, { pk, ...busy, to }, inMinute)
  const newest = [...inMinute]
    .sort(([a], [b]) => b - a)
    .flatMap(([, swaps]) => swaps.toReversed())
    .filter((swap) => isBefore(swap, before))
  // The minute of `before` may have more by itself.
  return { swaps: newest.slice(0, limit), isCut: isEnough() || newest.length > limit, lookedTo }
}

type ChunkSpan = { readonly pk: string; readonly from: Minute; readonly to: Minute; readonly chunks: number }

async function addChunks(
  table: Reads,
  { pk, from, to, chunks }: ChunkSpan,
  inMinute: Map<Minute, readonly Swap[]>,
): Promise<void> {
  const span = { pk, ...minuteSpan('S', from, to), isDescending: true, limit: chunks }
  for await (const { sk, swaps } of table.query(span)) {
    const minute = minuteOfSort(sk)
    inMinute.set(minute, [...swapsBytes.read(swaps as Uint8Array), ...(inMinute.get(minute) ?? [])])
  }
}

/** A token and its newest state; null: none. */
type CurrentToken = { readonly token: Token | null; readonly now: Now | null }

/** Reads tokens and their newest states in the order of the addresses; those not cached in one request. */
function openCurrent(
  table: Pick<Reads, 'readMany'>,
): (addresses: readonly Address[]) => Promise<readonly CurrentToken[]> {
  const requests = new Map<Address, ReturnType<typeof readCurrent>>()
  return (addresses) => {
    const missing = addresses.filter((address) => !requests.has(address))
    const request = readCurrent(table, missing)
    for (const address of missing) requests.set(address, request)
    return Promise.all(
      addresses.map(async (address) => {
        const { tokens, nows } = await (requests.get(address) ?? request)
        return { token: tokens.get(address) ?? null, now: nows.get(address) ?? null }
      }),
    )
  }
}
