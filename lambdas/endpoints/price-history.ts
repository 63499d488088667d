import { POINT_MINUTES, type PricePoint, type PriceState, pointOf } from '../../market/board/price-points.ts'
import { type PathState, type PriceStep, stepOf, type TokenPath } from '../../market/board/token-page.ts'
import { firstMinuteOf, type Interval, intervalAt } from '../../market/index/index-history.ts'
import type { Address, Minute, Token } from '../../market/segment.ts'
import { asOf, countUpTo, type Period, stepsOf, windows } from '../../market/window.ts'
import { InvalidParameterError } from '../../schemas/errors.ts'
import { rowWriter } from '../../schemas/field.ts'
import { priceStepFields } from '../../schemas/token-page.ts'
import { barRow, indexBarFields } from '../../schemas/z100-index.ts'
import { type ReadableMinute, readApplied } from '../../store/applied-read.ts'
import { readBars } from '../../store/index-history.ts'
import { allOf } from '../../store/parallel.ts'
import { type Hours, readPricedHours, readPriceHours } from '../../store/price-hours.ts'
import type { StoredRow } from '../../store/rows.ts'
import {
  type ApiEndpoint,
  answerAt,
  type EndpointRequest,
  firstMinuteOfText,
  isSet,
  lastMinuteOfText,
  type ReadStores,
  rowsText,
} from './endpoint.ts'
import { readerOf, readPath, readToken, type TokenReader } from './token.ts'

/** Minutes of a step, and the number of steps. */
type Grid = { readonly minutes: number; readonly steps: number }

const write = rowWriter(priceStepFields)

/** GET /v1/tokens/{id}/price-history. */
export const priceHistory: ApiEndpoint = async (asked, stores) => {
  const period = asked.query['timeframe'] as Period
  const grid = { minutes: windows[period].stepMinutes, steps: stepsOf(period) }
  const { at, value } = await readApplied(stores.log, async (now) => {
    const reader = readerOf(stores)
    const path = await readPath(reader, await readToken(reader, asked.id, now))
    return readSteps({ ...reader, past: stores.past }, path, { now, grid })
  })
  const rows = value.filter(({ isFilled }) => !isFilled || isSet(asked, 'fill')).map(write)
  return answerAt(at, {
    page: { list: rowsText(rows), total: rows.length, offset: 0, limit: Math.max(1, rows.length) },
  })
}

type Reader = TokenReader & Pick<ReadStores, 'past'>

/** Reads, for each token of the path, at most one item per completed hour and one per other minute. */
async function readSteps(
  reader: Reader,
  path: TokenPath,
  { now, grid }: { readonly now: ReadableMinute; readonly grid: Grid },
): Promise<readonly PriceStep[]> {
  const last = Math.floor(now.minute / grid.minutes) * grid.minutes
  const first = last - (grid.steps - 1) * grid.minutes
  const span = { after: first - 1, to: now.minute }
  const isOfPoints = grid.minutes % POINT_MINUTES === 0
  const hours = isOfPoints
    ? await readPricedHours(reader.past, { from: first, to: now.minute, n: now.n })
    : null
  const [token, ...quotes] = path
  const statesOf = ({ address }: Token) => readStates(reader, address, { ...span, hours })
  const [own, others, rateAt] = await Promise.all([
    statesOf(token),
    Promise.all(quotes.map(statesOf)),
    readRates(reader, path, { ...span, isHourly: grid.minutes === 60 }),
  ])
  const launched = Math.floor(path[0].launchedAt.timestamp / 60)
  const starts = Array.from({ length: grid.steps }, (_, at) => first + at * grid.minutes)
  const alive = starts.filter((start) => start + grid.minutes > launched)
  return alive.map((start) => {
    const end = start + grid.minutes
    const final = Math.min(end - 1, now.minute)
    const after = { states: [own, ...others].map((states) => states.at(final)), rate: rateAt(final) }
    const facts = { start: start * 60, end: end * 60, asOf: asOf(now.minute), path, after }
    return stepOf({ ...facts, ...historyIn(own, start, end) })
  })
}

/** A token's minutes from `start` to before `end`, and its state before them. */
const historyIn = ({ points, at }: States, start: Minute, end: Minute) => ({
  before: at(start - 1),
  points: points.slice(countUpTo(points, start - 1), countUpTo(points, end - 1)),
})

/** A token's states in a span of minutes; the points oldest first. */
type States = { readonly points: readonly PricePoint[]; readonly at: (minute: Minute) => PriceState }

/** A span of minutes, its first one left out. */
type Span = { readonly after: Minute; readonly to: Minute }

async function readStates(
  { history, past }: Reader,
  token: Address,
  { after, to, hours }: Span & { readonly hours: Hours | null },
): Promise<States> {
  const [earlier, inHours, later] = await Promise.all([
    history.rows(token, { after, to: hours ? hours.first * 60 - 1 : to }),
    hours ? readPriceHours(past, token, hours) : [],
    hours ? history.rows(token, { after: hours.last * 60 + 59, to }) : [],
  ])
  const initial = earlier[0]?.row.before ?? (await history.stateAt(token, after))
  const ofRows = (rows: readonly StoredRow[]) => rows.map(({ minute, row }) => pointOf(minute, row))
  const points = [...ofRows(earlier), ...inHours.filter(({ minute }) => minute > after), ...ofRows(later)]
  return { points, at: (minute) => points[countUpTo(points, minute) - 1]?.state ?? initial }
}

/**
 * The rate at the end of a path, after any minute of a span; if `isHourly`, after the last minute of any hour and of the
 * span.
 */
async function readRates(
  { history, references }: TokenReader,
  path: TokenPath,
  span: Span & { readonly isHourly: boolean },
): Promise<(minute: Minute) => PathState['rate']> {
  const currency = references.get((path.at(-1) ?? path[0]).quote)
  if (!currency) return () => null
  const { address, decimals } = currency
  const open = Math.floor(span.to / 60) * 60 - 1
  const hours = { from: Math.floor((span.after + 1) / 60), to: Math.floor(open / 60) }
  const closed = span.isHourly ? await history.hourlyRates(address, hours) : null
  const after = closed ? open : span.after
  const [initial, rates] = await Promise.all([
    history.rateAt(address, after),
    history.rates(address, { after, to: span.to }),
  ])
  const known = [...(closed ?? []), ...rates]
  return (minute) => {
    const usdE36 = known.findLast((rate) => rate.minute <= minute)?.usdE36 ?? initial
    return usdE36 === null ? null : { usdE36, decimals }
  }
}

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
  // A time in the future is understood, and has no points yet.
  if (to !== undefined && first > wanted) refuse('from', asked, 'a time not after `to`')
  return { from: Math.max(0, first), to: last }
}

function refuse(parameter: string, { query }: EndpointRequest, allowed: string): never {
  throw new InvalidParameterError({ parameter, provided: query[parameter] ?? null, allowed })
}
