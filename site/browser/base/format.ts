/** Formats figures for display. Null becomes a dash. */

export const DASH = '–'

/** Significant digits of a figure in a list, and of one of a token on its own page. */
const LIST_DIGITS = 3
export const OWN_DIGITS = 5

const whole = new Intl.NumberFormat('en-US')
const exact = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 15 })
const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉'

const formats = new Map<string, Intl.NumberFormat>()

/** A formatter of so many significant digits, made once: making one takes longer than using it. */
function formatOf(digits: number, notation: 'standard' | 'compact'): Intl.NumberFormat {
  const known = formats.get(notation + digits)
  if (known) return known
  const bounds = { minimumSignificantDigits: digits, maximumSignificantDigits: digits }
  const made = new Intl.NumberFormat('en-US', { notation, ...bounds })
  formats.set(notation + digits, made)
  return made
}

/** A value from 0 on in significant digits: 1.24M, 98.0, 0.0₇123, where ₇ counts zeros after the point. */
function significant(value: number, digits: number): string {
  const rounded = Number(value.toPrecision(digits))
  if (rounded === 0) return '0'
  if (rounded >= 10 ** digits) return formatOf(digits, 'compact').format(rounded)
  if (rounded >= 1) return formatOf(digits, 'standard').format(rounded)
  const [mantissa = '', exponent = '0'] = rounded.toExponential(digits - 1).split('e')
  const zeros = -Number(exponent) - 1
  const shown = mantissa.replace('.', '')
  return zeros < 4 ? `0.${'0'.repeat(zeros)}${shown}` : `0.0${subscript(zeros)}${shown}`
}

const subscript = (count: number): string =>
  [...String(count)].map((digit) => SUBSCRIPTS[Number(digit)]).join('')

/** US dollars, a price or an amount. */
export const dollars = (value: number | null, digits = LIST_DIGITS): string =>
  value === null ? DASH : `${value < 0 ? '−' : ''}$${significant(Math.abs(value), digits)}`

/** An amount of tokens. */
export const amountLabel = (value: number | null, digits = LIST_DIGITS): string =>
  value === null ? DASH : significant(value, digits)

/** Every digit of an amount in US dollars, without an exponent. */
export const allDigits = (value: number): string => `$${exact.format(value)}`

/** A count, with commas. */
export const countLabel = (value: number | null): string => (value === null ? DASH : whole.format(value))

/** A number with a fixed number of decimals. */
export const fixed = (value: number | null, decimals: number): string =>
  value === null
    ? DASH
    : value.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })

/** From this percentage on, a rise is shown as a factor. */
const MULTIPLE_FROM = 10_000

/** A change in percent, with its sign: +12.3%; a very large one as ×126. */
export function percentLabel(value: number | null): string {
  if (value === null) return DASH
  if (value >= MULTIPLE_FROM) return `×${significant(1 + value / 100, LIST_DIGITS)}`
  const sign = value > 0 ? '+' : value < 0 ? '−' : ''
  const size = Math.abs(value)
  return `${sign}${fixed(size, size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2)}%`
}

/** An address or hash, shortened. */
export const shortHex = (hex: string): string =>
  hex.length > 14 ? `${hex.slice(0, 6)}…${hex.slice(-4)}` : hex

const steps: readonly (readonly [seconds: number, unit: string])[] = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
]

/** A duration in its largest unit, rounded down: 3 min. */
export function duration(seconds: number): string {
  const [size, unit] = steps.find(([each]) => seconds >= each) ?? [1, 's']
  return `${Math.floor(Math.max(0, seconds) / size)} ${unit}`
}

/** A period as it is printed: 24 h. */
export const spanText = (period: string): string => period.replace(/^\d+/, '$& ')

/** The time of day in UTC: 16:14:05. `iso` as the API writes times. */
export const timeOfDay = (iso: string): string => iso.slice(11, 19)

/** Day and time in UTC: 2026-11-21 16:14. */
export const dayAndTime = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)}`

/** The same to the second. */
export const dayAndSecond = (iso: string): string => `${iso.slice(0, 10)} ${timeOfDay(iso)}`
