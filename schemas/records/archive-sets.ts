/** The sets of the archive and their columns. Within v1, sets and columns are only added. */
import type { Slot } from '../../market/board/candles.ts'
import { isImported } from '../../market/coverage.ts'
import type { StoredBar } from '../../market/index/index-history.ts'
import type { Address, Minute, Token, TokenState } from '../../market/segment.ts'
import { type FieldTable, fieldsOf, orNull } from '../values/field.ts'
import * as kind from '../values/kinds.ts'
import { type ArchiveColumn, archiveColumnsOf, instant, over, pick } from './archive-columns.ts'
import { candleFields } from './candles.ts'
import { earningsDayFields } from './creator.ts'
import { type SwapLine, sideFields, swapFields } from './swap.ts'
import { shownName, shownSymbol } from './token-description.ts'
import { boardFields } from './token-row.ts'
import { barRow, indexBarFields } from './z100-index.ts'

/** A minute of a token in which its own price was set. */
export type ArchivedCandle = { readonly token: Address; readonly slot: Slot }

/** A launch that the log has, with its position. */
export type ArchivedLaunch = { readonly token: Token }

type Earned = Pick<TokenState, 'cumEarnedMicroUsd' | 'cumPostsEarnedMicroUsd'>

/** A token before and after the minutes of a day or hour, which begins with minute `first`. */
export type TokenOfSpan = {
  readonly first: Minute
  readonly token: Pick<Token, 'address' | 'launchedAt'>
  readonly before: Earned
  readonly after: Earned & Pick<TokenState, 'holders' | 'supply'>
}

const swap = fieldsOf<SwapLine>()
const candle = fieldsOf<ArchivedCandle>()
const launch = fieldsOf<ArchivedLaunch>()
const bar = fieldsOf<StoredBar>()
const day = fieldsOf<TokenOfSpan>()

/** Without the price: it is volume_usd / amount. */
const swapColumns: FieldTable<SwapLine> = {
  ...pick(swapFields, 'block_number', 'log_index'),
  timestamp: swap(instant, ({ swap: { timestamp, timestampMs } }) => timestampMs ?? timestamp * 1_000, {
    description: 'Time of the block; whole seconds where the milliseconds are not proven',
  }),
  ...pick(swapFields, 'transaction_hash', 'token_address'),
  quote_address: swap(kind.address, ({ quote }) => quote.address, {
    description: 'What the token was paid in; zero for the chain’s own currency',
  }),
  ...pick(swapFields, 'is_buy', 'trader', 'from_address', 'to_address', 'amount'),
  quote_amount: {
    ...pick(swapFields, 'amount')['amount'],
    description: 'The same of the quote currency',
    write: ({ swap: { amountQuote: base }, quote }) =>
      sideFields['amount']?.write({ ...quote, base }) ?? 'null',
  } as FieldTable<SwapLine>[string],
  ...pick(swapFields, 'volume_usd'),
}

const candleColumns: FieldTable<ArchivedCandle> = {
  token_address: candle(kind.address, (row) => row.token, 'The token'),
  timestamp: candle(instant, ({ slot }) => slot.start * 1_000, 'Start of the minute'),
  ...over(pick(candleFields.usd, 'open', 'high', 'low', 'price_usd', 'volume_usd'), slotOf),
  ...over(pick(candleFields.usd, 'trades', 'buys', 'buy_volume', 'volume_quote', 'market_cap'), slotOf),
}
function slotOf({ slot }: ArchivedCandle) {
  return slot
}

const launchColumns: FieldTable<ArchivedLaunch> = {
  block_number: launch(kind.count, ({ token }) => token.launchedAt.blockNumber, 'The creation block'),
  log_index: launch(kind.count, ({ token }) => token.launchedAt.logIndex, 'Index of the creation log'),
  timestamp: launch(instant, ({ token }) => token.launchedAt.timestamp * 1_000, 'Time of the block'),
  transaction_hash: launch(kind.hash, ({ token }) => token.launchedAt.transactionHash, 'The transaction'),
  token_address: launch(kind.address, ({ token }) => token.address, 'Token contract'),
  type: launch(kind.choice(['creator', 'post']), ({ token }) => token.kind, 'creator or post'),
  symbol: launch(kind.text, ({ token }) => shownSymbol(token), 'Ticker symbol at launch; untrusted text'),
  name: launch(kind.text, ({ token }) => shownName(token), 'Name at launch; untrusted text'),
  creator_address: launch(kind.address, ({ token }) => token.creator, {
    description: 'Payout recipient, whom anyone may name',
  }),
  launched_by: launch(orNull(kind.address), ({ token }) => token.launchedBy, 'Who launched it'),
  quote_address: launch(kind.address, ({ token }) => token.quote, 'What it is priced in'),
  pool_id: launch(kind.hash, ({ token }) => token.poolId, 'Primary Uniswap V4 pool'),
  launch_price_usd: launch(orNull(kind.price), ({ token }) => token.launch.priceUsdE36 || null, {
    description: 'First pool price in USD; null without a route to USD',
  }),
  total_supply: launch(kind.amount, ({ token }) => token.launch.supply, 'Supply at launch, whole tokens'),
}

const tokenColumns: FieldTable<TokenOfSpan> = {
  token_address: day(kind.address, (row) => row.token.address, 'The token'),
  timestamp: day(instant, ({ first }) => first * 60_000, 'Start of the day or hour'),
}

const holderColumns: FieldTable<TokenOfSpan> = {
  ...tokenColumns,
  holders_count: day(orNull(kind.count), ({ token, after }) => (isImported(token) ? null : after.holders), {
    description: 'Addresses with a balance at its end; null for a token older than this history',
  }),
  total_supply: day(kind.amount, (row) => row.after.supply, 'Total supply at its end, whole tokens'),
}

/** What a token's creator earned in a span. */
export const earningsOf = ({ first, before, after }: TokenOfSpan) => ({
  start: first * 60,
  earned: after.cumEarnedMicroUsd - before.cumEarnedMicroUsd,
  ofPosts: after.cumPostsEarnedMicroUsd - before.cumPostsEarnedMicroUsd,
  isPartial: false,
})
const earningColumns: FieldTable<TokenOfSpan> = {
  ...tokenColumns,
  ...over(pick(earningsDayFields, 'creator_earnings', 'from_token', 'from_posts'), earningsOf),
}

const endOf = (stored: StoredBar) => barRow('hour', stored, Number.POSITIVE_INFINITY)
const indexColumns: FieldTable<StoredBar> = {
  timestamp: bar(instant, (row) => endOf(row).end * 1_000, 'End of the hour'),
  ...over(pick(indexBarFields, 'index_value', 'open', 'high', 'low', 'total_volume', 'total_trades'), endOf),
}

/** Of a board's row as published; `timestamp` is added. */
const boardColumns = {
  timestamp: bar(instant, () => 0, 'The time of the figures: that of the last snapshot of the day or hour'),
  ...pick(
    boardFields,
    ...['type', 'rank', 'contract_address', 'symbol', 'name', 'handle', 'creator_address', 'price_usd'],
    ...['market_cap', 'effective_market_cap', 'portfolio_value_raw', 'volume_24h', 'trades_24h'],
    ...['unique_holders', 'engagement', 'liquidity_usd', 'change_24h_percent'],
  ),
} satisfies FieldTable<never>

/** A set: what it is about, and its fields. */
type Described<Row> = { readonly description: string; readonly fields: FieldTable<Row> }
const described = <Row>(description: string, fields: FieldTable<Row>): Described<Row> => ({
  description,
  fields,
})

/** Every set by name. */
export const archiveSets = {
  swaps: described('Every trade', swapColumns),
  candles: described('Each minute of a token in which its price was set, in USD', candleColumns),
  launches: described('Every new token', launchColumns),
  boards: described<never>('Both boards as published last in the day or hour', boardColumns),
  index: described('The Z100 Index by hours', indexColumns),
  holders: described('Holders of each token that something happened to', holderColumns),
  earnings: described('Fees paid to the creator of each token with any', earningColumns),
} as const
export type ArchiveSetName = keyof typeof archiveSets

/** The columns of a set. */
export const archiveColumns = (name: ArchiveSetName): readonly ArchiveColumn[] =>
  archiveColumnsOf(archiveSets[name].fields as FieldTable<never>)
