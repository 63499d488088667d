/** Formats figures for display. Null becomes a dash. */

export const DASH = '–'
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 2 })
const compactCents = new Intl.NumberFormat('en-US', {
  notation: 'compact',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
})
const whole = new Intl.NumberFormat('en-US')
const cents = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const exact = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 15 })
const HALF_A_CENT = 0.005
const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉'

/** US dollars, abbreviated from 10,000 on: $1.24M. */
export function dollars(value: number | null): string {
  if (value === null) return DASH
  if (Math.abs(value) >= 10_000) return `$${compactCents.format(value)}`
  if (value > 0 && value < HALF_A_CENT) return '<$0.01'
  return `$${cents.format(value)}`
}

const three = new Intl.NumberFormat('en-US', {
  notation: 'compact',
  minimumSignificantDigits: 3,
  maximumSignificantDigits: 3,
})

/** US dollars with three significant digits from $1 on, whatever their size: $1.24M, $416K, $98.0. */
export function shortDollars(value: number | null): string {
  if (value === null || value === 0) return value === 0 ? '$0' : DASH
  return value < 1 ? dollars(value) : `$${three.format(value)}`
}

/** A price in US dollars with four significant digits; many zeros after the point are counted: $0.0₇1234. */
export function priceLabel(value: number | null): string {
  if (value === null) return DASH
  if (value === 0) return '$0'
  const rounded = Number(value.toPrecision(4))
  if (rounded >= 1) return `$${rounded >= 1_000 ? whole.format(Math.round(value)) : value.toPrecision(4)}`
  const [digits = '', exponent = '0'] = value.toExponential(3).split('e')
  const zeros = -Number(exponent) - 1
  const significant = digits.replace('.', '').replace(/0+$/, '')
  return zeros < 4 ? `$0.${'0'.repeat(zeros)}${significant}` : `$0.0${subscript(zeros)}${significant}`
}

/** Every digit of an amount in US dollars, without an exponent. */
export const allDigits = (value: number): string => `$${exact.format(value)}`

const subscript = (count: number): string =>
  [...String(count)].map((digit) => SUBSCRIPTS[Number(digit)]).join('')

/** A count, with commas. */
export const countLabel = (value: number | null): string => (value === null ? DASH : whole.format(value))

/** An amount of tokens, abbreviated from 10,000 on. */
export function amountLabel(value: number | null): string {
  if (value === null) return DASH
  if (value >= 10_000) return compact.format(value)
  return value.toLocaleString('en-US', { maximumFractionDigits: value >= 1 ? 2 : 6 })
}

/** A number with a fixed number of decimals. */
export const fixed = (value: number | null, decimals: number): string =>
  value === null
    ? DASH
    : value.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })

/** From this percentage on, a rise is shown as a factor. */
const MULTIPLE_FROM = 10_000

/** A change in percent, with its sign: +12.34%; a very large one as ×126. */
export function percentLabel(value: number | null): string {
  if (value === null) return DASH
  if (value >= MULTIPLE_FROM) return `×${compact.format(Math.round(1 + value / 100))}`
  const sign = value > 0 ? '+' : value < 0 ? '−' : ''
  const size = Math.abs(value)
  return `${sign}${fixed(size, size >= 100 ? 0 : 2)}%`
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
