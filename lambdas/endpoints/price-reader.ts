/** Reads what candles are made from, from the newest minute backwards, as far as is needed or an answer may cost. */

import type { PricePoint, PriceState, RatePoint } from '../../market/board/price-points.ts'
import { pointsOf } from '../../market/board/price-points.ts'
import type { PathState, TokenPath } from '../../market/board/token-page.ts'
import type { Minute } from '../../market/segment.ts'
import { countUpTo } from '../../market/window.ts'
import type { Reads } from '../../store/aws/table.ts'
import { type PriceGrain, type PriceSeries, priceGrains } from '../../store/aws/tables.ts'
import { pricePointsBytes, ratePointsBytes } from '../../store/bytes/price-bytes.ts'
import { readPoints, readSpans, type SpanName, type SpanRange } from '../../store/items/price-grains.ts'
import { UNSETTLED_MINUTES } from '../../store/items/token-history.ts'
import type { ReadableMinute } from '../../store/log/applied-read.ts'
import type { ReadStores } from '../api/endpoint.ts'
import type { TokenReader } from './token.ts'

/**
 * Consecutive minutes, inclusive, and the grain that they are read from; null: from the rows of minutes. `isFresh`: the
 * last ones, which may not have reached every replica.
 */
type Part = {
  readonly from: Minute
  readonly to: Minute
  readonly grain: PriceGrain | null
  readonly isFresh?: true
}

/** Items of one read: so many that it costs few units, however large they are. */
const ITEMS_AT_ONCE = { rows: 32, hour: 40, day: 20, days: 240 } as const
/** Rates of minutes are small. */
const RATES_AT_ONCE = 300

/** What a round of reads may cost at most, in read units: of a token and its quote, and of a rate. */
export const ROUND_UNITS = 14

/** A series read backwards. `reached`: everything from this minute on is in `points`, which are oldest first. */
type Backwards<V> = {
  readonly points: () => readonly V[]
  readonly reached: () => Minute
  readonly more: () => Promise<void>
}

/** Reads items of a part up to a minute, newest first; each has the first minute that it is about. */
type ReadItems<V> = (
  part: Part,
  to: Minute,
) => Promise<{
  readonly items: readonly { readonly from: Minute; readonly points: readonly V[] }[]
  readonly isAll: boolean
}>

function openBackwards<V>(parts: readonly Part[], read: ReadItems<V>): Backwards<V> {
  const left = [...parts]
  let points: readonly V[] = []
  let reached = (left[0]?.to ?? 0) + 1
  return {
    points: () => points,
    reached: () => reached,
    async more() {
      const [part] = left
      if (!part) return
      const { items, isAll } = await read(part, reached - 1)
      points = [...items.toReversed().flatMap((item) => item.points), ...points]
      reached = isAll ? part.from : (items.at(-1)?.from ?? part.from)
      if (reached === part.from) left.shift()
    },
  }
}

/** The history of a token's path, read backwards. */
export type PathReader = {
  /** Everything from this minute on has been read. */
  readonly reached: () => Minute
  /** The token's own points since then, oldest first. */
  readonly points: () => readonly PricePoint[]
  /** Reads on towards a minute. */
  readonly more: (goal: Minute) => Promise<void>
  /** What has been read: the states of the path after a minute, and the token's points in a span. */
  readonly history: () => Promise<PathHistory>
}

export type PathHistory = {
  readonly at: (minute: Minute) => PathState<PriceState>
  readonly pointsIn: (from: Minute, before: Minute) => readonly PricePoint[]
}

type Asked = {
  readonly now: ReadableMinute
  /** The first minute that can be wanted, and the last one. */
  readonly from: Minute
  readonly to: Minute
  /** Minutes of a slot. */
  readonly minutes: number
}

/** Opens the history of a path for slots of so many minutes. */
export async function openPathReader(
  reader: TokenReader & Pick<ReadStores, 'table' | 'past'>,
  path: TokenPath,
  asked: Asked,
): Promise<PathReader> {
  const { history, references } = reader
  const parts = await partsOf(reader.past, asked)
  const to = parts[0]?.to ?? asked.to
  const tokens = path.map(({ address }) => openBackwards(parts, readPrices(reader, { token: address })))
  const currency = references.get((path.at(-1) ?? path[0]).quote)
  const rates = currency && openBackwards(parts, readRates(reader, { currency: currency.address }))
  const all = [...tokens, ...(rates ? [rates] : [])]
  const reached = () => Math.max(...all.map((series) => series.reached()))
  return {
    reached,
    points: () => (tokens[0]?.points() ?? []).filter(({ minute }) => minute >= reached()),
    async more(goal) {
      await Promise.all(all.filter((series) => series.reached() > goal).map((series) => series.more()))
    },
    async history() {
      const states = await Promise.all(
        path.map(async ({ address }, at) => {
          const points = tokens[at]?.points() ?? []
          const initial = points[0]?.state ?? (await stateAt(reader, address, { to, now: asked.now.minute }))
          return (minute: Minute) => points[countUpTo(points, minute) - 1]?.state ?? initial
        }),
      )
      const known = rates?.points() ?? []
      const before = currency && (await history.rateAt(currency.address, Math.min(reached(), to) - 1))
      const rateAt = (minute: Minute): PathState['rate'] => {
        const usdE36 = known[countUpTo(known, minute) - 1]?.usdE36 ?? before ?? null
        return currency && usdE36 !== null ? { usdE36, decimals: currency.decimals } : null
      }
      const own = tokens[0]?.points() ?? []
      return {
        at: (minute) => ({ states: states.map((state) => state(minute)), rate: rateAt(minute) }),
        pointsIn: (from, before) => own.slice(countUpTo(own, from - 1), countUpTo(own, before - 1)),
      }
    },
  }
}

/** The state of a token that did nothing in what was read, which ends with minute `to`. */
async function stateAt(
  { history, past }: TokenReader & Pick<ReadStores, 'past'>,
  token: Parameters<TokenReader['history']['stateAt']>[0],
  { to, now }: { readonly to: Minute; readonly now: Minute },
): Promise<PriceState> {
  const isOld = now - to > KEPT_MINUTES
  if (isOld) {
    const day = Math.floor((to + 1) / priceGrains.days.minutes)
    const series = { series: { token }, grain: 'days', read: pricePointsBytes.read } as const
    const [next] = await readPoints(past, series, { first: day, last: 999_999, limit: 1, isAscending: true })
    if (next?.points[0]) return next.points[0].state
  }
  return history.stateAt(token, to)
}

/** Rows of minutes are there for at least this long. */
const KEPT_MINUTES = priceGrains.hour.kept / 60 - priceGrains.days.minutes

/** The grains that slots of so many minutes are read from, the coarsest first. */
function grainsFor(minutes: number): readonly (readonly [SpanName, PriceGrain])[] {
  const hour = [['hour', 'hour']] as const
  if (minutes % priceGrains.days.pointMinutes === 0) return [['day', 'days'], ...hour]
  if (minutes % priceGrains.day.pointMinutes === 0) return [['day', 'day'], ...hour]
  return minutes % priceGrains.hour.pointMinutes === 0 ? hour : []
}

/** The parts that minutes are read from, newest first: whole items of grains as far as they are there, else rows. */
async function partsOf(past: Reads, { now, from, to, minutes }: Asked): Promise<readonly Part[]> {
  const parts: Part[] = []
  let start = from
  for (const [name, grain] of grainsFor(minutes)) {
    const length = priceGrains[grain].minutes
    start = Math.floor(start / length) * length
    const span = await readSpans(past, name, { from: start, to: now.minute, n: now.n })
    const part = partOf(span, { grain, to: Math.min(now.minute, to) })
    if (part.from > part.to) continue
    if (part.from > start) parts.unshift({ from: start, to: part.from - 1, grain: null })
    parts.unshift(part)
    start = part.to + 1
  }
  const end = Math.min(now.minute, Math.max(to, start - 1))
  const settled = Math.min(end, now.minute - UNSETTLED_MINUTES)
  if (start <= settled) parts.unshift({ from: start, to: settled, grain: null })
  if (Math.max(start, settled + 1) <= end)
    parts.unshift({ from: Math.max(start, settled + 1), to: end, grain: null, isFresh: true })
  return parts
}

/** The items of a grain that are about minutes up to `to`. */
function partOf(
  { first, last }: SpanRange,
  { grain, to }: { readonly grain: PriceGrain; readonly to: Minute },
): Part {
  const { minutes } = priceGrains[grain]
  return { from: first * minutes, to: (Math.min(last, Math.floor(to / minutes)) + 1) * minutes - 1, grain }
}

function readItemsOf<V>(
  past: Reads,
  series: PriceSeries,
  { bytes, rows }: { readonly bytes: (bytes: Uint8Array) => readonly V[]; readonly rows: ReadItems<V> },
): ReadItems<V> {
  return async (part, to) => {
    const { grain } = part
    if (grain === null) return rows(part, to)
    const { minutes } = priceGrains[grain]
    const span = { first: part.from / minutes, last: Math.floor(to / minutes), limit: ITEMS_AT_ONCE[grain] }
    const items = await readPoints(past, { series, grain, read: bytes }, span)
    return {
      items: items.map(({ at, points }) => ({ from: at * minutes, points })),
      isAll: items.length < span.limit,
    }
  }
}

const readPrices = (
  { history, past }: TokenReader & Pick<ReadStores, 'past'>,
  series: Extract<PriceSeries, { token: unknown }>,
): ReadItems<PricePoint> =>
  readItemsOf(past, series, {
    bytes: pricePointsBytes.read,
    rows: async ({ from, isFresh = false }, to) => {
      const limit = ITEMS_AT_ONCE.rows
      const rows = await history.newestRows(series.token, { from, to, limit, isFresh })
      const points = pointsOf(rows.toReversed())
      return {
        items: rows.slice(-1).map(({ minute }) => ({ from: minute, points })),
        isAll: rows.length < limit,
      }
    },
  })

const readRates = (
  { history, past }: TokenReader & Pick<ReadStores, 'past'>,
  series: Extract<PriceSeries, { currency: unknown }>,
): ReadItems<RatePoint> =>
  readItemsOf(past, series, {
    bytes: ratePointsBytes.read,
    rows: async ({ from, isFresh = false }, to) => {
      const limit = RATES_AT_ONCE
      const rates = await history.newestRates(series.currency, { from, to, limit, isFresh })
      const items = rates.slice(-1).map(({ minute }) => ({ from: minute, points: rates.toReversed() }))
      return { items, isAll: rates.length < limit }
    },
  })
