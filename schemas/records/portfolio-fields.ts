import type { CoveredPortfolio } from '../../market/board/row.ts'
import { type FieldTable, fieldsOf, orNull } from '../values/field.ts'
import * as kind from '../values/kinds.ts'

const part = fieldsOf<CoveredPortfolio>()

/** The parts of a creator's portfolio. */
export const portfolioFields: FieldTable<CoveredPortfolio> = {
  token_market_cap: part(kind.usd, (sum) => sum.tokenMarketCap, 'Market cap of the creator token'),
  token_counted: part(kind.usd, (sum) => sum.tokenCounted, {
    description: 'The part that counts: at most 25 × the quote amount in its pool',
  }),
  posts_market_cap: part(kind.usd, (sum) => sum.postsMarketCap, {
    description: 'Sum of the market caps of the posts, each at most 25 × what its own pool holds',
  }),
  posts_counted: part(kind.usd, (sum) => sum.postsCounted, {
    description:
      'The part that counts: the token and its posts together count for at most 25 × the quote amount in the token’s pool',
  }),
  posts_count: part(kind.count, (sum) => sum.postsCount, 'Posts of the creator'),
  coverage_from: part(orNull(kind.time), (sum) => sum.coverageFrom, {
    description:
      'Set if this service’s history begins at this time: older posts without a log since then are not included',
  }),
}
