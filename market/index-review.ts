import { byLaunch } from './ranking.ts'
import {
  INDEX_GATE_PERCENT,
  INDEX_RANK_IN,
  INDEX_RANK_STAY,
  INDEX_SEATS,
  INDEX_START_MEMBERS,
} from './rules.ts'
import type { Address, MicroUsd, Token, TokenKind, UsdE36 } from './segment.ts'

/** A token that is eligible but for the gate, and what seats are given by. */
export type Contender = {
  readonly token: Token
  readonly priceUsdE36: UsdE36
  readonly medianPriceUsdE36: UsdE36
  /** Of the effective caps of the last minutes: the rank. */
  readonly medianCap: MicroUsd
  /** These two break ties. */
  readonly volume24h: MicroUsd
  readonly marketCap: MicroUsd
  /** Frozen with the seat. */
  readonly supply: bigint
}

/** A constituent: its board, and the quantity it counts with until the next review. */
export type Member = { readonly kind: TokenKind; readonly quantity: bigint }
export type Members = ReadonlyMap<Address, Member>

/** What may change the members at the end of a minute. */
export type Occasion = 'start' | 'review' | 'vacancy'

/** Who sits after an occasion, given all contenders; `members` themselves when nothing changes. */
export function membersAfter(
  occasion: Occasion,
  members: Members,
  contenders: readonly Contender[],
): Members {
  const open = contenders.filter((each) => members.has(each.token.address) || isSteady(each))
  return seatings[occasion](members, open)
}

const seatings: {
  readonly [Name in Occasion]: (members: Members, open: readonly Contender[]) => Members
} = {
  start: (members, open) => {
    const first = seatEach(open, (ranked) => ranked.slice(0, INDEX_SEATS))
    return first.size < INDEX_START_MEMBERS ? members : first
  },
  review: (members, open) => {
    const next = seatEach(open, (ranked) => seatsAtReview(ranked, members))
    return next.size === 0 ? members : next
  },
  vacancy: (members, open) => {
    const others = open.filter(({ token }) => !members.has(token.address))
    const added = seatEach(others, (ranked, kind) => ranked.slice(0, vacantSeats(members, kind)))
    return added.size === 0 ? members : new Map([...members, ...added])
  },
}

const kinds = ['creator', 'post'] as const satisfies readonly TokenKind[]

/** True when either board has a free seat. */
export const hasVacancy = (members: Members): boolean => kinds.some((kind) => vacantSeats(members, kind) > 0)

function vacantSeats(members: Members, kind: TokenKind): number {
  const taken = [...members.values()].filter((member) => member.kind === kind)
  return INDEX_SEATS - taken.length
}

/** The gate for newcomers: the price stands within INDEX_GATE_PERCENT of its own median. */
function isSteady({ priceUsdE36, medianPriceUsdE36 }: Contender): boolean {
  const distance = priceUsdE36 - medianPriceUsdE36
  const size = distance < 0n ? -distance : distance
  return size * 100n <= medianPriceUsdE36 * INDEX_GATE_PERCENT
}

/** Seats each board from its contenders in the order of their rank, at the supply of now. */
function seatEach(
  contenders: readonly Contender[],
  seats: (ranked: readonly Contender[], kind: TokenKind) => readonly Contender[],
): Members {
  const seated = kinds.flatMap((kind) =>
    seats(contenders.filter(({ token }) => token.kind === kind).toSorted(byRank), kind),
  )
  return new Map(
    seated.map(({ token, supply }) => [token.address, { kind: token.kind, quantity: supply }] as const),
  )
}

/** The first ranks in any case, then sitting members a little further down, then the rest, until the seats are taken. */
function seatsAtReview(ranked: readonly Contender[], members: Members): readonly Contender[] {
  const near = ranked.slice(INDEX_RANK_IN, INDEX_RANK_STAY)
  const staying = near.filter(({ token }) => members.has(token.address))
  const order = new Set([...ranked.slice(0, INDEX_RANK_IN), ...staying, ...ranked])
  return [...order].slice(0, INDEX_SEATS)
}

/** Median effective cap, 24 h volume, market cap, the larger first; then age. */
function byRank(a: Contender, b: Contender): number {
  return (
    descending(a.medianCap, b.medianCap) ||
    descending(a.volume24h, b.volume24h) ||
    descending(a.marketCap, b.marketCap) ||
    byLaunch(a.token, b.token)
  )
}

const descending = (a: bigint, b: bigint): number => (a > b ? -1 : a < b ? 1 : 0)
