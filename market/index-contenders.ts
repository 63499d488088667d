import type { Contender } from './index-review.ts'
import { type MarketAt, priceAt, quoteNumberOf, worthAt } from './market-at.ts'
import { marketCapMicroUsd } from './pool.ts'
import { isAtLeast } from './ranking.ts'
import {
  CAP_PER_LIQUIDITY,
  INDEX_AGE_MINUTES,
  INDEX_CAP_MIN_MICRO_USD,
  INDEX_CLOSES,
  INDEX_TRADED_DAYS,
  QUOTE_POOLS_MAX,
} from './rules.ts'
import type { Address, MicroUsd, Minute } from './segment.ts'
import { approximateWorth } from './valuation.ts'
import { asOf, hourOfMinute } from './window.ts'

/** Effective caps at the close of a full UTC hour: of the tokens that reach INDEX_CAP_MIN_MICRO_USD. */
export type HourlyClose = {
  /** The hour that begins with it, counted from 1970. */
  readonly hour: number
  readonly caps: ReadonlyMap<Address, MicroUsd>
}

/** The closes with those of the hours that began after minute `last` and up to `minute`: each has the caps that `last` left. The last INDEX_CLOSES are kept. */
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

/** The caps that a market leaves. */
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

/** The least effective cap of a token over all INDEX_CLOSES closes; null when it was below the floor at one, or there are fewer. */
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
  for (let pools = 1; pools < QUOTE_POOLS_MAX; pools++) last = quoteNumberOf(market, last) ?? last
  const { kind, address } = market.tokenOf(last)
  return kind === 'creator' ? address : market.tokenOf(number).creator
}
