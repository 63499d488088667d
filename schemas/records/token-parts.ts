import { periods, stepsOf } from '../../market/window.ts'
import { type JsonSchema, rowSchema } from '../values/field.ts'
import { priceStepFields } from './candles.ts'
import { swapFields } from './swap.ts'
import { detailFields, holderFields, metricFields } from './token-page.ts'

/** Swaps and holders that a token's answer can include. */
export const INCLUDED_ROWS = 50

/** What a token's answer can include, by key. */
export const tokenParts = {
  metrics: { ...rowSchema(metricFields), description: 'If included: its figures' },
  swaps: {
    type: 'array',
    maxItems: INCLUDED_ROWS,
    items: rowSchema(swapFields),
    description: 'If included: its newest swaps',
  },
  holders: {
    type: 'array',
    maxItems: INCLUDED_ROWS,
    items: rowSchema(holderFields),
    description: 'If included: its largest holders; empty if unknown, or too many to be listed now',
  },
  price_history: {
    type: 'array',
    maxItems: Math.max(...periods.map(stepsOf)),
    items: rowSchema(priceStepFields),
    description: 'If included: its price history of 24 hours',
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
