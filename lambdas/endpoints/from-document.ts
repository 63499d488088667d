import { BOARD_SIZE } from '../../market/rules.ts'
import { asOf } from '../../market/window.ts'
import { documentName } from '../../schemas/api/documents.ts'
import type { Operation } from '../../schemas/api/operation.ts'
import { operations } from '../../schemas/api/operations.ts'
import { launchFields, risingFields } from '../../schemas/records/discover-row.ts'
import { allFields } from '../../schemas/records/market-totals.ts'
import { boardFields, trendingFields } from '../../schemas/records/token-row.ts'
import type { FieldTable, RowVariant } from '../../schemas/values/field.ts'
import { isoTime } from '../../schemas/values/kinds.ts'
import { type Cells, cutFrom, recordPrinter } from '../../schemas/values/list-text.ts'
import { type ApiEndpoint, type EndpointRequest, isSet, numberOf, rowsText } from '../api/endpoint.ts'
import { ofOneSnapshot } from '../api/stored-lists.ts'
import { type PastLists, sourceOf } from './as-of.ts'

type Cutting<Row> = {
  readonly operation: Operation
  readonly table: FieldTable<Row>
  readonly variant?: (asked: EndpointRequest) => RowVariant
}

/** Answers a list from its document: sorted, paged and in the requested variant. */
function listFrom<Row>({ operation, table, variant = () => ({}) }: Cutting<Row>): ApiEndpoint {
  return async (asked, stores, asking) => {
    const { lists, facts } = await sourceOf(asked, stores, asking)
    const { sort_by: sort = 'rank', sort_order: order, snapshot } = asked.query
    // The largest losses are a list of their own, since they are not among the 100 largest gains.
    const isFalls = operation === operations.trending && sort === 'change' && order === 'asc'
    const chosen = isFalls ? { ...asked.query, sort_by: 'change_asc' } : asked.query
    const { at, value: rows } = await lists.list(nameOf(operation, chosen), snapshot)
    const page = { offset: numberOf(asked, 'offset'), limit: numberOf(asked, 'limit') }
    const isOrdered = operation.documentParameters?.some(({ names }) => names[0] === 'sort_by')
    const isAscending = order === 'asc' && !isFalls
    const cut = { sort: isOrdered && !isAscending ? 'rank' : sort, isAscending, ...page }
    const list = rowsText(cutFrom(rows, cut, { table, ...variant(asked) }))
    return { ...facts, at, page: { ...page, list, total: rows.length } }
  }
}

/** Answers an object by its document. */
const objectFrom =
  (operation: Operation): ApiEndpoint =>
  async (asked, stores, asking) => {
    const { lists, facts } = await sourceOf(asked, stores, asking)
    const { at, value } = await lists.object(nameOf(operation, asked.query), asked.query['snapshot'])
    return { ...facts, at, text: value }
  }

/** The name of the requested document. */
const nameOf = (operation: Operation, query: EndpointRequest['query']): string =>
  documentName(
    operation,
    (operation.documentParameters ?? []).map(({ names }) => query[names[0]] ?? ''),
  )

const boardVariant =
  (display: 'creator' | 'post') =>
  (asked: EndpointRequest): RowVariant => ({
    ...(isSet(asked, 'include_changes') ? {} : { without: 'change' }),
    ...(asked.query['values'] === 'display' ? { display } : {}),
  })

const creatorVariant = boardVariant('creator')
const postVariant = boardVariant('post')

export const creators = listFrom({
  operation: operations.creators,
  table: boardFields,
  variant: creatorVariant,
})
export const posts = listFrom({ operation: operations.posts, table: boardFields, variant: postVariant })
export const trending = listFrom({ operation: operations.trending, table: trendingFields })
export const rising = listFrom({ operation: operations.rising, table: risingFields })
export const launches = listFrom({ operation: operations.launches, table: launchFields })
export const index = objectFrom(operations.index)
export const indexHours = objectFrom(operations.indexHours)
export const constituents = objectFrom(operations.constituents)
export const volume = objectFrom(operations.volume)
export const stats = objectFrom(operations.stats)

/** The parts of /v1/all. */
function readAll({ query }: EndpointRequest, lists: PastLists) {
  const [creatorsName, postsName, indexName] = [
    nameOf(operations.creators, query),
    nameOf(operations.posts, query),
    nameOf(operations.index, query),
  ]
  const names = [creatorsName, postsName, indexName]
  return ofOneSnapshot(lists, { names, asked: query['snapshot'] }, async (id) => {
    const { at, value: creatorRows } = await lists.list(creatorsName, id)
    const [postList, indexText] = await Promise.all([
      lists.list(postsName, at.id),
      lists.object(indexName, at.id),
    ])
    return { at, creatorRows, postRows: postList.value, indexText: indexText.value }
  })
}

const printAll = recordPrinter(allFields)
const WHOLE = { sort: 'rank', isAscending: false, offset: 0, limit: BOARD_SIZE }

/** GET /v1/all: both boards and the index, all of one snapshot. */
export const all: ApiEndpoint = async (asked, stores, asking) => {
  const { lists, facts } = await sourceOf(asked, stores, asking)
  const { at, creatorRows, postRows, indexText } = await readAll(asked, lists)
  const listed = (rows: readonly Cells[], variant: RowVariant) =>
    `[${cutFrom(rows, WHOLE, { table: boardFields, ...variant }).join(',')}]`
  const text = printAll({
    period: JSON.stringify(asked.query['timeframe']),
    timestamp: String(asOf(at.minute)),
    last_updated: JSON.stringify(isoTime(asOf(at.minute))),
    total_creators: String(creatorRows.length),
    total_posts: String(postRows.length),
    index: indexText,
    creators: listed(creatorRows, creatorVariant(asked)),
    posts: listed(postRows, postVariant(asked)),
  })
  return { ...facts, at, text }
}
