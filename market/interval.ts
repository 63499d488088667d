import { DAY_MINUTES, minuteOfBlock } from './calendar.ts'
import type { Minute, Token } from './segment.ts'

/**
 * Intervals of candles, on a grid of UTC time: `first` is the first minute of number 0, and weeks start on Monday.
 * `keptMinutes`: how long they can be asked for; null: for ever.
 */
export const candleIntervals = {
  '1m': { minutes: 1, first: 0, keptMinutes: 8 * DAY_MINUTES },
  '5m': { minutes: 5, first: 0, keptMinutes: 8 * DAY_MINUTES },
  '15m': { minutes: 15, first: 0, keptMinutes: 8 * DAY_MINUTES },
  '1h': { minutes: 60, first: 0, keptMinutes: 90 * DAY_MINUTES },
  '4h': { minutes: 240, first: 0, keptMinutes: 90 * DAY_MINUTES },
  '1d': { minutes: DAY_MINUTES, first: 0, keptMinutes: null },
  '1w': { minutes: 7 * DAY_MINUTES, first: 4 * DAY_MINUTES, keptMinutes: null },
} as const
export type CandleInterval = keyof typeof candleIntervals
export const candleIntervalNames = Object.keys(candleIntervals) as readonly CandleInterval[]

/** A grid of equal slots of time. */
type Grid = { readonly minutes: number; readonly first: Minute }

/** Number of the slot of a minute. */
export const gridAt = ({ minutes, first }: Grid, minute: Minute): number =>
  Math.floor((minute - first) / minutes)

/** First minute of a slot. */
export const startOfSlot = ({ minutes, first }: Grid, slot: number): Minute => first + slot * minutes

/** The slot in which a token was launched, or in which the log begins that it is older than. */
export const launchSlot = (grid: Grid, { launchedAt }: Pick<Token, 'launchedAt'>): number =>
  gridAt(grid, minuteOfBlock(launchedAt))
