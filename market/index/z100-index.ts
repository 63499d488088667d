import { hourOfMinute } from '../calendar.ts'
import { divideHalfEven } from '../display.ts'
import { grouped } from '../grouped.ts'
import { INDEX_BASE, INDEX_REVIEW_HOUR, INDEX_ROOT_PERCENT } from '../rules.ts'
import type { Address, MicroUsd, Minute, PointsE8 } from '../segment.ts'
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

/** Micro-dollars per index point × 1e18. */
export type DivisorE18 = bigint

const DIVISOR_ONE = 10n ** 18n
const POINT_ONE = 10n ** 8n

/** The initial index value. */
export const baseValueE8: PointsE8 = INDEX_BASE * POINT_ONE

/** The divisor for which members worth `value` give the base. */
export const baseDivisor = (value: MicroUsd): DivisorE18 => divideHalfEven(value * DIVISOR_ONE, INDEX_BASE)

/** The index of members worth `value`. The divisor is above 0. */
export const indexValue = (value: MicroUsd, divisor: DivisorE18): PointsE8 =>
  divideHalfEven(value * DIVISOR_ONE * POINT_ONE, divisor)

/**
 * The divisor that keeps the index unchanged when members worth `before` are replaced by members worth `after`, both
 * above 0, at the same prices.
 */
export const relinked = (
  divisor: DivisorE18,
  { before, after }: { readonly before: MicroUsd; readonly after: MicroUsd },
): DivisorE18 => divideHalfEven(divisor * after, before)

/** Factor for quantities, in millionths. */
const ONE = 1_000_000n

/**
 * Limits each root to INDEX_ROOT_PERCENT of what all members counted for before: the quantities of a larger root are
 * multiplied by the largest factor, in millionths, that achieves this. One pass, against the sum before: of the smaller
 * sum afterwards, a root that had a share x above a tenth has 0.1 / (1.1 - x).
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

/** The largest integer from 0 to `most` that satisfies a monotonic condition. */
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

/** The Z100 Index after a minute. Before its base it is INDEX_BASE, without members and with divisor 0. */
export type Z100Index = {
  /** The last minute it was computed for. */
  readonly minute: Minute | null
  /** Its first point. */
  readonly baseMinute: Minute | null
  readonly members: Members
  /** For each member, the minute since whose end it has been one without interruption. */
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

/** The market at a minute's close, as needed by the index. */
export type IndexMarket = {
  readonly minute: Minute
  /** The counted value of a quantity of a token. */
  readonly capOf: (token: Address, quantity: bigint) => MicroUsd
  readonly backingOf: (token: Address) => Backing
  /** Members whose path liquidity was below LIQUIDITY_MIN_MICRO_USD at the hourly close. */
  readonly thin: ReadonlySet<Address>
  /** All eligible tokens; called only if members may change. */
  readonly contenders: () => readonly Contender[]
}

/** Occasions on which members may change, each at the end of the first sealed minute of a UTC hour. */
export type Occasion = 'start' | 'review' | 'hour'

/** The occasion at the end of a minute, if any. */
export function occasionAt({ minute: last, baseMinute }: Z100Index, minute: Minute): Occasion | null {
  if (last === null || hourOfMinute(minute) === hourOfMinute(last)) return null
  if (baseMinute === null) return 'start'
  return dayOf(minute) === dayOf(last) ? 'hour' : 'review'
}

const dayOf = (minute: Minute): number => Math.floor((hourOfMinute(minute) - INDEX_REVIEW_HOUR) / 24)

/**
 * The index after one more sealed minute. The point is computed with the members during the minute; if members then
 * change, the divisor is adjusted so that the point stays the same.
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
  // A zero index cannot be chained.
  if (worth === 0n) return now
  return { ...now, ...seats, divisor: relinked(before.divisor, { before: worth, after: worthAfter }) }
}

/** The members and quantities after an occasion; `members` unchanged if nothing changes. */
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

/** Worth of the members at a minute's close, each at its frozen quantity. */
const worthOf = (members: Members, { capOf }: IndexMarket): MicroUsd =>
  [...members].reduce((sum, [token, { quantity }]) => sum + capOf(token, quantity), 0n)
