import type { BoardRow } from '../market/row.ts'
import { type FieldTable, fieldsOf } from './field.ts'
import * as kind from './kinds.ts'

const board = fieldsOf<BoardRow>()

/** Dropped by include_changes=false. */
const change = { nullable: true, group: 'change' } as const

/** What of a board's row moved over the period, and what it is compared with. */
export const changeFields: FieldTable<BoardRow> = {
  price_change_percent: board(kind.percent, (row) => row.changes.price.percentE2, {
    says: 'Price change over the period',
    sorts: ['price_change', 'change'],
    ...change,
  }),
  price_is_up: board(kind.flag, (row) => row.changes.price.isUp, { says: 'The price rose', ...change }),
  market_cap_change_percent: board(kind.percent, (row) => row.changes.marketCap.percentE2, {
    says: 'Market cap change over the period',
    sorts: ['market_cap_change'],
    ...change,
  }),
  market_cap_change_value: board(kind.usd, (row) => row.changes.marketCap.value, {
    says: 'Market cap now less at the start, USD',
    ...change,
  }),
  market_cap_is_up: board(kind.flag, (row) => row.changes.marketCap.isUp, {
    says: 'The market cap rose',
    ...change,
  }),
  volume_change_percent: board(kind.percent, (row) => row.changes.volume.percentE2, {
    says: '24 h volume now against 24 h volume as of the start',
    sorts: ['volume_change'],
    ...change,
  }),
  volume_is_up: board(kind.flag, (row) => row.changes.volume.isUp, {
    says: 'The 24 h volume rose',
    ...change,
  }),
  holders_change_percent: board(kind.percent, (row) => row.changes.holders.percentE2, {
    says: 'Holders change over the period; null from 0 holders',
    sorts: ['holders_change'],
    ...change,
  }),
  holders_change_value: board(kind.difference, (row) => row.changes.holders.value, {
    says: 'Holders now less at the start',
    ...change,
  }),
  holders_is_up: board(kind.flag, (row) => row.changes.holders.isUp, {
    says: 'The number of holders rose',
    ...change,
  }),
  historical_price: board(kind.price, (row) => row.baseline?.priceUsdE36 ?? null, {
    says: 'USD price at the start',
    ...change,
  }),
  historical_market_cap: board(kind.usd, (row) => row.baseline?.marketCap ?? null, {
    says: 'Market cap at the start, USD',
    ...change,
  }),
  historical_volume: board(kind.usd, (row) => row.baseline?.volume24h ?? null, {
    says: 'Volume of the 24 hours before the start, USD',
    ...change,
  }),
  historical_holders: board(kind.count, (row) => row.baseline?.holders ?? null, {
    says: 'Holders at the start',
    ...change,
  }),
  historical_baseline: board(kind.choice(['launch', 'period']), (row) => row.baseline?.is ?? null, {
    says: 'What is compared with: the start of the period, or the launch of a token younger than it',
    ...change,
  }),
}
