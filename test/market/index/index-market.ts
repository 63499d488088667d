/** Markets of listed tokens, and indices of them, by plain numbers. */
import type { Contender } from '../../../market/index/index-members.ts'
import {
  baseDivisor,
  emptyIndex,
  type IndexMarket,
  type Z100Index,
} from '../../../market/index/z100-index.ts'
import type { TokenKind } from '../../../market/segment.ts'
import { nthAddress, tokenAt, WHOLE } from '../../support/market/facts.ts'

/** A full hour and day. */
export const MIDNIGHT = 1_440 * 20_000

/** A token in a few plain numbers. */
export type Listed = {
  readonly number: number
  readonly kind?: TokenKind
  /** µ$ for a whole token. */
  readonly price: bigint
  /** Whole tokens. */
  readonly supply: bigint
  readonly leastCap?: bigint
  readonly volume24h?: bigint
  readonly root?: number
  readonly creator?: number
}

const backingOf = ({ number, root = number, creator = 500 + number }: Listed) => ({
  root: nthAddress(root),
  party: nthAddress(creator),
})

function contenderOf(listed: Listed): Contender {
  const { number, kind = 'creator', price, supply, leastCap = price * supply, volume24h = 0n } = listed
  const { root, party } = backingOf(listed)
  const token = tokenAt(number, 1, { kind, creator: party, launchedBy: party })
  return { token, root, leastCap, volume24h, marketCap: price * supply, supply: supply * WHOLE }
}

/** A market in which liquidity limits no cap. */
export function marketAt(
  minute: number,
  listed: readonly Listed[],
  { candidates = listed, thin = [] }: { candidates?: readonly Listed[]; thin?: readonly Listed[] } = {},
): IndexMarket {
  const known = new Map(listed.map((each) => [nthAddress(each.number), each]))
  return {
    minute,
    capOf: (token, quantity) => ((known.get(token)?.price ?? 0n) * quantity) / WHOLE,
    backingOf: (token) => backingOf(known.get(token) ?? { number: 0, price: 0n, supply: 0n }),
    thin: new Set(thin.map(({ number }) => nthAddress(number))),
    contenders: () => candidates.map(contenderOf),
  }
}

/** An index whose members have been seated with their supplies since `minute`. */
export function indexOf(minute: number, listed: readonly Listed[]): Z100Index {
  const seats = listed.map(
    ({ number, kind = 'creator', supply }) =>
      [nthAddress(number), { kind, quantity: supply * WHOLE }] as const,
  )
  const total = listed.reduce((sum, { price, supply }) => sum + price * supply, 0n)
  return {
    minute,
    baseMinute: minute,
    members: new Map(seats),
    since: new Map(seats.map(([token]) => [token, minute])),
    divisor: baseDivisor(total),
    valueE8: 1000_00000000n,
  }
}

/** Before its base, in the hour before a minute. */
export const unbased = (minute: number): Z100Index => ({ ...emptyIndex, minute: minute - 60 })

/** The addresses of its members. */
export const sitting = ({ members }: Z100Index) => [...members.keys()]
