import { divideHalfEven } from './display.ts'
import { grouped } from './grouped.ts'
import {
  type Backing,
  type Contender,
  filledMembers,
  firstMembers,
  hasVacancy,
  type Member,
  type Members,
  reviewedMembers,
} from './index-members.ts'
import { INDEX_BASE, INDEX_REVIEW_HOUR, INDEX_ROOT_PERCENT } from './rules.ts'
import type { Address, MicroUsd, Minute } from './segment.ts'
import { hourOfMinute } from './window.ts'

/** Index points × 1e8. */
export type PointsE8 = bigint
/** Micro-dollars per index point × 1e18. */
export type DivisorE18 = bigint

const DIVISOR_ONE = 10n ** 18n
const POINT_ONE = 10n ** 8n

/** The index before anything moved it. */
export const baseValueE8: PointsE8 = INDEX_BASE * POINT_ONE

/** The divisor that makes members worth `value` stand at the base. */
export const baseDivisor = (value: MicroUsd): DivisorE18 => divideHalfEven(value * DIVISOR_ONE, INDEX_BASE)

/** The index of members worth `value`. The divisor is above 0. */
export const indexValue = (value: MicroUsd, divisor: DivisorE18): PointsE8 =>
  divideHalfEven(value * DIVISOR_ONE * POINT_ONE, divisor)

/** The divisor that leaves the index where it is when members worth `before` give way to members worth `after`, both above 0, at the same prices. */
export const relinked = (
  divisor: DivisorE18,
  { before, after }: { readonly before: MicroUsd; readonly after: MicroUsd },
): DivisorE18 => divideHalfEven(divisor * after, before)

/** What quantities are multiplied by: whole millionths. */
const ONE = 1_000_000n

/**
 * Members of whom no root counts for more than INDEX_ROOT_PERCENT of what all counted for before: the quantities of a root above
 * it are multiplied by the largest factor, in whole millionths, that brings it there. One pass, against the sum before: of the smaller
 * sum afterwards a root that had a share x of more than a tenth has 0.1 / (1.1 - x).
 */
export function cappedMembers(
  members: Members,
  { capOf, backingOf }: Pick<IndexMarket, 'capOf' | 'backingOf'>,
): Members {
  const rootOf = (token: Address) => backingOf(token).root
  const byRoot = grouped(members, ([token]) => rootOf(token))
  type Seats = readonly (readonly [Address, Member])[]
  const worthOf = (seats: Seats, factor: bigint): MicroUsd =>
    seats.reduce((sum, [token, { quantity }]) => sum + capOf(token, (quantity * factor) / ONE), 0n)
  const total = [...byRoot.values()].reduce((sum, seats) => sum + worthOf(seats, ONE), 0n)
  const fits = (seats: Seats, factor: bigint) => 100n * worthOf(seats, factor) <= INDEX_ROOT_PERCENT * total
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

/** The Z100 Index after a minute. Before its base it stands at INDEX_BASE, without members and without a divisor (0). */
export type Z100Index = {
  /** The last minute it was computed for. */
  readonly minute: Minute | null
  /** Its first point. */
  readonly baseMinute: Minute | null
  readonly members: Members
  /** The minute at whose end each of them sat down, without a break since. */
  readonly since: ReadonlyMap<Address, Minute>
  readonly divisor: DivisorE18
  readonly valueE8: PointsE8
}

/** The index before the first minute. */
export const emptyIndex: Z100Index = {
  minute: null,
  baseMinute: null,
  members: new Map(),
  since: new Map(),
  divisor: 0n,
  valueE8: baseValueE8,
}

/** The market at a minute's close, as far as the index asks. */
export type IndexMarket = {
  readonly minute: Minute
  /** What a quantity of a token counts for. */
  readonly capOf: (token: Address, quantity: bigint) => MicroUsd
  readonly backingOf: (token: Address) => Backing
  /** Members whose path liquidity was below LIQUIDITY_MIN_MICRO_USD at the hourly close. */
  readonly thin: ReadonlySet<Address>
  /** All eligible tokens; asked for when members may change. */
  readonly contenders: () => readonly Contender[]
}

/** What may change the members at the end of a minute: each is the first sealed one of a UTC hour. */
export type Occasion = 'start' | 'review' | 'hour'

/** What may change the members at the end of a minute, if anything. */
export function occasionAt({ minute: last, baseMinute }: Z100Index, minute: Minute): Occasion | null {
  if (last === null || hourOfMinute(minute) === hourOfMinute(last)) return null
  if (baseMinute === null) return 'start'
  return dayOf(minute) === dayOf(last) ? 'hour' : 'review'
}

const dayOf = (minute: Minute): number => Math.floor((hourOfMinute(minute) - INDEX_REVIEW_HOUR) / 24)

/**
 * The index after one more sealed minute. The point is computed with the members that sat in the minute; if members then
 * change, the divisor is linked so that the point stands.
 */
export function indexAfter(before: Z100Index, market: IndexMarket): Z100Index {
  const { minute } = market
  const worth = worthOf(before.members, market)
  const isBased = before.baseMinute !== null
  const now = { ...before, minute, valueE8: isBased ? indexValue(worth, before.divisor) : baseValueE8 }
  const occasion = occasionAt(before, minute)
  const members = occasion ? membersAfter[occasion](before.members, market) : before.members
  const worthAfter = worthOf(members, market)
  if (members === before.members || worthAfter === 0n) return now
  const seats = { members, since: sinceAfter(before, members, minute) }
  if (!isBased) return { ...now, ...seats, baseMinute: minute, divisor: baseDivisor(worthAfter) }
  // An index at nothing cannot be linked to anything.
  if (worth === 0n) return now
  return { ...now, ...seats, divisor: relinked(before.divisor, { before: worth, after: worthAfter }) }
}

/** Who sits after an occasion, with which quantities; `members` themselves when nothing changes. */
const membersAfter: { readonly [Name in Occasion]: (members: Members, market: IndexMarket) => Members } = {
  start: (members, market) => {
    const first = firstMembers(market.contenders())
    return first.size === 0 ? members : cappedMembers(first, market)
  },
  review: (members, market) => {
    const next = reviewedMembers(members, market.contenders())
    return next === members ? members : cappedMembers(next, market)
  },
  hour: (members, market) => {
    const deep = new Map([...members].filter(([token]) => !market.thin.has(token)))
    const staying = deep.size === 0 || deep.size === members.size ? members : deep
    if (!hasVacancy(staying)) return staying
    const filled = filledMembers(staying, market.contenders(), market.backingOf)
    return filled.size === staying.size ? staying : filled
  },
}

const sinceAfter = ({ since }: Z100Index, members: Members, minute: Minute): Z100Index['since'] =>
  new Map([...members.keys()].map((token) => [token, since.get(token) ?? minute] as const))

/** What members are worth at a minute's close, each at its frozen quantity. */
const worthOf = (members: Members, { capOf }: IndexMarket): MicroUsd =>
  [...members].reduce((sum, [token, { quantity }]) => sum + capOf(token, quantity), 0n)
