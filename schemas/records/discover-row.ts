import type { LaunchRow, RisingParts, RisingRow } from '../../market/board/discovery.ts'
import type { TokenSummary } from '../../market/board/row.ts'
import { formatUsd } from '../../market/display.ts'
import { ENGAGEMENT_MIN_MICRO_USD } from '../../market/rules.ts'
import { type FieldTable, fieldsOf, orNull, recordKind } from '../values/field.ts'
import * as kind from '../values/kinds.ts'
import { cursorOf } from '../values/swap-cursor.ts'
import { listedFields } from './token-row.ts'

const summary = fieldsOf<TokenSummary>()
const part = fieldsOf<RisingParts>()
const rising = fieldsOf<RisingRow>()
const launch = fieldsOf<LaunchRow>()

const boardNames = { creator: 'creators', post: 'posts' } as const

/** A token's summary, and its rank on its board. */
export const summaryFields: FieldTable<TokenSummary> = {
  ...listedFields,
  z100_board: summary(
    orNull(kind.choice(Object.values(boardNames))),
    ({ boardRank, token }) => (boardRank === null ? null : boardNames[token.kind]),
    { description: 'The board that the token is on; null: none' },
  ),
  z100_rank: summary(orNull(kind.count), (row) => row.boardRank, 'Its rank there'),
}

/** Components of the rising score. */
export const risingPartFields: FieldTable<RisingParts> = {
  rank_volume_1h: part(kind.usd, (row) => row.rankVolume1h, {
    description: 'Growth of the largest net position of each (wallet, UTC hour) in the last hour, USD',
  }),
  rank_volume_25h: part(kind.usd, (row) => row.rankVolume25h, 'The same in the last 25 hours'),
  wallet_hours_1h: part(kind.count, (row) => row.walletHours1h, {
    description: '(wallet, UTC hour) pairs counted in the last hour, at least 3',
  }),
  change_1h: part(orNull(kind.percent), (row) => row.change1hE2, {
    description: 'Price change over an hour, percent, or since launch if that is later',
  }),
}

/** Rows of the rising list. */
export const risingFields: FieldTable<RisingRow> = {
  ...summaryFields,
  rising_score: rising(kind.ratio, (row) => row.scoreE6, {
    description: '(rank_volume_1h + 50) / ((rank_volume_25h - rank_volume_1h) / 24 + 50)',
  }),
  components: rising(recordKind(risingPartFields), (row) => row.parts, 'Inputs of the score'),
}

/** Rows of the new launches. */
export const launchFields: FieldTable<LaunchRow> = {
  ...summaryFields,
  age_seconds: launch(kind.count, (row) => row.ageSeconds, 'Seconds since the creation block'),
  launch_block: launch(kind.count, (row) => row.token.launchedAt.blockNumber, 'The creation block'),
  launch_transaction_hash: launch(kind.hash, (row) => row.token.launchedAt.transactionHash, {
    description: 'The transaction that created it',
  }),
  launch_price_usd: launch(orNull(kind.price), (row) => row.launchPriceUsdE36, {
    description: 'First pool price in USD; null without a route to USD',
  }),
  change_since_launch: launch(orNull(kind.percent), (row) => row.changeSinceLaunchE2, {
    description: 'Price change since then, percent',
  }),
  trades: launch(kind.count, (row) => row.tradesSinceLaunch, 'Swaps since launch'),
  buyers: launch(kind.count, (row) => row.buyersSinceLaunch, {
    description: `(wallet, UTC hour) pairs since launch with a swap of at least ${formatUsd(ENGAGEMENT_MIN_MICRO_USD)}`,
  }),
  volume: launch(orNull(kind.usd), (row) => row.totalVolume, 'Volume since launch, USD'),
  cursor: launch(kind.text, ({ token }) => cursorOf(token.launchedAt), {
    description: 'Its place among the launches, opaque: `cursor` takes it',
  }),
}

/** How a search matched a token; the best kinds come first. */
const matchNames = ['symbol', 'handle', 'address', 'name', 'creator_address'] as const
const matchKinds = ['exact', 'prefix', 'word', 'contains'] as const
export type Match = {
  readonly field: (typeof matchNames)[number]
  readonly kind: (typeof matchKinds)[number]
}
type FoundToken = TokenSummary & { readonly match: Match }

const match = fieldsOf<Match>()
const found = fieldsOf<FoundToken>()

/** Match of a token in a search. */
export const matchFields: FieldTable<Match> = {
  field: match(kind.choice(matchNames), (row) => row.field, 'The field that matches'),
  kind: match(kind.choice(matchKinds), (row) => row.kind, 'Kind of match, best first'),
}

/** A token that a search found. */
export const foundFields: FieldTable<FoundToken> = {
  ...summaryFields,
  match: found(recordKind(matchFields), (row) => row.match, 'How the search found the token'),
}
