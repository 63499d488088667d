/** What is made of kept snapshots when a UTC day is over: the places of its tokens, and on Sundays the week's recap. */
import { hourOfMinute } from '../../market/calendar.ts'
import { significantText } from '../../market/display.ts'
import { firstMinuteOf, intervalAt } from '../../market/index/index-history.ts'
import type { Address, UsdE36 } from '../../market/segment.ts'
import { RECAP_ROWS } from '../../schemas/records/recap.ts'
import { addressIn, type Cells, decimalIn } from '../../schemas/values/list-text.ts'
import { mapParallel } from '../../store/aws/parallel.ts'
import type { Ledger } from '../../store/aws/table.ts'
import { keptSeconds } from '../../store/aws/tables.ts'
import type { TokenHistory } from '../../store/items/token-history.ts'
import { boardDayOf, putBoardDays } from '../../store/published/board-days.ts'
import type { KeptHour, KeptStore } from '../../store/published/kept.ts'
import { boardRowsIn, recapDocuments, recapText, type SnapshotTexts, withWeekChange } from './recap.ts'

/** Where days are kept. */
export type DayStores = {
  readonly kept: KeptStore
  /** The whole Market table, not that of one log: what was published stays when another log becomes live. */
  readonly ledger: Pick<Ledger, 'put'>
  /** Opens the states of tokens. */
  readonly history: () => Pick<TokenHistory, 'current' | 'stateAt'>
}

const DAY_HOURS = 24
const WEEK_HOURS = 7 * DAY_HOURS
const PARALLEL_READS = 16

/**
 * Ends a day: puts the places that its last kept snapshot has, and the recap if the week is over too. Done once; a run
 * that fails is repeated by a later one. `now`: Unix seconds by the clock, after which rows of minutes expire.
 */
export async function endDay(day: number, stores: DayStores, now: number): Promise<void> {
  const { kept, ledger } = stores
  if (await kept.isDayEnded(day)) return
  const last = await kept.lastHour((day + 1) * DAY_HOURS - 1, day * DAY_HOURS)
  if (last) {
    const texts = await textsOf(kept, last)
    const { minute } = last.manifest
    await putBoardDays(
      ledger,
      boardRowsIn(texts).map((row) => boardDayOf(row, { day, minute })),
    )
  }
  const week = intervalAt('week', day * DAY_HOURS * 60)
  const isSunday = intervalAt('week', (day + 1) * DAY_HOURS * 60) > week
  if (isSunday) await recapWeek(week, stores, now)
  await kept.markDayEnded(day)
}

/** The first hour that is kept of a span. */
async function firstHour(kept: KeptStore, first: number, last: number): Promise<KeptHour | undefined> {
  let oldest: number | undefined
  for await (const hour of kept.hoursBack(last, first)) oldest = hour
  return oldest === undefined ? undefined : kept.hour(oldest)
}

async function textsOf(kept: KeptStore, { manifest, documents }: KeptHour): Promise<SnapshotTexts> {
  const texts = await mapParallel(recapDocuments, PARALLEL_READS, async (name) => {
    const digest = documents[name]
    return [name, (digest && (await kept.document(digest))) || ''] as const
  })
  return {
    id: manifest.snapshot_id,
    minute: manifest.minute,
    texts: new Map(texts.filter(([, text]) => text)),
  }
}

/** Compares the last kept snapshot of a week with the last one before it, else with the first one of the week. */
async function recapWeek(week: number, stores: DayStores, now: number): Promise<void> {
  const { kept } = stores
  const from = hourOfMinute(firstMinuteOf('week', week))
  const to = from + WEEK_HOURS - 1
  const before = await kept.lastHour(from - 1, from - DAY_HOURS)
  const [first, last] = [before ?? (await firstHour(kept, from, to)), await kept.lastHour(to, from)]
  if (!first || !last || first.hour === last.hour) return
  const [start, end] = [await textsOf(kept, first), await textsOf(kept, last)]
  const isKnown = now - start.minute * 60 < keptSeconds.minute
  const highs = isKnown ? await highsOf(stores.history(), start, end) : null
  await kept.putRecap(week, recapText({ week, start, end, highs }))
}

const tokenIn = (row: Cells): Address => addressIn(row, 'contract_address')

/** USD × 1e36; 0: no price. */
const priceIn = (row: Cells = {}): UsdE36 => decimalIn(row, 'price_usd', 36) ?? 0n

const greater = (a: UsdE36, b: UsdE36): UsdE36 => (a > b ? a : b)

type High = { readonly row: Cells; readonly now: UsdE36; readonly before: UsdE36 }

function byRise(a: High, b: High): number {
  const [left, right] = [a.now * b.before, b.now * a.before]
  return left > right ? -1 : left < right ? 1 : 0
}

/** The tokens on a board whose highest price rose, the greatest rise first; those launched since have no former one. */
async function highsOf(
  history: ReturnType<DayStores['history']>,
  start: SnapshotTexts,
  end: SnapshotTexts,
): Promise<readonly Cells[]> {
  const rows = boardRowsIn(end)
  const rowsThen = new Map(boardRowsIn(start).map((row) => [tokenIn(row), row]))
  const tokens = await history.current(rows.map(tokenIn))
  const found = await mapParallel(rows, PARALLEL_READS, async (row): Promise<readonly High[]> => {
    const token = tokens.get(tokenIn(row))
    if (!token) return []
    const stored = async ({ minute }: SnapshotTexts) =>
      (await history.stateAt(token.address, minute)).athUsdE36
    const [highThen, highNow] = [await stored(start), await stored(end)]
    const before = greater(highThen, priceIn(rowsThen.get(token.address)))
    const now = greater(highNow, priceIn(row))
    return highThen === 0n || now <= before ? [] : [{ row, now, before }]
  })
  return found
    .flat()
    .sort(byRise)
    .slice(0, RECAP_ROWS)
    .map(({ row, now, before }) => ({
      ...withWeekChange(row),
      all_time_high: significantText(now),
      previous_all_time_high: significantText(before),
    }))
}
