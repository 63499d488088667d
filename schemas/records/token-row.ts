import type { BoardRow, TokenFigures, TokenNow, TrendingRow } from '../../market/board/row.ts'
import { formatUsd } from '../../market/display.ts'
import { ENGAGEMENT_MIN_MICRO_USD } from '../../market/rules.ts'
import { type FieldTable, fieldsOf, type Kind, orNull, recordKind } from '../values/field.ts'
import * as kind from '../values/kinds.ts'
import { changeFields } from './change-fields.ts'
import { earningFields } from './earnings.ts'
import { nameFlagFields } from './name-flags.ts'
import { portfolioFields } from './portfolio-fields.ts'
import { descriptions, handleDescription, handleOf } from './token-description.ts'

const place = fieldsOf<TokenFigures>()
const figure = fieldsOf<TokenNow>()
const board = fieldsOf<BoardRow>()
const trend = fieldsOf<TrendingRow>()

const places = {
  rank: place(kind.count, (row) => row.rank, {
    description: 'Position on the board or list; does not change with the sort order',
    sorts: ['rank'],
  }),
  position: place(kind.count, (row) => row.position, 'Position in the list in this order, over all pages'),
}

/** Description of `coverage_from` for market-wide figures. */
export const coverage = {
  description:
    'Set if this service’s history begins later than the platform: at this time. Figures that need older history are null, and older coins that their contracts do not describe, such as those of June 2025 (0.9.0), are left out',
}

const nameFlags = figure(recordKind(nameFlagFields), (row) => row.nameFlags, {
  description: 'Warnings about the names, since anyone may call a token anything',
})

const trades24h = figure(orNull(kind.count), (row) => row.trades24h, {
  description: 'Swaps of the last 24 hours',
})
const liquidity = figure(orNull(kind.usd), (row) => row.liquidity, {
  description: 'Both sides of the hook’s liquidity at the current price',
})

/** The part of a market cap that is backed by liquidity. */
const backing = {
  effective_market_cap: figure(orNull(kind.usd), (row) => row.effectiveMarketCap, {
    description: 'market_cap, limited to 25 × the least quote-side liquidity on the token’s path to USD',
  }),
  effective_market_cap_formatted: figure(kind.usdText, (row) => row.effectiveMarketCap, 'Display text'),
  thin_liquidity: figure(orNull(kind.flag), isThin, {
    description: 'market_cap exceeds 25 × that liquidity: hardly anyone could sell at this price',
  }),
}

function isThin({ marketCap, effectiveMarketCap }: TokenNow): boolean | null {
  return marketCap === null || effectiveMarketCap === null ? null : marketCap > effectiveMarketCap
}

/** A kind of figure that every token on a board has; a document with null instead fails its schema. */
const ofBoards = <V>(kind: Kind<V>): Kind<V | null> => ({ ...orNull(kind), schema: kind.schema })

/** Rows of both boards, in the order of the wire. A creator row is the creator token's row. */
export const boardFields: FieldTable<BoardRow> = {
  ...places,
  type: descriptions.type,
  symbol: descriptions.symbol,
  name: descriptions.name,
  handle: board(orNull(kind.text), handleOf, {
    description: `${handleDescription}; null where neither is known`,
    aliases: ['creator_handle'],
  }),
  symbol_since: descriptions.symbol_since,
  creator_name: descriptions.creator_name,
  quoted_in: descriptions.quoted_in,
  name_flags: nameFlags,
  creator_address: descriptions.creator_address,
  creator_verified: descriptions.creator_verified,
  launched_by: descriptions.launched_by,
  contract_address: descriptions.contract_address,
  pool_id: descriptions.pool_id,
  price_usd: board(ofBoards(kind.price), (row) => row.priceUsdE36, {
    description: 'Pool price in USD',
    sorts: ['price'],
  }),
  market_cap: board(ofBoards(kind.usd), (row) => row.marketCap, {
    description: 'Price × total supply, USD',
    display: ['post'],
    sorts: ['market_cap'],
  }),
  ...backing,
  circulating_supply: board(kind.amount, (row) => row.circulatingSupply, {
    description: 'Total supply minus the token contract’s own balance',
  }),
  circulating_market_cap: board(ofBoards(kind.usd), (row) => row.circulatingMarketCap, {
    description: 'Price × circulating supply, USD',
  }),
  total_supply: board(kind.amount, (row) => row.supply, 'Minted minus burned, whole tokens'),
  portfolio_value: board(
    ofBoards(kind.usdText),
    (row) => row.portfolioValue,
    'Display text of portfolio_value_raw',
  ),
  portfolio_value_raw: board(ofBoards(kind.usd), (row) => row.portfolioValue, {
    description: 'Limited market caps of the creator’s token and posts, USD; on posts the market cap',
  }),
  portfolio: board(orNull(recordKind(portfolioFields)), (row) => row.portfolio, {
    description: 'Parts of a creator’s portfolio; null on posts',
  }),
  volume_24h: board(orNull(kind.usd), (row) => row.volume24h, {
    description: 'Volume of the last 24 hours, USD',
    display: ['creator', 'post'],
  }),
  total_volume: board(orNull(kind.usd), (row) => row.totalVolume, {
    description: 'Volume since launch, USD',
    display: ['creator', 'post'],
    sorts: ['total_volume'],
  }),
  volume_period: board(orNull(kind.usd), (row) => row.volume, {
    description: 'Volume of the period, USD',
    sorts: ['volume'],
  }),
  unique_holders: board(orNull(kind.count), (row) => row.holders, {
    description: 'Addresses with a balance',
    aliases: ['holders_count'],
    sorts: ['holders'],
  }),
  engagement: board(orNull(kind.count), (row) => row.engagement, {
    description: `(wallet, UTC hour) pairs of the last 24 hours with a swap of at least ${formatUsd(ENGAGEMENT_MIN_MICRO_USD)}`,
  }),
  sparkline_24h: board(orNull(kind.shape), (row) => row.closePrices, {
    description:
      'price_usd at the ends of the last 24 UTC hours, oldest first, from 0 for the lowest to 100 for the highest of them, rounded down, 50 if all are equal. Hours before its first price are null. The whole list is null if the token has no price yet, or is older than the log and has fewer than 24 known prices',
  }),
  ...earningFields,
  trades_24h: trades24h,
  trades_period: board(orNull(kind.count), (row) => row.trades, 'Swaps of the period'),
  liquidity_usd: liquidity,
  change_24h: board(orNull(kind.percentText), (row) => row.change24hE2, {
    description: 'Signed display text of change_24h_percent',
  }),
  change_24h_percent: board(orNull(kind.percent), (row) => row.change24hE2, {
    description: 'Price change over 24 hours, or since launch if that is later',
  }),
  change_1h: board(orNull(kind.percent), (row) => row.change1hE2, {
    description: 'Price change over an hour, percent, or since launch if that is later',
    sorts: ['change_1h'],
  }),
  change_7d: board(orNull(kind.percent), (row) => row.change7dE2, {
    description: 'Price change over 7 days, percent, or since launch if that is later',
    sorts: ['change_7d'],
  }),
  is_new: board(orNull(kind.flag), (row) => row.isNew, {
    description:
      'The token was not on this board at the start of the period; null, like previous_rank, if that needs history older than this service’s',
  }),
  previous_rank: board(orNull(kind.count), (row) => row.previousRank, {
    description: 'Rank on this board at the start of the period',
  }),
  rank_change: board(orNull(kind.difference), (row) => row.previousRank && row.previousRank - row.rank, {
    description: 'Ranks gained since the start of the period',
  }),
  score: board(orNull(kind.score), (row) => row.scoreE6, {
    description: 'The board’s sort key: portfolio_value_raw for creators, engagement for posts',
  }),
  created_at: descriptions.created_at,
  coverage_from: descriptions.coverage_from,
  period_start: board(kind.time, (row) => row.periodStart, 'Start of the period'),
  data_source: board(kind.choice(['onchain']), () => 'onchain', 'Source of the figures'),
  ...changeFields,
}

/** Fields of the rows of every list other than the boards, in wire order. change_24h is a number here. */
export const listedFields = {
  ...places,
  symbol: descriptions.symbol,
  name: descriptions.name,
  contract_address: descriptions.contract_address,
  type: descriptions.type,
  price_usd: figure(orNull(kind.price), (row) => row.priceUsdE36, {
    description: 'Pool price in USD; null without a route to USD',
  }),
  market_cap: figure(orNull(kind.usd), (row) => row.marketCap, {
    description: 'Price × total supply, USD',
    sorts: ['market_cap'],
  }),
  ...backing,
  volume_24h: figure(orNull(kind.usd), (row) => row.volume24h, 'Volume of the last 24 hours, USD'),
  holders_count: figure(orNull(kind.count), (row) => row.holders, {
    description: 'Addresses with a balance',
    aliases: ['unique_holders'],
    sorts: ['holders'],
  }),
  change_24h: figure(orNull(kind.percent), (row) => row.change24hE2, {
    description: 'Price change over 24 hours, percent, or since launch if that is later',
  }),
  change_24h_percent: figure(orNull(kind.percent), (row) => row.change24hE2, {
    description: 'The same as change_24h, under the name used on every row',
  }),
  change_7d: figure(orNull(kind.percent), (row) => row.change7dE2, {
    description: 'Price change over 7 days, percent, or since launch if that is later',
  }),
  creator_handle: descriptions.creator_handle,
  symbol_since: descriptions.symbol_since,
  creator_name: descriptions.creator_name,
  quoted_in: descriptions.quoted_in,
  name_flags: nameFlags,
  creator_address: descriptions.creator_address,
  creator_verified: descriptions.creator_verified,
  launched_by: descriptions.launched_by,
  trades_24h: trades24h,
  liquidity_usd: liquidity,
  pool_id: descriptions.pool_id,
  created_at: descriptions.created_at,
  coverage_from: descriptions.coverage_from,
  total_volume: figure(orNull(kind.usd), (row) => row.totalVolume, 'Volume since launch, USD'),
  ...earningFields,
} satisfies FieldTable<TokenFigures>

/** Rows of trending lists: listed fields, and the timeframe's own. */
export const trendingFields: FieldTable<TrendingRow> = {
  ...listedFields,
  volume: trend(orNull(kind.usd), (row) => row.volume, {
    description: 'Volume of the timeframe, USD',
    sorts: ['volume'],
  }),
  rank_volume: trend(orNull(kind.usd), (row) => row.rankVolume, {
    description:
      'Growth of the largest net position of each (wallet, UTC hour) in the timeframe, USD; buying and selling again adds nothing',
    sorts: ['rank_volume'],
  }),
  change: trend(orNull(kind.percent), (row) => row.changeE2, {
    description:
      'Price change over the timeframe, percent, or since launch if that is later; in the lists ordered by it, since an hour after launch',
    sorts: ['change'],
  }),
  trade_count: trend(orNull(kind.count), (row) => row.trades, 'Swaps of the timeframe'),
}
