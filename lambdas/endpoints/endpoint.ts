import type { Address, Block, Minute } from '../../market/segment.ts'
import { asOf } from '../../market/window.ts'
import type * as request from '../../schemas/request-form.ts'
import { snapshotId } from '../../schemas/service.ts'
import type { SwapCurrency } from '../../schemas/swap.ts'
import type { AppliedReads, ReadableMinute } from '../../store/applied-read.ts'
import type { RecentSwaps } from '../../store/feed.ts'
import type { AddressCodes } from '../../store/holders.ts'
import type { Manifests } from '../../store/manifests.ts'
import type { StoredStatus } from '../../store/stored-status.ts'
import type { Reads } from '../../store/table.ts'
import type { Usage } from '../../store/usage.ts'
import type { Caller } from '../admission.ts'
import type { StoredLists } from '../stored-lists.ts'

/** What a request asks for: the id in its path, and every parameter that was sent or has a default, by its first name. */
export type EndpointRequest = Pick<request.CheckedQuery, 'query'> & { readonly id: string }

/** The time of the chain that an answer holds for. `asOf` is Unix seconds. */
export type Provenance = {
  /** Position in the log of minutes. */
  readonly n: number
  readonly snapshotId: string
  readonly blockNumber: number
  readonly blockHash: string
  readonly asOf: number
}

/** One page of a list: its JSON text. `isCapped`: there are more than `total`. */
export type Page = {
  readonly list: string
  readonly total: number
  readonly offset: number
  readonly limit: number
  readonly isCapped?: boolean
}

/** What an endpoint answers: JSON text or a page of a list, and the time it holds for; null: it is about no time of the chain. */
export type ApiAnswer = { readonly at: Provenance | null } & (
  | { readonly text: string }
  | { readonly page: Page }
)

/** All that endpoints read. */
export type ReadStores = {
  readonly table: Reads
  /** The same by eventual reads, at half the cost: for what was written long ago. */
  readonly past: Reads
  readonly log: AppliedReads
  readonly recentSwaps: RecentSwaps
  readonly lists: StoredLists
  /** What each published snapshot was made of. */
  readonly manifests: Pick<Manifests, 'newest' | 'byId' | 'list'>
  readonly status: Pick<StoredStatus, 'read'>
  /** Which addresses are contracts. */
  readonly codes: AddressCodes
  /** What accounts used of their hours. */
  readonly usage: Pick<Usage, 'take' | 'used'>
  /** Its balances are nobody’s: they lie in the pools. */
  readonly poolManager: Address
  /** Currencies with a rate of their own: where every path to USD ends. */
  readonly references: ReadonlyMap<Address, SwapCurrency>
}

/** Who asks, when (Unix seconds), and at which address, without a slash at its end. A caller that is null needs no key. */
export type Asking = { readonly caller: Caller | null; readonly now: number; readonly site: string }

/** Answers one operation. Throws ApiError for what is answered as it is. */
export type ApiEndpoint = (asked: EndpointRequest, stores: ReadStores, asking: Asking) => Promise<ApiAnswer>

/** The time of an applied minute. */
export const provenanceOf = ({
  n,
  minute,
  last,
}: {
  n: number
  minute: Minute
  last: Block
}): Provenance => ({
  n,
  snapshotId: snapshotId({ n, minute, last }),
  blockNumber: last.number,
  blockHash: last.hash,
  asOf: asOf(minute),
})

/** An answer about an applied minute. */
export const answerAt = (
  at: ReadableMinute,
  answer: { readonly text: string } | { readonly page: Page },
): ApiAnswer => ({ ...answer, at: provenanceOf(at) })

/** A whole number that has been validated. */
export const numberOf = ({ query }: EndpointRequest, name: string): number => Number(query[name])

/** A flag that has been validated. */
export const isSet = ({ query }: EndpointRequest, name: string): boolean =>
  ['true', '1'].includes(query[name] ?? '')

/** The rows that a page asks for, of all that there are. */
export function rowsOfPage<Row>(
  rows: readonly Row[],
  asked: EndpointRequest,
): { rows: readonly Row[]; total: number; offset: number; limit: number } {
  const limit = numberOf(asked, 'limit')
  const offset = numberOf(asked, 'offset')
  return { rows: rows.slice(offset, offset + limit), total: rows.length, offset, limit }
}

/** Rows as a list, a row a line. */
export const rowsText = (rows: readonly string[]): string => `[${rows.join(',\n')}]`

/** A validated time in Unix ms; a date alone means `time` (HH:MM) of that day, in UTC. */
export const momentOf = (text: string, time: string): number =>
  Date.parse(text.length > DATE_LENGTH ? text.replace(/Z?$/, 'Z') : `${text}T${time}:00Z`)

/** The minute in which it lies. */
export const minuteOfText = (text: string, time: string): Minute => Math.floor(momentOf(text, time) / 60_000)

/** The last minute that was over at a validated time; a date alone means the end of that day. */
export const lastMinuteOver = (text: string): Minute =>
  minuteOfText(text, '23:59') - (text.length > DATE_LENGTH ? 1 : 0)

const DATE_LENGTH = 10
