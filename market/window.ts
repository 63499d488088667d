import { changeE2 } from './display.ts'
import type { Minute } from './segment.ts'

/** UTC hour of a minute, counted from 1970. */
export const hourOfMinute = (minute: Minute): number => Math.floor(minute / 60)

/** Periods of boards, index and volume. */
export const periods = ['1h', '4h', '24h', '7d'] as const
export type Period = (typeof periods)[number]

/** The times that boards are ranked at: now and the start of each period. */
export const boardTimes = ['now', ...periods] as const
export type BoardTime = (typeof boardTimes)[number]

/** Timeframes of trending lists. */
export const timeframes = ['1h', '24h', '7d', '30d'] as const
export type Timeframe = (typeof timeframes)[number]

/**
 * The window starts at which the market's state is known, newest first: minutes ago, and the name of the one 24 hours
 * earlier (null: not needed). `now` is the start of an empty window.
 */
export const windows = {
  now: { minutes: 0, dayBefore: '24h' },
  '1h': { minutes: 60, dayBefore: '25h' },
  '4h': { minutes: 240, dayBefore: '28h' },
  '24h': { minutes: 1_440, dayBefore: '48h' },
  '25h': { minutes: 1_500, dayBefore: null },
  '28h': { minutes: 1_680, dayBefore: null },
  '48h': { minutes: 2_880, dayBefore: null },
  '7d': { minutes: 10_080, dayBefore: '8d' },
  '8d': { minutes: 11_520, dayBefore: null },
  '30d': { minutes: 43_200, dayBefore: null },
} as const satisfies Record<string, { minutes: number; dayBefore: string | null }>

export type WindowName = keyof typeof windows
export const windowNames = Object.keys(windows) as readonly WindowName[]

/** Minutes after which a sealed minute has left every window. */
export const LONGEST_WINDOW_MINUTES = windows['30d'].minutes

/** Minutes of a step of each period, in price history and the market's volume; each divides its period. */
export const stepMinutes: Readonly<Record<Period, number>> = { '1h': 1, '4h': 5, '24h': 15, '7d': 60 }

export const stepsOf = (period: Period): number => windows[period].minutes / stepMinutes[period]

/** One value per name, computed in order. */
export const byName = <Name extends string, V>(
  names: readonly Name[],
  make: (name: Name) => V,
): Record<Name, V> => Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, V>

/** Unix seconds of the exclusive end of a minute: the "as of" time of its state. */
export const asOf = (minute: Minute): number => (minute + 1) * 60

/** Number of items up to a minute, in a list ordered by minute. */
export function countUpTo(line: readonly { readonly minute: Minute }[], last: Minute): number {
  let low = 0
  let high = line.length
  while (low < high) {
    const middle = (low + high) >> 1
    const { minute = last } = line[middle] ?? {}
    if (minute <= last) low = middle + 1
    else high = middle
  }
  return low
}

/** Drops all items before the newest one up to `minute`, which is the base for the rest. */
export function dropBefore(line: { readonly minute: Minute }[], minute: Minute): void {
  line.splice(0, Math.max(0, countUpTo(line, minute) - 1))
}

/** Start, in Unix seconds, of the window of this name that ends with `minute`. */
export const startOf = (minute: Minute, name: WindowName): number => asOf(minute) - windows[name].minutes * 60

/** A change: percent × 100 (null from a base of 0), difference, and direction. All null if either side is unknown. */
export type Change = {
  readonly percentE2: bigint | null
  readonly value: bigint | null
  readonly isUp: boolean | null
}

/** The change from `base` to `now`, on exact values. */
export function changeOf(base: bigint | null, now: bigint | null): Change {
  if (base === null || now === null) return { percentE2: null, value: null, isUp: null }
  return { percentE2: changeE2(base, now), value: now - base, isUp: now > base }
}
