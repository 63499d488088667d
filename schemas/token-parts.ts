import { periods, stepsOf } from '../market/window.ts'
import { priceStepFields } from './candles.ts'
import { type JsonSchema, rowSchema } from './field.ts'
import { swapFields } from './swap.ts'
import { detailFields, holdersFields, metricFields } from './token-page.ts'

/** Swaps and holders that a token's answer can include. */
export const INCLUDED_ROWS = 50

const holders = rowSchema(holdersFields)

/** What a token's answer can include, by key. */
export const tokenParts = {
  metrics: rowSchema(metricFields),
  swaps: { type: 'array', maxItems: INCLUDED_ROWS, items: rowSchema(swapFields) },
  holders: {
    ...holders,
    type: ['object', 'null'],
    description: 'The largest holders; null if they are too many to be listed now',
  },
  price_history: {
    type: 'array',
    maxItems: Math.max(...periods.map(stepsOf)),
    items: rowSchema(priceStepFields),
  },
} as const satisfies Record<string, JsonSchema>

export type TokenPart = keyof typeof tokenParts
export const tokenPartNames = Object.keys(tokenParts) as readonly TokenPart[]

const detail = rowSchema(detailFields)

/** A token's answer: the detail, and the parts that were asked for. */
export const tokenSchema: JsonSchema = {
  ...detail,
  properties: { ...(detail['properties'] as { readonly [key: string]: JsonSchema }), ...tokenParts },
}
