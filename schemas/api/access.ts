import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** Limits and rights of a tier. */
export type TierRules = {
  /** Counted answers in one UTC hour, over all keys of the account. */
  readonly limitPerHour: number
  /** Maximum answers of the API in an hour to all accounts of the tier that ask from one network; null: no such limit. */
  readonly limitOfNetwork: number | null
  /** Whether documents may be answered from the edge's cache, and are then counted seconds later. */
  readonly isCached: boolean
  /** Bytes of the archive's files in one UTC day, likewise. */
  readonly archiveBytesPerDay: number
  /** The gateway's throttle, for answers of the API only. A burst is never below the hour's limit of a tier that is counted exactly. */
  readonly flood: { readonly perSecond: number; readonly burst: number }
}

export const GB = 1_000_000_000

export const tiers = {
  site: {
    limitPerHour: 600,
    limitOfNetwork: null,
    isCached: true,
    archiveBytesPerDay: 0,
    flood: { perSecond: 50, burst: 300 },
  },
  basic: {
    limitPerHour: 100,
    limitOfNetwork: 2_000,
    isCached: false,
    archiveBytesPerDay: 5 * GB,
    flood: { perSecond: 20, burst: 200 },
  },
  professional: {
    limitPerHour: 2_000,
    limitOfNetwork: null,
    isCached: true,
    archiveBytesPerDay: 100 * GB,
    flood: { perSecond: 100, burst: 2_000 },
  },
  enterprise: {
    limitPerHour: 20_000,
    limitOfNetwork: null,
    isCached: true,
    archiveBytesPerDay: 1_000 * GB,
    flood: { perSecond: 500, burst: 5_000 },
  },
} as const satisfies Record<string, TierRules>

export type Tier = keyof typeof tiers

/**
 * The tier of the key that the site's pages ask with, which every visitor can read. Documents cost the same whoever asks:
 * they are not counted, and the edge bounds them by address (lambdas/edge/distribution.ts). What the API answers is counted
 * for each network that it is asked from, so that no visitor can use it up for others.
 */
export const SITE_TIER = 'site' satisfies Tier
/** The tiers of readers. */
export type ReaderTier = Exclude<Tier, typeof SITE_TIER>

/** All tiers, the lowest first. */
export const tierNames = Object.keys(tiers) as readonly Tier[]

/** Tiers that readers' accounts have, the lowest first. */
export const readerTiers = tierNames.filter((tier): tier is ReaderTier => tier !== SITE_TIER)

/** The tier of an account of the account page, and what a paid tier falls back to when it ends. */
export const FIRST_TIER = 'basic' satisfies Tier

/** A tier that may have an end, in Unix seconds; null: none. */
export type EndingTier = { readonly tier: Tier; readonly tierEndsAt: number | null }

/** The tier of an account at a time (Unix seconds). */
export const tierAt = ({ tier, tierEndsAt }: EndingTier, now: number): Tier =>
  tierEndsAt !== null && now >= tierEndsAt ? FIRST_TIER : tier

export const isTier = (text: string): text is Tier => Object.hasOwn(tiers, text)

/** Whether an account of a tier may read what needs another. */
export const includesTier = (has: Tier, needed: Tier): boolean =>
  tierNames.indexOf(has) >= tierNames.indexOf(needed)

/** State of an account; the keys of a suspended one are refused. */
export type AccountState = 'active' | 'suspended'

/** A key's text begins with its kind: `live` in production, `test` elsewhere; `site` is of the pages. */
export const keyKinds = ['live', 'test', 'site'] as const
export type KeyKind = (typeof keyKinds)[number]

/** The kind of the keys that are made for a deployment's chain. */
export const keyKindOf = (chain: string): KeyKind => (chain === 'devnet' ? 'test' : 'live')

/** Keys without an end that an account may have, and as many that are being replaced. */
export const KEYS_MAX = 10

/** Seconds that the gateway caches the authorizer's answer to a key: a revoked key stops working within this time. */
export const VERDICT_SECONDS = 30

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 27 of 62 letters: 160 random bits. */
const RANDOM_LETTERS = 27
/** Six letters hold 32 bits. */
const CHECK_LETTERS = 6
/** Letters of the random part that may be shown, to distinguish keys; 136 bits stay secret. */
const SHOWN_LETTERS = 4
const KEY = new RegExp(
  `^(z100_(?:${keyKinds.join('|')})_[0-9A-Za-z]{${RANDOM_LETTERS}})([0-9A-Za-z]{${CHECK_LETTERS}})$`,
)

/** Random letters and digits, of about 5.95 bits each. */
export const randomLetters = (count: number): string =>
  Array.from({ length: count }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/** A key's text up to its kind. */
export const keyBeginning = (kind: KeyKind): string => `z100_${kind}_`

/** A new key: its kind, 27 random letters, and 6 that check the text before them. */
export function newKey(kind: KeyKind): string {
  const text = keyBeginning(kind) + randomLetters(RANDOM_LETTERS)
  return text + checksumOf(text)
}

/** Whether a text has the form and the checksum of a key: a mistyped one needs no look-up. */
export function isKey(text: string): boolean {
  const [, body = '', checksum] = KEY.exec(text) ?? []
  return checksum !== undefined && checksumOf(body) === checksum
}

/** The part of a key that may be shown: `z100_live_Ab3d`. */
export const keyPrefix = (key: string): string => key.slice(0, key.lastIndexOf('_') + 1 + SHOWN_LETTERS)

/** The stored form of a key: the sha256 of its text, base64url without padding. The edge's function computes the same. */
export const keyDigest = (key: string): string => createHash('sha256').update(key).digest('base64url')

/** Letters of a key's mark; the edge's function cuts it as well. */
export const KEY_MARK = 8

function checksumOf(text: string): string {
  let rest = crc32(text)
  let letters = ''
  for (let at = 0; at < CHECK_LETTERS; at++) {
    letters = ALPHABET[rest % ALPHABET.length] + letters
    rest = Math.floor(rest / ALPHABET.length)
  }
  return letters
}

/** The key of the header `Authorization: Bearer <key>`, the scheme in any case; null: there is none. */
export const bearerKey = (authorization: string): string | null =>
  /^bearer +([^\s,]+)$/i.exec(authorization.trim())?.[1] ?? null

/** The header that proves to the gateway that a request came through the edge; its value is a secret of the two. */
export const ORIGIN_HEADER = 'x-z100-origin'
/** The reader's address, from the edge to the API. A viewer's own header of this name is removed. */
export const VIEWER_HEADER = 'x-z100-viewer'
/** The host name of the reader's request, likewise. Part of the edge's cache key, since some answers contain it. */
export const HOST_HEADER = 'x-z100-host'

/** The gateway's resource of all operations that need a key; the others have resources of their own. */
export const KEYED_RESOURCE = '/v1/{proxy+}'

/** Hours since 1970 of a time in Unix seconds: limits are by whole UTC hours. */
export const usageHourOf = (seconds: number): number => Math.floor(seconds / 3_600)

/** The hour's end, in Unix seconds. */
export const hourEnd = (hour: number): number => (hour + 1) * 3_600

/** The gateway's path of requests whose key the edge does not know, and its resource, which has a throttle of its own. */
export const UNKNOWN_KEYS = '/unknown'
export const UNKNOWN_RESOURCE = `${UNKNOWN_KEYS}/{proxy+}`

/**
 * Bytes of the archive's files that accounts which are not paid for read in one UTC day: those that come from one network (an
 * IPv4 /24 or an IPv6 /48), and all of them, who are named EVERYBODY.
 */
export const freeArchiveBytes = { ofNetwork: 25 * GB, inAll: 200 * GB } as const
export const EVERYBODY = '*'

/** What an answer with a part of a file counts at least, since a request has a price, too. */
export const LEAST_ARCHIVE_BYTES = 32_768

/** Entries of the KeyValueStore. */
export const edgeKeys = {
  /** A key, by its digest: which account it is of. */
  key: (digest: string): string => `k:${digest}`,
  /** An account that has reached the limit that the entry contains, in its hour. */
  exhausted: (account: string): string => `x:${account}`,
  /** The same of its bytes of the archive's files; also of a network, and of everybody who does not pay. */
  archived: (reader: string): string => `a:${reader}`,
  /** There once every key of the table has been put: a key that the store lacks is made up then. */
  whole: 'whole',
} as const

/** A key's entry at the edge. */
export type EdgeKey = {
  readonly account: string
  readonly tier: Tier
  readonly state: AccountState
  /** Unix seconds from which on the key is not valid; absent or null: it has no end. */
  readonly endsAt?: number | null
  /** Unix seconds from which on the tier is another one, which the API knows; absent or null: it has no end. */
  readonly tierEndsAt?: number | null
}

/** The places of an entry's parts in its text; the edge's function reads them by this table, too. */
export const edgeKeyPlaces = { account: 0, tier: 1, state: 2, endsAt: 3, tierEndsAt: 4 } as const satisfies {
  readonly [Part in keyof Required<EdgeKey>]: number
}

/** The text of a key's entry, without the ends that there are not. */
export const edgeKeyText = (key: EdgeKey): string =>
  (Object.keys(edgeKeyPlaces) as (keyof EdgeKey)[])
    .map((part) => key[part] ?? '')
    .join('|')
    .replace(/\|+$/, '')

/** The account in the text of an entry. */
export const edgeKeyAccount = (text: string): string => text.split('|')[edgeKeyPlaces.account] ?? ''

/** The value of such an entry. A tier with another limit is another matter: a raised one works within the same hour. */
export const exhaustedText = (hour: number, limit: number): string => `${hour}|${limit}`

/** The part of a key's digest that tells the keys of one account apart. */
export const keyMark = (digest: string): string => digest.slice(0, KEY_MARK)

/** A counted answer of the edge, as its function logs it: the account and the key's mark, never the key or its digest. */
export type EdgeUsage = { readonly account: string; readonly hour: number; readonly mark?: string }

/** The line of the API's log that reports an account over its limit to the edge. */
export const exhaustedLine = ({ account, hour }: EdgeUsage): string =>
  JSON.stringify({ z100: 'exhausted', account, hour })

/** Parses `exhaustedLine`; null: another line. */
export const exhaustedFrom = (line: string): EdgeUsage | null => usageIn(line, 'exhausted')

/** Parses the edge function's line for a counted answer, which begins with the request's id on AWS; null: another line. */
export const usageFrom = (line: string): EdgeUsage | null => usageIn(line, 'usage')

/** The edge function's line for a key that it cannot know, since its store lost the entry `whole`, or fails. */
export const LOST_LINE = JSON.stringify({ z100: 'lost' })

/** An answer with a file of the archive: the account that reads, then whom the bytes count for as well. */
export type ArchiveUse = {
  readonly readers: readonly string[]
  /** UTC days from 1970. */
  readonly day: number
  readonly bytes: number
}

/** Parses the line of the archive's function; null: another line. */
export function archiveUseFrom(line: string): ArchiveUse | null {
  const [, readers, day, bytes] =
    /\{"z100":"archive","readers":"([\w@* -]{1,128})","day":(\d{1,6}),"bytes":(\d{1,15})\}\s*$/.exec(line) ??
    []
  return readers === undefined
    ? null
    : { readers: readers.split(' '), day: Number(day), bytes: Number(bytes) }
}

function usageIn(line: string, word: string): EdgeUsage | null {
  const found =
    /\{"z100":"([a-z]+)","account":"([a-z0-9]{1,64})","hour":(\d{1,9})(?:,"key":"([\w-]{8})")?\}\s*$/.exec(
      line,
    )
  if (found?.[1] !== word) return null
  const [, , account = '', hour, mark] = found
  return { account, hour: Number(hour), ...(mark === undefined ? {} : { mark }) }
}
