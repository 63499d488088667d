import { DAY_MINUTES } from '../../market/calendar.ts'
import type { Address, Minute } from '../../market/segment.ts'
import { InvalidParameterError } from '../../schemas/api/errors.ts'
import type { AnswerHeaderName } from '../../schemas/api/headers.ts'
import type * as request from '../../schemas/api/request-query.ts'
import { snapshotId } from '../../schemas/api/service.ts'
import type { SwapCurrency } from '../../schemas/records/swap.ts'
import { readTime } from '../../schemas/values/time-syntax.ts'
import type { Usage } from '../../store/accounts/usage.ts'
import type { Reads } from '../../store/aws/table.ts'
import type { CurrentNames } from '../../store/items/current-names.ts'
import type { AddressCodes } from '../../store/items/holders.ts'
import type { AppliedReads, ReadableMinute } from '../../store/log/applied-read.ts'
import type { RecentSwaps } from '../../store/log/feed.ts'
import type { BoardDay, DaySpan } from '../../store/published/board-days.ts'
import type { SnapshotInfo } from '../../store/published/documents.ts'
import type { KeptStore } from '../../store/published/kept.ts'
import type { Manifests } from '../../store/published/manifests.ts'
import type { StoredStatus } from '../../store/published/stored-status.ts'
import type { Caller } from './admission.ts'
import type { StoredLists } from './stored-lists.ts'
import type { StoredPrices, StoredScreener } from './stored-screener.ts'

/** A parsed request: the id in its path, and every parameter that was sent or has a default, by its first name. */
export type EndpointRequest = Pick<request.CheckedQuery, 'query'> & { readonly id: string }

/**
 * A page of a list as JSON text. `isCapped`: there may be more than `total`. `shown`: its rows, if what they cost to read made
 * the page shorter than `limit`.
 */
export type Page = {
  readonly list: string
  readonly total: number
  readonly offset: number
  readonly limit: number
  readonly isCapped?: boolean
  readonly shown?: number
  /** Parameters of its links that hold the list as it is now. */
  readonly pinned?: Readonly<Record<string, string>>
  /** The only link of a list that pages by time: to its next page; null: there is none. Absent: links are by offset. */
  readonly onward?: Readonly<Record<string, string>> | null
  /** Where the list goes on behind its last page; absent: links are by offset. */
  readonly next?: Readonly<Record<string, string>>
}

/**
 * An endpoint's answer: JSON text or a page of a list, and the snapshot it is of; null: of none. `isLasting`: it can no
 * longer change. `isPast`: it is of an earlier time on purpose, so it is not stale, and no link pins its snapshot.
 */
export type ApiAnswer = {
  readonly at: SnapshotInfo | null
  readonly isLasting?: boolean
  readonly isPast?: boolean
  /** Further headers. */
  readonly headers?: Partial<Record<AnswerHeaderName, string>>
} & ({ readonly text: string } | { readonly page: Page })

/** Everything that endpoints read from. */
export type ReadStores = {
  readonly table: Reads
  /** The same with eventual reads, at half the cost: for old data. */
  readonly past: Reads
  readonly log: AppliedReads
  readonly recentSwaps: RecentSwaps
  readonly names: CurrentNames
  readonly lists: StoredLists
  /** The tokens of the screener. */
  readonly screened: StoredScreener
  /** The prices of all active tokens. */
  readonly prices: StoredPrices
  /** Manifests of published snapshots. */
  readonly manifests: Pick<Manifests, 'newest' | 'byId' | 'list' | 'minutes'>
  readonly status: Pick<StoredStatus, 'read'>
  /** What was published at the end of each hour. */
  readonly kept: Pick<KeptStore, 'lastHour' | 'document' | 'recap'>
  /** The days on which a token was on its board, oldest first. */
  readonly boardDays: (token: Address, span: DaySpan) => Promise<readonly BoardDay[]>
  /** Which addresses are contracts. */
  readonly codes: AddressCodes
  /** Usage of accounts by hour. */
  readonly usage: Pick<Usage, 'take' | 'used'>
  /** Its balances are in pools and belong to no holder. */
  readonly poolManager: Address
  /** Reference currencies, at which every path to USD ends. */
  readonly references: ReadonlyMap<Address, SwapCurrency>
}

export type Asking = {
  /** null: the operation needs no key. */
  readonly caller: Caller | null
  /** The reader's address as seen by the edge. */
  readonly viewer: string
  /** Unix seconds. */
  readonly now: number
  /** The service's address, without a trailing slash. */
  readonly site: string
}

/** Answers one operation. Throws ApiError for expected errors. */
export type ApiEndpoint = (asked: EndpointRequest, stores: ReadStores, asking: Asking) => Promise<ApiAnswer>

/** The snapshot of an applied minute, published or not. */
export const snapshotAt = ({ n, minute, last }: ReadableMinute): SnapshotInfo => ({
  n,
  minute,
  id: snapshotId({ n, minute, last }),
  blockNumber: last.number,
  blockHash: last.hash,
})

/** An answer about an applied minute. */
export const answerAt = (
  at: ReadableMinute,
  answer: { readonly text: string } | { readonly page: Page },
): ApiAnswer => ({ ...answer, at: snapshotAt(at) })

/** A validated integer. */
export const numberOf = ({ query }: EndpointRequest, name: string): number => Number(query[name])

/** A validated flag. */
export const isSet = ({ query }: Pick<request.CheckedQuery, 'query'>, name: string): boolean =>
  ['true', '1'].includes(query[name] ?? '')

/** The rows of the requested page. */
export function rowsOfPage<Row>(
  rows: readonly Row[],
  asked: EndpointRequest,
): { rows: readonly Row[]; total: number; offset: number; limit: number } {
  const limit = numberOf(asked, 'limit')
  const offset = numberOf(asked, 'offset')
  return { rows: rows.slice(offset, offset + limit), total: rows.length, offset, limit }
}

/** Rows as a JSON list, one row per line. */
export const rowsText = (rows: readonly string[]): string => `[${rows.join(',\n')}]`

/** The minute of a validated time; a date without a time means its first minute. */
export const firstMinuteOfText = (text: string): Minute => Math.floor((readTime(text)?.ms ?? 0) / 60_000)

/** The same; a date without a time means its last minute. */
export const lastMinuteOfText = (text: string): Minute =>
  firstMinuteOfText(text) + (readTime(text)?.isDay ? DAY_MINUTES - 1 : 0)

/** The last minute completed at a validated time; a date without a time means the end of that day. */
export const lastMinuteOver = (text: string): Minute =>
  lastMinuteOfText(text) - (readTime(text)?.isDay ? 0 : 1)

/** Throws InvalidParameterError, which repeats the first characters of what was provided. */
export function refuse(parameter: string, provided: string | null, allowed: string): never {
  throw new InvalidParameterError({ parameter, provided: provided?.slice(0, 128) ?? null, allowed })
}
