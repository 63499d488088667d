import { createHash } from 'node:crypto'
import { DAY_MINUTES, DAY_SECONDS, HOUR_SECONDS } from '../../market/calendar.ts'
import { firstMinuteOf, type Interval } from '../../market/index/index-history.ts'
import type { Address, Hash, Minute } from '../../market/segment.ts'
import { foldText } from '../../market/text.ts'
import { LONGEST_PERIOD_MINUTES, LONGEST_WINDOW_MINUTES } from '../../market/window.ts'
import { REPLAY_SECONDS } from '../../schemas/values/stream-times.ts'

/** The tables: the variable with a table's name, and its attributes. An item expires at `expiresAt` (Unix seconds). */
export const tables = {
  market: { environment: 'MARKET_TABLE', partitionKey: 'pk', sortKey: 'sk', expiresAt: 'ttl' },
  access: { environment: 'ACCESS_TABLE', partitionKey: 'pk', sortKey: 'sk', expiresAt: 'ttl' },
  /** Separate from the accounts, so that the counter of answers can change nothing else. */
  usage: { environment: 'USAGE_TABLE', partitionKey: 'pk', sortKey: 'sk', expiresAt: 'ttl' },
} as const

/** Key prefixes of objects, by bucket. */
export const objectPrefixes = {
  segments: 'segments/',
  checkpoints: 'checkpoints/',
  /** Checkpoints other than the first of each day. */
  recentCheckpoints: 'checkpoints/recent/',
  dailyCheckpoints: 'checkpoints/daily/',
  /** The index's state after each review and change of members. */
  index: 'index/',
  /** What was published at the end of each hour (kept.ts), for ever. */
  kept: 'kept/',
  keptDocuments: 'kept/documents/',
  keptHours: 'kept/hours/',
  keptRecaps: 'kept/recaps/',
  /** Marks of the UTC days that are over. */
  keptDays: 'kept/days/',
  /** In the bucket of published documents: manifests, the archive, which anyone may read, and the screened tokens. */
  manifests: 'manifests/',
  archive: 'archive/v1/',
  screened: 'screened/',
} as const

/** Key of the newest manifest in the bucket of published documents. */
export const manifestKey = 'manifest.json'

/** An item's partition key and sort key. */
export type Key = { readonly pk: string; readonly sk: string }

export const keyText = ({ pk, sk }: Key): string => JSON.stringify([pk, sk])

/** Seconds for which expiring items are kept after the time they are about. Readers ask for nothing older. */
export const keptSeconds = {
  /** The start of the longest period, the day before it, and a day more. */
  minute: LONGEST_PERIOD_MINUTES * 60 + 2 * DAY_SECONDS,
  /** The furthest window start, and ten days more. */
  reference: LONGEST_WINDOW_MINUTES * 60 + 10 * DAY_SECONDS,
  /** What the stream replays, and an hour more. */
  feed: REPLAY_SECONDS + HOUR_SECONDS,
  /** Swaps of a wallet. */
  wallet: 90 * DAY_SECONDS,
  /** Holders and earnings of a token by hours. */
  tokenHour: 400 * DAY_SECONDS,
  /** Usage of an account in an hour. */
  usage: 35 * DAY_SECONDS,
  /** For so long a batch of the edge's log may be delivered again. */
  batch: 2 * DAY_SECONDS,
  /** An ended key, so that it can be named to its owner. */
  endedKey: 90 * DAY_SECONDS,
  /** The audit log. */
  audit: 400 * DAY_SECONDS,
} as const

/**
 * The grains that prices are rolled up to: an item holds `minutes`, by points of `pointMinutes`, and is kept for `kept` seconds after
 * its start (null: for ever).
 */
export const priceGrains = {
  hour: { letter: 'H', minutes: 60, pointMinutes: 5, kept: keptSeconds.minute },
  day: { letter: 'D', minutes: DAY_MINUTES, pointMinutes: 60, kept: 92 * DAY_SECONDS },
  days: { letter: 'E', minutes: DAY_MINUTES, pointMinutes: DAY_MINUTES, kept: null },
} as const
export type PriceGrain = keyof typeof priceGrains

/** Whose prices: a token's, or a reference currency's. */
export type PriceSeries = { readonly token: Address } | { readonly currency: Address }

/** Entries of the live feed in one partition. */
export const FEED_PARTITION = 1_000

/**
 * Version of all stored formats: the first byte of a segment, a checkpoint and an index record, the attribute `v` of an
 * item, and part of the keys of what the log can make again (documents, price hours), so that releases with two formats
 * can run side by side. Readers refuse any other version.
 */
export const FORMAT_VERSION = 2

/** A longer look-up text (UTF-8 bytes) is keyed by its digest; DynamoDB's limit for a partition key is 2,048. */
const LOOKUP_MAX_BYTES = 256

/** Keys of the Market table. Addresses and hashes are lower-case hex, as everywhere inside. */
export const marketKeys = {
  /** A token's description. */
  token: (token: Address): Key => ({ pk: tokenPartition(token), sk: 'M' }),
  /** A token's newest state, and the sums of the posts quoted in it. */
  now: (token: Address): Key => ({ pk: tokenPartition(token), sk: 'NOW' }),
  /** The oldest creator token of a creator's address, and the sums of its posts that are quoted in no creator token. */
  postOwner: (owner: Address): Key => ({ pk: `O#${bare(owner)}`, sk: 'POSTS' }),
  /** A token's row of a minute. */
  minute: (token: Address, minute: Minute): Key => ({
    pk: tokenPartition(token),
    sk: `C#${minuteText(minute)}`,
  }),
  /** A chunk of the swaps of a token's minute that do not fit its row. */
  swaps: (token: Address, minute: Minute, chunk: number): Key => ({
    pk: tokenPartition(token),
    sk: `S#${minuteText(minute)}#${chunkText(chunk)}`,
  }),
  /** Prices of a token, or rates of a reference currency, rolled up in an hour or day. */
  prices: (series: PriceSeries, grain: PriceGrain, at: number): Key => ({
    pk: 'token' in series ? tokenPartition(series.token) : `R#${bare(series.currency)}`,
    sk: `${priceGrains[grain].letter}${FORMAT_VERSION}#${padded(at, 6)}`,
  }),
  /** Marks an hour or day whose rolled-up items are complete. */
  rolledUp: (span: 'hour' | 'day', at: number): Key => ({
    pk: `${span === 'hour' ? 'HOURS' : 'DAYS'}#${FORMAT_VERSION}`,
    sk: padded(at, 6),
  }),
  /** A holder's balance; the pool manager's balance is in the token's state. */
  balance: (token: Address, holder: Address): Key => ({ pk: `B#${bare(token)}`, sk: bare(holder) }),
  /** The same, found by the holder. */
  holding: (token: Address, holder: Address): Key => ({ pk: `P#${bare(holder)}`, sk: bare(token) }),
  /** A token's holders and earnings before and after an hour that changed one of them. */
  tokenHour: (token: Address, hour: number): Key => ({
    pk: tokenPartition(token),
    sk: `Q${FORMAT_VERSION}#${padded(hour, 6)}`,
  }),
  /** How much of a token's supply its largest holders had in an hour, when last looked at. */
  holderSample: (token: Address, hour: number): Key => ({
    pk: tokenPartition(token),
    sk: `K${FORMAT_VERSION}#${padded(hour, 6)}`,
  }),
  /** A chunk of a token's traders in an hour. */
  tokenTraders: (token: Address, hour: number, chunk: number): Key => ({
    pk: tokenPartition(token),
    sk: `V${FORMAT_VERSION}#${hourChunk(hour, chunk)}`,
  }),
  /** A chunk of a wallet's swaps in an hour, newest first. */
  walletHour: (wallet: Address, hour: number, chunk: number): Key => ({
    pk: `W#${bare(wallet)}`,
    sk: hourChunk(hour, chunk),
  }),
  /** A token on its board at the end of a UTC day, counted from 1970. Of all logs together: it is what was published. */
  boardDay: (token: Address, day: number): Key => ({ pk: `Z#${bare(token)}`, sk: padded(day, 6) }),
  /** A token's holder view. */
  holderView: (token: Address): Key => ({ pk: tokenPartition(token), sk: 'HS' }),
  /** Whether an address is a contract. */
  code: (address: Address): Key => ({ pk: `A#${bare(address)}`, sk: 'CODE' }),
  /** The token of a pool. */
  pool: (poolId: Hash): Key => ({ pk: `X#p#${bare(poolId)}`, sk: 'P' }),
  /** A learnt hook. */
  hook: (hook: Address): Key => ({ pk: 'HOOKS', sk: bare(hook) }),
  /** Which log readers follow, and the first one before any is. */
  live: { pk: 'SYS', sk: 'LIVE' } satisfies Key,
  unfinishedLog: { pk: 'SYS', sk: 'UNFINISHED' } satisfies Key,
  /** The log of a version of the rules. */
  logOf: (rules: string): Key => ({ pk: 'LOGS', sk: rules }),
  /** How far a publisher has got. */
  publisher: (publisher: string): Key => ({ pk: 'PUBLISHERS', sk: publisher }),
  /** An entry of the log of minutes. */
  logEntry: (n: number): Key => ({ pk: 'LOG', sk: padded(n, 12) }),
  /** The applied watermark: how far the log is materialized. */
  applied: { pk: 'SYS', sk: 'APPLIED' } satisfies Key,
  /** An entry of the live feed. */
  feedEntry: (seq: number): Key => ({ pk: `F#${Math.floor(seq / FEED_PARTITION)}`, sk: padded(seq, 12) }),
  /** The rest of a feed entry that exceeds one item, by the digest of all its bytes. */
  feedPart: (digest: string, at: number): Key => ({ pk: `FP#${digest}`, sk: padded(at, 4) }),
  /** Hint of the newest entry of the live feed. */
  feedTail: { pk: 'SYS', sk: 'FEED' } satisfies Key,
  /** A document for parameterised answers; its versions rotate through a few slots. */
  document: (name: string, slot: number): Key => ({
    pk: `DOC#${FORMAT_VERSION}#${name}`,
    sk: padded(slot, 2),
  }),
  /** The newest snapshot whose documents are stored here. */
  snapshot: { pk: 'SYS', sk: `SNAPSHOT#${FORMAT_VERSION}` } satisfies Key,
  /** v1/status as last published. */
  status: { pk: 'SYS', sk: 'STATUS' } satisfies Key,
  /** The gap: logs that no endpoint delivers, at which sealing has stopped. */
  gap: { pk: 'SYS', sk: 'GAP' } satisfies Key,
  /** Trouble of the chain itself. */
  chainTrouble: { pk: 'SYS', sk: 'CHAIN' } satisfies Key,
  /** A reference rate at the close of a minute. */
  reference: (currency: Address, minute: Minute): Key => ({
    pk: `R#${bare(currency)}`,
    sk: minuteText(minute),
  }),
  /** A bar of the index; six digits of hours reach the year 2084. */
  indexBar: (interval: Interval, at: number): Key => ({
    pk: indexPartition(interval, new Date(firstMinuteOf(interval, at) * 60_000).getUTCFullYear()),
    sk: padded(at, 6),
  }),
} as const

/** Keys of the Access table. `digest` is a key's sha256. */
export const accessKeys = {
  account: (account: string): Key => ({ pk: 'ACCOUNT', sk: account }),
  /** An account's reference to a key; put before the key itself. */
  keyOf: (account: string, digest: string): Key => ({ pk: `A#${account}`, sk: digest }),
  key: (digest: string): Key => ({ pk: `K#${digest}`, sk: 'KEY' }),
  /** A change at a time (ISO 8601), of any account or of one; `mark` distinguishes two at the same time. */
  audit: (account: string, at: string, mark: string): Key => ({
    pk: account === '' ? 'AUDIT' : `AUDIT#${account}`,
    sk: `${at}#${mark}`,
  }),
  /** What is used once, or until it is ended, by the sha256 of its text. */
  ticket: (kind: string, digest: string): Key => ({ pk: `TICKET#${digest}`, sk: kind }),
  /** The account that a wallet signs in to. */
  wallet: (wallet: string): Key => ({ pk: `WALLET#${wallet}`, sk: 'ACCOUNT' }),
  /** A count of a UTC day from 1970. */
  count: (what: string, day: number): Key => ({ pk: `COUNT#${what}`, sk: padded(day, 6) }),
} as const

/** Keys of the Usage table; `hour` counts from 1970. */
export const usageKeys = {
  /** Usage of an account in an hour. */
  hour: (account: string, hour: number): Key => ({ pk: `U#${account}`, sk: padded(hour, 9) }),
  /** The newest hour in which a key of an account was used. */
  lastUse: (account: string, mark: string): Key => ({ pk: `L#${account}`, sk: mark }),
  /** Marks the answers of an hour in a batch as counted. */
  batch: (account: string, hour: number, id: string): Key => ({ pk: `B#${account}`, sk: `${hour} ${id}` }),
  /** Marks an account's hour as reported to the edge as used up. */
  exhausted: (account: string, hour: number, limit: number): Key => ({
    pk: `X#${account}`,
    sk: `${padded(hour, 9)}#${limit}`,
  }),
} as const

/** The partition of the index's bars that begin in a year; only hourly bars are split by year. */
export const indexPartition = (interval: Interval, year: number): string =>
  interval === 'hour' ? `I#h#${year}` : `I#${interval[0]}`

/** Partitions of look-ups by text or by creator; in each, the oldest token comes first. */
export const lookupPartitions = {
  symbol: (symbol: string): string => `X#s#${bounded(foldText(symbol))}`,
  name: (name: string): string => `X#n#${bounded(foldText(name))}`,
  creator: (creator: Address): string => `X#c#${bare(creator)}`,
  /** Tokens that the log has the launch of, by UTC day from 1970. */
  launches: (day: number): string => `X#l#${day}`,
  /** Every token. */
  all: 'X#all',
} as const

/** First and last sort key of a token's minutes from `from` to `to`, inclusive. */
export const minuteSpan = (kind: 'C' | 'S', from: Minute, to: Minute): { from: string; to: string } => ({
  from: `${kind}#${minuteText(from)}`,
  // '~' sorts behind the '#' of a chunk's number.
  to: `${kind}#${minuteText(to)}~`,
})

/** The minute in the sort key of a minute's row or of one of its chunks of swaps. */
export const minuteOfSort = (sk: string): Minute => Number(sk.slice(2, 10))

/** A balance as it is stored by its holder, which the copy of a log from before makes from it. */
export const holdingOf = <I extends Key>(balance: I): I => ({
  ...balance,
  ...marketKeys.holding(addressOf(balance.pk.slice('B#'.length)), addressOf(balance.sk)),
})

/** The address from its hex digits in a key. */
export const addressOf = (hex: string): Address => `0x${hex}`

const tokenPartition = (token: Address): string => `T#${bare(token)}`
/** Hex digits without 0x. */
export const bare = (hex: Address | Hash): string => hex.slice(2)
/** A number padded to a fixed width, so that text order is numeric order. */
export const padded = (n: number, digits: number): string => String(n).padStart(digits, '0')
/** Read backwards, an hour begins with its first chunk. */
const hourChunk = (hour: number, chunk: number): string => `${padded(hour, 6)}#${padded(9_999 - chunk, 4)}`
/** From the hundredth on with a colon, which sorts behind all digits: tables are stored with the two digits. */
const chunkText = (chunk: number): string => (chunk < 100 ? padded(chunk, 2) : `:${padded(chunk, 6)}`)
/** Eight digits reach the year 2160. */
export const minuteText = (minute: Minute): string => padded(minute, 8)

const bounded = (text: string): string =>
  Buffer.byteLength(text) <= LOOKUP_MAX_BYTES ? text : `sha256:${sha256Of(text)}`

/** In hex. */
export const sha256Of = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex')

/** Beginnings of the partition keys of the Access table that the account page reads and writes. */
export const accountPartitions = [
  accessKeys.account('').pk,
  accessKeys.keyOf('', '').pk,
  accessKeys.key('').pk,
  accessKeys.audit('', '', '').pk,
  accessKeys.ticket('', '').pk,
  accessKeys.wallet('').pk,
  accessKeys.count('', 0).pk,
]
