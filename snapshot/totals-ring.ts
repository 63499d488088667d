import type { Address, Minute, TokenKind, TokenState } from '../market/segment.ts'
import { emptyTotals, type MarketTotals, type TotalsLine } from '../market/totals.ts'
import { edges, periods } from '../market/window.ts'

/** Minutes of market totals that are kept, 14 days: a period's volume is compared with that of the period before. */
const KEPT_MINUTES = 2 * Math.max(...periods.map((period) => edges[period].minutes))
/** Entries beyond the kept minutes that are let stand before they are dropped together. */
const SLACK = 1_440

/**
 * The market's totals after each minute that traded, of the last 14 days; exact at any amount.
 * Invariant: oldest first; the first entry may be older than 14 days: what the rest are compared with.
 */
export type TotalsRing = (MarketTotals & { readonly minute: Minute })[]

/** What a token's minute adds to the totals. */
export type TradedRow = {
  readonly token: Address
  readonly kind: TokenKind
  readonly before: TradedState
  readonly after: TradedState
}

type TradedState = Pick<TokenState, 'cumVolumeMicroUsd' | 'cumBuyVolumeMicroUsd' | 'cumTrades' | 'cumBuys'>

/** Adds a minute to the ring; a minute without a trade leaves it as it is. */
export function addMinute(ring: TotalsRing, minute: Minute, rows: Iterable<TradedRow>): void {
  const totals = { ...(ring.at(-1) ?? emptyTotals), minute }
  let hasTraded = false
  for (const { kind, before, after } of rows) {
    if (before.cumTrades === after.cumTrades) continue
    hasTraded = true
    const volume = after.cumVolumeMicroUsd - before.cumVolumeMicroUsd
    totals.volume += volume
    totals.buyVolume += after.cumBuyVolumeMicroUsd - before.cumBuyVolumeMicroUsd
    if (kind === 'creator') totals.creatorVolume += volume
    totals.trades += after.cumTrades - before.cumTrades
    totals.buys += after.cumBuys - before.cumBuys
  }
  if (!hasTraded) return
  ring.push(totals)
  if (ring.length > KEPT_MINUTES + SLACK) trim(ring, minute)
}

/** Drops what no window that ends with `minute` or later can ask for. */
export function trim(ring: TotalsRing, minute: Minute): void {
  const firstKept = ring.findIndex((entry) => entry.minute > minute - KEPT_MINUTES)
  ring.splice(0, Math.max(0, (firstKept < 0 ? ring.length : firstKept) - 1))
}

/** An entry of the ring as an image keeps it. */
export type RingTuple = readonly [Minute, string, string, string, number, number]

/** The ring for an image. */
export const ringTuples = (ring: TotalsLine): readonly RingTuple[] =>
  ring.map(({ minute, volume, buyVolume, creatorVolume, trades, buys }) => [
    minute,
    String(volume),
    String(buyVolume),
    String(creatorVolume),
    trades,
    buys,
  ])

/** The ring that `ringTuples` was made from. */
export const ringFrom = (tuples: readonly RingTuple[]): TotalsRing =>
  tuples.map(([minute, volume, buyVolume, creatorVolume, trades, buys]) => ({
    minute,
    volume: BigInt(volume),
    buyVolume: BigInt(buyVolume),
    creatorVolume: BigInt(creatorVolume),
    trades,
    buys,
  }))
