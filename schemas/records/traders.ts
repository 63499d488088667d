/** Who traded a token, as printed. */
import { type TraderSums, volumeOf } from '../../market/board/traders.ts'
import type { Address } from '../../market/segment.ts'
import type { Period } from '../../market/window.ts'
import { type FieldTable, fieldsOf, listKind, orNull } from '../values/field.ts'
import * as kind from '../values/kinds.ts'

/** A trader in a list. */
export type TraderRow = TraderSums & {
  readonly rank: number
  readonly position: number
  readonly balance: bigint
  /** × 1e4. */
  readonly percentE4: bigint
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
  balance: row(kind.amount, (each) => each.balance, 'Held now, whole tokens, floored to 6 decimals'),
  balance_raw: row(kind.text, (each) => String(each.balance), 'Base units, exact'),
  percentage: row(kind.fourPlaces, (each) => each.percentE4, 'Share of the total supply, percent'),
}

/** What a page of traders says of all of them, and its rows. */
export const tradersFields: FieldTable<TradersPage> = {
  contract_address: page(kind.address, ({ token }) => token, 'Token contract'),
  period: page(kind.text, ({ period }) => period, 'The period that was asked for'),
  period_start: page(kind.time, ({ from }) => from, 'The first moment that is counted'),
  period_end: page(kind.time, ({ asOf }) => asOf, 'The end of the last minute that is counted'),
  is_whole_period: page(kind.flag, ({ isWhole }) => isWhole, {
    description:
      'false: period_start is later than the period asked for begins, because the token is older than this service’s history or has more traders than one answer may read; what is there is exact all the same',
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
