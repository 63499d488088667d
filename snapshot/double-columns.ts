import type { Figures } from '../market/figures.ts'
import type { StateField } from '../market/segment.ts'
import { type Columns, cellAsDouble } from './columns.ts'
import { grown } from './grown.ts'

/** Doubles beside the columns of an edge, made from them cell by cell; like them changed in place, by `writeDoubles` alone. */
export type DoubleColumns = {
  rate: Float64Array
  supply: Float64Array
  reserveQuote: Float64Array
  reserveToken: Float64Array
  volume: Float64Array
  quote: Int32Array
}

/** Doubles of no tokens. */
export const emptyDoubles = (): DoubleColumns => ({
  rate: new Float64Array(),
  supply: new Float64Array(),
  reserveQuote: new Float64Array(),
  reserveToken: new Float64Array(),
  volume: new Float64Array(),
  quote: new Int32Array(),
})

/** The doubles that are a cell as it stands. */
const cells = {
  supply: 'supply',
  reserveQuote: 'reserveQuote',
  reserveToken: 'reserveToken',
  volume: 'cumVolumeMicroUsd',
} as const satisfies Partial<Record<keyof DoubleColumns, StateField>>
const cellNames = Object.keys(cells) as readonly (keyof typeof cells)[]

const TWO_96 = 2 ** 96

/** Takes over a token's cells, after they or its description changed; `quote` is the place of what it is priced in. */
export function writeDoubles(
  doubles: DoubleColumns,
  columns: Columns,
  { number, quote, isCurrency0 }: { number: number; quote: number; isCurrency0: boolean },
): void {
  doubles.quote = grown(doubles.quote, number)
  doubles.quote[number] = quote
  for (const name of cellNames) {
    if (!columns.arrays[cells[name]]) continue
    doubles[name] = grown(doubles[name], number)
    doubles[name][number] = cellAsDouble(columns, cells[name], number)
  }
  if (!columns.arrays.sqrtPriceX96) return
  const root = cellAsDouble(columns, 'sqrtPriceX96', number) / TWO_96
  doubles.rate = grown(doubles.rate, number)
  doubles.rate[number] = root === 0 ? 0 : isCurrency0 ? root * root : 1 / (root * root)
}

const none = new Uint32Array()

/** The figures of an edge: its doubles and its counts. */
export function figuresOf(doubles: DoubleColumns, { arrays }: Columns): Figures {
  const counts = (field: StateField) => (arrays[field] instanceof Uint32Array ? arrays[field] : none)
  return {
    ...doubles,
    trades: counts('cumTrades'),
    engagement: counts('cumEngagement'),
    holders: counts('holders'),
  }
}
