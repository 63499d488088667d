import { type Move, movesOf, type TokenDetail, type TokenPage } from '../../market/board/token-page.ts'
import { coverageFrom } from '../../market/coverage.ts'
import type { Distribution } from '../../market/fold/holders.ts'
import { COUNTED_HOLDERS_MAX, MIGRATIONS_MAX } from '../../market/rules.ts'
import type { Address, MicroUsd } from '../../market/segment.ts'
import { type FieldTable, fieldsOf, listKind, orNull, recordKind } from '../values/field.ts'
import * as kind from '../values/kinds.ts'
import { feeFields } from './earnings.ts'
import { shownName, shownSymbol } from './token-description.ts'
import { listedFields } from './token-row.ts'

const page = fieldsOf<TokenPage>()
const detail = fieldsOf<TokenDetail>()
const move = fieldsOf<Move>()

const { rank: _rank, position: _position, ...described } = listedFields
const { price_usd, market_cap, volume_24h, trades_24h, liquidity_usd } = listedFields

const supplies: FieldTable<TokenPage> = {
  total_supply: page(kind.amount, ({ state }) => state.supply, 'Minted minus burned, whole tokens'),
  circulating_supply: page(kind.amount, (row) => row.circulatingSupply, {
    description: 'Total supply minus the token contract’s own balance',
  }),
  circulating_market_cap: page(orNull(kind.usd), (row) => row.circulatingMarketCap, {
    description: 'Price × circulating supply, USD',
  }),
}

/** A token's move to another pool. */
export const migrationFields: FieldTable<Move> = {
  timestamp: move(kind.count, (row) => row.timestamp, 'Time of the block, Unix seconds'),
  datetime: move(kind.time, (row) => row.timestamp, 'The same as text'),
  block_number: move(kind.count, (row) => row.blockNumber, 'Block'),
  from_pool_id: move(kind.hash, (row) => row.fromPool, 'Pool that the token left'),
  to_pool_id: move(kind.hash, (row) => row.toPool, 'Pool that has been its primary one since'),
}

const source = { description: 'Source of the figures' }
const onchain = kind.choice(['onchain'])

/** A token's detail. change_24h is a number here. */
export const detailFields: FieldTable<TokenDetail> = {
  ...described,
  ...feeFields,
  ...supplies,
  uri: page(orNull(kind.text), ({ token }) => token.uri, {
    description:
      'Contract URI of its metadata as the chain has it; untrusted. null: none, longer than 512 characters, or not an ipfs, ar, https or http address',
  }),
  migrations: page(listKind(migrationFields), ({ token }) => movesOf(token), {
    description: `Its moves to another Uniswap V4 pool, oldest first: the newest ${MIGRATIONS_MAX}, since coverage_from if that is set; empty: it has not moved`,
  }),
  data_source: page(onchain, () => 'onchain', source),
  last_updated: page(kind.time, (row) => row.asOf, 'The time of the figures'),
  name_flags_as_of: detail(orNull(kind.time), (row) => row.namesAsOf, {
    description:
      'The time of the boards that name_flags compares names with: the last published ones; null before the first',
  }),
}

/** Which token an answer is about. */
export const tokenFields: FieldTable<TokenPage> = {
  symbol: page(kind.text, ({ token }) => shownSymbol(token), 'Ticker symbol; untrusted text'),
  name: page(kind.text, ({ token }) => shownName(token), 'Name; untrusted text'),
  address: page(kind.address, ({ token }) => token.address, 'Token contract'),
}

/** Figures of a token. */
export const metricFields: FieldTable<TokenPage> = {
  price_usd,
  market_cap,
  ...supplies,
  holders_count: page(orNull(kind.count), (row) => row.holders, {
    description: 'Addresses with a balance; null if coverage_from is set',
  }),
  volume_24h,
  total_volume: page(orNull(kind.usd), (row) => row.totalVolume, {
    description: 'Volume since launch, USD; null if coverage_from is set',
  }),
  trades_24h,
  price_change_24h: page(orNull(kind.percent), (row) => row.change24hE2, {
    description: 'Price change over 24 hours, percent, or since launch if that is later',
  }),
  liquidity_usd,
  all_time_high: page(orNull(kind.price), ({ high }) => high?.usdE36 ?? null, {
    description:
      'Highest close of a minute in which the token’s own price was set, or price_usd if that is higher because its quote rose',
  }),
  ath_at: page(orNull(kind.time), ({ high }) => high?.at ?? null, {
    description: 'When it was first reached: the end of that minute',
  }),
  all_time_low: page(orNull(kind.price), ({ low }) => low?.usdE36 ?? null, {
    description: 'Lowest such close, or price_usd if that is lower',
  }),
  atl_at: page(orNull(kind.time), ({ low }) => low?.at ?? null, { description: 'When it was first reached' }),
  coverage_from: page(orNull(kind.time), ({ token }) => coverageFrom(token), {
    description: 'Set on tokens older than this service’s history, which begins here',
  }),
}

const itself = <Row>(value: Row): Row => value

/** A token's metrics. */
export const metricsFields: FieldTable<TokenPage> = {
  token: page(recordKind(tokenFields), itself, 'The token'),
  metrics: page(recordKind(metricFields), itself, 'Its figures'),
  last_updated: page(kind.time, (row) => row.asOf, 'The time of the figures'),
}

/** One of a token's largest holders. */
export type Holder = {
  readonly rank: number
  readonly address: Address
  readonly balance: bigint
  /** Percent × 1e4. */
  readonly percentE4: bigint
  readonly value: MicroUsd | null
  /** null: it has not been looked at yet. */
  readonly isContract: boolean | null
  readonly isCreator: boolean
}

/** A token's holders; `holders` are the largest, as many as were requested. */
export type HolderPage = {
  readonly page: TokenPage
  /** Null: the token is older than the log, and who held it then is unknown; or it has too many holders. */
  readonly distribution: Distribution | null
  readonly holders: readonly Holder[]
  /** Of the largest 100, how many are contracts and how many are not; null: not all of them have been looked at yet. */
  readonly types: { readonly contracts: number; readonly others: number } | null
}

const holder = fieldsOf<Holder>()
const holderPage = fieldsOf<HolderPage>()
const spread = fieldsOf<Distribution>()

/** Rows of the largest holders. */
export const holderFields: FieldTable<Holder> = {
  rank: holder(kind.count, (row) => row.rank, 'Rank among the holders'),
  address: holder(kind.address, (row) => row.address, 'Address of the holder'),
  balance: holder(kind.amount, (row) => row.balance, 'Whole tokens, floored to 6 decimals'),
  balance_raw: holder(kind.text, (row) => String(row.balance), 'Base units, exact'),
  percentage: holder(kind.fourPlaces, (row) => row.percentE4, 'Share of the total supply, percent'),
  value_usd: holder(orNull(kind.usd), (row) => row.value, 'At the current price, USD'),
  type: holder(orNull(kind.choice(['contract', 'eoa'])), ({ isContract }) => holderType(isContract), {
    description: 'Whether it had code of its own when first checked; null until then',
  }),
  label: holder(orNull(kind.choice(['creator'])), ({ isCreator }) => (isCreator ? 'creator' : null), {
    description:
      'creator: the payout recipient at creation, if creator_verified. Pools, hooks and the token itself are not listed',
  }),
}

function holderType(isContract: boolean | null): 'contract' | 'eoa' | null {
  return isContract === null ? null : isContract ? 'contract' : 'eoa'
}

const shareOf = (count: number) => ({
  description: `Share of the total supply of the ${count} largest, percent`,
})

/** How a supply is distributed among its holders. */
export const distributionFields: FieldTable<Distribution> = {
  top10_concentration: spread(kind.fourPlaces, (row) => row.top10PercentE4, shareOf(10)),
  top25_concentration: spread(kind.fourPlaces, (row) => row.top25PercentE4, shareOf(25)),
  top50_concentration: spread(kind.fourPlaces, (row) => row.top50PercentE4, shareOf(50)),
  top100_concentration: spread(kind.fourPlaces, (row) => row.top100PercentE4, shareOf(100)),
  gini_coefficient: spread(kind.fourPlaces, (row) => row.giniE4, 'Inequality among the holders, 0 to 1'),
  whale_count: spread(kind.count, (row) => row.whaleCount, 'Holders of at least 1 % of the supply'),
  whale_percentage: spread(kind.fourPlaces, (row) => row.whalePercentE4, {
    description: 'Their share of the total supply, percent',
  }),
}

/** Who the largest holders are. */
export const holderTypeFields: FieldTable<HolderPage> = {
  contract_holders: holderPage(orNull(kind.count), ({ types }) => types?.contracts ?? null, {
    description: 'Holders that had code of their own when first checked; null until all are checked',
  }),
  eoa_holders: holderPage(orNull(kind.count), ({ types }) => types?.others ?? null, {
    description: 'The others, including delegated accounts (EIP-7702); null until all are checked',
  }),
  scope: holderPage(kind.choice(['top100']), () => 'top100', 'Which holders are counted: the largest 100'),
}

/** A token's holders. */
export const holdersFields: FieldTable<HolderPage> = {
  token: holderPage(recordKind(tokenFields), (row) => row.page, 'The token'),
  total_holders: holderPage(orNull(kind.count), (row) => row.page.holders, {
    description: 'Addresses with a balance; null if coverage_from is set',
  }),
  distribution: holderPage(orNull(recordKind(distributionFields)), (row) => row.distribution, {
    description: `Distribution of the supply among holders, without pools, hooks, burnt and vesting tokens; null if coverage_from is set, and for a token that more than ${COUNTED_HOLDERS_MAX.toLocaleString('en-US')} addresses have held`,
    aliases: ['distribution_adjusted'],
  }),
  holder_types: holderPage(recordKind(holderTypeFields), itself, 'Contracts and other addresses'),
  holders: holderPage(listKind(holderFields), (row) => row.holders, 'The largest holders; empty if unknown'),
  coverage_from: holderPage(orNull(kind.time), ({ page }) => coverageFrom(page.token), {
    description: 'Set on tokens older than this service’s history, which begins here',
  }),
  data_source: holderPage(onchain, () => 'onchain', source),
  last_updated: holderPage(kind.time, (row) => row.page.asOf, 'The time of the figures'),
}
