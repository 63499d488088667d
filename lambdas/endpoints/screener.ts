import { screenerRow } from '../../market/board/screener.ts'
import { asOf } from '../../market/window.ts'
import { rowWriter } from '../../schemas/field.ts'
import { shifted } from '../../schemas/number-syntax.ts'
import { type ScreenName, screenerFields, screenNames, screens, widest } from '../../schemas/screener.ts'
import type { ScreenedColumns } from '../../store/screened.ts'
import type { ScreenedSnapshot } from '../stored-screener.ts'
import { type ApiEndpoint, type EndpointRequest, numberOf, rowsText } from './endpoint.ts'

const write = rowWriter(screenerFields)

/** GET /v1/tokens/screener: the tokens that the filters admit, cut from the snapshot's columns. */
export const screener: ApiEndpoint = async (asked, { screened: read }) => {
  const { sort_by: sort = 'rank', sort_order: order, snapshot } = asked.query
  const screened = await read(snapshot)
  const { at, columns, boards } = screened
  const seconds = asOf(at.minute)
  const admits = filterOf(asked, columns, seconds)
  const sorted = orderOf(screened, sort, seconds)
  const found = [...(order === 'asc' ? ascending(sorted, columns, sort) : sorted)].filter(admits)
  const page = { offset: numberOf(asked, 'offset'), limit: numberOf(asked, 'limit') }
  const rows = found.slice(page.offset, page.offset + page.limit).map((number, index) => {
    const facts = { ...boards, seconds, rank: number + 1, position: page.offset + index + 1 }
    return write(screenerRow(columns.figuresOf(number), columns.tokenAt(number), facts))
  })
  return {
    at,
    page: { ...page, list: rowsText(rows), total: found.length },
    headers: { 'X-Left-Out': String(columns.traded - columns.count) },
  }
}

/** A figure of all tokens in whole numbers; NaN: unknown. An age is what has passed since the launch. */
function valuesOf(columns: ScreenedColumns, name: ScreenName, seconds: number): Float64Array {
  const column = columns.column(screens[name].figure)
  return name === 'age' ? column.map((launchedAt) => seconds - launchedAt) : column
}

/** Numbers of all tokens, the largest first; equal ones by rank, unknown ones last. */
function orderOf({ columns, orders }: ScreenedSnapshot, sort: string, seconds: number): Int32Array {
  const known = orders.get(sort)
  if (known) return known
  const numbers = Int32Array.from({ length: columns.count }, (_, at) => at)
  if (sort !== 'rank') {
    const values = valuesOf(columns, sort as ScreenName, seconds)
    numbers.sort((a, b) => unknownLast(values, a, b) ?? larger(columns, sort as ScreenName, { values, a, b }))
  }
  orders.set(sort, numbers)
  return numbers
}

/** The reverse, with unknown values last as well. */
function ascending(sorted: Int32Array, columns: ScreenedColumns, sort: string): Int32Array {
  if (sort === 'rank') return sorted.toReversed()
  const column = columns.column(screens[sort as ScreenName].figure)
  const known = sorted.findIndex((number) => Number.isNaN(column[number]))
  if (known < 0) return sorted.toReversed()
  const reversed = sorted.slice()
  reversed.subarray(0, known).reverse()
  return reversed
}

function unknownLast(values: Float64Array, a: number, b: number): number | undefined {
  const [left, right] = [Number.isNaN(values[a]), Number.isNaN(values[b])]
  if (!left && !right) return undefined
  return Number(left) - Number(right) || a - b
}

/** Beyond 2^53 equal doubles are compared as they are printed. */
function larger(
  columns: ScreenedColumns,
  name: ScreenName,
  { values, a, b }: { readonly values: Float64Array; readonly a: number; readonly b: number },
): number {
  const [left, right] = [values[a] as number, values[b] as number]
  if (left !== right) return right - left
  if (Math.abs(left) <= Number.MAX_SAFE_INTEGER) return a - b
  const { figure } = screens[name]
  const [one, other] = [columns.figuresOf(a)[figure] ?? 0, columns.figuresOf(b)[figure] ?? 0]
  return one === other ? a - b : one > other ? -1 : 1
}

/** Whether the filters of a request admit a token, by its number. */
function filterOf({ query }: EndpointRequest, columns: ScreenedColumns, seconds: number) {
  const { kind = 'all', thin_liquidity: thin = 'all' } = query
  const bounds = screenNames.flatMap((name) => {
    const { min, max } = widest(screens[name])
    const { [`min_${name}`]: least = min, [`max_${name}`]: most = max } = query
    if (least === min && most === max) return []
    const { places } = screens[name]
    const [from, to] = [shifted(least, places), shifted(most, places)]
    return [{ values: valuesOf(columns, name, seconds), from, to }]
  })
  const [cap, counted] = [columns.column('marketCap'), columns.column('effectiveMarketCap')]
  const isThin = (number: number): boolean => (cap[number] as number) > (counted[number] as number)
  const isPriced = (number: number): boolean => !Number.isNaN(cap[number])
  return (number: number): boolean =>
    (kind === 'all' || columns.kindOf(number) === kind) &&
    (thin === 'all' || (isPriced(number) && isThin(number) === (thin === 'true'))) &&
    bounds.every(({ values, from, to }) => {
      const value = values[number] as number
      return value >= from && value <= to
    })
}
