import type { Address } from '../../market/segment.ts'
import { addressIn, type Cells, textIn } from '../../schemas/values/list-text.ts'
import { mapParallel } from '../aws/parallel.ts'
import type { Item, Ledger, Reads } from '../aws/table.ts'
import { marketKeys } from '../aws/tables.ts'

/** A token on a board at the end of a UTC day (from 1970). The texts are those of the board's document; `minute` is its newest. */
export type BoardDay = {
  readonly token: Address
  readonly day: number
  readonly minute: number
  readonly board: 'creators' | 'posts'
  readonly rank: string
  readonly score: string
  readonly priceUsd: string
  readonly marketCap: string
}

/** What a row of a board's document says of its token's day. */
export const boardDayOf = (row: Cells, time: Pick<BoardDay, 'day' | 'minute'>): BoardDay => ({
  ...time,
  token: addressIn(row, 'contract_address'),
  board: textIn(row, 'type') === 'creator' ? 'creators' : 'posts',
  rank: row['rank'] ?? 'null',
  score: row['score'] ?? 'null',
  priceUsd: row['price_usd'] ?? 'null',
  marketCap: row['market_cap'] ?? 'null',
})

/** First and last UTC day, from 1970. */
export type DaySpan = { readonly first: number; readonly last: number }

const PARALLEL_PUTS = 16

/** Puts what a day's boards had. A token's day that is there stays as it was. */
export async function putBoardDays(ledger: Pick<Ledger, 'put'>, days: readonly BoardDay[]): Promise<void> {
  await mapParallel(days, PARALLEL_PUTS, ({ token, ...attributes }) =>
    ledger.put({ ...marketKeys.boardDay(token, attributes.day), ...attributes }, 'absent'),
  )
}

/** The days from `first` to `last` on which a token was on its board, oldest first. */
export async function readBoardDays(
  table: Pick<Reads, 'query'>,
  token: Address,
  { first, last }: DaySpan,
): Promise<readonly BoardDay[]> {
  const [{ pk, sk: from }, { sk: to }] = [marketKeys.boardDay(token, first), marketKeys.boardDay(token, last)]
  const days: BoardDay[] = []
  for await (const item of table.query({ pk, from, to })) days.push({ token, ...attributesOf(item) })
  return days
}

const attributesOf = (item: Item): Omit<BoardDay, 'token'> => ({
  day: Number(item['day']),
  minute: Number(item['minute']),
  board: item['board'] === 'creators' ? 'creators' : 'posts',
  rank: String(item['rank']),
  score: String(item['score']),
  priceUsd: String(item['priceUsd']),
  marketCap: String(item['marketCap']),
})
