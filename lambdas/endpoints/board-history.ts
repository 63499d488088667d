import { DAY_SECONDS } from '../../market/calendar.ts'
import { intervalAt } from '../../market/index/index-history.ts'
import { asOf } from '../../market/window.ts'
import { boardHistoryFields } from '../../schemas/records/board-history.ts'
import { rowWriter } from '../../schemas/values/field.ts'
import { isoTime } from '../../schemas/values/kinds.ts'
import { addressIn, type Cells } from '../../schemas/values/list-text.ts'
import { readApplied } from '../../store/log/applied-read.ts'
import { type BoardDay, boardDayOf } from '../../store/published/board-days.ts'
import { type ApiEndpoint, numberOf, rowsText } from '../api/endpoint.ts'
import { readBoards } from '../api/stored-lists.ts'
import { readerOf, readToken } from './token.ts'

const write = rowWriter(boardHistoryFields)

/** GET /v1/z100/history/{id}: the days of the table, and today's row of the newest board. */
export const boardHistory: ApiEndpoint = async (asked, stores) => {
  const { value: token } = await readApplied(stores.log, (now) => readToken(readerOf(stores), asked.id, now))
  const { at, rows } = await readBoards(stores.lists)
  const today = intervalAt('day', at.minute)
  const first = today - numberOf(asked, 'days') + 1
  const days = await stores.boardDays(token.address, { first, last: today - 1 })
  const current = rows.find((row) => addressIn(row, 'contract_address') === token.address)
  const list = [
    ...days.map((day) => rowOf(day, false)),
    ...(current ? [rowOf(boardDayOf(current, { day: today, minute: at.minute }), true)] : []),
  ].map(write)
  const page = { list: rowsText(list), total: list.length, offset: 0, limit: Math.max(1, list.length) }
  return { at, page }
}

const rowOf = ({ day, minute, board, ...figures }: BoardDay, isPartial: boolean): Cells => ({
  date: JSON.stringify(isoTime(day * DAY_SECONDS).slice(0, 10)),
  timestamp: String(asOf(minute)),
  board: JSON.stringify(board),
  rank: figures.rank,
  score: figures.score,
  price_usd: figures.priceUsd,
  market_cap: figures.marketCap,
  partial: String(isPartial),
})
