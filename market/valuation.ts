import { type Approximation, approximateCounted, approximateWorth } from './approximation.ts'
import { creatorNumberOf, type MarketAt } from './market-at.ts'
import { type Portfolio, portfolioAt } from './portfolio.ts'
import type { MicroUsd } from './segment.ts'
import { type Worth, worthAt } from './worth.ts'

/** A market valued at a moment: exactly where it is asked, each token once, and in doubles for every token. */
export type Valuation = {
  readonly market: MarketAt
  /** 24 hours before. */
  readonly dayBefore: MarketAt
  readonly approximation: Approximation
  readonly worthOf: (number: number) => Worth
  /** Number of the creator token that a token belongs to. */
  readonly creatorNumberOf: (number: number) => number | undefined
  /** Null on posts. */
  readonly portfolioOf: (number: number) => Portfolio | null
  readonly aboutCounted: (number: number) => number
  /** Of the 24 hours before the moment. */
  readonly volume24hOf: (number: number) => MicroUsd
  readonly engagement24hOf: (number: number) => number
}

/** Values the first `count` tokens. */
export function valuationAt(market: MarketAt, dayBefore: MarketAt, count: number): Valuation {
  return {
    market,
    dayBefore,
    approximation: approximateWorth(market, count),
    worthOf: memoized((number) => worthAt(market, number)),
    creatorNumberOf: (number) => creatorNumberOf(market, number),
    portfolioOf: memoized((number) =>
      market.tokenOf(number).kind === 'creator' ? portfolioAt(market, number) : null,
    ),
    aboutCounted: (number) => approximateCounted(market, number),
    volume24hOf: (number) =>
      market.read('cumVolumeMicroUsd', number) - dayBefore.read('cumVolumeMicroUsd', number),
    engagement24hOf: (number) =>
      market.read('cumEngagement', number) - dayBefore.read('cumEngagement', number),
  }
}

function memoized<V>(make: (number: number) => V): (number: number) => V {
  const known = new Map<number, V>()
  return (number) => {
    const value = known.get(number)
    if (value !== undefined) return value
    const made = make(number)
    known.set(number, made)
    return made
  }
}
