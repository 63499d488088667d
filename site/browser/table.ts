/** Tables of rows: a caption for those who cannot see them, numbers to the right, and heads that sort. */
import { type Child, fill, h } from './dom.ts'

/** A column. `sorts` makes its head a button. */
export type Column<Row> = {
  readonly id: string
  readonly label: string
  readonly cell: (row: Row) => Child
  /** Figures stand to the right, in digits of one width. */
  readonly isNumber?: boolean
  /** A value to sort by, and its change, whose button stands beside it. */
  readonly sorts?: readonly Sort<Row>[]
  /** Names the row to a screen reader. */
  readonly isHeading?: boolean
}

/** An order of rows: null comes last in both directions. */
export type Sort<Row> = {
  readonly id: string
  readonly label: string
  readonly value: (row: Row) => number | null
}

/** The order that rows stand in. */
export type Order = { readonly sort: string; readonly isAscending: boolean }

/** How a table is made. */
export type TableOptions<Row> = {
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly order?: Order
  readonly onOrder?: (order: Order) => void
  /** Marks a row, for style. */
  readonly mark?: (row: Row) => string
}

/** A table on the page; `show` puts rows into it. */
export type Table<Row> = { readonly element: HTMLElement; show(rows: readonly Row[]): void }

/** Makes an empty table. */
export function openTable<Row>(options: TableOptions<Row>): Table<Row> {
  let order = options.order
  let rows: readonly Row[] = []
  const body = h('tbody')
  const heads = options.columns.map((column) => headOf(column, (sort) => sortBy(sort)))
  const element = h(
    'div',
    { class: 'scroll', role: 'region', tabindex: '0', 'aria-label': options.caption },
    h(
      'table',
      {},
      h('caption', { class: 'unseen' }, options.caption),
      h('thead', {}, h('tr', {}, heads)),
      body,
    ),
  )
  const show = () => {
    const sorted = order ? inOrder(rows, order, options.columns) : rows
    fill(
      body,
      sorted.map((row) => rowOf(row, options)),
    )
    for (const [n, column] of options.columns.entries()) tellOrder(heads[n], column, order)
  }
  function sortBy(sort: string): void {
    const isSame = order?.sort === sort
    order = { sort, isAscending: isSame ? !order?.isAscending : false }
    options.onOrder?.(order)
    show()
  }
  return {
    element,
    show: (next) => {
      rows = next
      show()
    },
  }
}

function headOf<Row>({ label, isNumber, sorts = [] }: Column<Row>, sortBy: (sort: string) => void) {
  const [first, ...others] = sorts.map(({ id, label: name }, n) =>
    h(
      'button',
      { type: 'button', value: id, on: { click: () => sortBy(id) } },
      h('span', { class: 'unseen' }, `Sort by ${name}`),
      h('span', { 'aria-hidden': 'true' }, n === 0 ? label : 'Δ%'),
    ),
  )
  return h('th', { scope: 'col', class: isNumber && 'number' }, first ?? label, others)
}

function tellOrder<Row>(head: HTMLElement | undefined, { sorts = [] }: Column<Row>, order?: Order): void {
  const isHere = sorts.some(({ id }) => id === order?.sort)
  const direction = order?.isAscending ? 'ascending' : 'descending'
  if (isHere) head?.setAttribute('aria-sort', direction)
  else head?.removeAttribute('aria-sort')
  for (const button of head?.querySelectorAll('button') ?? [])
    button.dataset['order'] = button.value === order?.sort ? direction : ''
}

function rowOf<Row>(row: Row, { columns, mark }: TableOptions<Row>): HTMLElement {
  const cells = columns.map(({ cell, isNumber, isHeading, id }) =>
    h(
      isHeading ? 'th' : 'td',
      { class: [isNumber ? 'number' : '', `of-${id}`].join(' ').trim(), scope: isHeading && 'row' },
      cell(row),
    ),
  )
  return h('tr', { class: mark?.(row) || null }, cells)
}

/** Rows in an order; those with equal values stay as they came. */
export function inOrder<Row>(
  rows: readonly Row[],
  { sort, isAscending }: Order,
  columns: readonly Column<Row>[],
): readonly Row[] {
  const found = columns.flatMap(({ sorts = [] }) => sorts).find(({ id }) => id === sort)
  if (!found) return rows
  const sign = isAscending ? 1 : -1
  return [...rows].sort((a, b) => {
    const [left, right] = [found.value(a), found.value(b)]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    return sign * (left - right)
  })
}
