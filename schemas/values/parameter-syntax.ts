import { soughtText } from '../../market/text.ts'
import { readNumber } from './number-syntax.ts'

/** The allowed text of a parameter. */
export type Syntax = {
  /** Of the text in its normal spelling; of digits it is that of a number. */
  readonly schema:
    | { readonly type: 'integer' | 'number'; readonly minimum: number; readonly maximum: number }
    | { readonly type: 'string'; readonly minLength: number; readonly maxLength: number }
    | { readonly type: 'string'; readonly pattern: string }
  /** The same in words. */
  readonly allowed: string
  /** Rules that the schema cannot express. */
  readonly description?: string
  /** The spelling whose length counts; absent: the text as it is. */
  readonly normal?: (text: string) => string
  /** Whether the text can be parsed; absent: the schema is complete. */
  readonly isRead?: (text: string) => boolean
}

/** Fifteen digits are exact in a number. */
export const NUMBER_MAX = 999_999_999_999_999

/** Whether a text has a syntax; lengths are in code points. */
export function hasSyntax({ schema, normal, isRead }: Syntax, text: string): boolean {
  if (isRead && !isRead(text)) return false
  if ('pattern' in schema) return new RegExp(schema.pattern).test(text)
  if (schema.type === 'string') {
    const { length } = [...(normal ? normal(text) : text)]
    return length >= schema.minLength && length <= schema.maxLength
  }
  const number = schema.minimum < 0 ? readSigned(text) : readNumber(text)
  if (number === null || (schema.type === 'integer' && number.includes('.'))) return false
  return Number(number) >= schema.minimum && Number(number) <= schema.maximum
}

/** The canonical spelling of a text: of a number as few digits as it has, else the text itself. */
export const spelt = ({ schema }: Syntax, text: string): string =>
  schema.type === 'string' ? text : ((schema.minimum < 0 ? readSigned(text) : readNumber(text)) ?? text)

/** A number of either sign, as `readNumber` reads and spells it. */
function readSigned(text: string): string | null {
  if (!text.startsWith('-')) return readNumber(text)
  const number = /^-[\d.]/.test(text) ? readNumber(text.slice(1)) : null
  return number === null || number === '0' ? number : `-${number}`
}

/** A whole number within bounds. */
export const integerParameter = (minimum: number, maximum?: number): Syntax => ({
  schema: { type: 'integer', minimum, maximum: maximum ?? NUMBER_MAX },
  allowed: maximum === undefined ? `${minimum} or more, at most 15 digits` : `${minimum}-${maximum}`,
})

/** A decimal of 0 or more. */
export const decimal: Syntax = {
  schema: { type: 'number', minimum: 0, maximum: NUMBER_MAX },
  allowed: 'a decimal of 0 or more, such as 12.5, with at most 18 decimals',
  description: 'At most 18 decimals; `1e-7` is understood',
}

/** A decimal of either sign. */
export const signedDecimal: Syntax = {
  schema: { type: 'number', minimum: -NUMBER_MAX, maximum: NUMBER_MAX },
  allowed: 'a decimal, such as 12.5 or -3, with at most 18 decimals',
  description: 'At most 18 decimals; `1e-7` is understood',
}

/** Text with a length in code points, not counting surrounding spaces. */
export const textParameter = (minimum: number, maximum: number): Syntax => ({
  ...lengthWithin(minimum, maximum),
  description: 'Surrounding spaces are ignored',
  normal: (text) => text.trim(),
})

/** Search text with a length in code points, measured after normalisation. */
export const soughtFor = (minimum: number, maximum: number): Syntax => ({
  ...lengthWithin(minimum, maximum),
  description:
    'Its length is measured after normalisation: lower case, NFKC, without surrounding spaces, invisible characters and one leading `@`, `$` or `#`',
  normal: soughtText,
})

const lengthWithin = (minLength: number, maxLength: number): Syntax => ({
  schema: { type: 'string', minLength, maxLength },
  allowed: `at least ${minLength} character${minLength === 1 ? '' : 's'}, at most ${maxLength}`,
})
