import { hourOf } from './hourly-closes.ts'
import { type CapMarket, cappedMembers } from './index-cap.ts'
import {
  baseDivisor,
  baseValueE8,
  type DivisorE18,
  indexValue,
  type PointsE8,
  relinked,
} from './index-divisor.ts'
import {
  type Backing,
  type Contender,
  filledMembers,
  firstMembers,
  hasVacancy,
  type Members,
  reviewedMembers,
} from './index-review.ts'
import { INDEX_REVIEW_HOUR } from './rules.ts'
import type { Address, MicroUsd, Minute } from './segment.ts'

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
export type IndexMarket = Pick<CapMarket, 'capOf'> & {
  readonly minute: Minute
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
  if (last === null || hourOf(minute) === hourOf(last)) return null
  if (baseMinute === null) return 'start'
  return dayOf(minute) === dayOf(last) ? 'hour' : 'review'
}

const dayOf = (minute: Minute): number => Math.floor((hourOf(minute) - INDEX_REVIEW_HOUR) / 24)

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
    return first.size === 0 ? members : capped(first, market)
  },
  review: (members, market) => {
    const next = reviewedMembers(members, market.contenders())
    return next === members ? members : capped(next, market)
  },
  hour: (members, market) => {
    const deep = new Map([...members].filter(([token]) => !market.thin.has(token)))
    const staying = deep.size === 0 || deep.size === members.size ? members : deep
    if (!hasVacancy(staying)) return staying
    const filled = filledMembers(staying, market.contenders(), market.backingOf)
    return filled.size === staying.size ? staying : filled
  },
}

const capped = (members: Members, { capOf, backingOf }: IndexMarket): Members =>
  cappedMembers(members, { capOf, rootOf: (token) => backingOf(token).root })

const sinceAfter = ({ since }: Z100Index, members: Members, minute: Minute): Z100Index['since'] =>
  new Map([...members.keys()].map((token) => [token, since.get(token) ?? minute] as const))

/** What members are worth at a minute's close, each at its frozen quantity. */
const worthOf = (members: Members, { capOf }: IndexMarket): MicroUsd =>
  [...members].reduce((sum, [token, { quantity }]) => sum + capOf(token, quantity), 0n)
