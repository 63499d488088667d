import type { Members } from './index-review.ts'
import { INDEX_ROOT_PERCENT } from './rules.ts'
import type { Address, MicroUsd } from './segment.ts'

/** What quantities are multiplied by: whole millionths. */
const ONE = 1_000_000n

/** What the cap asks of the market. */
export type CapMarket = {
  /** What a quantity of a token counts for. */
  readonly capOf: (token: Address, quantity: bigint) => MicroUsd
  readonly rootOf: (token: Address) => Address
}

/**
 * Members of whom no root counts for more than INDEX_ROOT_PERCENT of what all counted for before: the quantities of a root above
 * it are multiplied by the largest factor, in whole millionths, that brings it there. One pass, against the sum before: of the smaller
 * sum afterwards a root that had a share x of more than a tenth has 0.1 / (1.1 - x).
 */
export function cappedMembers(members: Members, { capOf, rootOf }: CapMarket): Members {
  const byRoot = new Map<Address, [Address, bigint][]>()
  for (const [token, { quantity }] of members) {
    const root = rootOf(token)
    byRoot.set(root, [...(byRoot.get(root) ?? []), [token, quantity]])
  }
  const worthOf = (seats: readonly (readonly [Address, bigint])[], factor: bigint): MicroUsd =>
    seats.reduce((sum, [token, quantity]) => sum + capOf(token, (quantity * factor) / ONE), 0n)
  const total = [...byRoot.values()].reduce((sum, seats) => sum + worthOf(seats, ONE), 0n)
  const fits = (seats: readonly (readonly [Address, bigint])[], factor: bigint) =>
    100n * worthOf(seats, factor) <= INDEX_ROOT_PERCENT * total
  const factors = new Map(
    [...byRoot].map(([root, seats]) => [root, largest(ONE, (factor) => fits(seats, factor))] as const),
  )
  return new Map(
    [...members].map(([token, { kind, quantity }]) => {
      const factor = factors.get(rootOf(token)) ?? ONE
      return [token, { kind, quantity: (quantity * factor) / ONE }] as const
    }),
  )
}

/** The largest whole number from 0 to `most` that fits, where all below one that fits do. */
function largest(most: bigint, fits: (number: bigint) => boolean): bigint {
  if (fits(most)) return most
  let [low, high] = [0n, most]
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (fits(middle)) low = middle
    else high = middle
  }
  return low
}
