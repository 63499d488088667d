import { decimalText, formatPercent, formatUsd, significantText } from '../../market/display.ts'
import { TOKEN_DECIMALS } from '../../market/rules.ts'
import type { Address, Hash, MicroUsd, UsdE36 } from '../../market/segment.ts'
import { printedAddress } from './address.ts'
import type { Json, JsonSchema, Kind } from './field.ts'

const SEPARATOR = /[\u2028\u2029]/g

/** Untrusted text is cleaned when it is read from the chain; here it is only quoted. Many readers of lines take U+2028 and U+2029 for the end of one: they are never raw. */
export const text: Kind<string> = {
  schema: { type: 'string' },
  write: (value) =>
    JSON.stringify(value).replace(SEPARATOR, (each) => (each === '\u2028' ? '\\u2028' : '\\u2029')),
}

/** One of a few words. */
export const choice = (words: readonly string[]): Kind<string> => ({
  schema: { type: 'string', enum: words },
  write: (value) => JSON.stringify(value),
})

export const flag: Kind<boolean> = { schema: { type: 'boolean' }, write: String }

/** A whole number that is never negative. */
export const count: Kind<number | bigint> = { schema: { type: 'integer', minimum: 0 }, write: String }

/** A whole number of either sign. */
export const difference: Kind<number | bigint> = { schema: { type: 'integer' }, write: String }

/** US dollars, 2 decimals, half away from zero. */
export const usd: Kind<MicroUsd> = {
  schema: { type: 'number' },
  write: (value) => decimalText(value, 6, 2),
  format: formatUsd,
}

/** Display text of US dollars. */
export const usdText: Kind<MicroUsd | null> = {
  schema: { type: 'string' },
  write: (value) => JSON.stringify(formatUsd(value)),
}

/** A USD price, 12 significant digits, half to even. */
export const price: Kind<UsdE36> = {
  schema: { type: 'number', minimum: 0 },
  write: (value) => significantText(value),
}

/** Percent, 2 decimals, from percent × 100. */
export const percent: Kind<bigint> = {
  schema: { type: 'number' },
  write: (value) => decimalText(value, 2, 2),
  format: formatPercent,
}

/** Signed display text of a percentage. */
export const percentText: Kind<bigint> = {
  schema: { type: 'string' },
  write: (value) => JSON.stringify(formatPercent(value)),
}

const AMOUNT_PLACES = 6

/** Whole tokens from base units, floored to 6 decimals, which a double carries for any supply below 9e9. */
export const amount: Kind<bigint> = {
  schema: { type: 'number', minimum: 0 },
  write: (value) =>
    decimalText(value / 10n ** BigInt(TOKEN_DECIMALS - AMOUNT_PLACES), AMOUNT_PLACES, AMOUNT_PLACES),
}

/** Whole tokens as decimal text, exact, from base units. */
export const exactAmount: Kind<bigint> = {
  schema: { type: 'string', pattern: '^\\d+(\\.\\d+)?$' },
  write: (value) => `"${decimalText(value, TOKEN_DECIMALS, TOKEN_DECIMALS)}"`,
}

/** A number given × 1e6, 2 decimals. */
export const score: Kind<bigint> = {
  schema: { type: 'number', minimum: 0 },
  write: (value) => decimalText(value, 6, 2),
}

/** A ratio given × 1e6, 6 decimals. */
export const ratio: Kind<bigint> = {
  schema: { type: 'number', minimum: 0 },
  write: (value) => decimalText(value, 6, 6),
}

/** Percent × 1e4, and the Gini coefficient × 1e4: 4 decimals. */
export const fourPlaces: Kind<bigint> = {
  schema: { type: 'number', minimum: 0 },
  write: (value) => decimalText(value, 4, 4),
}

/** Index points given × 1e8, 4 decimals. */
export const points: Kind<bigint> = {
  schema: { type: 'number', minimum: 0 },
  write: (value) => decimalText(value, 8, 4),
}

/** A difference of index points × 1e8, 4 decimals. */
export const pointsChange: Kind<bigint> = {
  schema: { type: 'number' },
  write: (value) => decimalText(value, 8, 4),
}

/** Dollars per index point, exact, from micro-dollars × 1e18. */
export const divisor: Kind<bigint> = {
  schema: { type: 'string', pattern: '^\\d+(\\.\\d+)?$' },
  write: (value) => `"${decimalText(value, 24, 24)}"`,
}

/** The course of an amount as whole numbers, from 0 for the least to 100 for the most; 50 if all are equal. */
export const shape: Kind<readonly (bigint | null)[]> = {
  schema: { type: 'array', maxItems: 24, items: { type: ['integer', 'null'], minimum: 0, maximum: 100 } },
  write: (values) => {
    const known = values.filter((value) => value !== null).sort((a, b) => Number(a - b))
    const least = known[0] ?? 0n
    const range = (known.at(-1) ?? 0n) - least
    const height = (value: bigint) => (range === 0n ? 50n : ((value - least) * 100n) / range)
    return `[${values.map((value) => (value === null ? 'null' : height(value))).join(',')}]`
  },
}

/** EIP-55 form. */
export const address: Kind<Address> = {
  schema: { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' },
  write: (value) => `"${printedAddress(value)}"`,
}

/** 32 bytes, lower-case hex. */
export const hash: Kind<Hash> = {
  schema: { type: 'string', pattern: '^0x[0-9a-f]{64}$' },
  write: (value) => `"${value}"`,
}

/** ISO 8601 UTC with seconds, from Unix seconds. */
export const time: Kind<number> = {
  schema: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$' },
  write: (value) => `"${isoTime(value)}"`,
}

/** Unix seconds as ISO 8601 UTC with seconds and Z. */
export const isoTime = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`

/** Any JSON value under a schema of its own. */
export const json = (schema: JsonSchema): Kind<Json> => ({ schema, write: (value) => JSON.stringify(value) })
