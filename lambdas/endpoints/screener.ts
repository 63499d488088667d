import { screenerRow } from '../../market/board/screener.ts'
import { divideHalfAway } from '../../market/display.ts'
import { asOf } from '../../market/window.ts'
import {
  type Screen,
  type ScreenName,
  screenerFields,
  screenNames,
  screens,
  widest,
} from '../../schemas/records/screener.ts'
import { rowWriter } from '../../schemas/values/field.ts'
import { shifted } from '../../schemas/values/number-syntax.ts'
import type { ScreenedColumns } from '../../store/published/screened.ts'
import { type ApiEndpoint, type EndpointRequest, numberOf, rowsText } from '../api/endpoint.ts'
import type { ScreenedSnapshot } from '../api/stored-screener.ts'

const write = rowWriter(screenerFields)

/** GET /v1/tokens/screener: the tokens that the filters admit, cut from the snapshot's columns. */
export const screener: ApiEndpoint = async (asked, { screened: read }) => {
  const { sort_by: sort = 'rank', sort_order: order, snapshot } = asked.query
  const screened = await read(snapshot)
  const { at, columns, boards } = screened
  const seconds = asOf(at.minute)
  const admits = filterOf(asked, columns, seconds)
  const found = [...orderOf(screened, sort, { isAscending: order === 'asc', seconds })].filter(admits)
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

/** A figure of all tokens as it is printed, in whole units of its last printed digit; NaN: unknown. An age is what has passed since the launch. */
function printedValues(columns: ScreenedColumns, name: ScreenName, seconds: number): Float64Array {
  const { figure, scale, places }: Screen = screens[name]
  const column = columns.column(figure)
  if (name === 'age') return column.map((launchedAt) => seconds - launchedAt)
  if (scale === places) return column
  const unit = 10 ** (scale - places)
  return column.map((value, number) =>
    value > Number.MAX_SAFE_INTEGER
      ? Number(printedExactly(columns, name, number))
      : Math.floor((value + unit / 2) / unit),
  )
}

function printedExactly(columns: ScreenedColumns, name: ScreenName, number: number): bigint {
  const { figure, scale, places }: Screen = screens[name]
  return divideHalfAway(BigInt(columns.figuresOf(number)[figure] ?? 0), BigInt(10 ** (scale - places)))
}

/** Numbers of all tokens by what is printed; equal ones by rank in both directions, unknown ones last. */
function orderOf(
  { columns, orders }: ScreenedSnapshot,
  sort: string,
  { isAscending, seconds }: { readonly isAscending: boolean; readonly seconds: number },
): Int32Array {
  const key = `${sort} ${isAscending}`
  const known = orders.get(key)
  if (known) return known
  const numbers = Int32Array.from({ length: columns.count }, (_, at) => at)
  if (sort !== 'rank') {
    const name = sort as ScreenName
    const values = printedValues(columns, name, seconds)
    const sign = isAscending ? 1 : -1
    numbers.sort(
      (a, b) =>
        Number(Number.isNaN(values[a])) - Number(Number.isNaN(values[b])) ||
        sign * difference(columns, name, { values, a, b }) ||
        a - b,
    )
  } else if (isAscending) numbers.reverse()
  orders.set(key, numbers)
  return numbers
}

/** Above 0 where the first is larger. Beyond 2^53 equal doubles are compared exactly. */
function difference(
  columns: ScreenedColumns,
  name: ScreenName,
  { values, a, b }: { readonly values: Float64Array; readonly a: number; readonly b: number },
): number {
  const [left, right] = [values[a] as number, values[b] as number]
  if (left !== right || Math.abs(left) <= Number.MAX_SAFE_INTEGER) return Math.sign(left - right) || 0
  return Number(printedExactly(columns, name, a) - printedExactly(columns, name, b))
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
    return [{ values: printedValues(columns, name, seconds), from, to }]
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
