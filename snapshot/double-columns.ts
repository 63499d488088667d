import type { Figures } from '../market/figures.ts'
import { grown } from '../market/grown.ts'
import type { StateField } from '../market/segment.ts'

/** Doubles of every token beside the exact states of an edge; like them changed in place, by `writeDoubles` alone. Arrays of fields not kept stay empty. */
export type DoubleColumns = { -readonly [Name in keyof Figures]: Figures[Name] }

/** Doubles of no tokens. */
export const emptyDoubles = (): DoubleColumns => ({
  rate: new Float64Array(),
  supply: new Float64Array(),
  reserveQuote: new Float64Array(),
  reserveToken: new Float64Array(),
  volume: new Float64Array(),
  quote: new Int32Array(),
  trades: new Uint32Array(),
  engagement: new Uint32Array(),
  holders: new Uint32Array(),
})

/** The field that each array is made from; what a token is priced in matters where its price does. */
const sources = {
  rate: 'sqrtPriceX96',
  quote: 'sqrtPriceX96',
  supply: 'supply',
  reserveQuote: 'reserveQuote',
  reserveToken: 'reserveToken',
  volume: 'cumVolumeMicroUsd',
  trades: 'cumTrades',
  engagement: 'cumEngagement',
  holders: 'holders',
} as const satisfies Record<keyof Figures, StateField>
const names = Object.keys(sources) as readonly (keyof Figures)[]

const TWO_96 = 2 ** 96

/** The states that doubles are made from. */
type Cells = { readonly fields: readonly StateField[]; readonly read: (field: StateField) => number }

/** Takes over a token's cells, after they or its description changed; `quote` is the place of what it is priced in. */
export function writeDoubles(
  doubles: DoubleColumns,
  { fields, read }: Cells,
  { number, quote, isCurrency0 }: { number: number; quote: number; isCurrency0: boolean },
): void {
  const rateOf = (root: number) => (root === 0 ? 0 : isCurrency0 ? root * root : 1 / (root * root))
  for (const name of names) {
    if (!fields.includes(sources[name])) continue
    const array = grown(doubles[name] as Float64Array, number)
    doubles[name] = array as never
    if (name === 'quote') array[number] = quote
    else if (name === 'rate') array[number] = rateOf(read('sqrtPriceX96') / TWO_96)
    else array[number] = read(sources[name])
  }
}

/** Doubles of the first `count` tokens as they stand in `doubles`, of these fields. */
export function doublesLike(
  doubles: DoubleColumns,
  fields: readonly StateField[],
  count: number,
): DoubleColumns {
  const copy = emptyDoubles()
  for (const name of names) {
    if (fields.includes(sources[name])) copy[name] = doubles[name].slice(0, count) as never
  }
  return copy
}
