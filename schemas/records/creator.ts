/** A creator: token, posts, portfolio and earnings, as printed. */
import type { TokenNow } from '../../market/board/row.ts'
import type { Address, MicroUsd, Token } from '../../market/segment.ts'
import { type FieldTable, fieldsOf, type Kind, listKind, orNull, recordKind } from '../values/field.ts'
import * as kind from '../values/kinds.ts'
import { summaryFields } from './discover-row.ts'
import { portfolioFields } from './portfolio-fields.ts'
import { descriptions } from './token-description.ts'

/** What a creator was paid on one UTC day. */
export type EarningsDay = {
  /** Unix seconds of its start. */
  readonly start: number
  readonly earned: MicroUsd
  /** Part of it: of posts. */
  readonly ofPosts: MicroUsd
  readonly isPartial: boolean
}

/** What the trades of a creator's token and posts paid. Null: the token is older than the log, or its day begins before it. */
export type Earnings = {
  readonly last24h: MicroUsd | null
  readonly total: MicroUsd | null
  readonly ofPosts: MicroUsd | null
  /** To others, of the token's own trades. */
  readonly toPlatform: MicroUsd | null
  readonly toReferrers: MicroUsd | null
  readonly toProtocol: MicroUsd | null
  readonly coverageFrom: number | null
  /** Oldest first. */
  readonly days: readonly EarningsDay[]
}

/** A creator and a page of posts. */
export type CreatorPage = {
  readonly address: Address | null
  readonly handle: string
  /** A token's summary as JSON text; null: no creator token. */
  readonly token: string | null
  /** The creator tokens that name the address. */
  readonly creatorTokens: readonly Token[]
  /** JSON text, and the time it holds for, Unix seconds. */
  readonly portfolio: string | null
  readonly portfolioAsOf: number | null
  readonly earnings: Earnings | null
  readonly posts: {
    readonly total: number
    readonly offset: number
    /** Where the next page begins; null: this is the last. */
    readonly next: number | null
    readonly rows: readonly string[]
  }
  /** Unix seconds. */
  readonly asOf: number
}

const day = fieldsOf<EarningsDay>()
const sum = fieldsOf<Earnings>()
const page = fieldsOf<CreatorPage>()

/** Days of earnings, oldest first. */
export const earningsDayFields: FieldTable<EarningsDay> = {
  date: day(kind.time, (row) => row.start, 'Start of the UTC day'),
  timestamp: day(kind.count, (row) => row.start, 'The same in Unix seconds'),
  creator_earnings: day(
    kind.usd,
    (row) => row.earned,
    'Fees paid to the creator on it, USD at the time of each payment',
  ),
  from_token: day(kind.usd, (row) => row.earned - row.ofPosts, 'Part of it: by trades of the creator token'),
  from_posts: day(kind.usd, (row) => row.ofPosts, 'Part of it: by trades of posts'),
  partial: day(kind.flag, (row) => row.isPartial, 'The day is not over yet'),
}

/** What a creator earned, and what others had of the same trades. */
export const creatorEarningsFields: FieldTable<Earnings> = {
  creator_earnings_24h: sum(orNull(kind.usd), (row) => row.last24h, {
    description:
      'Fees of the last 24 hours paid to the creator, by the token’s trades and those of its posts, USD',
  }),
  creator_earnings_total: sum(orNull(kind.usd), (row) => row.total, {
    description: 'The same since the token’s launch; null, like all sums here, if coverage_from is set',
  }),
  from_token: sum(
    orNull(kind.usd),
    (row) => (row.total === null || row.ofPosts === null ? null : row.total - row.ofPosts),
    'Part of it: by trades of the creator token',
  ),
  from_posts: sum(orNull(kind.usd), (row) => row.ofPosts, 'Part of it: by trades of posts'),
  fees_to_platform: sum(orNull(kind.usd), (row) => row.toPlatform, {
    description: 'Fees of the creator token’s own trades that went to the platform it was launched at',
  }),
  fees_to_referrers: sum(orNull(kind.usd), (row) => row.toReferrers, 'To those who referred the traders'),
  fees_to_protocol: sum(orNull(kind.usd), (row) => row.toProtocol, 'To the protocol and to Doppler'),
  coverage_from: sum(orNull(kind.time), (row) => row.coverageFrom, {
    description: 'Set if the creator token is older than this service’s history, which begins here',
  }),
  by_day: sum(listKind(earningsDayFields), (row) => row.days, 'By UTC days, oldest first'),
}

type Described = Pick<TokenNow, 'token' | 'creatorToken'>
const creatorToken = fieldsOf<Described>()

/** What names a creator token among those of its creator. */
export const creatorTokenFields: FieldTable<Described> = {
  contract_address: creatorToken(kind.address, ({ token }) => token.address, 'Token contract'),
  symbol: descriptions.symbol,
  name: descriptions.name,
  creator_verified: descriptions.creator_verified,
  created_at: descriptions.created_at,
}

/** A record that is text already. */
const textOf = (fields: FieldTable<never>): Kind<string> => ({
  schema: recordKind(fields).schema,
  write: (text) => text,
})
const summaryKind = recordKind(summaryFields)
const summaryTexts: Kind<readonly string[]> = {
  schema: { type: 'array', items: summaryKind.schema },
  write: (texts) => `[${texts.join(',')}]`,
}

/** A creator. */
export const creatorFields: FieldTable<CreatorPage> = {
  creator_address: page(orNull(kind.address), (row) => row.address, {
    description:
      'The creator’s address; null where it is not known because the token is older than the history',
  }),
  handle: page(kind.text, (row) => row.handle, 'Symbol of the creator token, else a short address'),
  token: page(orNull(textOf(summaryFields)), (row) => row.token, {
    description: 'The creator token: the one in the request, else the oldest; null without one',
  }),
  creator_tokens: page(
    listKind(creatorTokenFields),
    (row) => row.creatorTokens.map((token) => ({ token, creatorToken: token })),
    'The first 20 creator tokens that name the address: those that it launched itself first, each oldest first',
  ),
  portfolio: page(orNull(textOf(portfolioFields)), (row) => row.portfolio, {
    description:
      'What the token and its posts are worth, and what of it counts; null without a creator token',
  }),
  portfolio_as_of: page(orNull(kind.time), (row) => row.portfolioAsOf, {
    description:
      'The time of the portfolio: last_updated, or later for a token off the board whose posts have traded since',
  }),
  earnings: page(orNull(recordKind(creatorEarningsFields)), (row) => row.earnings, {
    description: 'What they paid to whom; null without a creator token',
  }),
  posts: page(summaryTexts, (row) => row.posts.rows, 'Posts that the creator launched: a page of them'),
  posts_total: page(
    kind.count,
    (row) => row.posts.total,
    'Number of these posts among the creator’s newest 1,000 launches',
  ),
  posts_offset: page(kind.count, (row) => row.posts.offset, 'Posts before this page'),
  posts_next_offset: page(orNull(kind.count), (row) => row.posts.next, {
    description: 'Offset of the next page; null: this is the last',
  }),
  last_updated: page(kind.time, (row) => row.asOf, 'The time of the figures'),
}
