import type { Lists } from '../board/lists.ts'
import { countedAt, type MarketAt } from '../board/market-at.ts'
import type { Market } from '../board/rankings.ts'
import { type BoardRow, creatorTokenOf, type TokenFigures } from '../board/row.ts'
import { divideHalfAway } from '../display.ts'
import { byLaunch } from '../launch-order.ts'
import { INDEX_TOP } from '../rules.ts'
import type { Address, MicroUsd, Minute, PointsE8, TokenKind } from '../segment.ts'
import { type Change, changeOf, type Period } from '../window.ts'
import { type DivisorE18, indexValue, type Z100Index } from './z100-index.ts'

/** The index in a minute's documents. */
export type IndexFigures = Pick<Z100Index, 'valueE8' | 'divisor' | 'members' | 'since'> & {
  readonly minute: Minute
  /** Unix seconds from which the market is known; null: from its beginning. */
  readonly coverageFrom: number | null
  /** The value at the start of each period; null if the index is younger. */
  readonly startValues: Readonly<Record<Period, PointsE8 | null>>
}

/** The index together with the totals of the boards in a period. */
export type IndexAnswer = Omit<IndexFigures, 'startValues'> & {
  readonly period: Period
  readonly startValueE8: PointsE8 | null
  readonly change: Change
  /** Null, like the next two: the period begins before the log, for some row. */
  readonly volumes: Readonly<Record<TokenKind, MicroUsd | null>>
  readonly trades: number | null
  /** Rows with a trade in the period. */
  readonly active: Readonly<Record<TokenKind, number | null>>
  /** The top rows of each board. */
  readonly top: Readonly<Record<TokenKind, readonly BoardRow[]>>
}

export function indexAnswer({ boards }: Lists, figures: IndexFigures, period: Period): IndexAnswer {
  const { startValues, ...now } = figures
  const rows = { creator: boards.creator[period], post: boards.post[period] }
  const byKind = <V>(figureOf: (some: readonly BoardRow[]) => V) => ({
    creator: figureOf(rows.creator),
    post: figureOf(rows.post),
  })
  return {
    ...now,
    period,
    startValueE8: startValues[period],
    change: changeOf(startValues[period], now.valueE8),
    volumes: byKind((some) => known(some, 'volume')?.reduce((sum, volume) => sum + volume, 0n) ?? null),
    trades:
      known([...rows.creator, ...rows.post], 'trades')?.reduce((sum, trades) => sum + trades, 0) ?? null,
    active: byKind((some) => known(some, 'trades')?.filter((trades) => trades > 0).length ?? null),
    top: byKind((some) => some.slice(0, INDEX_TOP)),
  }
}

/** A figure of every row; null if that of any row is unknown. */
function known<Name extends 'volume' | 'trades'>(rows: readonly BoardRow[], name: Name) {
  const values = rows.flatMap(({ [name]: value }) =>
    value === null ? [] : [value as NonNullable<BoardRow[Name]>],
  )
  return values.length === rows.length ? values : null
}

/**
 * A member of the index at a minute's close. `priceUsdE36` is null without a route to USD; the member then counts for
 * nothing.
 */
export type Constituent = Pick<TokenFigures, 'rank' | 'token' | 'creatorToken' | 'priceUsdE36'> & {
  /** Base units, frozen when last reviewed or seated. */
  readonly quantity: bigint
  /** Effective cap of the quantity. */
  readonly counted: MicroUsd
  /** The same quantity's 24 hours before; null if that is not known. */
  readonly countedDayBefore: MicroUsd | null
  /** Share of what all members count for: percent × 1e4. */
  readonly weightE4: bigint
  /** Points of the index that it brought in 24 hours, × 1e8; null if that is not known. */
  readonly contributionE8: PointsE8 | null
  /** Member since the end of this minute. */
  readonly since: Minute
}

/** The index and its members, heaviest first. The sum of their counted values, divided by the divisor, is the index. */
export type Constituents = Pick<IndexFigures, 'valueE8' | 'divisor' | 'coverageFrom'> & {
  readonly minute: Minute
  readonly counted: MicroUsd
  readonly rows: readonly Constituent[]
}

/** The members of the index with their seats, as of a minute. For equal weights the older token comes first. */
export function constituentsOf(
  seats: readonly Seat[],
  index: Omit<IndexFigures, 'startValues'>,
): Constituents {
  const { valueE8, divisor, coverageFrom, minute } = index
  const counted = seats.reduce((sum, seat) => sum + seat.counted, 0n)
  const rows = seats
    .toSorted((a, b) => Number(b.counted - a.counted) || byLaunch(a.token, b.token))
    .map((seat, at) => ({
      ...seat,
      rank: at + 1,
      weightE4: counted === 0n ? 0n : divideHalfAway(seat.counted * PERCENT_E4, counted),
      contributionE8: contributionOf(seat, divisor),
      since: index.since.get(seat.token.address) ?? minute,
    }))
  return { minute, valueE8, divisor, coverageFrom, counted, rows }
}

const PERCENT_E4 = 1_000_000n

function contributionOf({ counted, countedDayBefore: before }: Seat, divisor: DivisorE18): PointsE8 | null {
  if (before === null || divisor === 0n) return null
  return indexValue(counted, divisor) - indexValue(before, divisor)
}

/** A member of the index, as the market has it. */
export type Seat = Omit<Constituent, 'rank' | 'weightE4' | 'since' | 'contributionE8'>

/** The seats of the members that a market has. */
export const seatsOf = (market: Market, { members }: Pick<IndexFigures, 'members'>): readonly Seat[] =>
  [...members].flatMap(([address, { quantity }]) => seatOf(market, address, quantity) ?? [])

function seatOf(market: Market, address: Address, quantity: bigint): Seat | null {
  const { now, '24h': dayBefore } = market.at
  const number = now.numberOf(address)
  if (number === undefined) return null
  return {
    token: now.tokenOf(number),
    creatorToken: creatorTokenOf(market, number),
    priceUsdE36: market.valuations.now.worthOf(number).priceUsdE36 || null,
    quantity,
    counted: countedAt(now, number, quantity),
    countedDayBefore: market.hasState('24h') ? countedThen(dayBefore, address, quantity) : null,
  }
}

function countedThen(market: MarketAt, address: Address, quantity: bigint): MicroUsd {
  const number = market.numberOf(address)
  return number === undefined ? 0n : countedAt(market, number, quantity)
}
