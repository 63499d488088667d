import { absolute } from './bigints.ts'
import { tenTo } from './powers.ts'
import { PERCENT_MAX } from './rules.ts'
import type { MicroUsd, UsdE36 } from './segment.ts'

/** numerator / denominator to the nearest integer, halves away from zero. The denominator is above 0. */
export function divideHalfAway(numerator: bigint, denominator: bigint): bigint {
  if (numerator < 0n) return -divideHalfAway(-numerator, denominator)
  return (2n * numerator + denominator) / (2n * denominator)
}

/** numerator / denominator to the nearest integer, halves to the even one. The denominator is above 0. */
export function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  if (numerator < 0n) return -divideHalfEven(-numerator, denominator)
  const quotient = numerator / denominator
  const twice = 2n * (numerator % denominator)
  if (twice === denominator) return quotient + (quotient % 2n)
  return twice > denominator ? quotient + 1n : quotient
}

/** Decimals of a UsdE36. */
const PRICE_SCALE = 36
/** Significant digits of a published price. */
const PRICE_DIGITS = 12

/** Text for an unknown number. */
const UNKNOWN = 'N/A'

/** value / 10^scale in plain decimals, at most `places` of them, half away from zero: '2.5', '3', '-0.01', never '-0'. */
export function decimalText(value: bigint, scale: number, places: number): string {
  const rounded =
    scale > places ? divideHalfAway(value, tenTo(scale - places)) : value * tenTo(places - scale)
  return withoutTrailingZeros(fixedText(rounded, places))
}

/** A USD price in plain decimals without exponent: its first 12 significant digits, half to even. */
export const significantText = (valueE36: UsdE36): string =>
  withoutTrailingZeros(fixedText(publishedPrice(valueE36), PRICE_SCALE))

/** A USD price rounded to its published digits. Monotonic, and its text stays the same. */
export function publishedPrice(valueE36: UsdE36): UsdE36 {
  const excess = absolute(valueE36).toString().length - PRICE_DIGITS
  const unit = tenTo(Math.max(excess, 0))
  return divideHalfEven(valueE36, unit) * unit
}

/**
 * Change from `base` (≥ 0) to `now` in hundredths of a percent, half away from zero; null from a base of 0, and beyond
 * PERCENT_MAX.
 */
export function changeE2(base: bigint, now: bigint): bigint | null {
  if (base === 0n) return null
  const change = divideHalfAway((now - base) * 10_000n, base)
  return absolute(change) > PERCENT_MAX * 100n ? null : change
}

/**
 * The steps of a formatted amount: `unit` in micro-dollars, `places` printed (of which at least `kept` when they are
 * zeros), taken while the rounded figure stays below `limit`.
 */
const steps = [
  { limit: 1n, unit: 1_000_000n, places: 4, kept: 2, suffix: '' },
  { limit: 1000n, unit: 1_000_000n, places: 2, kept: 2, suffix: '' },
  { limit: 1000n, unit: 10n ** 9n, places: 1, kept: 1, suffix: 'K' },
  { limit: 1000n, unit: 10n ** 12n, places: 1, kept: 1, suffix: 'M' },
  { limit: 1000n, unit: 10n ** 15n, places: 1, kept: 1, suffix: 'B' },
] as const
const lastStep = { unit: 10n ** 18n, places: 1, kept: 1, suffix: 'T' } as const

/** Below this ($0.0001), only the bound is printed. */
const SMALLEST_MICRO_USD = 100n

/** An amount for display: '$0', '$2.50', '-$1.2K', '<$0.0001'; N/A if unknown. */
export function formatUsd(microUsd: MicroUsd | null): string {
  if (microUsd === null) return UNKNOWN
  if (microUsd === 0n) return '$0'
  const size = absolute(microUsd)
  const minus = microUsd < 0n ? '-' : ''
  if (size < SMALLEST_MICRO_USD) return `${minus ? '>' : '<'}${minus}$0.0001`
  const roundedTo = ({ places, unit }: { places: number; unit: bigint }) =>
    divideHalfAway(size * tenTo(places), unit)
  const step = steps.find((each) => roundedTo(each) < each.limit * tenTo(each.places)) ?? lastStep
  const text = fixedText(roundedTo(step), step.places)
  return `${minus}$${withoutTrailingZeros(text, step.kept)}${step.suffix}`
}

/** Above this (999,999.9 %), only the bound is printed. */
const LARGEST_PERCENT_E2 = 99_999_990n

/** Hundredths of a percent for display: '+2.5%', '0.0%', '>+999999.9%'; N/A if unknown. */
export function formatPercent(percentE2: bigint | null): string {
  if (percentE2 === null) return UNKNOWN
  const size = absolute(percentE2)
  const isLarge = size > LARGEST_PERCENT_E2
  const tenths = divideHalfAway(isLarge ? LARGEST_PERCENT_E2 : size, 10n)
  const isNegative = percentE2 < 0n
  const sign = tenths === 0n ? '' : isNegative ? '-' : '+'
  const bound = isLarge ? (isNegative ? '<' : '>') : ''
  return `${bound}${sign}${fixedText(tenths, 1)}%`
}

/** value / 10^places with exactly that many decimals. */
function fixedText(value: bigint, places: number): string {
  const minus = value < 0n ? '-' : ''
  const digits = absolute(value)
    .toString()
    .padStart(places + 1, '0')
  const point = digits.length - places
  return places === 0 ? minus + digits : `${minus}${digits.slice(0, point)}.${digits.slice(point)}`
}

/** Removes trailing zeros after the point, down to `kept` decimals, and the point if none are left. */
function withoutTrailingZeros(text: string, kept = 0): string {
  const point = text.indexOf('.')
  if (point < 0) return text
  let end = text.length
  while (end > point + 1 + kept && text[end - 1] === '0') end -= 1
  return text.slice(0, end === point + 1 ? point : end)
}
