import type { IndexFigures } from './index-answer.ts'
import { byLaunch } from './ranking.ts'
import type { Market } from './rankings.ts'
import { divideHalfAway } from './rounding.ts'
import { creatorTokenOf, type TokenFigures } from './row.ts'
import type { Address, MicroUsd, Minute } from './segment.ts'
import { countedAt } from './worth.ts'

/** A member of the index at a minute's close. `priceUsdE36` is null without a route to USD: then it counts for nothing. */
export type Constituent = Pick<TokenFigures, 'rank' | 'token' | 'creatorToken' | 'priceUsdE36'> & {
  /** Frozen when it was last reviewed or seated; base units. */
  readonly quantity: bigint
  /** Effective cap of the quantity. */
  readonly counted: MicroUsd
  /** Of what all members count for: percent × 1e4. */
  readonly weightE4: bigint
  /** It sits since the end of this minute. */
  readonly since: Minute
}

/** The index and all its members, the heaviest first; what they count for over the divisor is the index. */
export type Constituents = Pick<IndexFigures, 'valueE8' | 'divisor'> & {
  readonly minute: Minute
  readonly counted: MicroUsd
  readonly rows: readonly Constituent[]
}

/** The members of the index as of the market's minute. Among equal weights the older token stands first. */
export function constituentsOf(market: Market, index: IndexFigures): Constituents {
  const { valueE8, divisor, members } = index
  const seats = [...members].flatMap(([address, { quantity }]) => seatOf(market, address, quantity) ?? [])
  const counted = seats.reduce((sum, seat) => sum + seat.counted, 0n)
  const rows = seats
    .toSorted((a, b) => Number(b.counted - a.counted) || byLaunch(a.token, b.token))
    .map((seat, at) => ({
      ...seat,
      rank: at + 1,
      weightE4: counted === 0n ? 0n : divideHalfAway(seat.counted * PERCENT_E4, counted),
      since: index.since.get(seat.token.address) ?? market.minute,
    }))
  return { minute: market.minute, valueE8, divisor, counted, rows }
}

const PERCENT_E4 = 1_000_000n

function seatOf(market: Market, address: Address, quantity: bigint) {
  const { now } = market.at
  const number = now.numberOf(address)
  if (number === undefined) return null
  return {
    token: now.tokenOf(number),
    creatorToken: creatorTokenOf(market, number),
    priceUsdE36: market.valuations.now.worthOf(number).priceUsdE36 || null,
    quantity,
    counted: countedAt(now, number, quantity),
  }
}
