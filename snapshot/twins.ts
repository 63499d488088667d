import { type BoardOrder, boardOrders, orderedRows } from '../market/board-orders.ts'
import type { Lists } from '../market/lists.ts'
import type { TrendingRow } from '../market/row.ts'
import type { TokenKind } from '../market/segment.ts'
import { type TrendingOrder, trendingOrders } from '../market/trending.ts'
import { type Period, periods, type Timeframe, timeframes } from '../market/window.ts'
import { launchFields, risingFields } from '../schemas/discover-row.ts'
import type { FieldTable } from '../schemas/field.ts'
import { documentName, operations } from '../schemas/operations.ts'
import { type Order, poolText } from '../schemas/row-pool.ts'
import { objectsText } from '../schemas/stored-objects.ts'
import { boardFields, trendingFields } from '../schemas/token-row.ts'
import type { DocumentStore, SnapshotFacts } from '../store/documents.ts'
import { mapParallel } from '../store/parallel.ts'
import type { Builders, Snapshot, SnapshotOperation } from './documents.ts'

/** The tables' twin of one or more published documents: what every answer about them is cut from. */
type Twin = {
  readonly name: string
  readonly operation: SnapshotOperation
  /** What its text is: of a pool of rows, or of objects. */
  readonly holds: 'rows' | 'objects'
  readonly text: (snapshot: Snapshot, builders: Builders) => string
}

const PARALLEL_PUTS = 8

const nameOf = (operation: SnapshotOperation, axes: readonly string[]): string =>
  documentName(operations[operation], axes)

const rowsTwin = (
  operation: SnapshotOperation,
  axes: readonly string[],
  text: (lists: Lists) => string,
): Twin => ({ name: nameOf(operation, axes), operation, holds: 'rows', text: ({ lists }) => text(lists) })

const boardTwin = (operation: SnapshotOperation, kind: TokenKind, period: Period): Twin =>
  rowsTwin(operation, [period], ({ boards }) => {
    const rows = boards[kind][period]
    const names = Object.keys(boardOrders) as BoardOrder[]
    const orders = Object.fromEntries(names.map((name) => [name, orderedRows(rows, name)]))
    return poolText(boardFields, rows, { orders, isRankByOrder: false })
  })

/** The rows of all lists of a timeframe, each once; a row's rank is its place in the list. */
const trendingTwin = (timeframe: Timeframe): Twin =>
  rowsTwin('trending', [timeframe], ({ trending }) => {
    const places = new Map<string, number>()
    const rows: TrendingRow[] = []
    const orderOf = (order: TrendingOrder): Order => {
      const list = trending[timeframe][order]
      for (const row of list) {
        if (places.has(row.token.address)) continue
        places.set(row.token.address, rows.length)
        rows.push(row)
      }
      const isUnknown = ({ changeE2 }: TrendingRow) => order.startsWith('change') && changeE2 === null
      return {
        rows: list.map(({ token }) => places.get(token.address) ?? 0),
        unknown: list.filter(isUnknown).length,
      }
    }
    const orders = Object.fromEntries(trendingOrders.map((order) => [order, orderOf(order)]))
    return poolText(trendingFields, rows, { orders, isRankByOrder: true })
  })

const discoveryTwin = <Row>(
  operation: SnapshotOperation,
  table: FieldTable<Row>,
  rowsOf: (lists: Lists) => readonly Row[],
): Twin =>
  rowsTwin(operation, [], (lists) => {
    const rows = rowsOf(lists)
    const orders = { rank: { rows: rows.map((_, at) => at), unknown: 0 } }
    return poolText(table, rows, { orders, isRankByOrder: false })
  })

/** The documents of an operation that answers objects, by what its axes choose. They are small: a put costs more than what it carries. */
const objectsTwin = (operation: SnapshotOperation, choices: readonly (readonly string[])[]): Twin => ({
  name: nameOf(operation, []),
  operation,
  holds: 'objects',
  text: (snapshot, builders) =>
    objectsText(choices.map((axes) => [axes, builders[operation](snapshot, axes).text] as const)),
})

const ofPeriods = periods.map((period) => [period])

/** Every twin; v1/all is composed when it is read. */
export const twins: readonly Twin[] = [
  ...periods.flatMap((period) => [
    boardTwin('creators', 'creator', period),
    boardTwin('posts', 'post', period),
  ]),
  ...timeframes.map(trendingTwin),
  ...(['index', 'volume'] as const).map((operation) => objectsTwin(operation, ofPeriods)),
  ...(['constituents', 'stats'] as const).map((operation) => objectsTwin(operation, [[]])),
  discoveryTwin('rising', risingFields, ({ rising }) => rising),
  discoveryTwin('launches', launchFields, ({ launches }) => launches),
]

/** The snapshot as answers cut from its twins name it. */
export const factsOf = ({ id, n, last, market }: Snapshot): SnapshotFacts => ({
  id,
  n,
  minute: market.minute,
  blockNumber: last.number,
  blockHash: last.hash,
})

/**
 * Puts the twins of a snapshot, all but those of the operations whose documents failed, and makes it the newest. Does nothing
 * when it is put already, or one further on is.
 */
export async function putTwins(
  snapshot: Snapshot,
  { documents, builders }: { readonly documents: DocumentStore; readonly builders: Builders },
  failed: ReadonlySet<SnapshotOperation>,
): Promise<void> {
  const facts = factsOf(snapshot)
  const standing = await documents.newest()
  if (standing && standing.n >= facts.n && failed.size === 0) return
  const whole = twins.filter(({ operation }) => !failed.has(operation))
  await mapParallel(whole, PARALLEL_PUTS, async ({ name, text }) =>
    documents.putDocument({ name, snapshot: facts, text: text(snapshot, builders) }),
  )
  await documents.putNewest(facts)
}
