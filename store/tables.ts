import { createHash } from 'node:crypto'
import { firstMinuteOf, type Interval } from '../market/index-history.ts'
import type { Address, Hash, Minute } from '../market/segment.ts'
import { foldText } from '../market/text.ts'

/** The tables: the variable that holds a table's name, and its attributes. An item is due for deletion at `expiresAt` (Unix seconds). */
export const tables = {
  market: { environment: 'MARKET_TABLE', partitionKey: 'pk', sortKey: 'sk', expiresAt: 'ttl' },
  access: { environment: 'ACCESS_TABLE', partitionKey: 'pk', sortKey: 'sk', expiresAt: 'ttl' },
  /** Apart from the accounts, so that who counts answers can change nothing else. */
  usage: { environment: 'USAGE_TABLE', partitionKey: 'pk', sortKey: 'sk', expiresAt: 'ttl' },
} as const

/** What the keys of objects begin with, by the bucket they are in. */
export const objectPrefixes = {
  segments: 'segments/',
  checkpoints: 'checkpoints/',
  /** All but the first of each day. */
  recentCheckpoints: 'checkpoints/recent/',
  /** The index after each review and change of its members. */
  index: 'index/',
  /** Among the published documents. */
  manifests: 'manifests/',
} as const

/** Key of the newest manifest among the published documents. */
export const manifestKey = 'manifest.json'

/** Where an item lives: its partition and its sort key. */
export type Key = { readonly pk: string; readonly sk: string }

export const keyText = ({ pk, sk }: Key): string => JSON.stringify([pk, sk])

/** Seconds for which items with an end are kept after the time they speak of. Readers ask for nothing older. */
export const keptSeconds = {
  /** The furthest window start but one lies 8 d back. */
  minute: 9 * 86_400,
  /** The furthest window start lies 30 d back. */
  reference: 40 * 86_400,
  /** The stream replays 24 h. */
  feed: 25 * 3_600,
  /** What an account used in an hour. */
  usage: 35 * 86_400,
  /** A batch of counted answers of the edge may be delivered again for so long. */
  batch: 2 * 86_400,
  /** A key that has ended, so that its owner can be told which one it was. */
  endedKey: 90 * 86_400,
  /** What operators did. */
  audit: 400 * 86_400,
} as const

/** Entries of the live feed in one partition. */
export const FEED_PARTITION = 1_000

/**
 * Form of what stands below the keys of documents: their own text. It is part of the keys, so that releases of two forms can
 * run side by side; of another form a document is absent until the next rebuild puts it.
 */
const DOCUMENT_FORMAT = 3

/** Likewise of what a token's prices did in an hour: where it is of another form, minutes are read. */
const HOUR_FORMAT = 2

/** A look-up text of more bytes (UTF-8) than this is keyed by its digest; DynamoDB's own bound is 2,048 for a partition key. */
const LOOKUP_MAX_BYTES = 256

/** Keys of the Market table. `address` and hashes are lower-case hex, as everywhere inside. */
export const marketKeys = {
  /** What a token is. */
  token: (token: Address): Key => ({ pk: tokenPartition(token), sk: 'M' }),
  /** A token's newest state, and what the posts that are quoted in it come to. */
  now: (token: Address): Key => ({ pk: tokenPartition(token), sk: 'NOW' }),
  /** The oldest creator token of a creator's address, and its posts that are quoted in no creator token. */
  postOwner: (owner: Address): Key => ({ pk: `O#${bare(owner)}`, sk: 'POSTS' }),
  /** A token's minute. */
  minute: (token: Address, minute: Minute): Key => ({
    pk: tokenPartition(token),
    sk: `C#${minuteText(minute)}`,
  }),
  /** One chunk of the swaps of a token's minute that do not fit its row. */
  swaps: (token: Address, minute: Minute, chunk: number): Key => ({
    pk: tokenPartition(token),
    sk: `S#${minuteText(minute)}#${padded(chunk, 2)}`,
  }),
  /** What a token's prices did in an hour. */
  priceHour: (token: Address, hour: number): Key => ({
    pk: tokenPartition(token),
    sk: `H${HOUR_FORMAT}#${padded(hour, 6)}`,
  }),
  /** That an hour's items of this kind are all there. */
  pricedHour: (hour: number): Key => ({ pk: `HOURS#${HOUR_FORMAT}`, sk: padded(hour, 6) }),
  /** A holder's balance; the pool manager's stands in the token's state. */
  balance: (token: Address, holder: Address): Key => ({ pk: `B#${bare(token)}`, sk: bare(holder) }),
  /** What is said of a token's holders. */
  holderView: (token: Address): Key => ({ pk: tokenPartition(token), sk: 'HS' }),
  /** Whether an address is a contract. */
  code: (address: Address): Key => ({ pk: `A#${bare(address)}`, sk: 'CODE' }),
  /** The token of a pool. */
  pool: (poolId: Hash): Key => ({ pk: `X#p#${bare(poolId)}`, sk: 'P' }),
  /** A learnt hook. */
  hook: (hook: Address): Key => ({ pk: 'HOOKS', sk: bare(hook) }),
  /** An entry of the log of minutes. */
  logEntry: (n: number): Key => ({ pk: 'LOG', sk: padded(n, 12) }),
  /** How far the log is materialized. */
  applied: { pk: 'SYS', sk: 'APPLIED' } satisfies Key,
  /** An entry of the live feed. */
  feedEntry: (seq: number): Key => ({
    pk: `F#${Math.floor(seq / FEED_PARTITION)}`,
    sk: padded(seq, 12),
  }),
  /** What an entry of the live feed holds beyond one item, by the digest of all its bytes. */
  feedPart: (digest: string, at: number): Key => ({ pk: `FP#${digest}`, sk: padded(at, 4) }),
  /** The newest entry of the live feed. */
  feedTail: { pk: 'SYS', sk: 'FEED' } satisfies Key,
  /** A document that parameterised answers are cut from; its versions take turns in a few slots. */
  document: (name: string, slot: number): Key => ({
    pk: `DOC#${DOCUMENT_FORMAT}#${name}`,
    sk: padded(slot, 2),
  }),
  /** The newest snapshot whose documents are here. */
  snapshot: { pk: 'SYS', sk: `SNAPSHOT#${DOCUMENT_FORMAT}` } satisfies Key,
  /** v1/status as it was published last. */
  status: { pk: 'SYS', sk: 'STATUS' } satisfies Key,
  /** Logs that no endpoint gives, at which sealing stands still. */
  gap: { pk: 'SYS', sk: 'GAP' } satisfies Key,
  /** A reference rate at the close of a minute. */
  reference: (currency: Address, minute: Minute): Key => ({
    pk: `R#${bare(currency)}`,
    sk: minuteText(minute),
  }),
  /** The same of an hour's last minute: a week of them is read at once. */
  referenceHour: (currency: Address, hour: number): Key => ({
    pk: `RH#${bare(currency)}`,
    sk: padded(hour, 6),
  }),
  /** What the index did in an interval; six digits of hours reach the year 2084. */
  indexBar: (interval: Interval, at: number): Key => ({
    pk: indexPartition(interval, new Date(firstMinuteOf(interval, at) * 60_000).getUTCFullYear()),
    sk: padded(at, 6),
  }),
} as const

/** Keys of the Access table. `digest` is of a key's text. */
export const accessKeys = {
  account: (account: string): Key => ({ pk: 'ACCOUNT', sk: account }),
  /** That an account has a key; put before the key itself. */
  keyOf: (account: string, digest: string): Key => ({ pk: `A#${account}`, sk: digest }),
  key: (digest: string): Key => ({ pk: `K#${digest}`, sk: 'KEY' }),
  /** Something that an operator did at a time (ISO 8601); `mark` tells two of one time apart. */
  audit: (at: string, mark: string): Key => ({ pk: 'AUDIT', sk: `${at}#${mark}` }),
} as const

/** Keys of the Usage table; `hour` counts from 1970. */
export const usageKeys = {
  /** What an account used in an hour. */
  hour: (account: string, hour: number): Key => ({ pk: `U#${account}`, sk: padded(hour, 9) }),
  /** That a batch of answers is counted. */
  batch: (account: string, batch: string): Key => ({ pk: `B#${account}`, sk: batch }),
  /** That the edge was told that an account's hour is used up. */
  exhausted: (account: string, hour: number): Key => ({ pk: `X#${account}`, sk: padded(hour, 9) }),
} as const

/** The partition of the index's bars that begin in a year; only hours are parted by it. */
export const indexPartition = (interval: Interval, year: number): string =>
  interval === 'hour' ? `I#h#${year}` : `I#${interval[0]}`

/** Partitions of the tokens found by a text or by their creator; within one, the oldest token comes first. */
export const lookupPartitions = {
  symbol: (symbol: string): string => `X#s#${bounded(foldText(symbol))}`,
  name: (name: string): string => `X#n#${bounded(foldText(name))}`,
  creator: (creator: Address): string => `X#c#${bare(creator)}`,
} as const

/** Place of a token in a look-up: creation order, then address. */
export const lookupSort = (token: {
  readonly address: Address
  readonly launchedAt: { readonly blockNumber: number; readonly logIndex: number }
}): string =>
  [padded(token.launchedAt.blockNumber, 12), padded(token.launchedAt.logIndex, 8), bare(token.address)].join(
    '#',
  )

/** First and last sort key of a token's minutes from `from` to `to`, both included. */
export const minuteSpan = (kind: 'C' | 'S', from: Minute, to: Minute): { from: string; to: string } => ({
  from: `${kind}#${minuteText(from)}`,
  // '~' sorts behind the '#' of a chunk's number.
  to: `${kind}#${minuteText(to)}~`,
})

/** The minute in the sort key of a minute's row or of one of its chunks of swaps. */
export const minuteOfSort = (sk: string): Minute => Number(sk.slice(2, 10))

/** The address whose hex digits stand in a key. */
export const addressOf = (hex: string): Address => `0x${hex}`

const tokenPartition = (token: Address): string => `T#${bare(token)}`
const bare = (hex: Address | Hash): string => hex.slice(2)
/** A number in so many digits, that its texts are in its order. */
export const padded = (n: number, digits: number): string => String(n).padStart(digits, '0')
/** Eight digits reach the year 2160. */
export const minuteText = (minute: Minute): string => padded(minute, 8)

function bounded(text: string): string {
  if (Buffer.byteLength(text) <= LOOKUP_MAX_BYTES) return text
  return `sha256:${sha256Of(text)}`
}

/** In hex. */
export const sha256Of = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex')
