import { firstMinuteOf, type Interval, intervalAt } from '../../market/index/index-history.ts'
import type { Minute } from '../../market/segment.ts'
import { asOf } from '../../market/window.ts'
import { InvalidParameterError } from '../../schemas/errors.ts'
import { rowWriter } from '../../schemas/field.ts'
import { barRow, indexBarFields } from '../../schemas/z100-index.ts'
import { readBars } from '../../store/index-history.ts'
import { allOf } from '../../store/parallel.ts'
import {
  type ApiEndpoint,
  type EndpointRequest,
  firstMinuteOfText,
  lastMinuteOfText,
  rowsText,
} from './endpoint.ts'

/** Maximum span, so that the reads of one answer are bounded. */
const spans = {
  hourly: { interval: 'hour', days: 31, allowed: 'at most 31 days of hours' },
  daily: { interval: 'day', days: 366, allowed: 'at most 366 days' },
  weekly: { interval: 'week', days: 1_827, allowed: 'at most 5 years of weeks' },
} as const satisfies Record<string, { interval: Interval; days: number; allowed: string }>

const DAY_MINUTES = 1_440
const DEFAULT_DAYS = 7

const writeBar = rowWriter(indexBarFields)

/** GET /v1/z100/historical: every interval in the span, up to the newest snapshot. */
export const historical: ApiEndpoint = async (asked, { lists, past }) => {
  const at = await lists.newest()
  const { interval, days, allowed } = spans[asked.query['interval'] as keyof typeof spans]
  const { from, to } = spanOf(asked, at.minute)
  if (to - from > days * DAY_MINUTES) refuse('from', asked, allowed)
  const span = { from: firstMinuteOf(interval, intervalAt(interval, from)), to }
  const bars = await allOf(readBars(past, interval, span))
  const rows = bars.map((bar) => writeBar(barRow(interval, bar, asOf(at.minute))))
  const page = { list: rowsText(rows), total: rows.length, offset: 0, limit: Math.max(1, rows.length) }
  return { at, page }
}

/** First and last requested minute, up to the newest. Throws InvalidParameterError if they are reversed. */
function spanOf(asked: EndpointRequest, newest: Minute): { readonly from: Minute; readonly to: Minute } {
  const { from, to } = asked.query
  const wanted = to === undefined ? newest : lastMinuteOfText(to)
  const last = Math.min(wanted, newest)
  const first = from === undefined ? last - DEFAULT_DAYS * DAY_MINUTES : firstMinuteOfText(from)
  if (from !== undefined && first > wanted) refuse('from', asked, 'a time not after `to`')
  return { from: Math.max(0, first), to: last }
}

function refuse(parameter: string, { query }: EndpointRequest, allowed: string): never {
  throw new InvalidParameterError({ parameter, provided: query[parameter] ?? null, allowed })
}
