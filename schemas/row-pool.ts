import { type FieldTable, type RowForm, rowCells, wireKeys } from './field.ts'

/** Places of rows in one order, best first; the last `unknown` of them have no value to be ordered by. */
export type Order = { readonly rows: readonly number[]; readonly unknown: number }

/**
 * The rows of a list and its orders: what any answer about the list is cut from, digit for digit. A row is its cells as JSON
 * text, in the order of `keys`.
 */
export type RowPool = {
  readonly keys: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly orders: Readonly<Record<string, Order>>
  /** True: a row's rank is its place in the order asked for, not a cell of its own. */
  readonly isRankByOrder: boolean
}

/** Rows as a pool, and the places of each order among them. */
export function poolFrom<Row>(
  table: FieldTable<Row>,
  rows: readonly Row[],
  { orders, isRankByOrder }: Pick<RowPool, 'orders' | 'isRankByOrder'>,
): RowPool {
  return {
    keys: wireKeys(table).map(({ key }) => key),
    rows: rows.map((row) => rowCells(table, row)),
    orders,
    isRankByOrder,
  }
}

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
  const order = pool.orders[cut.order]
  if (!order) throw new UnknownOrderError(cut.order)
  const places = order.rows.map((row, at) => ({ row, rank: at + 1 }))
  const columns = wireKeys(table, form).map(({ key, cell }) => ({ key, at: pool.keys.indexOf(cell) }))
  const rows = turned(places, order.unknown, cut.isAscending)
    .slice(cut.offset, cut.offset + cut.limit)
    .map(({ row, rank }, index) => {
      const cells = pool.rows[row] ?? []
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
