/** The last 24 hours by the snapshots that were published, as printed. */
import type { Minute } from '../../market/segment.ts'
import { asOf } from '../../market/window.ts'
import { type FieldTable, fieldsOf, listKind } from '../values/field.ts'
import * as kind from '../values/kinds.ts'

/** Minutes from `from` to `to`, and those of which a snapshot was published, ascending. */
export type PublishedDay = {
  readonly from: Minute
  readonly to: Minute
  readonly published: readonly Minute[]
}

/** Minutes from one to another, both included. */
type Span = { readonly from: Minute; readonly to: Minute }
type Hour = Span & { readonly published: number }

const minutesOf = ({ from, to }: Span): number => to - from + 1

/** What lies between the published minutes. */
function gapsOf({ from, to, published }: PublishedDay): readonly Span[] {
  const known = [from - 1, ...published, to + 1]
  return known.slice(1).flatMap((minute, at) => {
    const gap = { from: (known[at] ?? minute) + 1, to: minute - 1 }
    return minutesOf(gap) > 0 ? [gap] : []
  })
}

/** The hours of UTC time, oldest first; the first and the last may have fewer minutes. */
function hoursOf({ from, to, published }: PublishedDay): readonly Hour[] {
  const hours: Hour[] = []
  for (let start = from; start <= to; ) {
    const end = Math.min(to, start - (start % 60) + 59)
    const isWithin = (minute: Minute) => minute >= start && minute <= end
    hours.push({ from: start, to: end, published: published.filter(isWithin).length })
    start = end + 1
  }
  return hours
}

const span = fieldsOf<Span>()
const hour = fieldsOf<Hour>()
const day = fieldsOf<PublishedDay>()

/** Rows of `gaps`. */
export const gapSpanFields: FieldTable<Span> = {
  from: span(kind.time, (row) => row.from * 60, 'Start of its first minute'),
  to: span(kind.time, (row) => asOf(row.to), 'End of its last minute'),
  minutes: span(kind.count, minutesOf, 'Its minutes'),
}

/** Rows of `hours`. */
export const publishedHourFields: FieldTable<Hour> = {
  from: hour(kind.time, (row) => row.from * 60, 'Start of the hour, or of the 24 hours'),
  minutes: hour(kind.count, minutesOf, 'Its minutes, up to the newest snapshot'),
  published: hour(kind.count, (row) => row.published, 'Those of which a snapshot was published'),
}

/** Keys of v1/status/day. */
export const publishedDayFields: FieldTable<PublishedDay> = {
  from: day(kind.time, (row) => row.from * 60, {
    description: 'Start of the 24 hours, or of the first snapshot if that was later',
  }),
  to: day(kind.time, (row) => asOf(row.to), 'End of the newest snapshot’s minute'),
  minutes: day(kind.count, minutesOf, 'Minutes between them'),
  published: day(kind.count, (row) => row.published.length, 'Minutes of which a snapshot was published'),
  hours: day(listKind(publishedHourFields), hoursOf, 'The same by hour of UTC, oldest first'),
  gaps: day(listKind(gapSpanFields), gapsOf, {
    description:
      'Minutes without a snapshot of their own, oldest first: their trades are in the next snapshot, which came later',
  }),
}
