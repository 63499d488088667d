import { type Address, emptyState, type Minute, type TokenState } from '../../market/segment.ts'
import { type Moment, type Path, type PriceStep, stepOf } from '../../market/token-page.ts'
import { asOf, type Period, stepMinutes, stepsOf } from '../../market/window.ts'
import { rowWriter } from '../../schemas/field.ts'
import { priceStepFields } from '../../schemas/token-page.ts'
import { type ReadableMinute, readApplied } from '../../store/applied-read.ts'
import type { StoredRow } from '../../store/rows.ts'
import { answerAt, type Endpoint, isSet, listOf } from './endpoint.ts'
import { readerOf, readPath, readToken, type TokenReader } from './token.ts'

/** Minutes of a step, and how many there are. */
type Grid = { readonly minutes: number; readonly steps: number }

const write = rowWriter(priceStepFields)

/** GET /v1/tokens/{id}/price-history. */
export const priceHistory: Endpoint = async (asked, stores) => {
  const period = asked.query['timeframe'] as Period
  const grid = { minutes: stepMinutes[period], steps: stepsOf(period) }
  const { at, value } = await readApplied(stores.log, async (now) => {
    const reader = readerOf(stores)
    return readSteps(reader, await readPath(reader, await readToken(reader, asked.id, now)), { now, grid })
  })
  const rows = value.filter(({ isFilled }) => !isFilled || isSet(asked, 'fill')).map(write)
  return answerAt(at, {
    page: { list: listOf(rows), total: rows.length, offset: 0, limit: Math.max(1, rows.length) },
  })
}

/** Reads at most one row a minute of the period for each token of the path. */
async function readSteps(
  reader: TokenReader,
  path: Path,
  { now, grid }: { readonly now: ReadableMinute; readonly grid: Grid },
): Promise<readonly PriceStep[]> {
  const last = Math.floor(now.minute / grid.minutes) * grid.minutes
  const first = last - (grid.steps - 1) * grid.minutes
  const span = { after: first - 1, to: now.minute }
  const [histories, rateAt] = await Promise.all([
    Promise.all(path.map(({ address }) => readStates(reader, address, span))),
    readRates(reader, path, { ...span, isHourly: grid.minutes === 60 }),
  ])
  const launched = Math.floor(path[0].launchedAt.timestamp / 60)
  const starts = Array.from({ length: grid.steps }, (_, at) => first + at * grid.minutes)
  const alive = starts.filter((start) => start + grid.minutes > launched)
  return alive.map((start) => {
    const end = start + grid.minutes
    const final = Math.min(end - 1, now.minute)
    const after = { states: histories.map((states) => states.at(final)), rate: rateAt(final) }
    const facts = { start: start * 60, end: end * 60, asOf: asOf(now.minute), path, after }
    return stepOf({ ...facts, ...historyIn(histories[0], start, end) })
  })
}

/** What a token did in the minutes from `start` to before `end`, and its state before them. */
function historyIn(states: States | undefined, start: Minute, end: Minute) {
  const rows = (states?.rows ?? []).filter(({ minute }) => minute >= start && minute < end)
  return {
    before: states?.at(start - 1) ?? emptyState,
    minutes: rows.map(({ minute, row }) => ({ minute, candle: row.candle })),
  }
}

/** A token's states in a span of minutes. */
type States = { readonly rows: readonly StoredRow[]; readonly at: (minute: Minute) => TokenState }

/** A span of minutes, its first one left out. */
type Span = { readonly after: Minute; readonly to: Minute }

async function readStates({ history }: TokenReader, token: Address, span: Span): Promise<States> {
  const rows = await history.rows(token, span)
  const initial = rows[0]?.row.before ?? (await history.stateAt(token, span.to))
  return {
    rows,
    at: (minute) => rows.findLast((stored) => stored.minute <= minute)?.row.after ?? initial,
  }
}

/** The rate that a path ends in, after any minute of a span; if `isHourly`, after the last of any hour and of the span. */
async function readRates(
  { history, references }: TokenReader,
  path: Path,
  span: Span & { readonly isHourly: boolean },
): Promise<(minute: Minute) => Moment['rate']> {
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
