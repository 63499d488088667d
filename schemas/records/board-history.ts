import { orNull } from '../values/field.ts'
import * as kind from '../values/kinds.ts'
import { printedFields } from '../values/printed.ts'

/** Rows of v1/z100/history/{id}. */
export const boardHistoryFields = printedFields({
  date: [
    { schema: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d$' } },
    'UTC day; the row is of the last snapshot published of it',
  ],
  timestamp: [kind.count, 'Time of that snapshot, Unix seconds'],
  board: [kind.choice(['creators', 'posts']), 'The board that the token was on'],
  rank: [kind.count, 'Its rank'],
  score: [orNull(kind.score), 'The board’s sort key: portfolio_value_raw for creators, engagement for posts'],
  price_usd: [orNull(kind.price), 'Pool price in USD'],
  market_cap: [orNull(kind.usd), 'Price × total supply, USD'],
  partial: [kind.flag, 'The day is not over: the row is of the newest snapshot'],
})
