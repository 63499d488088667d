import type { Minute, PointsE8 } from '../segment.ts'
import { barsAfter, type IndexBar, intervalAt, type StoredBar, storedBar } from './index-history.ts'

/** Hours that the index page shows: seven days. */
export const INDEX_HOURS = 7 * 24

/** The index hour by hour up to a minute, oldest first. Volumes are left out. */
export type IndexHours = {
  readonly minute: Minute
  /** Unix seconds at which a log without the chain's older history begins; null: it has all of it. */
  readonly coverageFrom: number | null
  readonly bars: readonly StoredBar[]
}

/** The last INDEX_HOURS hours up to `minute` from the index's points, oldest first. */
export function indexHoursOf(
  points: readonly { readonly minute: Minute; readonly valueE8: PointsE8 }[],
  { minute, coverageFrom }: Pick<IndexHours, 'minute' | 'coverageFrom'>,
): IndexHours {
  const first = intervalAt('hour', minute) - INDEX_HOURS + 1
  const bars = new Map<number, IndexBar>()
  let last: IndexBar | null = null
  for (const point of points) {
    for (const bar of barsAfter('hour', last, { ...point, traded: [] })) {
      if (bar.at >= first) bars.set(bar.at, bar)
      last = bar
    }
  }
  return { minute, coverageFrom, bars: [...bars.values()].map(storedBar) }
}
