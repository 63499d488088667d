import { divideHalfAway } from '../display.ts'
import { WHALE_PERCENT } from '../rules.ts'
import type { Address } from '../segment.ts'
import type { FactOf } from './fact.ts'

/** The zero address: mints come from it, burns go to it. */
export const NOBODY: Address = '0x0000000000000000000000000000000000000000'
/** Common destination of tokens that are discarded without being burned. */
const DEAD: Address = '0x000000000000000000000000000000000000dead'

/** A transfer; both balances are after it. */
type Transfer = Pick<FactOf<'transferred'>, 'token' | 'from' | 'to' | 'amount' | 'fromBalance' | 'toBalance'>

/** A holder's balance, in base units. */
export type Balance = { readonly holder: Address; readonly amount: bigint }

/** Order of holders: largest first, then by address. */
export const largestFirst = (a: Balance, b: Balance): number =>
  a.amount === b.amount ? (a.holder < b.holder ? -1 : 1) : a.amount > b.amount ? -1 : 1

/** Distribution of a token's supply over its holders. Percentages are of the total supply, × 1e4; gini (0…1) × 1e4. */
export type Distribution = {
  readonly holders: number
  /** Inequality among the counted holders: 0 for none or one. */
  readonly giniE4: bigint
  readonly top10PercentE4: bigint
  readonly top25PercentE4: bigint
  readonly top50PercentE4: bigint
  readonly top100PercentE4: bigint
  readonly whaleCount: number
  /** Sum of the whales' balances. */
  readonly whalePercentE4: bigint
}

/** Whether an address can be a holder: not the zero or dead address, the token itself (vesting), or one of `uncounted`. */
export function isCounted(address: Address, token: Address, uncounted: ReadonlySet<Address>): boolean {
  return address !== NOBODY && address !== DEAD && address !== token && !uncounted.has(address)
}

/**
 * The change of the number of holders by a transfer. The balances after it suffice: a sender with nothing left is gone,
 * a recipient whose balance is just the amount is new.
 */
export function holdersDelta(transfer: Transfer, uncounted: ReadonlySet<Address>): number {
  const { token, from, to, amount, fromBalance, toBalance } = transfer
  if (amount === 0n || from === to) return 0
  const hasLeft = fromBalance === 0n && isCounted(from, token, uncounted)
  const hasCome = toBalance === amount && isCounted(to, token, uncounted)
  return Number(hasCome) - Number(hasLeft)
}

/** The parties of a transfer with their balances after it. */
export function sidesOf({ from, to, amount, fromBalance, toBalance }: Transfer) {
  const sides =
    from === to
      ? [{ holder: to, before: toBalance, after: toBalance }]
      : [
          { holder: from, before: fromBalance + amount, after: fromBalance },
          { holder: to, before: toBalance - amount, after: toBalance },
        ]
  return sides.filter(({ holder }) => holder !== NOBODY)
}

/** The distribution of a supply over its counted holders; balances are above 0, largest first. */
export function distributionOf(balancesDescending: readonly bigint[], supply: bigint): Distribution {
  const percentOfTop = (count: number) => supplyPercentE4(sum(balancesDescending.slice(0, count)), supply)
  const whales = balancesDescending.filter(
    (balance) => supply > 0n && balance * 100n >= supply * WHALE_PERCENT,
  )
  return {
    holders: balancesDescending.length,
    giniE4: giniE4(balancesDescending),
    top10PercentE4: percentOfTop(10),
    top25PercentE4: percentOfTop(25),
    top50PercentE4: percentOfTop(50),
    top100PercentE4: percentOfTop(100),
    whaleCount: whales.length,
    whalePercentE4: supplyPercentE4(sum(whales), supply),
  }
}

/** An amount in percent of the supply, × 1e4, half away from zero; 0 without a supply. */
export function supplyPercentE4(amount: bigint, supply: bigint): bigint {
  return supply === 0n ? 0n : divideHalfAway(amount * 1_000_000n, supply)
}

/** 2·Σ i·xᵢ / (n·S) − (n + 1) / n over ascending balances, in one fraction. */
function giniE4(balancesDescending: readonly bigint[]): bigint {
  const count = BigInt(balancesDescending.length)
  const total = sum(balancesDescending)
  if (count < 2n || total === 0n) return 0n
  let place = count
  let weighted = 0n
  for (const balance of balancesDescending) {
    weighted += place * balance
    place -= 1n
  }
  return divideHalfAway((2n * weighted - (count + 1n) * total) * 10_000n, count * total)
}

function sum(amounts: readonly bigint[]): bigint {
  let total = 0n
  for (const amount of amounts) total += amount
  return total
}
