/** The recap of a week: a function of the documents published at its beginning and at its end, and of a few highest prices. */
import { changeE2, decimalText } from '../../market/display.ts'
import { firstMinuteOf } from '../../market/index/index-history.ts'
import type { Minute } from '../../market/segment.ts'
import { asOf } from '../../market/window.ts'
import { documentName, weekBoards } from '../../schemas/api/documents.ts'
import { operations } from '../../schemas/api/operations.ts'
import { type BoardRecap, RECAP_ROWS, recapFields } from '../../schemas/records/recap.ts'
import { rowWriter } from '../../schemas/values/field.ts'
import { isoTime } from '../../schemas/values/kinds.ts'
import { type Cells, cellsIn, recordsIn, textIn } from '../../schemas/values/list-text.ts'

/** Documents of one snapshot by name. */
export type SnapshotTexts = {
  readonly id: string
  readonly minute: Minute
  readonly texts: ReadonlyMap<string, string>
}

/** What a recap is made of. `week`: weeks since 5 January 1970. `highs`: see recapFields. */
export type WeekEnds = {
  readonly week: number
  readonly start: SnapshotTexts
  readonly end: SnapshotTexts
  readonly highs: readonly Cells[] | null
}

const { creators: CREATORS, posts: POSTS } = weekBoards
const INDEX = documentName(operations.index, ['7d'])
const HOURS = documentName(operations.indexHours, [])
const TRADED = documentName(operations.trending, ['7d', 'volume'])

/** The documents that a recap reads at both ends, or at the end alone. */
export const recapDocuments = [CREATORS, POSTS, INDEX, HOURS, TRADED] as const

const write = rowWriter(recapFields)

/** The recap as JSON text. */
export function recapText({ week, start, end, highs }: WeekEnds): string {
  const [from, to] = [asOf(start.minute), asOf(end.minute)]
  return write({
    week,
    from,
    to,
    snapshots: { from: start.id, to: end.id },
    isPartial: start.minute >= firstMinuteOf('week', week),
    index: indexRecap(start, end),
    creators: boardRecap(CREATORS, start, end),
    posts: boardRecap(POSTS, start, end),
    highs,
    launches: launchesOf(end, firstMinuteOf('week', week)),
  })
}

/** Rows of both boards of a snapshot, creators first. */
export const boardRowsIn = (texts: SnapshotTexts): readonly Cells[] => [
  ...recordsOf(texts, CREATORS),
  ...recordsOf(texts, POSTS),
]

/** The price change in a row of a board of 7 days. */
export const withWeekChange = (row: Cells): Cells => ({
  ...row,
  change_7d: row['price_change_percent'] ?? 'null',
})

const recordsOf = ({ texts }: SnapshotTexts, name: string): readonly Cells[] =>
  recordsIn(texts.get(name) ?? '[]')

const addressOf = (row: Cells): string => textIn(row, 'contract_address')
const rankOf = (row: Cells): number => Number(row['rank'])

function boardRecap(name: string, start: SnapshotTexts, end: SnapshotTexts): BoardRecap {
  const [before, after] = [recordsOf(start, name), recordsOf(end, name)]
  const ranks = new Map(before.map((row) => [addressOf(row), rankOf(row)]))
  const present = new Set(after.map(addressOf))
  const moved = after.flatMap((row) => {
    const previous = ranks.get(addressOf(row))
    if (previous === undefined) return []
    const gained = previous - rankOf(row)
    const cells = { ...withWeekChange(row), previous_rank: String(previous), rank_change: String(gained) }
    return [{ gained, cells }]
  })
  const unplaced = { rank_change: 'null' }
  const most = (direction: 1 | -1): readonly Cells[] =>
    moved
      .filter(({ gained }) => gained * direction > 0)
      // The sort is stable, so equal rows keep the board's order.
      .sort((a, b) => (b.gained - a.gained) * direction)
      .slice(0, RECAP_ROWS)
      .map(({ cells }) => cells)
  return {
    entered: after
      .filter((row) => !ranks.has(addressOf(row)))
      .map((row) => ({ ...withWeekChange(row), ...unplaced, previous_rank: 'null' })),
    left: before
      .filter((row) => !present.has(addressOf(row)))
      .map((row) => ({ ...row, ...unplaced, previous_rank: row['rank'] ?? 'null', rank: 'null' })),
    rose: most(1),
    fell: most(-1),
  }
}

const POINT_PLACES = 4

/** Points as printed, × 10^4. */
function pointsIn(text = '0'): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(POINT_PLACES, '0'))
}

function indexRecap(start: SnapshotTexts, end: SnapshotTexts): Cells {
  const valueAt = ({ texts }: SnapshotTexts) => pointsIn(cellsIn(texts.get(INDEX) ?? '{}')['index_value'])
  const [open, close] = [valueAt(start), valueAt(end)]
  const hours = recordsIn(cellsIn(end.texts.get(HOURS) ?? '{}')['hours'] ?? '[]').filter(
    ({ timestamp }) => Number(timestamp) > asOf(start.minute),
  )
  const values = [open, close, ...hours.flatMap(({ high, low }) => [pointsIn(high), pointsIn(low)])]
  const [lowest = open, ...higher] = values.sort((a, b) => (a < b ? -1 : 1))
  const change = changeE2(open, close)
  const printed = (points: bigint) => decimalText(points, POINT_PLACES, POINT_PLACES)
  return {
    open: printed(open),
    high: printed(higher.at(-1) ?? lowest),
    low: printed(lowest),
    close: printed(close),
    change_percent: change === null ? 'null' : decimalText(change, 2, 2),
  }
}

function launchesOf(end: SnapshotTexts, from: Minute): readonly Cells[] {
  const since = isoTime(from * 60)
  return recordsOf(end, TRADED)
    .filter((row) => row['created_at'] !== 'null' && textIn(row, 'created_at') >= since)
    .slice(0, RECAP_ROWS)
}
