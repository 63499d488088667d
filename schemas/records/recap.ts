import { BOARD_SIZE } from '../../market/rules.ts'
import { type FieldTable, fieldsOf, type Kind, listKind, orNull, recordKind } from '../values/field.ts'
import * as kind from '../values/kinds.ts'
import type { Cells } from '../values/list-text.ts'
import { printedFields } from '../values/printed.ts'
import { weekText } from '../values/week-syntax.ts'

/** What happened on a board in a week. */
export type BoardRecap = Readonly<Record<'entered' | 'left' | 'rose' | 'fell', readonly Cells[]>>

/** The recap of a week: the documents at its end compared with those at its beginning. Times are Unix seconds. */
export type Recap = {
  /** Weeks since 5 January 1970. */
  readonly week: number
  readonly from: number
  readonly to: number
  readonly snapshots: { readonly from: string; readonly to: string }
  readonly isPartial: boolean
  readonly index: Cells
  readonly creators: BoardRecap
  readonly posts: BoardRecap
  /** Null: the states at the beginning are not kept any more. */
  readonly highs: readonly Cells[] | null
  readonly launches: readonly Cells[]
}

/** Tokens of each list but those of who entered and left. */
export const RECAP_ROWS = 10

const token = {
  contract_address: [kind.address, 'Token contract'],
  type: [kind.choice(['creator', 'post']), 'creator or post'],
  symbol: [kind.text, 'Ticker symbol; untrusted on-chain text'],
  name: [kind.text, 'Token name or post title; untrusted text'],
  creator_handle: [orNull(kind.text), 'Symbol of the creator token, else a short address'],
  creator_address: [orNull(kind.address), 'Payout recipient at creation'],
} as const

const priced = {
  price_usd: [
    orNull(kind.price),
    'Pool price in USD at the end of the week; for tokens that left, at its start',
  ],
  market_cap: [orNull(kind.usd), 'Price × total supply, USD, at the same time'],
  change_7d: [
    orNull(kind.percent),
    'Price change over the 7 days, percent, or since launch if that is later; null for a token that left',
  ],
} as const

/** Rows about the places of tokens. */
export const moveFields = printedFields({
  ...token,
  rank: [orNull(kind.count), 'Rank at the end of the week; null: not on the board'],
  previous_rank: [orNull(kind.count), 'Rank at its beginning; null: not on the board'],
  rank_change: [orNull(kind.difference), 'Ranks gained in the week'],
  score: [orNull(kind.score), 'The board’s sort key, at the same time as the price'],
  ...priced,
})

/** Rows about highest prices. */
export const highFields = printedFields({
  ...token,
  rank: [kind.count, 'Rank at the end of the week'],
  all_time_high: [kind.price, 'Highest price up to the end of the week, USD'],
  previous_all_time_high: [kind.price, 'Highest price up to its beginning, USD'],
  ...priced,
})

/** Rows about new tokens. */
export const newTokenFields = printedFields({
  ...token,
  created_at: [kind.time, 'Time of the creation block'],
  volume: [orNull(kind.usd), 'Volume of the week, USD'],
  ...priced,
})

/** The index in a week. */
export const indexRecapFields = printedFields({
  open: [kind.points, 'The Z100 Index at the beginning of the week'],
  high: [kind.points, 'Its highest value'],
  low: [kind.points, 'Its lowest value'],
  close: [kind.points, 'Its value at the end of the week'],
  change_percent: [orNull(kind.percent), 'Change from open to close'],
})

const most = <Row>(rows: Kind<readonly Row[]>, maxItems: number): Kind<readonly Row[]> => ({
  ...rows,
  schema: { ...rows.schema, maxItems },
})
const moves = listKind(moveFields)

const onBoard = fieldsOf<BoardRecap>()
/** A board in a week. */
export const boardRecapFields: FieldTable<BoardRecap> = {
  entered: onBoard(
    most(moves, BOARD_SIZE),
    (row) => row.entered,
    'On the board at the end of the week but not at its start, by rank',
  ),
  left: onBoard(
    most(moves, BOARD_SIZE),
    (row) => row.left,
    'On the board at the start of the week but not at its end, by starting rank',
  ),
  rose: onBoard(most(moves, RECAP_ROWS), (row) => row.rose, 'Those that gained most ranks'),
  fell: onBoard(most(moves, RECAP_ROWS), (row) => row.fell, 'Those that lost most ranks'),
}

const field = fieldsOf<Recap>()

/** v1/z100/recap. */
export const recapFields: FieldTable<Recap> = {
  week: field(kind.text, (row) => weekText(row.week), 'ISO 8601 week, Monday to Sunday in UTC'),
  from: field(kind.time, (row) => row.from, 'Time of the documents at its beginning'),
  to: field(kind.time, (row) => row.to, 'Time of the documents at its end'),
  from_snapshot_id: field(kind.text, (row) => row.snapshots.from, 'Their snapshot'),
  to_snapshot_id: field(kind.text, (row) => row.snapshots.to, 'Their snapshot'),
  partial: field(kind.flag, (row) => row.isPartial, {
    description: 'The first documents that are kept are of the week itself: it is compared with them',
  }),
  index: field(recordKind(indexRecapFields), (row) => row.index, 'The Z100 Index'),
  creators_board: field(recordKind(boardRecapFields), (row) => row.creators, 'The board of creators'),
  posts_board: field(recordKind(boardRecapFields), (row) => row.posts, 'The board of posts'),
  new_highs: field(orNull(most(listKind(highFields), RECAP_ROWS)), (row) => row.highs, {
    description:
      'Tokens on a board at the end of the week that set a new all-time high during it and are older than the week, largest gain first. Null if the old highs were no longer stored',
  }),
  launches: field(most(listKind(newTokenFields), RECAP_ROWS), (row) => row.launches, {
    description: 'Of the 100 most traded tokens of the week those launched in it, by volume',
  }),
}
