import { BOARD_SIZE } from '../../market/rules.ts'
import { launchFields, risingFields } from '../../schemas/discover-row.ts'
import { type FieldTable, type RowForm, wireKeys } from '../../schemas/field.ts'
import { isoTime } from '../../schemas/kinds.ts'
import { allFields } from '../../schemas/market-totals.ts'
import { documentName, type Operation, operations } from '../../schemas/operations.ts'
import { pageOf, type RowPool } from '../../schemas/row-pool.ts'
import { boardFields, trendingFields } from '../../schemas/token-row.ts'
import { ofOneSnapshot, type StoredLists } from '../stored-lists.ts'
import { type Asked, type Endpoint, isSet, numberOf } from './endpoint.ts'

type Cutting<Row> = {
  readonly operation: Operation
  readonly table: FieldTable<Row>
  /** The axes that name the stored list; the last axis of a trending list is an order of it. */
  readonly axes: readonly string[]
  readonly form?: (asked: Asked) => RowForm
}

/** Answers a list from its stored rows: ordered, cut and in the form asked for. */
function listFrom<Row>({ operation, table, axes, form = () => ({}) }: Cutting<Row>): Endpoint {
  return async (asked, { lists }) => {
    const name = nameOf(operation, asked, axes)
    const { at, value } = await lists.list(name, asked.query['snapshot'])
    const limit = numberOf(asked, 'limit')
    const offset = numberOf(asked, 'offset')
    const isAscending = asked.query['sort_order'] === 'asc'
    const cut = { order: asked.query['sort_by'] ?? 'rank', isAscending, offset, limit }
    const { text, total } = pageOf(value, cut, { table, ...form(asked) })
    return { at, page: { list: text, total, offset, limit } }
  }
}

/** Answers an object from its stored text. */
const objectFrom =
  (operation: Operation, axes: readonly string[]): Endpoint =>
  async (asked, { lists }) => {
    const name = documentName(operation, [])
    const { at, value } = await lists.object(name, chosenBy(asked, axes), asked.query['snapshot'])
    return { at, text: value }
  }

const nameOf = (operation: Operation, asked: Asked, axes: readonly string[]): string =>
  documentName(operation, chosenBy(asked, axes))

const chosenBy = ({ query }: Asked, axes: readonly string[]): readonly string[] =>
  axes.map((axis) => query[axis] ?? '')

const PERIOD = ['timeframe']

const boardForm =
  (display: 'creator' | 'post') =>
  (asked: Asked): RowForm => ({
    ...(isSet(asked, 'include_changes') ? {} : { without: 'change' }),
    ...(asked.query['values'] === 'display' ? { display } : {}),
  })

export const creators: Endpoint = listFrom({
  operation: operations.creators,
  table: boardFields,
  axes: PERIOD,
  form: boardForm('creator'),
})

export const posts: Endpoint = listFrom({
  operation: operations.posts,
  table: boardFields,
  axes: PERIOD,
  form: boardForm('post'),
})

export const trending: Endpoint = listFrom({
  operation: operations.trending,
  table: trendingFields,
  axes: PERIOD,
})
export const rising: Endpoint = listFrom({ operation: operations.rising, table: risingFields, axes: [] })
export const launches: Endpoint = listFrom({ operation: operations.launches, table: launchFields, axes: [] })
export const index: Endpoint = objectFrom(operations.index, PERIOD)
export const constituents: Endpoint = objectFrom(operations.constituents, [])
export const volume: Endpoint = objectFrom(operations.volume, PERIOD)
export const stats: Endpoint = objectFrom(operations.stats, [])

/** What /v1/all is composed of. */
function readAll(asked: Asked, lists: StoredLists) {
  const [creatorsName, postsName, indexName] = [
    nameOf(operations.creators, asked, PERIOD),
    nameOf(operations.posts, asked, PERIOD),
    documentName(operations.index, []),
  ]
  const names = [creatorsName, postsName, indexName]
  return ofOneSnapshot(lists, { names, asked: asked.query['snapshot'] }, async (id) => {
    const creatorList = await lists.list(creatorsName, id)
    const { snapshotId } = creatorList.at
    const [postList, indexText] = await Promise.all([
      lists.list(postsName, snapshotId),
      lists.object(indexName, chosenBy(asked, PERIOD), snapshotId),
    ])
    return { creatorList, postList, indexText }
  })
}

/** GET /v1/all: both boards and the index, all of one snapshot. */
export const all: Endpoint = async (asked, { lists }) => {
  const { creatorList, postList, indexText } = await readAll(asked, lists)
  const { at } = creatorList
  const rowsOf = (pool: RowPool, kind: 'creator' | 'post') => {
    const cut = { order: 'rank', isAscending: false, offset: 0, limit: BOARD_SIZE }
    return pageOf(pool, cut, { table: boardFields, ...boardForm(kind)(asked) })
  }
  const [creatorRows, postRows] = [rowsOf(creatorList.value, 'creator'), rowsOf(postList.value, 'post')]
  const cells: Readonly<Record<string, string>> = {
    period: JSON.stringify(asked.query['timeframe']),
    timestamp: String(at.asOf),
    last_updated: JSON.stringify(isoTime(at.asOf)),
    total_creators: String(creatorRows.total),
    total_posts: String(postRows.total),
    index: indexText.value,
    creators: `[${creatorRows.rows.join(',')}]`,
    posts: `[${postRows.rows.join(',')}]`,
  }
  const keys = wireKeys(allFields).map(({ key }) => `${JSON.stringify(key)}:${cells[key]}`)
  return { at, text: `{${keys.join(',')}}` }
}
