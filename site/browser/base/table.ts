/** Tables with a caption for screen readers, right-aligned numbers, and sortable columns. */
import { type Child, explained, h, setChildren } from './dom.ts'

/** A column. `sorts` makes its header a button. */
export type Column<Row> = {
  readonly id: string
  readonly label: string
  readonly cell: (row: Row) => Child
  /** What the label means, where it is not plain English. */
  readonly about?: string
  /** Figures are right-aligned, in tabular digits. */
  readonly isNumber?: boolean
  /** A value to sort by, and optionally its change, with a button of its own. */
  readonly sorts?: readonly Sort<Row>[]
  /** Identifies the row to a screen reader. */
  readonly isHeading?: boolean
  /**
   * Its place on a phone, where a list's rows have two lines: before the name, with it, or in one of three columns, across
   * both lines or in one. @default not shown there
   */
  readonly phone?: 'lead' | 'token' | 'a' | 'a1' | 'a2' | 'b1' | 'b2' | 'c' | 'c1' | 'c2'
  /** A list shows it on screens of at least this width. @default on every screen wider than a phone's */
  readonly from?: 'wide' | 'wider'
  /** It changes as time passes, so it does not flash. */
  readonly isClock?: boolean
}

/** An order of rows: null comes last in both directions. */
export type Sort<Row> = {
  readonly id: string
  readonly label: string
  readonly value: (row: Row) => number | null
  /** What is on its button, where another has the column's label. @default Δ% */
  readonly head?: string
}

/** The order of the rows. */
export type Order = { readonly sort: string; readonly isAscending: boolean }

/** Options of a table. */
export type TableViewOptions<Row> = {
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  /** It scrolls with the page, and on a phone its rows have two lines. @default a table that is too wide scrolls by itself */
  readonly isList?: boolean
  readonly order?: Order
  readonly onOrder?: (order: Order) => void
  /** CSS class of a row. */
  readonly mark?: (row: Row) => string
  /** Key of a row, whose element stays while its figures change. @default its index */
  readonly key?: (row: Row, place: number) => string
}

/** A table; `show` sets its rows. */
export type TableView<Row> = { readonly element: HTMLElement; show(rows: readonly Row[]): void }

/** Creates an empty table. */
export function openTableView<Row>(options: TableViewOptions<Row>): TableView<Row> {
  let order = options.order
  let rows: readonly Row[] = []
  let shown: ReadonlyMap<string, HTMLElement> = new Map()
  // On a phone a list is laid out as a grid, and some browsers then no longer announce it as a table.
  const body = h('tbody', { role: 'rowgroup' })
  const heads = options.columns.map((column) => headOf(column, (sort) => sortBy(sort)))
  const table = h(
    'table',
    { role: 'table' },
    h('caption', { class: 'unseen' }, options.caption),
    h('thead', { role: 'rowgroup' }, h('tr', { role: 'row' }, heads)),
    body,
  )
  const scroll = { class: 'scroll', role: 'region', tabindex: '0', 'aria-label': options.caption }
  const hasLead = options.columns.some(({ phone }) => phone === 'lead')
  const element = h('div', options.isList ? { class: hasLead ? 'list' : 'list plain' } : scroll, table)
  const show = () => {
    const sorted = order ? sortedRows(rows, order, options.columns) : rows
    shown = rowsInPlace(shown, sorted, options)
    setChildren(body, [...shown.values()])
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

/**
 * A table that stays on the page while its rows change, and is recreated if `options` have another caption: for another
 * list with other columns.
 */
export function lastingTable<Row>(
  options: () => TableViewOptions<Row>,
): (rows: readonly Row[]) => HTMLElement {
  let table: (TableView<Row> & { readonly caption: string }) | undefined
  return (rows) => {
    const now = options()
    if (table?.caption !== now.caption) table = { ...openTableView(now), caption: now.caption }
    table.show(rows)
    return table.element
  }
}

const classesOf = <Row>({ id, isNumber, phone, from }: Column<Row>): string =>
  [isNumber && 'number', `of-${id}`, phone && `at-${phone}`, from && `from-${from}`].filter(Boolean).join(' ')

function headOf<Row>(column: Column<Row>, sortBy: (sort: string) => void) {
  const { label, about, sorts = [] } = column
  const [first, ...others] = sorts.map(({ id, label: name, head = 'Δ%' }, n) =>
    h(
      'button',
      { type: 'button', value: id, on: { click: () => sortBy(id) } },
      h('span', { class: 'unseen' }, `Sort by ${name}`),
      h('span', { 'aria-hidden': 'true' }, n === 0 ? label : head),
    ),
  )
  const attributes = { scope: 'col', role: 'columnheader', class: classesOf(column) }
  const named = first ?? label
  return h('th', attributes, about ? explained(named, about) : named, others)
}

function tellOrder<Row>(head: HTMLElement | undefined, { sorts = [] }: Column<Row>, order?: Order): void {
  const isHere = sorts.some(({ id }) => id === order?.sort)
  const direction = order?.isAscending ? 'ascending' : 'descending'
  if (isHere) head?.setAttribute('aria-sort', direction)
  else head?.removeAttribute('aria-sort')
  for (const button of head?.querySelectorAll('button') ?? [])
    button.dataset['order'] = button.value === order?.sort ? direction : ''
}

function rowOf<Row>(row: Row, { columns, mark }: TableViewOptions<Row>): HTMLElement {
  const cells = columns.map((column) =>
    column.isHeading
      ? h('th', { class: classesOf(column), scope: 'row', role: 'rowheader' }, column.cell(row))
      : h('td', { class: classesOf(column), role: 'cell' }, column.cell(row)),
  )
  return h('tr', { class: mark?.(row) || null, role: 'row' }, cells)
}

/** Elements of the rows by key, in order, reusing existing rows and unchanged cells. */
function rowsInPlace<Row>(
  shown: ReadonlyMap<string, HTMLElement>,
  rows: readonly Row[],
  options: TableViewOptions<Row>,
): ReadonlyMap<string, HTMLElement> {
  return new Map(
    rows.map((row, place) => {
      const key = options.key?.(row, place) ?? String(place)
      const next = rowOf(row, options)
      const before = shown.get(key)
      if (!before) return [key, next]
      before.className = next.className
      for (const [n, cell] of [...next.children].entries()) {
        const old = before.children[n]
        if (!old || old.outerHTML === cell.outerHTML) continue
        const isNews = old.textContent !== cell.textContent && !options.columns[n]?.isClock
        const isHere = old.contains(document.activeElement)
        old.replaceWith(cell)
        if (isHere) cell.querySelector<HTMLElement>('button, a')?.focus({ preventScroll: true })
        if (isNews) flash(cell)
      }
      return [key, before]
    }),
  )
}

/** Highlights a changed figure briefly, unless the reader prefers reduced motion. */
function flash(cell: Element): void {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
  cell.animate([{ backgroundColor: 'var(--flash)' }, {}], FLASH_MS)
}

const FLASH_MS = 1_200

/** Sorts rows stably. */
export function sortedRows<Row>(
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
