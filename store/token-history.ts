import {
  type Address,
  emptyState,
  type Hash,
  type Minute,
  type Swap,
  type Token,
  type TokenState,
  type UsdE36,
} from '../market/segment.ts'
import { MovedOnError } from './applied-read.ts'
import { swapsFrom } from './codec.ts'
import { type Now, nowFrom, rowFrom, type StoredRow } from './rows.ts'
import type { Item, Reads } from './table.ts'
import { addressOf, marketKeys, minuteOfSort, minuteSpan } from './tables.ts'
import { openTokens, tokenOfItem } from './tokens.ts'

/** A look-up ends after this many tokens. */
export const LOOKUP_MAX = 1_000
/** Behind every minute that a key can name. */
const LAST_MINUTE: Minute = 99_999_999

/** What is known of tokens as of a minute: for readers, who must not see what was put after it. Each read is bounded. */
export type TokenHistory = {
  tokens(addresses: readonly Address[]): Promise<ReadonlyMap<Address, Token>>
  /** As `tokens`, with their newest states, which `stateAt` then need not read: 2 items a token, all in one request. */
  standing(addresses: readonly Address[]): Promise<ReadonlyMap<Address, Token>>
  tokenOfPool(poolId: Hash): Promise<Address | null>
  /** A token's state after the minute. At most 1 item beside those of `standing`. Throws MovedOnError when it is just being put. */
  stateAt(token: Address, minute: Minute): Promise<TokenState>
  /** The rate of a reference currency in force after the minute; null: it is none, or had none. 1 item. */
  rateAt(currency: Address, minute: Minute): Promise<UsdE36 | null>
  /** The rates of a reference currency in the minutes after `after`, up to `to`, oldest first: at most one a minute. */
  rates(
    currency: Address,
    span: { readonly after: Minute; readonly to: Minute },
  ): Promise<readonly RateOfMinute[]>
  /** A token's rows in the minutes after `after`, up to `to`: at most one a minute. */
  rows(token: Address, span: { readonly after: Minute; readonly to: Minute }): Promise<readonly StoredRow[]>
  /** The newest swaps up to a minute and before a time (Unix seconds), newest first; not more than `limit` and what the last minute adds. */
  newestSwaps(token: Address, span: SwapSpan): Promise<readonly Swap[]>
  /** Tokens of a look-up launched up to a block, oldest first, at most LOOKUP_MAX. */
  lookup(partition: string, lastBlock: number): Promise<readonly FoundToken[]>
}

/** USD × 1e36 of one whole reference currency at a minute's close. */
type RateOfMinute = { readonly minute: Minute; readonly usdE36: UsdE36 }

type SwapSpan = {
  readonly from: Minute
  readonly to: Minute
  readonly limit: number
  readonly before: number
}

type FoundToken = { readonly token: Address; readonly kind: Token['kind'] }

/**
 * Opens the histories of a table. What one answer asks for twice is read once, so open one for each answer. `past` is the same
 * table by eventual reads, which cost half: for rows of past minutes and look-ups. Where it is so far behind that the row
 * that ended a state is not there yet, MovedOnError is thrown.
 */
export function openTokenHistory(table: Reads, past: Reads = table): TokenHistory {
  const { tokens } = openTokens(table)
  const standing = openStanding(table)
  const stateAt = remembered(async (token: Address, minute: Minute) => {
    const [stands] = await standing([token])
    // Younger than the minute: nothing has to be read to know that it was nothing.
    if (stands?.token && stands.token.launchedAt.timestamp >= (minute + 1) * 60) return emptyState
    return readState(past, token, { minute, now: stands?.now ?? null })
  })
  const rateAt = remembered((currency: Address, minute: Minute) => readRate(table, currency, minute))
  return {
    tokens,
    async standing(addresses) {
      const found = (await standing(addresses)).flatMap(({ token }) => token ?? [])
      return new Map(found.map((token) => [token.address, token]))
    },
    stateAt,
    rateAt,
    async tokenOfPool(poolId) {
      const item = await table.read(marketKeys.pool(poolId))
      return item ? (item['token'] as Address) : null
    },
    async rates(currency, span) {
      const { pk, sk: from } = marketKeys.reference(currency, span.after + 1)
      const { sk: to } = marketKeys.reference(currency, span.to)
      const rates: RateOfMinute[] = []
      for await (const item of table.query({ pk, from, to })) rates.push(rateFrom(item))
      return rates
    },
    async rows(token, { after, to }) {
      const { pk } = marketKeys.token(token)
      const rows: StoredRow[] = []
      for await (const item of table.query({ pk, ...minuteSpan('C', after + 1, to) }))
        rows.push(rowFrom(item))
      return rows
    },
    newestSwaps: (token, span) => readNewestSwaps(table, token, span),
    async lookup(pk, lastBlock) {
      const found: FoundToken[] = []
      for await (const item of past.query({ pk, limit: LOOKUP_MAX })) {
        if (Number(item.sk.slice(0, 12)) > lastBlock) break
        found.push({ token: item['token'] as Address, kind: item['kind'] as Token['kind'] })
      }
      return found
    },
  }
}

/** The newest state, unless it was put after the minute; then what the first row after the minute says was before it. */
async function readState(
  table: Reads,
  token: Address,
  { minute, now }: { readonly minute: Minute; readonly now: Now | null },
): Promise<TokenState> {
  if (now?.minute !== null && (now?.minute ?? 0) <= minute) return now?.state ?? emptyState
  const { pk } = marketKeys.token(token)
  for await (const row of table.query({ pk, ...minuteSpan('C', minute + 1, LAST_MINUTE), limit: 1 })) {
    return rowFrom(row).row.before
  }
  // A rewind put the state back and said no minute: it lies before everything that was ever taken back.
  if (now?.minute === null) return now.state
  throw new MovedOnError()
}

async function readRate(table: Reads, currency: Address, minute: Minute): Promise<UsdE36 | null> {
  const { pk, sk: to } = marketKeys.reference(currency, minute)
  for await (const item of table.query({ pk, to, isDescending: true, limit: 1 })) {
    return rateFrom(item).usdE36
  }
  return null
}

const rateFrom = (item: Item): RateOfMinute => ({
  minute: Number(item.sk),
  usdE36: BigInt(String(item['heldUsdE36'])),
})

async function readNewestSwaps(
  table: Reads,
  token: Address,
  { from, to, limit, before }: SwapSpan,
): Promise<readonly Swap[]> {
  const { pk } = marketKeys.token(token)
  const swaps: Swap[] = []
  for await (const item of table.query({ pk, ...minuteSpan('C', from, to), isDescending: true, limit })) {
    const found = await swapsOfRow(table, item)
    swaps.push(...found.toReversed().filter(({ timestamp }) => timestamp < before))
    if (swaps.length >= limit) break
  }
  return swaps
}

async function swapsOfRow(table: Reads, item: Item): Promise<readonly Swap[]> {
  if (item['swaps']) return swapsFrom(item['swaps'] as Uint8Array)
  if (Number(item['n']) === 0) return []
  const minute = minuteOfSort(item.sk)
  const swaps: Swap[] = []
  for await (const chunk of table.query({ pk: item.pk, ...minuteSpan('S', minute, minute) })) {
    swaps.push(...swapsFrom(chunk['swaps'] as Uint8Array))
  }
  return swaps
}

function remembered<A extends string, V>(read: (key: A, minute: Minute) => Promise<V>) {
  const known = new Map<string, Promise<V>>()
  return (key: A, minute: Minute): Promise<V> => {
    const id = `${key} ${minute}`
    const found = known.get(id) ?? read(key, minute)
    known.set(id, found)
    return found
  }
}

/** A token and its newest state; null: there is none. */
type Standing = { readonly token: Token | null; readonly now: Now | null }

/** Reads tokens and their newest states, in the order of the addresses: all that were not read before in one request. */
function openStanding(
  table: Pick<Reads, 'readMany'>,
): (addresses: readonly Address[]) => Promise<readonly Standing[]> {
  const known = new Map<Address, Promise<Standing>>()
  return async (addresses) => {
    const missing = addresses.filter((address) => !known.has(address))
    const found = readStanding(table, missing)
    for (const address of missing)
      known.set(
        address,
        found.then((of) => of(address)),
      )
    return Promise.all(addresses.flatMap((address) => known.get(address) ?? []))
  }
}

async function readStanding(table: Pick<Reads, 'readMany'>, addresses: readonly Address[]) {
  const tokens = new Map<Address, Token>()
  const nows = new Map<Address, Now>()
  for (const item of await table.readMany(
    addresses.flatMap((of) => [marketKeys.token(of), marketKeys.now(of)]),
  )) {
    const address = addressOf(item.pk.slice(2))
    if (item.sk === marketKeys.token(address).sk) tokens.set(address, tokenOfItem(item))
    else nows.set(address, nowFrom(item))
  }
  return (address: Address): Standing => ({
    token: tokens.get(address) ?? null,
    now: nows.get(address) ?? null,
  })
}
