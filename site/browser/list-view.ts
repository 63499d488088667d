/** A document's rows as a table that sorts by its heads, with the proof of them below. Both stay while the rows change. */
import type { Answer } from '../../schemas/client.ts'
import { choose } from './choices.ts'
import { type Child, h } from './dom.ts'
import { openProofPanel } from './proof-panel.ts'
import { type Column, lastingTable, type Order, type TableOptions } from './table.ts'

/** What a list is: `caption` names it, and a new one begins a new table. */
export type ListOptions<Row> = Pick<TableOptions<Row>, 'caption' | 'columns' | 'mark'> & {
  /** Name of the document that the rows are of. */
  readonly document: string
  /** Said below the table. */
  readonly legend?: Child
  /** Names of the address's parameters that keep the order, and the order that needs none. */
  readonly order?: OrderNames
}

type OrderNames = { readonly sort: string; readonly direction: string; readonly fallback: string }

/** Lists that have an order of their own from the API keep what the reader sorts by apart. */
const listOrder: OrderNames = { sort: 'column', direction: 'direction', fallback: '' }

/** Shows answers one after the other. */
export function openListView<Row extends { readonly token_address: string }>(
  options: () => ListOptions<Row>,
): (answer: Answer<readonly Row[]>) => Child {
  const proof = openProofPanel()
  const table = lastingTable(() => {
    const { order = listOrder, ...list } = options()
    return {
      ...list,
      key: (row) => row.token_address,
      order: orderNow(list.columns, order),
      onOrder: (next) => keepOrder(next, order),
    }
  })
  return (answer) => {
    const { legend, document } = options()
    return [table(answer.body), legend && h('p', { class: 'quiet legend' }, legend), proof(document, answer)]
  }
}

function orderNow<Row>(columns: readonly Column<Row>[], { sort, direction, fallback }: OrderNames): Order {
  const asked = new URLSearchParams(location.search)
  const ids = columns.flatMap(({ sorts = [] }) => sorts.map(({ id }) => id))
  const wanted = asked.get(sort) ?? ''
  return { sort: ids.includes(wanted) ? wanted : fallback, isAscending: asked.get(direction) === 'asc' }
}

function keepOrder({ sort, isAscending }: Order, names: OrderNames): void {
  choose({
    [names.sort]: sort === names.fallback ? '' : sort,
    [names.direction]: isAscending ? 'asc' : '',
  })
}
