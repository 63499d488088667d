import { changeE2 } from './display.ts'
import { type Minute, type StateField, stateFields } from './segment.ts'

/** Lengths of time that boards, index and volume are asked for. */
export const periods = ['1h', '4h', '24h', '7d'] as const
export type Period = (typeof periods)[number]

/** The moments that boards are ranked at: now and the start of each period. */
export const moments = ['now', ...periods] as const
export type Moment = (typeof moments)[number]

/** Lengths of time that trending lists are asked for. */
export const timeframes = ['1h', '24h', '7d', '30d'] as const
export type Timeframe = (typeof timeframes)[number]

const everyField = Object.keys(stateFields) as StateField[]
/** What rows and ranks need of the start of a period. */
const standing = [
  'sqrtPriceX96',
  'cumVolumeMicroUsd',
  'cumRankVolumeMicroUsd',
  'cumTrades',
  'cumEngagement',
  'holders',
  'supply',
  'reserveQuote',
] as const satisfies StateField[]
const flows = ['cumVolumeMicroUsd', 'cumRankVolumeMicroUsd', 'cumEngagement'] as const satisfies StateField[]
const prices = ['sqrtPriceX96', 'cumVolumeMicroUsd', 'cumTrades'] as const satisfies StateField[]

/**
 * The edges in time at which the market's state is kept: how many minutes ago each lies, which numbers are kept there,
 * and which edge lies 24 hours before it (null: no rolling day is asked for there). `now` is the edge of no minutes ago.
 */
export const edges = {
  now: { minutes: 0, fields: everyField, dayBefore: '24h' },
  '1h': { minutes: 60, fields: standing, dayBefore: '25h' },
  '4h': { minutes: 240, fields: standing, dayBefore: '28h' },
  '24h': { minutes: 1_440, fields: standing, dayBefore: '48h' },
  '7d': { minutes: 10_080, fields: standing, dayBefore: '8d' },
  '25h': { minutes: 1_500, fields: flows, dayBefore: null },
  '28h': { minutes: 1_680, fields: flows, dayBefore: null },
  '48h': { minutes: 2_880, fields: flows, dayBefore: null },
  '8d': { minutes: 11_520, fields: flows, dayBefore: null },
  '30d': { minutes: 43_200, fields: prices, dayBefore: null },
} as const satisfies Record<
  string,
  { minutes: number; fields: readonly StateField[]; dayBefore: string | null }
>

export type EdgeName = keyof typeof edges
export const edgeNames = Object.keys(edges) as readonly EdgeName[]

/** One value for each name, made in their order. */
export const byName = <Name extends string, V>(
  names: readonly Name[],
  make: (name: Name) => V,
): Record<Name, V> => Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, V>

/** One value for each edge, made in the order of the table. */
export const byEdge = <V>(make: (name: EdgeName) => V): Record<EdgeName, V> => byName(edgeNames, make)

/** Minutes after which a sealed minute has left every window. */
export const LONGEST_WINDOW_MINUTES = Math.max(...edgeNames.map((name) => edges[name].minutes))

/** Unix seconds of the exclusive end of a minute: "as of" this moment its state holds. */
export const asOf = (minute: Minute): number => (minute + 1) * 60

/** Unix seconds at which a window of this name that ends with `minute` starts. */
export const startOf = (minute: Minute, name: EdgeName): number => asOf(minute) - edges[name].minutes * 60

/** How a value moved: percent × 100 (null from a base of 0), the difference, the direction. All null where either side is unknown. */
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
