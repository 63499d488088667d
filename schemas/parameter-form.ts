import { soughtText } from '../market/text.ts'
import type { JsonSchema } from './field.ts'

/** What the text of a parameter must be: as a schema, in words, and as a test. The three agree: a test holds them against each other. */
export type Form = {
  /** Of the text in its normal spelling; of digits it is that of a number. */
  readonly schema: JsonSchema
  readonly allowed: string
  /** What the schema cannot say. */
  readonly description?: string
  /** The spelling that is counted and compared. */
  readonly normal: (text: string) => string
  readonly admits: (text: string) => boolean
}

/** Fifteen digits are exact in a number. */
const DIGITS = /^\d{1,15}$/
const DIGITS_MAX = 999_999_999_999_999
/** As exact as any amount here: µ$ have six decimals. */
const DECIMAL = /^\d{1,15}(\.\d{1,18})?$/

const asItIs = (text: string): string => text

/** A whole number in digits alone, within bounds. */
export const integerParameter = (minimum: number, maximum?: number): Form => ({
  schema: { type: 'integer', minimum, maximum: maximum ?? DIGITS_MAX },
  allowed: maximum === undefined ? `${minimum} or more, at most 15 digits` : `${minimum}-${maximum}`,
  normal: asItIs,
  admits: (text) => DIGITS.test(text) && Number(text) >= minimum && Number(text) <= (maximum ?? DIGITS_MAX),
})

/** A decimal of 0 or more, without sign or exponent. */
export const decimal: Form = {
  schema: { type: 'number', minimum: 0, maximum: DIGITS_MAX },
  allowed: 'a decimal of 0 or more, such as 12.5, without exponent',
  description: 'No exponent, at most 18 decimals',
  normal: asItIs,
  admits: (text) => DECIMAL.test(text) && Number(text) <= DIGITS_MAX,
}

/** Text with a length in code points, not counting surrounding spaces. */
export const textParameter = (minimum: number, maximum: number): Form =>
  counted(
    { minimum, maximum },
    { normal: (value) => value.trim(), description: 'Surrounding spaces are ignored' },
  )

/** Search text with a length in code points, measured after normalisation. */
export const soughtFor = (minimum: number, maximum: number): Form =>
  counted(
    { minimum, maximum },
    {
      normal: soughtText,
      description:
        'Its length is measured after normalisation: lower case, NFKC, without surrounding spaces, invisible characters and one leading `@`, `$` or `#`',
    },
  )

function counted(
  { minimum, maximum }: { readonly minimum: number; readonly maximum: number },
  { normal, description }: Required<Pick<Form, 'normal' | 'description'>>,
): Form {
  return {
    schema: { type: 'string', minLength: minimum, maxLength: maximum },
    allowed: `at least ${minimum} character${minimum === 1 ? '' : 's'}, at most ${maximum}`,
    description,
    normal,
    admits: (value) => {
      const { length } = [...normal(value)]
      return length >= minimum && length <= maximum
    },
  }
}

/** Every day of the calendar, leap years and all: `Date` takes 31 February for 3 March. */
const MONTH_DAY = [
  '(0[13578]|1[02])-(0[1-9]|[12]\\d|3[01])',
  '(0[469]|11)-(0[1-9]|[12]\\d|30)',
  '02-(0[1-9]|1\\d|2[0-8])',
].join('|')
const LEAP_YEAR = '(\\d\\d(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)'
const TIME = 'T([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,3})?)?Z?'
const DAY = new RegExp(`^(\\d{4}-(${MONTH_DAY})|${LEAP_YEAR}-02-29)(${TIME})?$`)

/** A date, or a date and time in UTC with or without Z. */
export const day: Form = {
  schema: { type: 'string', pattern: DAY.source },
  allowed: 'a date such as 2026-01-31, or a time such as 2026-01-31T12:00:00Z',
  normal: asItIs,
  admits: (text) => DAY.test(text),
}
