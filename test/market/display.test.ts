import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changeE2, decimalText, formatPercent, formatUsd, significantText } from '../../market/display.ts'

const absolute = (value: bigint) => (value < 0n ? -value : value)

/** A plain decimal as an exact fraction over 10^scale; fails for exponents, '-0' and anything else that is not plain. */
function fractionOf(text: string): { readonly value: bigint; readonly scale: number } {
  expect(text).toMatch(/^(-?(0|[1-9]\d*))(\.\d*[1-9])?$/)
  expect(text).not.toBe('-0')
  const [whole = '', decimals = ''] = text.split('.')
  return { value: BigInt(whole + decimals), scale: decimals.length }
}

/** Distance of a text from value / 10^scale, in units of 1 / 10^(both scales). */
function distance(text: string, value: bigint, scale: number) {
  const read = fractionOf(text)
  return absolute(read.value * 10n ** BigInt(scale) - value * 10n ** BigInt(read.scale))
}

describe('decimalText', () => {
  it.each([
    [1005n, 3, 2, '1.01'],
    [-1005n, 3, 2, '-1.01'],
    [-4n, 3, 2, '0'],
    [-5n, 3, 2, '-0.01'],
    [5n, 1, 0, '1'],
    [7n, -2, 1, '700'],
    // 9.007e15 and beyond, where a double would lose the last cents.
    [9_007_199_254_740_993_123_456n, 6, 6, '9007199254740993.123456'],
    [1_000_000_000_123_456n, 6, 6, '1000000000.123456'],
  ])('prints %s / 10^%s to %s places as %s', (value, scale, entries, text) => {
    expect(decimalText(value, scale, entries)).toBe(text)
  })

  const cases = [fc.bigInt(), fc.nat({ max: 40 }), fc.nat({ max: 40 })] as const

  it('is plain, within half a unit of the last place, and half away from zero', () => {
    fc.assert(
      fc.property(...cases, (value, scale, entries) => {
        const text = decimalText(value, scale, entries)
        const read = fractionOf(text)
        expect(read.scale).toBeLessThanOrEqual(entries)
        const twiceOff = 2n * distance(text, value, scale) * 10n ** BigInt(entries)
        const unit = 10n ** BigInt(scale + read.scale)
        expect(twiceOff).toBeLessThanOrEqual(unit)
        const isLarger =
          absolute(read.value) * 10n ** BigInt(scale) > absolute(value) * 10n ** BigInt(read.scale)
        if (twiceOff === unit) expect(isLarger).toBe(true)
      }),
    )
  })
})

describe('significantText', () => {
  const e36 = 10n ** 36n

  it.each([
    ['nothing', 0n, '0'],
    ['a dollar', e36, '1'],
    ['2,499.999…9', 2499999999999999999999n * 10n ** 18n, '2500'],
    ['a floored 0.0123', 12299999999999999n * 10n ** 18n, '0.0123'],
    ['a floored 0.00000123', 1229999999999n * 10n ** 18n, '0.00000123'],
    ['twelve digits', 123456789012n * 10n ** 30n, '123456.789012'],
    ['a half after an even digit', 1234567890125n * 10n ** 24n, '1.23456789012'],
    ['a half after an odd digit', 1234567890135n * 10n ** 24n, '1.23456789014'],
    ['a little more than half', 1234567890125n * 10n ** 24n + 1n, '1.23456789013'],
    ['a carry through all digits', 9999999999999n * 10n ** 24n, '10'],
    ['more whole digits than twelve', 1234567890123456n * e36, '1234567890120000'],
    ['the smallest price', 1n, '0.000000000000000000000000000000000001'],
    ['a fresh post', 2n * 10n ** 22n, '0.00000000000002'],
  ])('prints %s', (_name, price, text) => {
    expect(significantText(price)).toBe(text)
  })

  it('is plain, has no more than 12 digits, and lies within half a unit of the last, even on a half', () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 60n), 10n ** 60n), (price) => {
        const digits = 12
        const text = significantText(price)
        const read = fractionOf(text)
        const shown = absolute(read.value).toString().replace(/0+$/, '')
        expect(shown.length).toBeLessThanOrEqual(digits)
        const excess = Math.max(absolute(price).toString().length - digits, 0)
        const unit = 10n ** BigInt(excess + read.scale)
        const twiceOff = 2n * distance(text, price, 36)
        expect(twiceOff).toBeLessThanOrEqual(unit)
        if (twiceOff === unit) {
          const rounded = (read.value * 10n ** BigInt(36 - read.scale)) / 10n ** BigInt(excess)
          expect(rounded % 2n).toBe(0n)
        }
      }),
    )
  })
})

describe('changeE2', () => {
  it.each([
    [100n, 105n, 500n],
    [100n, 100n, 0n],
    [100n, 0n, -10_000n],
    [1n, 100n, 990_000n],
    // 1/3 = 33.333… %, 2/3 = 66.666… %.
    [3n, 4n, 3333n],
    [3n, 1n, -6667n],
    // Half a hundredth of a percent goes away from zero.
    [20_000n, 20_001n, 1n],
    [20_000n, 19_999n, -1n],
    [20_001n, 20_002n, 0n],
  ])('from %s to %s is %s hundredths of a percent', (base, now, percent) => {
    expect(changeE2(base, now)).toBe(percent)
  })

  it('is unknown from nothing', () => {
    expect(changeE2(0n, 5n)).toBeNull()
    expect(changeE2(0n, 0n)).toBeNull()
  })
})

describe('formatUsd', () => {
  it.each([
    [null, 'N/A'],
    [0n, '$0'],
    [1n, '<$0.0001'],
    [99n, '<$0.0001'],
    [-99n, '>-$0.0001'],
    [100n, '$0.0001'],
    [1_200n, '$0.0012'],
    [50_000n, '$0.05'],
    [500_000n, '$0.50'],
    [123_456n, '$0.1235'],
    [120_000n, '$0.12'],
    [999_949n, '$0.9999'],
    [999_950n, '$1.00'],
    [1_000_000n, '$1.00'],
    [12_345_678n, '$12.35'],
    [999_990_000n, '$999.99'],
    [999_994_999n, '$999.99'],
    [999_995_000n, '$1.0K'],
    [1_049_990_000n, '$1.0K'],
    [1_050_000_000n, '$1.1K'],
    [12_345_000_000n, '$12.3K'],
    [999_949_000_000n, '$999.9K'],
    [999_950_000_000n, '$1.0M'],
    [1_250_000_000_000n, '$1.3M'],
    [1_200_000_000_000_000n, '$1.2B'],
    [1_500_000_000_000_000_000n, '$1.5T'],
    [9_990_000_000_000_000_000_000n, '$9990.0T'],
    [-1_234_000_000n, '-$1.2K'],
  ])('prints %s micro-dollars as %s', (microUsd, text) => {
    expect(formatUsd(microUsd)).toBe(text)
  })

  const powers: Readonly<Record<string, bigint>> = {
    '': 1n,
    K: 10n ** 3n,
    M: 10n ** 6n,
    B: 10n ** 9n,
    T: 10n ** 12n,
  }
  /** What the text says, in hundredths of a micro-dollar; the two inequalities stand half way. */
  const readUsd = (text: string): bigint => {
    if (text === '<$0.0001') return 5_000n
    if (text === '>-$0.0001') return -5_000n
    const [, minus, whole, decimals = '', suffix = ''] = /^(-?)\$(\d+)(?:\.(\d+))?([KMBT]?)$/.exec(text)!
    const size = BigInt(whole! + decimals.padEnd(8, '0')) * powers[suffix]!
    return minus ? -size : size
  }
  const amounts = fc.oneof(
    fc.bigInt(-(10n ** 22n), 10n ** 22n),
    fc.bigInt(-(10n ** 9n), 10n ** 9n),
    fc.bigInt(-2000n, 2000n),
  )

  it('is within half a unit of its last digit', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        const text = formatUsd(amount)
        const [, decimals = '', suffix = ''] = /(?:\.(\d+))?([KMBT]?)$/.exec(text)!
        const entries = suffix === '' && absolute(amount) < 999_950n ? 4 : decimals.length
        const unit = 10n ** BigInt(8 - entries) * powers[suffix]!
        const off = absolute(readUsd(text) - amount * 100n)
        expect(2n * off).toBeLessThanOrEqual(unit)
      }),
    )
  })
})

describe('formatPercent', () => {
  it.each([
    [null, 'N/A'],
    [544n, '+5.4%'],
    [545n, '+5.5%'],
    [-545n, '-5.5%'],
    [-30n, '-0.3%'],
    [0n, '0.0%'],
    [4n, '0.0%'],
    [-4n, '0.0%'],
    [5n, '+0.1%'],
    [-5n, '-0.1%'],
    [-10_000n, '-100.0%'],
    [990_000n, '+9900.0%'],
    [99_999_990n, '+999999.9%'],
    [99_999_991n, '>+999999.9%'],
    [10n ** 30n, '>+999999.9%'],
  ])('prints %s hundredths as %s', (percentE2, text) => {
    expect(formatPercent(percentE2)).toBe(text)
  })

  it('has a sign exactly when a digit is not 0, and never falls while the percentage rises', () => {
    const read = (text: string) => Number(text.replace(/[<>%]/g, ''))
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 9n), 10n ** 9n), fc.bigInt(0n, 10n ** 8n), (percent, more) => {
        const text = formatPercent(percent)
        expect(/[1-9]/.test(text)).toBe(/[+-]/.test(text))
        expect(read(formatPercent(percent + more))).toBeGreaterThanOrEqual(read(text))
      }),
    )
  })
})
