import type { JsonSchema } from './field.ts'

/** What the text of a parameter must be: as a schema, in words, and as a test. */
export type Form = {
  readonly schema: JsonSchema
  readonly allowed: string
  readonly admits: (text: string) => boolean
}

/** Fifteen digits are exact in a number. */
const DIGITS = /^\d{1,15}$/
/** As exact as any amount here: µ$ have six decimals. */
const DECIMAL = /^\d{1,15}(\.\d{1,18})?$/

/** A whole number in digits alone, within bounds. */
export const integer = (minimum: number, maximum?: number): Form => ({
  schema: { type: 'integer', minimum, ...(maximum === undefined ? {} : { maximum }) },
  allowed: maximum === undefined ? `${minimum} or more` : `${minimum}-${maximum}`,
  admits: (text) =>
    DIGITS.test(text) && Number(text) >= minimum && Number(text) <= (maximum ?? Number.MAX_SAFE_INTEGER),
})

/** A decimal of 0 or more, without sign or exponent. */
export const decimal: Form = {
  schema: { type: 'number', minimum: 0 },
  allowed: 'a decimal of 0 or more',
  admits: (text) => DECIMAL.test(text),
}

/** Text of so many code points, spaces around it not counted. */
export const text = (minimum: number, maximum: number): Form => ({
  schema: { type: 'string', minLength: minimum, maxLength: maximum },
  allowed: `at least ${minimum} character${minimum === 1 ? '' : 's'}, at most ${maximum}`,
  admits: (value) => {
    const { length } = [...value.trim()]
    return length >= minimum && length <= maximum
  },
})
