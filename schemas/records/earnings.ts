/** What a token's trades pay to whom, as printed. */

import type { TokenNow } from '../../market/board/row.ts'
import type { TokenPage } from '../../market/board/token-page.ts'
import { isImported } from '../../market/coverage.ts'
import type { MicroUsd, TokenState } from '../../market/segment.ts'
import { fieldsOf, orNull } from '../values/field.ts'
import * as kind from '../values/kinds.ts'

const figure = fieldsOf<TokenNow>()
const page = fieldsOf<Pick<TokenPage, 'token' | 'state'>>()

/** What the creator was paid. On a creator token's row with the earnings of its posts. */
export const earningFields = {
  creator_earnings_24h: figure(orNull(kind.usd), (row) => row.creatorEarnings24h, {
    description:
      'Fees paid to the creator in the last 24 hours, in USD at the time of each payment; for a creator token, those of its posts included',
    sorts: ['earnings'],
  }),
  creator_earnings_total: figure(orNull(kind.usd), (row) => row.creatorEarnings, {
    description: 'The same since launch; null if coverage_from is set',
  }),
}

/** Fees paid out of the token's own trades since launch, by who had them. */
export const feeFields = {
  fees_to_creator: page(orNull(kind.usd), (row) => feesOf(row, ownEarnings), {
    description:
      'Fees of the token’s own trades since launch paid to its payout recipient, USD; null, like the other three, if coverage_from is set',
  }),
  fees_to_platform: page(orNull(kind.usd), (row) => feesOf(row, (s) => s.cumPlatformFeesMicroUsd), {
    description: 'To the platform that the token was launched at',
  }),
  fees_to_referrers: page(orNull(kind.usd), (row) => feesOf(row, (s) => s.cumReferrerFeesMicroUsd), {
    description: 'To those who referred the traders',
  }),
  fees_to_protocol: page(orNull(kind.usd), (row) => feesOf(row, (s) => s.cumProtocolFeesMicroUsd), {
    description: 'To the protocol, and to Doppler, whose curves its pools have',
  }),
}

const ownEarnings = ({ cumEarnedMicroUsd, cumPostsEarnedMicroUsd }: TokenState): MicroUsd =>
  cumEarnedMicroUsd - cumPostsEarnedMicroUsd

const feesOf = (
  { token, state }: Pick<TokenPage, 'token' | 'state'>,
  sum: (state: TokenState) => MicroUsd,
): MicroUsd | null => (isImported(token) ? null : sum(state))
