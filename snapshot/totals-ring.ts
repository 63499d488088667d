import type { Minute } from '../market/segment.ts'
import type { MarketTotals } from '../market/totals.ts'
import { periods, windows } from '../market/window.ts'
import type { Activity } from '../store/segment-bytes.ts'

/** Minutes of market totals that are kept, 14 days: a period's volume is compared with that of the period before. */
const KEPT_MINUTES = 2 * Math.max(...periods.map((period) => windows[period].minutes))
/** Entries beyond the kept minutes that are let stand before they are dropped together. */
const SLACK = 1_440

/**
 * The market's totals after each minute that traded, of the last 14 days.
 * Invariant: oldest first; the first entry may be older than 14 days: what the rest are compared with.
 */
export type TotalsRing = (MarketTotals & { readonly minute: Minute })[]

/** Adds a minute to the ring; a minute without a trade leaves it as it is, unless it is the first. */
export function addMinute(ring: TotalsRing, { minute, totals: { after } }: Activity): void {
  if (ring.at(-1)?.trades === after.trades) return
  const { volume, buyVolume, creatorVolume, trades, buys } = after
  ring.push({ minute, volume, buyVolume, creatorVolume, trades, buys })
  if (ring.length > KEPT_MINUTES + SLACK) trim(ring, minute)
}

/** Drops what no window that ends with `minute` or later can ask for. */
export function trim(ring: TotalsRing, minute: Minute): void {
  const firstKept = ring.findIndex((entry) => entry.minute > minute - KEPT_MINUTES)
  ring.splice(0, Math.max(0, (firstKept < 0 ? ring.length : firstKept) - 1))
}
