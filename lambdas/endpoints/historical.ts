import { firstMinuteOf, type Interval, intervalAt } from '../../market/index-history.ts'
import type { Minute } from '../../market/segment.ts'
import { InvalidParameterError } from '../../schemas/errors.ts'
import { rowWriter } from '../../schemas/field.ts'
import { barRow, indexBarFields } from '../../schemas/z100-index.ts'
import { readBars } from '../../store/index-history.ts'
import { type ApiEndpoint, type EndpointRequest, minuteOfText, rowsText } from './endpoint.ts'

/** How long a span may be, so that what one answer reads is bounded. */
const spans = {
  hourly: { interval: 'hour', days: 31, allowed: 'at most 31 days of hours' },
  daily: { interval: 'day', days: 366, allowed: 'at most 366 days' },
  weekly: { interval: 'week', days: 1_827, allowed: 'at most 5 years of weeks' },
} as const satisfies Record<string, { interval: Interval; days: number; allowed: string }>

const DAY_MINUTES = 1_440
const DEFAULT_DAYS = 7

const write = rowWriter(indexBarFields)

/** GET /v1/z100/historical: every interval that the span touches, up to the newest snapshot. */
export const historical: ApiEndpoint = async (asked, { lists, past }) => {
  const { at, value: newest } = await lists.newest()
  const { interval, days, allowed } = spans[asked.query['interval'] as keyof typeof spans]
  const { from, to } = spanOf(asked, newest)
  if (to - from > days * DAY_MINUTES) refuse('from', asked, allowed)
  const rows: string[] = []
  const span = { from: firstMinuteOf(interval, intervalAt(interval, from)), to }
  for await (const bar of readBars(past, interval, span)) rows.push(write(barRow(interval, bar, at.asOf)))
  const page = { list: rowsText(rows), total: rows.length, offset: 0, limit: Math.max(1, rows.length) }
  return { at, page }
}

/** First and last minute asked for; nothing after the newest. Throws InvalidParameterError when they are crossed. */
function spanOf(asked: EndpointRequest, newest: Minute): { readonly from: Minute; readonly to: Minute } {
  const { from, to } = asked.query
  const wanted = to === undefined ? newest : minuteOfText(to, '23:59')
  const last = Math.min(wanted, newest)
  const first = from === undefined ? last - DEFAULT_DAYS * DAY_MINUTES : minuteOfText(from, '00:00')
  if (from !== undefined && first > wanted) refuse('from', asked, 'a moment not after `to`')
  return { from: Math.max(0, first), to: last }
}

function refuse(parameter: string, { query }: EndpointRequest, allowed: string): never {
  throw new InvalidParameterError({ parameter, provided: query[parameter] ?? null, allowed })
}
