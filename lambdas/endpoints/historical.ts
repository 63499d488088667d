import { DAY_MINUTES } from '../../market/calendar.ts'
import { firstMinuteOf, type Interval, intervalAt } from '../../market/index/index-history.ts'
import type { Minute } from '../../market/segment.ts'
import { asOf } from '../../market/window.ts'
import { barRow, indexBarFields } from '../../schemas/records/z100-index.ts'
import { rowWriter } from '../../schemas/values/field.ts'
import { readTime } from '../../schemas/values/time-syntax.ts'
import { allOf } from '../../store/aws/parallel.ts'
import { OPEN_BARS, readBars, readOpenBars } from '../../store/published/index-history.ts'
import {
  type ApiEndpoint,
  type EndpointRequest,
  firstMinuteOfText,
  lastMinuteOfText,
  numberOf,
  refuse,
  rowsText,
} from '../api/endpoint.ts'

/** Maximum span, so that the reads of one answer are bounded. */
const spans = {
  hour: { days: 31, allowed: 'a time at most 31 days before `to`, for hourly steps' },
  day: { days: 366, allowed: 'a time at most 366 days before `to`, for daily steps' },
  week: { days: 1_827, allowed: 'a time at most 5 years before `to`, for weekly steps' },
} as const satisfies Record<Interval, { days: number; allowed: string }>

/** The words for an interval. */
const named: Readonly<Record<string, Interval>> = {
  ...{ hourly: 'hour', daily: 'day', weekly: 'week' },
  ...{ '1h': 'hour', '1d': 'day', '1w': 'week' },
}

const DEFAULT_DAYS = 7

const writeBar = rowWriter(indexBarFields)

/**
 * GET /v1/z100/historical: every interval in the span, or the newest `limit` of them, up to the newest snapshot, which has
 * the interval that its minute is in.
 */
export const historical: ApiEndpoint = async (asked, { lists, past }) => {
  const { at, value } = await lists.object(OPEN_BARS)
  const interval = named[asked.query['interval'] ?? ''] ?? 'day'
  const { days, allowed } = spans[interval]
  const { from, to } = spanOf(asked, { interval, newest: at.minute })
  if (to - from > days * DAY_MINUTES) refuse('from', asked.query['from'] ?? null, allowed)
  const first = firstMinuteOf(interval, intervalAt(interval, from))
  const opened = firstMinuteOf(interval, intervalAt(interval, at.minute))
  const open = first <= opened && opened <= to ? readOpenBars(value)[interval] : null
  const over = await allOf(readBars(past, interval, { from: first, to: Math.min(to, opened - 1) }))
  const bars = open ? [...over, open] : over
  const limit = asked.query['limit'] === undefined ? bars.length : numberOf(asked, 'limit')
  const shown = bars.slice(-limit)
  const rows = shown.map((bar) => writeBar(barRow(interval, bar, asOf(at.minute))))
  const [oldest] = shown
  const onward =
    oldest && shown.length < bars.length ? { before: String(firstMinuteOf(interval, oldest.at) * 60) } : null
  const page = { list: rowsText(rows), total: bars.length, offset: 0, limit: Math.max(1, limit), onward }
  return { at, page: { ...page, isCapped: onward !== null } }
}

type Bounds = { readonly from: Minute; readonly to: Minute }

/** First and last requested minute, up to the newest. Throws InvalidParameterError if they are reversed. */
function spanOf(
  asked: EndpointRequest,
  { interval, newest }: { readonly interval: Interval; readonly newest: Minute },
): Bounds {
  const { from, to, before, limit } = asked.query
  const wanted = to === undefined ? newest : lastMinuteOfText(to)
  // Exclusive: the last minute that begins before it.
  const earlier = before === undefined ? newest : Math.ceil((readTime(before)?.ms ?? 0) / 60_000) - 1
  const last = Math.min(wanted, earlier, newest)
  // A time in the future is understood, and has no intervals yet.
  if (from !== undefined && to !== undefined && firstMinuteOfText(from) > wanted)
    refuse('from', from, 'a time not after `to`')
  if (from !== undefined) return { from: Math.max(0, firstMinuteOfText(from)), to: last }
  // One more than is shown, to know whether there are older ones.
  const counted = limit && firstMinuteOf(interval, intervalAt(interval, last) - Number(limit))
  return { from: Math.max(0, counted ? Number(counted) : last - DEFAULT_DAYS * DAY_MINUTES), to: last }
}
