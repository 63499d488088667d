import type { BoardRow } from '../../market/board/row.ts'
import { type FieldTable, fieldsOf, type Kind, orNull } from '../values/field.ts'
import * as kind from '../values/kinds.ts'

const board = fieldsOf<BoardRow>()

/** A field that include_changes=false leaves out. */
const changed = <V>(
  kind: Kind<V>,
  from: (row: BoardRow) => V | null,
  words: { readonly description: string; readonly sorts?: readonly string[] },
) => board(orNull(kind), from, { ...words, group: 'change' })

/** Values of a board's row that are compared over the period. */
export const changeFields: FieldTable<BoardRow> = {
  price_change_percent: changed(kind.percent, (row) => row.changes.price.percentE2, {
    description: 'Price change over the period',
    sorts: ['price_change', 'change'],
  }),
  price_is_up: changed(kind.flag, (row) => row.changes.price.isUp, { description: 'The price rose' }),
  market_cap_change_percent: changed(kind.percent, (row) => row.changes.marketCap.percentE2, {
    description: 'Market cap change over the period',
    sorts: ['market_cap_change'],
  }),
  market_cap_change_value: changed(kind.usd, (row) => row.changes.marketCap.value, {
    description: 'Market cap now minus at the start, USD',
  }),
  market_cap_is_up: changed(kind.flag, (row) => row.changes.marketCap.isUp, {
    description: 'The market cap rose',
  }),
  volume_change_percent: changed(kind.percent, (row) => row.changes.volume.percentE2, {
    description: '24 h volume now compared with 24 h volume at the start',
    sorts: ['volume_change'],
  }),
  volume_is_up: changed(kind.flag, (row) => row.changes.volume.isUp, { description: 'The 24 h volume rose' }),
  holders_change_percent: changed(kind.percent, (row) => row.changes.holders.percentE2, {
    description: 'Holders change over the period; null from 0 holders',
    sorts: ['holders_change'],
  }),
  holders_change_value: changed(kind.difference, (row) => row.changes.holders.value, {
    description: 'Holders now minus at the start',
  }),
  holders_is_up: changed(kind.flag, (row) => row.changes.holders.isUp, {
    description: 'The number of holders rose',
  }),
  historical_price: changed(kind.price, (row) => row.baseline?.priceUsdE36 ?? null, {
    description: 'USD price at the start',
  }),
  historical_market_cap: changed(kind.usd, (row) => row.baseline?.marketCap ?? null, {
    description: 'Market cap at the start, USD',
  }),
  historical_volume: changed(kind.usd, (row) => row.baseline?.volume24h ?? null, {
    description: 'Volume of the 24 hours before the start, USD',
  }),
  historical_holders: changed(kind.count, (row) => row.baseline?.holders ?? null, {
    description: 'Holders at the start',
  }),
  historical_baseline: changed(kind.choice(['launch', 'period']), (row) => row.baseline?.is ?? null, {
    description: 'The time of comparison: the start of the period, or the launch of a younger token',
  }),
}
