import { partyOf } from '../authorship.ts'
import { amountSince, type MarketAt, pathOf, priceAt, worthAt } from '../board/market-at.ts'
import { isAtLeast } from '../board/ranking.ts'
import { approximateWorth } from '../board/valuation.ts'
import { DAY_MINUTES, hourOfMinute } from '../calendar.ts'
import { byLaunch } from '../launch-order.ts'
import { marketCapMicroUsd } from '../pool.ts'
import {
  CAP_PER_LIQUIDITY,
  INDEX_AGE_MINUTES,
  INDEX_CAP_MIN_MICRO_USD,
  INDEX_CLOSES,
  INDEX_RANK_IN,
  INDEX_RANK_STAY,
  INDEX_SEATS,
  INDEX_SEATS_EACH,
  INDEX_START_MEMBERS,
  INDEX_TRADED_DAYS,
} from '../rules.ts'
import {
  type Address,
  type MicroUsd,
  type Minute,
  type Token,
  type TokenKind,
  tokenKinds,
} from '../segment.ts'
import { asOf } from '../window.ts'

/** Effective caps of the tokens that reach INDEX_CAP_MIN_MICRO_USD, at the close of a full UTC hour. */
export type HourlyClose = {
  /** The hour that begins at this close, counted from 1970. */
  readonly hour: number
  readonly caps: ReadonlyMap<Address, MicroUsd>
}

/**
 * Appends the closes of the hours that began after minute `last` and up to `minute`, each with the caps as of `last`.
 * Keeps the last INDEX_CLOSES.
 */
export function closesAfter(
  closes: readonly HourlyClose[],
  caps: HourlyClose['caps'],
  { last, minute }: { readonly last: Minute; readonly minute: Minute },
): readonly HourlyClose[] {
  const first = Math.max(hourOfMinute(last), hourOfMinute(minute) - INDEX_CLOSES) + 1
  const passed = Array.from({ length: hourOfMinute(minute) - first + 1 }, (_, at) => ({
    hour: first + at,
    caps,
  }))
  return [...closes, ...passed].slice(-INDEX_CLOSES)
}

/** The caps of a market. */
export function capsAt(market: MarketAt): HourlyClose['caps'] {
  const { marketCap, pathLiquidity } = approximateWorth(market)
  const caps = new Map<Address, MicroUsd>()
  for (let number = 0; number < market.count; number++) {
    const about = Math.min(
      marketCap[number] as number,
      Number(CAP_PER_LIQUIDITY) * (pathLiquidity[number] as number),
    )
    if (!isAtLeast(about, Number(INDEX_CAP_MIN_MICRO_USD), () => true)) continue
    const { effectiveCap } = worthAt(market, number)
    if (effectiveCap >= INDEX_CAP_MIN_MICRO_USD) caps.set(market.tokenOf(number).address, effectiveCap)
  }
  return caps
}

/**
 * The least effective cap of a token over all INDEX_CLOSES closes; null if it was below the floor at one of them, or if
 * there are fewer.
 */
export function leastCapOf(closes: readonly HourlyClose[], token: Address): MicroUsd | null {
  if (closes.length < INDEX_CLOSES) return null
  let least: MicroUsd | null = null
  for (const { caps } of closes) {
    const cap = caps.get(token)
    if (cap === undefined) return null
    if (least === null || cap < least) least = cap
  }
  return least
}

/** The market at the close of a minute, and the hourly closes before it, newest last. */
export type ContendersMarket = {
  readonly minute: Minute
  readonly now: MarketAt
  /** The market 24 hours before. */
  readonly dayBefore: MarketAt
  readonly closes: readonly HourlyClose[]
}

/** The tokens eligible for the index. */
export function contendersAt({ minute, now, dayBefore, closes }: ContendersMarket): readonly Contender[] {
  const newest = closes.at(-1)?.caps.keys() ?? []
  const volumeOf = amountSince('cumVolumeMicroUsd', now, dayBefore)
  return [...newest].flatMap((address) => {
    const leastCap = leastCapOf(closes, address)
    const number = now.numberOf(address)
    if (leastCap === null || number === undefined || !isEligible(now, number, minute)) return []
    const token = now.tokenOf(number)
    const supply = now.read('supply', number)
    return [
      {
        token,
        root: rootAt(now, number),
        leastCap,
        supply,
        volume24h: volumeOf(number),
        marketCap: marketCapMicroUsd(priceAt(now, number), supply),
      },
    ]
  })
}

/** Old enough, traded recently, and with a price. */
const isEligible = (now: MarketAt, number: number, minute: Minute): boolean =>
  now.tokenOf(number).launchedAt.timestamp + INDEX_AGE_MINUTES * 60 <= asOf(minute) &&
  now.read('lastSwapMinute', number) > minute - INDEX_TRADED_DAYS * DAY_MINUTES &&
  priceAt(now, number) > 0n

/** The root of a token's money: the creator token that its quote path ends in, else its own party. */
export function rootAt(market: MarketAt, number: number): string {
  const { kind, address } = market.tokenOf(pathOf(market, number).at(-1) ?? number)
  return kind === 'creator' ? address : partyOf(market.tokenOf(number))
}

/** The two limits of a token's seats: the root of its money (see rootAt), and its party (see authorship.ts). */
export type Backing = { readonly root: string; readonly party: string }

/** An eligible token, with the criteria for seats. */
export type Contender = {
  readonly token: Token
  readonly root: string
  /** The least effective cap of the last INDEX_CLOSES hourly closes: the rank. */
  readonly leastCap: MicroUsd
  /** Tie-breakers. */
  readonly volume24h: MicroUsd
  readonly marketCap: MicroUsd
  /** Quantity, frozen with the seat. */
  readonly supply: bigint
}

/** A constituent: its board, and the quantity it counts with until the next review. */
export type Member = { readonly kind: TokenKind; readonly quantity: bigint }
export type Members = ReadonlyMap<Address, Member>

/** The first members; none if fewer than INDEX_START_MEMBERS seats would be taken. */
export function firstMembers(contenders: readonly Contender[]): Members {
  const members = seatEach(contenders, [])
  return members.size < INDEX_START_MEMBERS ? new Map() : members
}

/** The members after a review; `members` unchanged if no token is eligible. */
export function reviewedMembers(members: Members, contenders: readonly Contender[]): Members {
  const next = seatEach(contenders, [], (ranked) => orderAtReview(ranked, members))
  return next.size === 0 ? members : next
}

/** The members plus those that take vacant seats; `backingOf` gives a member's backing. */
export function filledMembers(
  members: Members,
  contenders: readonly Contender[],
  backingOf: (token: Address) => Backing,
): Members {
  const taken = [...members].map(([token, { kind }]) => ({ kind, ...backingOf(token) }))
  const others = contenders.filter(({ token }) => !members.has(token.address))
  return new Map([...members, ...seatEach(others, taken)])
}

/** True when either board has a free seat. */
export const hasVacancy = (members: Members): boolean =>
  tokenKinds.some(
    (kind) => [...members.values()].filter((member) => member.kind === kind).length < INDEX_SEATS,
  )

type Seat = Backing & { readonly kind: TokenKind }

/** Seats of both boards, at most INDEX_SEATS_EACH per root and per party: takes one if it is free. */
function openSeats(taken: readonly Seat[]): (seat: Seat) => boolean {
  const count = new Map<string, number>()
  const limitsOf = ({ kind, root, party }: Seat) => [
    { name: kind, seats: INDEX_SEATS },
    { name: `root ${root}`, seats: INDEX_SEATS_EACH },
    { name: `party ${party}`, seats: INDEX_SEATS_EACH },
  ]
  const take = (seat: Seat) => {
    for (const { name } of limitsOf(seat)) count.set(name, (count.get(name) ?? 0) + 1)
  }
  taken.forEach(take)
  return (seat) => {
    const isFree = limitsOf(seat).every(({ name, seats }) => (count.get(name) ?? 0) < seats)
    if (isFree) take(seat)
    return isFree
  }
}

/**
 * Seats the candidates in order, creators first; a candidate without a free seat is skipped. Quantities are the current
 * supplies.
 */
function seatEach(
  contenders: readonly Contender[],
  taken: readonly Seat[],
  inOrder = (ranked: readonly Contender[]) => ranked,
): Members {
  const take = openSeats(taken)
  const seated = tokenKinds.flatMap((kind) =>
    inOrder(contenders.filter(({ token }) => token.kind === kind).toSorted(byRank)).filter(
      ({ token, root }) => take({ kind, root, party: partyOf(token) }),
    ),
  )
  return new Map(
    seated.map(({ token, supply }) => [token.address, { kind: token.kind, quantity: supply }] as const),
  )
}

/** The top ranks first, then current members a little further down, then the rest. Skipped candidates keep their rank. */
function orderAtReview(ranked: readonly Contender[], members: Members): readonly Contender[] {
  const near = ranked.slice(INDEX_RANK_IN, INDEX_RANK_STAY)
  const staying = near.filter(({ token }) => members.has(token.address))
  return [...new Set([...ranked.slice(0, INDEX_RANK_IN), ...staying, ...ranked])]
}

/** By least effective cap, 24 h volume and market cap, larger first; then by age. */
function byRank(a: Contender, b: Contender): number {
  return (
    descending(a.leastCap, b.leastCap) ||
    descending(a.volume24h, b.volume24h) ||
    descending(a.marketCap, b.marketCap) ||
    byLaunch(a.token, b.token)
  )
}

const descending = (a: bigint, b: bigint): number => (a > b ? -1 : a < b ? 1 : 0)
