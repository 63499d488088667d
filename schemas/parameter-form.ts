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

const DAY = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z?)?$/

/** A date, or a date and time in UTC with or without Z. */
export const day: Form = {
  schema: { type: 'string', pattern: DAY.source },
  allowed: 'a date such as 2026-01-31, or a time such as 2026-01-31T12:00:00Z',
  admits: (text) => DAY.test(text) && isCalendarDay(text),
}

/** `Date` takes 31 February for 3 March. */
function isCalendarDay(text: string): boolean {
  const milliseconds = Date.parse(`${text.slice(0, 10)}T00:00:00Z`)
  const isDay = new Date(milliseconds || 0).toISOString().slice(0, 10) === text.slice(0, 10)
  return isDay && !Number.isNaN(Date.parse(text.length > 10 && !text.endsWith('Z') ? `${text}Z` : text))
}
