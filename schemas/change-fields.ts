import type { BoardRow } from '../market/row.ts'
import { type FieldTable, fieldsOf, type Kind } from './field.ts'
import * as kind from './kinds.ts'

const board = fieldsOf<BoardRow>()

/** A field that include_changes=false leaves out. */
const changed = <V>(kind: Kind<V>, from: (row: BoardRow) => V | null, says: string, sorts: string[] = []) =>
  board(kind, from, { says, nullable: true, ...(sorts.length > 0 ? { sorts } : {}), group: 'change' })

/** What of a board's row moved over the period, and what it is compared with. */
export const changeFields: FieldTable<BoardRow> = {
  price_change_percent: changed(
    kind.percent,
    (row) => row.changes.price.percentE2,
    'Price change over the period',
    ['price_change', 'change'],
  ),
  price_is_up: changed(kind.flag, (row) => row.changes.price.isUp, 'The price rose'),
  market_cap_change_percent: changed(
    kind.percent,
    (row) => row.changes.marketCap.percentE2,
    'Market cap change over the period',
    ['market_cap_change'],
  ),
  market_cap_change_value: changed(
    kind.usd,
    (row) => row.changes.marketCap.value,
    'Market cap now less at the start, USD',
  ),
  market_cap_is_up: changed(kind.flag, (row) => row.changes.marketCap.isUp, 'The market cap rose'),
  volume_change_percent: changed(
    kind.percent,
    (row) => row.changes.volume.percentE2,
    '24 h volume now against 24 h volume as of the start',
    ['volume_change'],
  ),
  volume_is_up: changed(kind.flag, (row) => row.changes.volume.isUp, 'The 24 h volume rose'),
  holders_change_percent: changed(
    kind.percent,
    (row) => row.changes.holders.percentE2,
    'Holders change over the period; null from 0 holders',
    ['holders_change'],
  ),
  holders_change_value: changed(
    kind.difference,
    (row) => row.changes.holders.value,
    'Holders now less at the start',
  ),
  holders_is_up: changed(kind.flag, (row) => row.changes.holders.isUp, 'The number of holders rose'),
  historical_price: changed(kind.price, (row) => row.baseline?.priceUsdE36 ?? null, 'USD price at the start'),
  historical_market_cap: changed(
    kind.usd,
    (row) => row.baseline?.marketCap ?? null,
    'Market cap at the start, USD',
  ),
  historical_volume: changed(
    kind.usd,
    (row) => row.baseline?.volume24h ?? null,
    'Volume of the 24 hours before the start, USD',
  ),
  historical_holders: changed(kind.count, (row) => row.baseline?.holders ?? null, 'Holders at the start'),
  historical_baseline: changed(
    kind.choice(['launch', 'period']),
    (row) => row.baseline?.is ?? null,
    'What is compared with: the start of the period, or the launch of a token younger than it',
  ),
}
