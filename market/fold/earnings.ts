/** What a payment of fees is worth, and whose it is. */
import { microUsdOf } from '../pool.ts'
import { priceAlong, type Quote } from '../route.ts'
import { QUOTE_POOLS_MAX, TOKEN_DECIMALS } from '../rules.ts'
import type { Address } from '../segment.ts'
import type { FactOf } from './fact.ts'
import { type Folding, routeOf } from './folding.ts'
import { ownerOf } from './post-owners.ts'
import type { TokenMinute } from './token-minute.ts'

type Payment = FactOf<'paid'>

/** Adds a payment to what its token's trades have paid to each, and to what the creator has earned. */
export function applyPayment(folding: Folding, token: TokenMinute, fact: Payment): void {
  if (fact.mayRepeat && isRepeated(token, fact)) return
  if (!fact.mayRepeat) token.lastPaid = fact
  const { usdE36, decimals } = usdOf(folding, token, fact.currency)
  const worth = (amount: bigint) => microUsdOf(amount, usdE36, decimals)
  const earned = worth(fact.creator)
  const { state } = token
  state.cumEarnedMicroUsd += earned
  state.cumPlatformFeesMicroUsd += worth(fact.platform)
  state.cumReferrerFeesMicroUsd += worth(fact.referrer)
  state.cumProtocolFeesMicroUsd += worth(fact.protocol)
  const creatorToken = creatorTokenOf(folding, token, fact.recipient)
  if (!creatorToken) return
  creatorToken.isTouched = true
  creatorToken.state.cumEarnedMicroUsd += earned
  creatorToken.state.cumPostsEarnedMicroUsd += earned
}

/** The hook says a payment of a creator token twice, in two logs in a row. */
const isRepeated = ({ lastPaid }: TokenMinute, { blockNumber, logIndex }: Payment): boolean =>
  lastPaid?.blockNumber === blockNumber && lastPaid.logIndex === logIndex - 1

/** USD of a currency on a token's path: the token itself, one of its quotes, or the reference currency; else 0. */
function usdOf(folding: Folding, { coin }: TokenMinute, currency: Address): Quote {
  const { inForce, tokens } = folding
  let at = coin.address
  for (let step = 0; step <= QUOTE_POOLS_MAX; step++) {
    const reference = inForce.get(at)
    const token = tokens.get(at)
    if (at === currency && reference) return { usdE36: reference.heldUsdE36, decimals: reference.decimals }
    if (at === currency && token)
      return { usdE36: priceAlong(routeOf(folding, inForce, token)), decimals: TOKEN_DECIMALS }
    if (!token) break
    at = token.coin.quote
  }
  return { usdE36: 0n, decimals: TOKEN_DECIMALS }
}

/**
 * The creator token that a post's payment counts for, besides the post: the one that owns the post, else the oldest of
 * the owner; null unless its creator is who was paid.
 */
function creatorTokenOf(
  { tokens, prior }: Folding,
  { coin }: TokenMinute,
  recipient: Address,
): TokenMinute | null {
  if (coin.kind === 'creator') return null
  const tokenOf = (address: Address) => tokens.get(address)?.coin
  const owned = ownerOf(coin, { tokenOf, references: prior.references })
  if (!owned) return null
  const token = tokens.get(prior.owners.get(owned.owner)?.oldestCreatorToken ?? owned.owner)
  return token?.coin.creator === recipient ? token : null
}
