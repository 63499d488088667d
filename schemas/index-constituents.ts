import type { Constituent, Constituents } from '../market/index-constituents.ts'
import { INDEX_SEATS } from '../market/rules.ts'
import { asOf } from '../market/window.ts'
import { type FieldTable, fieldsOf, type Kind, rowSchema, rowWriter } from './field.ts'
import * as kind from './kinds.ts'
import { descriptions } from './token-row.ts'

const member = fieldsOf<Constituent>()
const answer = fieldsOf<Constituents>()

/** Rows of v1/z100/index/constituents. */
export const constituentFields: FieldTable<Constituent> = {
  rank: member(kind.count, (row) => row.rank, { says: 'Place by weight' }),
  type: descriptions.type,
  symbol: descriptions.symbol,
  name: descriptions.name,
  creator_handle: descriptions.creator_handle,
  contract_address: descriptions.contract_address,
  quantity: member(kind.exactAmount, (row) => row.quantity, {
    says: 'Whole tokens it counts with, exact: its total supply when it was last reviewed or seated',
  }),
  price_usd: member(kind.price, (row) => row.priceUsdE36, {
    says: 'Pool price in USD; null without a route to USD',
    nullable: true,
  }),
  counted_usd: member(kind.usd, (row) => row.counted, {
    says: 'Quantity × price, at most 25 × the least quote-side liquidity on its path',
  }),
  weight_percent: member(kind.fourPlaces, (row) => row.weightE4, {
    says: 'Its part of what all members count for, percent',
  }),
  since: member(kind.time, (row) => asOf(row.since), {
    says: 'A member without a break since this moment',
  }),
}

/** Bytes of a member are a line: a difference shows. */
const write = rowWriter(constituentFields)
const rows: Kind<readonly Constituent[]> = {
  schema: { type: 'array', maxItems: 2 * INDEX_SEATS, items: rowSchema(constituentFields) },
  write: (members) => `[${members.map(write).join(',\n')}]`,
}

/** v1/z100/index/constituents. */
export const constituentsFields: FieldTable<Constituents> = {
  index_value: answer(kind.points, (row) => row.valueE8, { says: 'The Z100 Index now' }),
  divisor: answer(kind.divisor, (row) => row.divisor || null, {
    says: 'Dollars per index point, exact decimal text; null before the first point',
    nullable: true,
  }),
  counted_usd: answer(kind.usd, (row) => row.counted, {
    says: 'What all members count for; over the divisor it is the index',
  }),
  constituents_count: answer(kind.count, (row) => row.rows.length, {
    says: 'Members of the index; 0 before its first point',
  }),
  timestamp: answer(kind.count, (row) => asOf(row.minute), {
    says: 'The moment that figures hold for, Unix seconds',
  }),
  as_of: answer(kind.time, (row) => asOf(row.minute), { says: 'The same moment, ISO 8601' }),
  constituents: answer(rows, (row) => row.rows, { says: 'All members, the heaviest first' }),
}
