import { type Slot, slotFrom } from '../../market/board/candles.ts'
import type { TokenPath } from '../../market/board/token-page.ts'
import {
  type CandleInterval,
  candleIntervals,
  gridAt,
  launchSlot,
  startOfSlot,
} from '../../market/interval.ts'
import { TOKEN_DECIMALS } from '../../market/rules.ts'
import type { Minute } from '../../market/segment.ts'
import { asOf, type Period, stepsOf, windows } from '../../market/window.ts'
import { candleFields, priceStepFields } from '../../schemas/records/candles.ts'
import { rowWriter } from '../../schemas/values/field.ts'
import { readTime } from '../../schemas/values/time-syntax.ts'
import { type ReadableMinute, readApplied } from '../../store/log/applied-read.ts'
import {
  type ApiEndpoint,
  answerAt,
  type EndpointRequest,
  firstMinuteOfText,
  isSet,
  lastMinuteOfText,
  numberOf,
  type ReadStores,
  refuse,
  rowsText,
} from '../api/endpoint.ts'
import { withCountedReads } from '../api/read-budget.ts'
import { openPathReader, type PathHistory, type PathReader, ROUND_UNITS } from './price-reader.ts'
import { readerOf, readPath, readToken, type TokenReader } from './token.ts'

/** Counted read units that an answer may use; its strong reads of the last minutes are not counted. */
const UNITS = 52
/** Slots between `from` and the end. */
const SLOTS_MAX = 1_000

type Grid = { readonly minutes: number; readonly first: Minute }

/** Slots of a grid by number, inclusive. */
type Range = { readonly first: number; readonly last: number }

/** Which slots are wanted: the newest `limit` of a range; only with trades of the token's own pool if `isTraded`. */
type Wanted = Range & { readonly grid: Grid; readonly limit: number; readonly isTraded: boolean }

const writeStep = rowWriter(priceStepFields)

/** GET /v1/tokens/{id}/price-history. */
export const priceHistory: ApiEndpoint = async (asked, stores) => {
  const period = asked.query['timeframe'] as Period
  const grid = { minutes: windows[period].stepMinutes, first: 0 }
  const { at, value } = await readApplied(stores.log, async (now) => {
    const reader = { ...readerOf(stores), ...stores }
    const path = await readPath(reader, await readToken(reader, asked.id, now))
    const last = gridAt(grid, now.minute)
    const first = Math.max(last - stepsOf(period) + 1, launchSlot(grid, path[0]))
    const wanted = { first, last, grid, limit: stepsOf(period), isTraded: !isSet(asked, 'fill') }
    return readSlots(reader, path, { now, wanted, mayReadMore: () => true })
  })
  const rows = value.slots.map(writeStep)
  return answerAt(at, {
    page: { list: rowsText(rows), total: rows.length, offset: 0, limit: Math.max(1, rows.length) },
  })
}

const writers = { usd: rowWriter(candleFields.usd), quote: rowWriter(candleFields.quote) } as const

/** GET /v1/tokens/{id}/candles. */
export const candles: ApiEndpoint = async (asked, stores) => {
  const { at, value } = await readApplied(stores.log, async (now) => {
    const counted = withCountedReads(stores)
    const reader = { ...readerOf(counted.stores), ...counted.stores }
    const path = await readPath(reader, await readToken(reader, asked.id, now))
    const wanted = wantedOf(asked, path, now)
    const mayReadMore = () => counted.units() + ROUND_UNITS <= UNITS
    return { wanted, ...(await readSlots(reader, path, { now, wanted, mayReadMore })) }
  })
  const { wanted, slots, next } = value
  const write = writers[asked.query['currency'] as keyof typeof writers]
  const page = {
    list: rowsText(slots.map(write)),
    total: wanted.isTraded ? slots.length : Math.max(0, wanted.last - wanted.first + 1),
    offset: 0,
    limit: wanted.limit,
    isCapped: wanted.isTraded && next !== null,
    onward: next === null ? null : { before: String(next) },
  }
  const isClosed = startOfSlot(wanted.grid, wanted.last + 1) <= at.minute - SETTLED_MINUTES
  const isBound = asked.query['before'] !== undefined || asked.query['to'] !== undefined
  return { ...answerAt(at, { page }), isLasting: isClosed && isBound }
}

/** Sealed minutes are counted again for a day, so that after two no answer about them changes. */
const SETTLED_MINUTES = 2_880

/** The slots that a request is about: since the launch, as far back as they are kept. */
function wantedOf(asked: EndpointRequest, [token]: TokenPath, now: ReadableMinute): Wanted {
  const { query } = asked
  const interval = candleIntervals[query['resolution'] as CandleInterval]
  const { from, to, before } = query
  const kept = interval.keptMinutes === null ? 0 : gridAt(interval, now.minute - interval.keptMinutes) + 1
  const asks = from === undefined ? 0 : gridAt(interval, firstMinuteOfText(from))
  const ends = [
    now.minute,
    ...(to === undefined ? [] : [lastMinuteOfText(to)]),
    // Exclusive: the last minute that begins before it.
    ...(before === undefined ? [] : [Math.ceil((readTime(before)?.ms ?? 0) / 60_000) - 1]),
  ]
  const last = gridAt(interval, Math.min(...ends))
  if (from !== undefined && last - asks + 1 > SLOTS_MAX) {
    const allowed = `at most ${SLOTS_MAX.toLocaleString('en-US')} slots before the end`
    refuse('from', from, allowed)
  }
  const first = Math.max(launchSlot(interval, token), kept, asks)
  return { first, last, grid: interval, limit: numberOf(asked, 'limit'), isTraded: query['fill'] === 'none' }
}

type Reader = TokenReader & Pick<ReadStores, 'table' | 'past'>

type Reading = {
  readonly now: ReadableMinute
  readonly wanted: Wanted
  /** Whether an answer may cost another round of reads. */
  readonly mayReadMore: () => boolean
}

/** The newest wanted slots, oldest first. `next`: Unix seconds before which there are more; null: there are none. */
type FoundSlots = { readonly slots: readonly Slot[]; readonly next: number | null }

async function readSlots(
  reader: Reader,
  path: TokenPath,
  { now, wanted, mayReadMore }: Reading,
): Promise<FoundSlots> {
  const { grid, limit, isTraded, last } = wanted
  if (last < wanted.first) return { slots: [], next: null }
  const startOf = (slot: number) => startOfSlot(grid, slot)
  const to = Math.min(now.minute, startOf(last + 1) - 1)
  // A slot opens at the close of the one before.
  const from = startOf(wanted.first) - 1
  const source = await openPathReader(reader, path, { now, from, to, minutes: grid.minutes })
  const firstRead = () => Math.max(wanted.first, gridAt(grid, source.reached()) + 1)
  const numbers = (): readonly number[] =>
    isTraded ? tradedSlots(source, wanted, firstRead()) : upTo(firstRead(), last)
  const isEnough = () => source.reached() <= from || numbers().length > limit
  while (!isEnough() && (firstRead() > last || mayReadMore())) await source.more(from)
  const shown = numbers().slice(-limit)
  const older =
    numbers().length > shown.length ? shown[0] : firstRead() > wanted.first ? firstRead() : undefined
  const history = await source.history()
  const slotAt = slotMaker(reader, path, { now, grid, history })
  return { slots: shown.map(slotAt), next: older === undefined ? null : startOf(older) * 60 }
}

const upTo = (first: number, last: number): readonly number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at)

/** Numbers of the slots in which the token's own price was set, oldest first. */
function tradedSlots({ points }: PathReader, { grid, last }: Wanted, first: number): readonly number[] {
  const set = points().flatMap(({ prices, minute }) => (prices ? gridAt(grid, minute) : []))
  return [...new Set(set)].filter((slot) => slot >= first && slot <= last)
}

function slotMaker(
  { references }: Reader,
  path: TokenPath,
  {
    now,
    grid,
    history: { at, pointsIn },
  }: { readonly now: ReadableMinute; readonly grid: Grid; readonly history: PathHistory },
): (slot: number) => Slot {
  const quoteDecimals = references.get(path[0].quote)?.decimals ?? TOKEN_DECIMALS
  return (slot) => {
    const [start, end] = [startOfSlot(grid, slot), startOfSlot(grid, slot + 1)]
    return slotFrom({
      start: start * 60,
      end: end * 60,
      asOf: asOf(now.minute),
      path,
      quoteDecimals,
      before: at(start - 1),
      after: at(Math.min(end - 1, now.minute)),
      points: pointsIn(start, end),
    })
  }
}
