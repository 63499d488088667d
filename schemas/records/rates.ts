import type { RateRow, RateSourceRow } from '../../market/board/rates.ts'
import { type FieldTable, fieldsOf, listKind, orNull } from '../values/field.ts'
import * as kind from '../values/kinds.ts'

const source = fieldsOf<RateSourceRow>()
const rate = fieldsOf<RateRow>()

/** A source of a reference rate. */
export const rateSourceFields: FieldTable<RateSourceRow> = {
  pool: source(kind.text, (row) => row.pool, 'Address of a Uniswap V3 pool, or id of a V4 pool'),
  quote_address: source(kind.address, (row) => row.quote, {
    description: 'What the pool prices the currency in: a reference currency, too',
  }),
  price_usd: source(orNull(kind.price), ({ priceUsdE36 }) => priceUsdE36 || null, {
    description: 'Its price, USD; null: none yet',
  }),
  depth_usd: source(kind.usd, (row) => row.depthMicroUsd, {
    description: 'What it takes to move its price by 2 %, from the liquidity that its last swap stated, USD',
  }),
  last_swap_age_seconds: source(orNull(kind.count), (row) => row.ageSeconds, {
    description: 'Age of its last swap at the time of the figures; null: none is known',
  }),
  votes: source(kind.flag, (row) => row.votes, {
    description: 'Whether it counts: it is deep enough and swapped within a day',
  }),
}

/** A reference rate, by which everything quoted in its currency has USD figures. */
export const rateFields: FieldTable<RateRow> = {
  address: rate(kind.address, (row) => row.address, 'The currency; the zero address: Ether'),
  price_usd: rate(orNull(kind.price), ({ priceUsdE36 }) => priceUsdE36 || null, {
    description: 'The rate in force, USD; null: none yet',
  }),
  held: rate(kind.flag, (row) => row.isHeld, {
    description: 'The market is too far from it, and not yet for long enough to be followed',
  }),
  shallow: rate(kind.flag, (row) => row.isShallow, {
    description: 'No source is deep and recent enough to vote: the deepest one counts',
  }),
  sources: rate(listKind(rateSourceFields), (row) => row.sources, {
    description: 'One vote each, of which the median counts; none: its rate is fixed',
  }),
}
