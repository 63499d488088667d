/** Markets told as tokens with their states, as they are at a moment: owners and sums follow from them. */
import { ownersAfter } from '../../market/post-owners.ts'
import type { References, Token, TokenState } from '../../market/segment.ts'
import { valuationAt } from '../../market/valuation.ts'
import { exactMarket } from './exact-market.ts'
import { references as ratesOf } from './market-history.ts'

export type Entry = readonly [Token, TokenState]

/** The market of these tokens; numbers are their places among `all`. */
export function marketOf(
  entries: readonly Entry[],
  {
    all = entries.map(([token]) => token),
    references = ratesOf(1000),
  }: { all?: readonly Token[]; references?: References } = {},
) {
  const tokens = new Map(entries.map(([token]) => [token.address, token]))
  const states = new Map(entries.map(([token, state]) => [token.address, state]))
  const steps = entries.map(([token, state]) => ({ before: null, after: { token, state } }))
  // Owners are told in the order of the launches, as a log tells them.
  const inOrder = steps.toSorted(
    (a, b) => a.after.token.launchedAt.blockNumber - b.after.token.launchedAt.blockNumber,
  )
  const owners = ownersAfter(new Map(), inOrder, { references, tokenOf: (address) => tokens.get(address) })
  return exactMarket(all, { tokens, states, owners }, references)
}

/** The market of these tokens valued; `dayBefore` is what it was then. */
export const valuationOf = (entries: readonly Entry[], dayBefore: readonly Entry[] = []) => {
  const all = entries.map(([token]) => token)
  return valuationAt(marketOf(entries), marketOf(dayBefore, { all }))
}
