/**
 * What is kept of a completed hour by token and by wallet: holders and earnings of the tokens in which one of them
 * changed, the traders of each token, and the swaps of each wallet. Written with the first minute of a later hour, from the segments of the hour,
 * before readers see that minute: so of an hour before the applied minute's own nothing is missing.
 */
import { hourOfMinute } from '../../market/calendar.ts'
import { grouped } from '../../market/grouped.ts'
import type { Address, Minute, MinuteRow, Segment, Swap } from '../../market/segment.ts'
import type { Item, Reads } from '../aws/table.ts'
import { FORMAT_VERSION, keptSeconds, marketKeys } from '../aws/tables.ts'
import { swapsBytes } from '../bytes/codec.ts'
import { assertReadableItem } from '../bytes/format.ts'
import { packed } from '../bytes/packed.ts'
import { chunksOfHours, hourChunks } from './hour-chunks.ts'
import { itemsOfTraders, tradersKey } from './hour-traders.ts'

/** What changed in a token's hour: before and after it. */
type HourRecord = {
  readonly holdersBefore: number
  readonly holders: number
  readonly earnedBefore: bigint
  readonly earned: bigint
  /** Part of it: of posts. */
  readonly postsEarnedBefore: bigint
  readonly postsEarned: bigint
}
const hourRecordBytes = packed<HourRecord>({
  holdersBefore: Number,
  holders: Number,
  earnedBefore: BigInt,
  earned: BigInt,
  postsEarnedBefore: BigInt,
  postsEarned: BigInt,
})

/** Swaps of a wallet in one item. */
const WALLET_CHUNK = 50

type HourMinute = Pick<Segment, 'swaps'> & { readonly rows: readonly MinuteRow[] }

/** The items of an hour's tokens and wallets, made from its minutes, oldest first. */
export const itemsOfHourRecords = (hour: number, minutes: readonly HourMinute[]): Item[] => [
  ...tokenItems(hour, minutes),
  ...itemsOfTraders(
    hour,
    minutes.flatMap((minute) => minute.swaps),
  ),
  ...walletItems(hour, minutes),
]

function tokenItems(hour: number, minutes: readonly HourMinute[]): Item[] {
  const rows = grouped(
    minutes.flatMap((minute) => minute.rows),
    ({ token }) => token,
  )
  return [...rows].flatMap(([token, own]) => {
    const [first, last] = [own[0]?.before, own.at(-1)?.after]
    if (!first || !last) return []
    // Also where it ended as it began: an item of the hour as it was before a rollback must not stay.
    if (!own.some(hasChanged)) return []
    const record = hourRecordBytes.write({
      holdersBefore: first.holders,
      holders: last.holders,
      earnedBefore: first.cumEarnedMicroUsd,
      earned: last.cumEarnedMicroUsd,
      postsEarnedBefore: first.cumPostsEarnedMicroUsd,
      postsEarned: last.cumPostsEarnedMicroUsd,
    })
    return [{ ...tokenHourKey(token, hour), v: FORMAT_VERSION, record }]
  })
}

const hasChanged = ({ before, after }: MinuteRow): boolean =>
  before.holders !== after.holders || before.cumEarnedMicroUsd !== after.cumEarnedMicroUsd

function walletItems(hour: number, minutes: readonly HourMinute[]): Item[] {
  const swaps = grouped(
    minutes.flatMap((minute) => minute.swaps),
    ({ trader }) => trader,
  )
  return [...swaps].flatMap(([wallet, own]) =>
    hourChunks(own.toReversed(), WALLET_CHUNK, {
      keyOf: (chunk) => walletHourKey(wallet, hour, chunk),
      written: (some) => ({ swaps: swapsBytes.write(some) }),
    }),
  )
}

const tokenHourKey = (token: Address, hour: number): Item => ({
  ...marketKeys.tokenHour(token, hour),
  ttl: hour * 3_600 + keptSeconds.tokenHour,
})

const walletHourKey = (wallet: Address, hour: number, chunk: number): Item => ({
  ...marketKeys.walletHour(wallet, hour, chunk),
  ttl: hour * 3_600 + keptSeconds.wallet,
})

const sampleKey = (token: Address, hour: number): Item => ({
  ...marketKeys.holderSample(token, hour),
  ttl: hour * 3_600 + keptSeconds.tokenHour,
})

/**
 * Keys and expiry of the items that rolling back a minute invalidates. `tokens`: those that it touched, or whose balances
 * it changed.
 */
export function voidedHourRecords(
  { minute, swaps }: Pick<Segment, 'minute' | 'swaps'>,
  tokens: readonly Address[],
): Item[] {
  const hour = hourOfMinute(minute)
  const wallets = [...new Set(swaps.map(({ trader }) => trader))]
  return [
    ...tokens.flatMap((token) => [
      tokenHourKey(token, hour),
      tradersKey(token, hour),
      sampleKey(token, hour),
    ]),
    ...wallets.map((wallet) => walletHourKey(wallet, hour, 0)),
  ]
}

/** A token's hour. */
export type TokenHour = HourRecord & { readonly hour: number }

type Hours = { readonly first: number; readonly last: number }

/** A token's hours in a range (inclusive) in which its holders or earnings changed, oldest first. */
export async function readTokenHours(table: Reads, token: Address, hours: Hours): Promise<TokenHour[]> {
  const { pk, sk: from } = marketKeys.tokenHour(token, hours.first)
  const found: TokenHour[] = []
  for await (const item of table.query({ pk, from, to: marketKeys.tokenHour(token, hours.last).sk })) {
    assertReadableItem(item)
    found.push({ hour: hourOfSort(item.sk), ...hourRecordBytes.read(item['record'] as Uint8Array) })
  }
  return found
}

const hourOfSort = (sk: string): number => Number(sk.split('#')[1])

/** The share of a token's ten largest holders (percent × 10⁴), as last looked at in an hour. */
export type HolderSample = { readonly hour: number; readonly top10PercentE4: bigint }

/** The item of a share as of log entry `n`. */
export const itemOfSample = (
  token: Address,
  { minute, n }: { readonly minute: Minute; readonly n: number },
  top10PercentE4: bigint,
): Item & { readonly pos: number } => ({
  ...sampleKey(token, hourOfMinute(minute)),
  v: FORMAT_VERSION,
  top10: Number(top10PercentE4),
  pos: n,
})

/** The shares of a token in a range of hours (inclusive), oldest first; `n`: none of a later entry of the log. */
export async function readHolderSamples(
  table: Reads,
  token: Address,
  { first, last, n }: Hours & { readonly n: number },
): Promise<HolderSample[]> {
  const { pk, sk: from } = marketKeys.holderSample(token, first)
  const found: HolderSample[] = []
  for await (const item of table.query({ pk, from, to: marketKeys.holderSample(token, last).sk })) {
    if (Number(item['pos'] ?? 0) > n) continue
    found.push({ hour: hourOfSort(item.sk), top10PercentE4: BigInt(Number(item['top10'])) })
  }
  return found
}

/** Chunks of a wallet's swaps read at once: at most 11 KB each. */
const CHUNKS_AT_ONCE = 8

/** Swaps of a wallet in hours up to one, newest first: one chunk at a time. */
export async function* readWalletSwaps(
  tables: { readonly table: Reads; readonly past: Reads },
  wallet: Address,
  last: number,
): AsyncGenerator<readonly Swap[]> {
  const { pk, sk: to } = marketKeys.walletHour(wallet, last, 0)
  const limits = { fresh: CHUNKS_AT_ONCE, atOnce: CHUNKS_AT_ONCE }
  for await (const chunks of chunksOfHours(tables, { pk, to }, limits)) {
    for (const { item } of chunks) yield swapsBytes.read(item['swaps'] as Uint8Array)
  }
}
