import { changeE2 } from './display.ts'
import type { Minute } from './segment.ts'

/**
 * The times before now at which the market's state is known, newest first, and what each is used for.
 * - `minutes`: before now; `now` is the start of an empty window.
 * - `dayBefore`: the name of the one 24 hours earlier, where boards are ranked.
 * - `stepMinutes`: of a period of boards, index and volume: a step of price history and volume; divides the period.
 * - `isTimeframe`: trending lists have it.
 */
export const windows = {
  now: { minutes: 0, dayBefore: '24h' },
  '1h': { minutes: 60, dayBefore: '25h', stepMinutes: 1, isTimeframe: true },
  '4h': { minutes: 240, dayBefore: '28h', stepMinutes: 5 },
  '24h': { minutes: 1_440, dayBefore: '48h', stepMinutes: 15, isTimeframe: true },
  '25h': { minutes: 1_500 },
  '28h': { minutes: 1_680 },
  '48h': { minutes: 2_880 },
  '7d': { minutes: 10_080, dayBefore: '8d', stepMinutes: 60, isTimeframe: true },
  '8d': { minutes: 11_520 },
  '30d': { minutes: 43_200, isTimeframe: true },
} as const

export type WindowName = keyof typeof windows
/** Names of the windows that have a field. */
type With<Field extends string> = {
  [Name in WindowName]: Field extends keyof (typeof windows)[Name] ? Name : never
}[WindowName]

export const windowNames = Object.keys(windows) as readonly WindowName[]
const namesWith = <Field extends string>(field: Field): readonly With<Field>[] =>
  windowNames.filter((name): name is With<Field> => field in windows[name])

/** Periods of boards, index and volume. */
export type Period = With<'stepMinutes'>
export const periods = namesWith('stepMinutes')

/** The times that boards are ranked at: now and the start of each period. */
export const boardTimes = namesWith('dayBefore')

/** Timeframes of trending lists. */
export type Timeframe = With<'isTimeframe'>
export const timeframes = namesWith('isTimeframe')

/** Minutes after which a sealed minute has left every window. */
export const LONGEST_WINDOW_MINUTES = Math.max(...windowNames.map((name) => windows[name].minutes))
/** Minutes of the longest period of boards, index and volume. */
export const LONGEST_PERIOD_MINUTES = Math.max(...periods.map((name) => windows[name].minutes))

/** Steps of a period, in price history and the market's volume. */
export const stepsOf = (period: Period): number => windows[period].minutes / windows[period].stepMinutes

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
