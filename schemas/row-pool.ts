import { CELL_END, type FieldTable, lineWriter, type RowForm, wireKeys } from './field.ts'

/** Places of rows in one order, best first; the last `unknown` of them have no value to be ordered by. */
export type Order = { readonly rows: readonly number[]; readonly unknown: number }

/** The orders of a pool. One with `_asc` at its end is asked for in place of another's reverse: of a list that is cut, the reverse is not the other end. */
export type Orders = {
  readonly orders: Readonly<Record<string, Order>>
  /** True: a row's rank is its place in the order asked for, not a cell of its own. */
  readonly isRankByOrder: boolean
}

/** The rows of a list and its orders: what any answer about the list is cut from, digit for digit. */
export type RowPool = Orders & {
  readonly keys: readonly string[]
  /** A row is its cells as JSON text in one line, in the order of `keys`. */
  readonly rows: readonly string[]
}

/** Rows as the text of a pool: its keys and orders as JSON, then a row a line. */
export function poolText<Row>(
  table: FieldTable<Row>,
  rows: readonly Row[],
  { orders, isRankByOrder }: Orders,
): string {
  const keys = wireKeys(table).map(({ key }) => key)
  return [JSON.stringify({ keys, orders, isRankByOrder }), ...rows.map(lineWriter(table))].join('\n')
}

/** The pool of a text that `poolText` made. */
export function poolFrom(text: string): RowPool {
  const [head = '', ...rows] = text.split('\n')
  return { ...(JSON.parse(head) as Omit<RowPool, 'rows'>), rows }
}

/** The cells of a pool's row, in the order of its keys. */
export const cellsIn = (line: string): readonly string[] => line.split(CELL_END)

/** Which rows of a pool, in which order and form. `form.table` is the table that the pool was made from. */
export type Cut = {
  readonly order: string
  readonly isAscending: boolean
  readonly offset: number
  readonly limit: number
}

/** A pool has no order of this name. */
export class UnknownOrderError extends Error {
  readonly order: string
  constructor(order: string) {
    super(`the rows have no order ${order}`)
    this.name = 'UnknownOrderError'
    this.order = order
  }
}

/** A page of a list: its rows, all of them as JSON text, a row a line, and the number of rows in all. Throws UnknownOrderError. */
export function pageOf<Row>(
  pool: RowPool,
  cut: Cut,
  { table, ...form }: RowForm & { readonly table: FieldTable<Row> },
): { readonly rows: readonly string[]; readonly text: string; readonly total: number } {
  const ascending = cut.isAscending ? pool.orders[`${cut.order}_asc`] : undefined
  const order = ascending ?? pool.orders[cut.order]
  if (!order) throw new UnknownOrderError(cut.order)
  const places = order.rows.map((row, at) => ({ row, rank: at + 1 }))
  const columns = wireKeys(table, form).map(({ key, cell }) => ({ key, at: pool.keys.indexOf(cell) }))
  const rows = turned(places, order.unknown, cut.isAscending && !ascending)
    .slice(cut.offset, cut.offset + cut.limit)
    .map(({ row, rank }, index) => {
      const cells = cellsIn(pool.rows[row] ?? '')
      const numbers: Record<string, number | undefined> = {
        position: cut.offset + index + 1,
        rank: pool.isRankByOrder ? rank : undefined,
      }
      return `{${columns.map(({ key, at }) => `${JSON.stringify(key)}:${numbers[key] ?? cells[at]}`).join(',')}}`
    })
  return { rows, text: `[${rows.join(',\n')}]`, total: order.rows.length }
}

/** Ascending is the reverse, but what has no value stands last in both. */
function turned<Place>(places: readonly Place[], unknown: number, isAscending: boolean): readonly Place[] {
  if (!isAscending) return places
  const known = places.length - unknown
  return [...places.slice(0, known).reverse(), ...places.slice(known)]
}
