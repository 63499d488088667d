import { type HourlyClose, leastCapOf } from './hourly-closes.ts'
import type { Contender } from './index-review.ts'
import type { MarketAt } from './market-at.ts'
import { marketCapMicroUsd } from './pool.ts'
import { INDEX_AGE_MINUTES, INDEX_TRADED_DAYS, QUOTE_POOLS_MAX } from './rules.ts'
import type { Address, Minute } from './segment.ts'
import { asOf } from './window.ts'
import { priceAt } from './worth.ts'

/** The market at the close of a minute, and the hourly closes before it, the newest last. */
export type ContendersMarket = {
  readonly minute: Minute
  readonly now: MarketAt
  /** 24 hours ago. */
  readonly dayBefore: MarketAt
  readonly closes: readonly HourlyClose[]
}

/** The tokens that are eligible for the index. */
export function contendersAt({ minute, now, dayBefore, closes }: ContendersMarket): readonly Contender[] {
  const newest = closes.at(-1)?.caps.keys() ?? []
  return [...newest].flatMap((address) => {
    const leastCap = leastCapOf(closes, address)
    const number = now.numberOf(address)
    if (leastCap === null || number === undefined || !isEligible(now, number, minute)) return []
    const token = now.tokenOf(number)
    const supply = now.read('supply', number)
    return [
      {
        ...{ token, root: rootAt(now, number), leastCap, supply },
        volume24h: now.read('cumVolumeMicroUsd', number) - dayBefore.read('cumVolumeMicroUsd', number),
        marketCap: marketCapMicroUsd(priceAt(now, number), supply),
      },
    ]
  })
}

/** Old enough, traded of late, and with a price. */
const isEligible = (now: MarketAt, number: number, minute: Minute): boolean =>
  now.tokenOf(number).launchedAt.timestamp + INDEX_AGE_MINUTES * 60 <= asOf(minute) &&
  now.read('lastSwapMinute', number) > minute - INDEX_TRADED_DAYS * 1_440 &&
  priceAt(now, number) > 0n

/** The root of a token's money: the creator token that its quote path ends in, else its own creator's address. */
export function rootAt(market: MarketAt, number: number): Address {
  let last = number
  for (let pools = 1; pools < QUOTE_POOLS_MAX; pools++) last = market.quoteNumberOf(last) ?? last
  const { kind, address } = market.tokenOf(last)
  return kind === 'creator' ? address : market.tokenOf(number).creator
}
