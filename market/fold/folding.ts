/** The working state of a fold, which facts change in log order. */
import type { PriorState } from '../prior.ts'
import type { PoolSwap } from '../rate-source.ts'
import { type Route, routeFrom } from '../route.ts'
import type { Address, BalanceChange, PoolName, ReferenceRate, References, Swap } from '../segment.ts'
import type { FactOf } from './fact.ts'
import type { TokenMinute } from './token-minute.ts'

export type Transfer = FactOf<'transferred'>

/** Working state of a fold. */
export type Folding = {
  readonly prior: PriorState
  /** Reference rates in force, at which swaps are valued. */
  readonly inForce: Map<Address, ReferenceRate>
  readonly tokens: Map<Address, TokenMinute>
  readonly uncounted: Set<Address>
  /** The last swap of each reference pool. */
  readonly rated: Map<PoolName, PoolSwap>
  /** Last transfer of a token in a transaction, by transaction and token. */
  readonly lastTransfers: ReadonlyMap<string, Transfer>
  readonly balances: Map<string, BalanceChange>
  readonly swaps: Swap[]
  /** Of the block at hand, Unix ms; null: not proven. */
  timestampMs: number | null
}

/** The route from a token to USD through the pools in their current state. */
export const routeOf = ({ tokens }: Folding, references: References, token: TokenMinute): Route =>
  routeFrom(token, {
    references,
    tokenOf: (quote) => tokens.get(quote),
    poolOf: ({ coin: { quote, isCurrency0 }, state: { sqrtPriceX96, reserveQuote } }) => ({
      quote,
      isCurrency0,
      sqrtPriceX96,
      reserveQuote,
    }),
  })
