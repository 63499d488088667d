/** Digits with at most one point, and an exponent as languages print it. A plus that was not encoded arrives as a space. */
const NUMBER = /^[+ ]?(?:(\d+)\.?(\d*)|\.(\d+))(?:e([-+ ]?\d{1,3}))?$/i

/** Digits before and after the point: exact in a number, and in amounts of 18 decimals. */
const WHOLE_DIGITS = 15
const DECIMALS = 18

/** A number in that spelling, or with a minus, times ten to the power of `places`, rounded once: `8.05` × 10^6 is 8050000. */
export const shifted = (decimal: string, places: number): number => Number(`${decimal}e${places}`)

/**
 * Reads a number of 0 or more as programming languages print it (`5`, `5.0`, `+5`, `.5`, `1e-7`, `1.5E+3`), and spells it in
 * plain digits without needless zeros. Null: not such a number, or with more digits than are exact.
 */
export function readNumber(text: string): string | null {
  const [, whole = '', decimals = '', alone, exponent = '0'] = NUMBER.exec(text.trimEnd()) ?? []
  const fraction = alone ?? decimals
  const digits = whole + fraction
  if (digits === '') return null
  const point = whole.length + Number(exponent.replace(' ', '+'))
  const before = digits
    .slice(0, Math.max(0, point))
    .padEnd(Math.min(Math.max(0, point), 999), '0')
    .replace(/^0+/, '')
  const after = ('0'.repeat(Math.max(0, -point)) + digits.slice(Math.max(0, point))).replace(/0+$/, '')
  if (before.length > WHOLE_DIGITS || after.length > DECIMALS) return null
  return `${before || '0'}${after && `.${after}`}`
}
