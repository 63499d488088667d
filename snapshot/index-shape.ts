import type { HourlyClose } from '../market/index-contenders.ts'
import type { IndexBar } from '../market/index-history.ts'
import type { Member } from '../market/index-review.ts'
import type { Address, MicroUsd, Minute, TokenKind } from '../market/segment.ts'
import type { Z100Index } from '../market/z100-index.ts'
import { integer, type Json, listOf, mapOf, nullable, plain, recordOf, tupleOf } from '../store/shape.ts'
import { byInterval, type IndexState, type PointAt } from './index-state.ts'

const minuteShape = nullable(plain<Minute>())

const indexShape = recordOf<Z100Index>({
  minute: minuteShape,
  baseMinute: minuteShape,
  members: mapOf<Address, Member>(recordOf<Member>({ kind: plain<TokenKind>(), quantity: integer })),
  since: mapOf<Address, Minute>(plain<Minute>()),
  divisor: integer,
  valueE8: integer,
})

/** Points of the index, as lists. */
export const pointsShape = listOf(tupleOf<PointAt>({ minute: plain(), valueE8: integer }))

const closesShape = listOf(recordOf<HourlyClose>({ hour: plain(), caps: mapOf<Address, MicroUsd>(integer) }))

const barShape = nullable(
  recordOf<IndexBar>({
    at: plain(),
    open: integer,
    high: integer,
    low: integer,
    close: integer,
    creatorVolume: integer,
    postVolume: integer,
    trades: plain(),
    active: mapOf<Address, TokenKind>(plain<TokenKind>()),
  }),
)

/** What of the index's state depends on its past: the index itself and the newest bars. */
export type IndexPast = Pick<IndexState, 'index' | 'bars'>

/** It as JSON. */
export const pastJson = ({ index, bars }: IndexPast): Json => ({
  index: indexShape.write(index),
  bars: byInterval((interval) => barShape.write(bars[interval])),
})

/** What `pastJson` wrote. */
export function pastFrom(json: Json): IndexPast {
  const { index, bars } = json as { readonly [key: string]: Json }
  const read = bars as { readonly [interval: string]: Json }
  return {
    index: indexShape.read(index ?? null),
    bars: byInterval((interval) => barShape.read(read[interval] ?? null)),
  }
}

/** The index's whole state for a checkpoint. */
export const indexJson = (state: IndexState): Json => ({
  past: pastJson(state),
  points: pointsShape.write(state.points),
  closes: closesShape.write(state.closes),
  needed: [...state.needed].sort(),
  recordedMinute: state.recordedMinute,
})

/** The state that `indexJson` wrote. Its bars are written to the table again: that may know of minutes that were rolled back since. */
export function indexFrom(json: Json): IndexState {
  const { past, points, closes, needed, recordedMinute } = json as { readonly [key: string]: Json }
  const { index, bars } = pastFrom(past ?? null)
  return {
    index,
    bars,
    points: [...pointsShape.read(points ?? [])],
    closes: closesShape.read(closes ?? []),
    needed: new Set(needed as readonly Address[]),
    unwritten: byInterval((interval) => [bars[interval] ?? []].flat()),
    isRecordDue: false,
    recordedMinute: minuteShape.read(recordedMinute ?? null),
    unsaved: [],
  }
}
