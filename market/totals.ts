import type { MicroUsd, Minute } from './segment.ts'
import { asOf, type Period, startOf, windows } from './window.ts'

/** What all tokens together have traded since the log began: cumulative, so that any window is a difference of two. */
export type MarketTotals = {
  readonly volume: MicroUsd
  /** Of it: of purchases. */
  readonly buyVolume: MicroUsd
  /** Of it: of creator tokens. */
  readonly creatorVolume: MicroUsd
  readonly trades: number
  readonly buys: number
}

/** Before the first trade. */
export const emptyTotals: MarketTotals = {
  volume: 0n,
  buyVolume: 0n,
  creatorVolume: 0n,
  trades: 0,
  buys: 0,
}

/** Totals after each minute that traded, oldest first; before the first of them they are `emptyTotals`, or not asked for. */
export type TotalsLine = readonly (MarketTotals & { readonly minute: Minute })[]

/** The line, and the first minute of the log: of the time before it nothing is known. */
export type TotalsHistory = { readonly line: TotalsLine; readonly firstMinute: Minute }

/** Totals as of a moment (Unix seconds): after the last minute that ends by then. */
export function totalsAt(line: TotalsLine, seconds: number): MarketTotals {
  let low = 0
  let high = line.length
  while (low < high) {
    const middle = (low + high) >> 1
    const entry = line[middle]
    if (entry && asOf(entry.minute) <= seconds) low = middle + 1
    else high = middle
  }
  return line[low - 1] ?? emptyTotals
}

/** What was traded from one moment to a later one. */
const between = (from: MarketTotals, to: MarketTotals): MarketTotals => ({
  volume: to.volume - from.volume,
  buyVolume: to.buyVolume - from.buyVolume,
  creatorVolume: to.creatorVolume - from.creatorVolume,
  trades: to.trades - from.trades,
  buys: to.buys - from.buys,
})

/** Minutes of a bucket of each period's volume; every period is a whole number of them. */
export const bucketMinutes: Readonly<Record<Period, number>> = { '1h': 1, '4h': 5, '24h': 15, '7d': 60 }

/** One step of a period. */
export type VolumeBucket = MarketTotals & {
  /** Unix seconds. */
  readonly start: number
}

/** The market's volume in the period that ends with `minute`. */
export type MarketVolume = MarketTotals & {
  readonly period: Period
  readonly minute: Minute
  /** Of the period before; null when the log does not reach back to its start. */
  readonly previousVolume: MicroUsd | null
  /** Equal steps from the period's start; they add up to its totals. */
  readonly buckets: readonly VolumeBucket[]
}

/** The volume of all tokens in the period that ends with `minute`. */
export function marketVolume(
  { line, firstMinute }: TotalsHistory,
  minute: Minute,
  period: Period,
): MarketVolume {
  const [start, end] = [startOf(minute, period), asOf(minute)]
  const startBefore = 2 * start - end
  const isKnown = startBefore >= firstMinute * 60
  const count = windows[period].minutes / bucketMinutes[period]
  const width = bucketMinutes[period] * 60
  const totals = Array.from({ length: count + 1 }, (_, at) => totalsAt(line, start + at * width))
  const buckets = totals.slice(1).map((to, at) => ({
    start: start + at * width,
    ...between(totals[at] ?? emptyTotals, to),
  }))
  const atStart = totalsAt(line, start)
  return {
    period,
    minute,
    ...between(atStart, totalsAt(line, end)),
    previousVolume: isKnown ? atStart.volume - totalsAt(line, startBefore).volume : null,
    buckets,
  }
}
