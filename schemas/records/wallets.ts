/** What wallets trade and hold, as printed. */
import { type TraderSums, volumeOf } from '../../market/board/traders.ts'
import type { Address, MicroUsd, Token } from '../../market/segment.ts'
import type { Period } from '../../market/window.ts'
import { type FieldTable, fieldsOf, listKind, orNull, recordKind } from '../values/field.ts'
import * as kind from '../values/kinds.ts'
import { creatorTokenFields } from './creator.ts'
import { shownName, shownSymbol } from './token-description.ts'

/** A trader in a list. */
export type TraderRow = TraderSums & {
  readonly rank: number
  readonly position: number
  /** Null: the token is older than the service's history, in which the trader's own balance has not changed. */
  readonly balance: bigint | null
  /** × 1e4. */
  readonly percentE4: bigint | null
}

/** A page of a token's traders. Times are Unix seconds. */
export type TradersPage = {
  readonly token: Address
  readonly period: Period
  readonly from: number
  readonly asOf: number
  readonly isWhole: boolean
  /** All of them. */
  readonly traders: readonly TraderSums[]
  readonly offset: number
  /** Where the next page begins; null: this is the last. */
  readonly next: number | null
  readonly rows: readonly TraderRow[]
}

const sums = fieldsOf<TraderSums>()
const row = fieldsOf<TraderRow>()
const page = fieldsOf<TradersPage>()

const countOf = (traders: readonly TraderSums[], name: 'buys' | 'sells'): number =>
  traders.reduce((sum, trader) => sum + trader[name], 0)
const sumOf = (traders: readonly TraderSums[], name: 'buyVolume' | 'sellVolume'): bigint =>
  traders.reduce((sum, trader) => sum + trader[name], 0n)

/** What a trader did, by which lists are sorted. */
export const traderSumFields: FieldTable<TraderSums> = {
  trader: sums(kind.address, (each) => each.trader, 'Address of the trader, as in swaps'),
  volume: sums(kind.usd, volumeOf, { description: 'Bought and sold, USD', sorts: ['volume'] }),
  buy_volume: sums(kind.usd, (each) => each.buyVolume, { description: 'Bought, USD', sorts: ['buy_volume'] }),
  sell_volume: sums(kind.usd, (each) => each.sellVolume, {
    description: 'Sold, USD',
    sorts: ['sell_volume'],
  }),
  net_volume_usd: sums(kind.usd, (each) => each.buyVolume - each.sellVolume, {
    description: 'Bought less sold, USD: below zero for a net seller',
    sorts: ['net'],
  }),
  trades: sums(kind.count, (each) => each.buys + each.sells, { description: 'Swaps', sorts: ['trades'] }),
  buys: sums(kind.count, (each) => each.buys, {
    description: 'Swaps that bought the token',
    sorts: ['buys'],
  }),
  sells: sums(kind.count, (each) => each.sells, { description: 'Swaps that sold it', sorts: ['sells'] }),
  last_trade_at: sums(kind.time, (each) => each.lastTradeAt, 'Time of the last swap'),
}

/** Rows of traders. */
export const traderFields: FieldTable<TraderRow> = {
  rank: row(kind.count, (each) => each.rank, 'Place by volume in the period'),
  position: row(kind.count, (each) => each.position, 'Place in this answer'),
  ...traderSumFields,
  balance: row(orNull(kind.amount), (each) => each.balance, {
    description:
      'Held now, whole tokens, floored to 6 decimals; null: the token is older than this service’s history, and the balance has not changed since it began',
  }),
  balance_raw: row(orNull(kind.text), (each) => each.balance?.toString() ?? null, {
    description: 'Base units, exact; null with balance',
  }),
  percentage: row(orNull(kind.fourPlaces), (each) => each.percentE4, {
    description: 'Share of the total supply, percent; null with balance',
  }),
}

/** What a page of traders says of all of them, and its rows. */
export const tradersFields: FieldTable<TradersPage> = {
  contract_address: page(kind.address, ({ token }) => token, 'Token contract'),
  period: page(kind.text, ({ period }) => period, 'The period that was asked for'),
  period_start: page(kind.time, ({ from }) => from, 'The first moment that is counted'),
  period_end: page(kind.time, ({ asOf }) => asOf, 'The end of the last minute that is counted'),
  is_whole_period: page(kind.flag, ({ isWhole }) => isWhole, {
    description:
      'false: period_start is later than the period asked for begins, because the token is older than this service’s history or has more traders or trades than one answer may read; what is there is exact all the same',
  }),
  trades: page(kind.count, ({ traders }) => countOf(traders, 'buys') + countOf(traders, 'sells'), {
    description: 'Swaps of all traders',
  }),
  buy_volume: page(kind.usd, ({ traders }) => sumOf(traders, 'buyVolume'), 'Bought by all traders, USD'),
  sell_volume: page(kind.usd, ({ traders }) => sumOf(traders, 'sellVolume'), 'Sold by all traders, USD'),
  buyers: page(kind.count, ({ traders }) => traders.filter(({ buys }) => buys > 0).length, {
    description: 'Traders who bought',
  }),
  sellers: page(kind.count, ({ traders }) => traders.filter(({ sells }) => sells > 0).length, {
    description: 'Traders who sold',
  }),
  traders: page(listKind(traderFields), ({ rows }) => rows, 'A page of the traders, in the order asked for'),
  traders_total: page(kind.count, ({ traders }) => traders.length, 'All traders of the period'),
  traders_offset: page(kind.count, ({ offset }) => offset, 'Traders before this page'),
  traders_next_offset: page(orNull(kind.count), ({ next }) => next, {
    description: 'Offset of the next page; null: this is the last',
  }),
  last_updated: page(kind.time, ({ asOf }) => asOf, 'The time of the figures'),
}

/** A token that a wallet holds. */
export type Holding = {
  readonly position: number
  readonly token: Token
  readonly balance: bigint
  /** Of the total supply, × 1e4. */
  readonly percentE4: bigint
  /** Null: no price is known. */
  readonly value: MicroUsd | null
  readonly isThin: boolean | null
}

/** A page of a wallet's holdings. Times are Unix seconds. */
export type WalletPage = {
  readonly wallet: Address
  readonly holdings: readonly Holding[]
  /** Null: the wallet holds more tokens than one answer reads. */
  readonly count: number | null
  readonly value: MicroUsd | null
  /** Null: this is the last page. */
  readonly next: string | null
  readonly creatorToken: Token | null
  readonly pricesAt: number
  readonly coverageFrom: number | null
  readonly asOf: number
}

const holding = fieldsOf<Holding>()
const walletPage = fieldsOf<WalletPage>()

/** Rows of holdings. */
export const holdingFields: FieldTable<Holding> = {
  position: holding(kind.count, (row) => row.position, 'Place in this answer'),
  contract_address: holding(kind.address, ({ token }) => token.address, 'Token contract'),
  symbol: holding(kind.text, ({ token }) => shownSymbol(token), 'Ticker symbol; untrusted on-chain text'),
  name: holding(kind.text, ({ token }) => shownName(token), 'Name; untrusted on-chain text'),
  type: holding(kind.choice(['creator', 'post']), ({ token }) => token.kind, 'Creator token or post'),
  balance: holding(kind.amount, (row) => row.balance, 'Whole tokens, floored to 6 decimals'),
  balance_raw: holding(kind.text, (row) => String(row.balance), 'Base units, exact'),
  percentage: holding(kind.fourPlaces, (row) => row.percentE4, 'Share of the total supply, percent'),
  value_usd: holding(orNull(kind.usd), (row) => row.value, {
    description:
      'At the pool price of prices_as_of, USD; null for a token without a price or without activity in 30 days',
  }),
  thin_liquidity: holding(orNull(kind.flag), (row) => row.isThin, {
    description:
      'The token’s market cap exceeds 25 × its liquidity: hardly anyone could sell at this price. Such holdings come after the others, and are not in value_usd of the wallet',
  }),
}

/** A wallet. */
export const walletFields: FieldTable<WalletPage> = {
  address: walletPage(kind.address, ({ wallet }) => wallet, 'The wallet'),
  tokens_count: walletPage(orNull(kind.count), ({ count }) => count, {
    description: 'Tokens that it holds; null if it has ever held more than one answer reads',
  }),
  value_usd: walletPage(orNull(kind.usd), ({ value }) => value, {
    description: 'What they are worth, USD, without those with thin_liquidity; null with tokens_count',
  }),
  holdings: walletPage(listKind(holdingFields), (row) => row.holdings, {
    description:
      'A page of them, largest value first; those with thin_liquidity, then those without a value come last. A wallet that has ever held more tokens than one answer reads is listed in groups of 2,000 of them by contract, each in this order; a page may be empty',
  }),
  next_cursor: walletPage(orNull(kind.text), ({ next }) => next, {
    description:
      '`cursor` of the next page, good for 15 minutes, at the same prices; null: this is the last. If a balance changes in between, its holding may move to another page',
  }),
  creator_token: walletPage(
    orNull(recordKind(creatorTokenFields)),
    ({ creatorToken }) => creatorToken && { token: creatorToken, creatorToken },
    { description: 'The first creator token that the address launched as its own; null without one' },
  ),
  prices_as_of: walletPage(kind.time, ({ pricesAt }) => pricesAt, 'The time of the prices'),
  coverage_from: walletPage(orNull(kind.time), ({ coverageFrom }) => coverageFrom, {
    description:
      'Set if this service’s history begins later than the platform: balances unchanged since then are not known',
  }),
  last_updated: walletPage(kind.time, ({ asOf }) => asOf, 'The time of the balances'),
}
