import type { Minute, Token } from './segment.ts'

const DAY = 1_440

/**
 * Intervals of candles, on a grid of UTC time: `first` is the first minute of number 0, and weeks start on Monday.
 * `keptMinutes`: how long they can be asked for; null: for ever.
 */
export const candleIntervals = {
  '1m': { minutes: 1, first: 0, keptMinutes: 8 * DAY },
  '5m': { minutes: 5, first: 0, keptMinutes: 8 * DAY },
  '15m': { minutes: 15, first: 0, keptMinutes: 8 * DAY },
  '1h': { minutes: 60, first: 0, keptMinutes: 90 * DAY },
  '4h': { minutes: 240, first: 0, keptMinutes: 90 * DAY },
  '1d': { minutes: DAY, first: 0, keptMinutes: null },
  '1w': { minutes: 7 * DAY, first: 4 * DAY, keptMinutes: null },
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
  gridAt(grid, Math.floor(launchedAt.timestamp / 60))
