import { expect, it } from 'vitest'
import {
  allDigits,
  amountLabel,
  dollars,
  duration,
  OWN_DIGITS,
  percentLabel,
} from '../../site/browser/base/format.ts'

it.each([
  [null, '–', '–'],
  [0, '$0', '$0'],
  [0.000_000_012_34, '$0.0₇123', '$0.0₇12340'],
  [0.001_2, '$0.00120', '$0.0012000'],
  // It rounds up to the next power of ten.
  [0.099_999_6, '$0.100', '$0.10000'],
  [0.999_996, '$1.00', '$1.0000'],
  [999.996, '$1.00K', '$1,000.0'],
  [98.04, '$98.0', '$98.040'],
  [12_345.6, '$12.3K', '$12,346'],
  [1_240_000, '$1.24M', '$1.2400M'],
  [-1_234, '−$1.23K', '−$1,234.0'],
])('a page prints %j dollars as %s in a list and as %s on the page of a token', (value, inList, own) => {
  expect([dollars(value), dollars(value, OWN_DIGITS)]).toEqual([inList, own])
})

it('a page prints every digit of an amount, however small, without an exponent', () => {
  expect(allDigits(2.123_456_789_01e-14)).toBe('$0.0000000000000212345678901')
  expect(allDigits(1_234_567_890_123.45)).toBe('$1,234,567,890,123.45')
})

it('a page prints changes in three digits, amounts and times in short', () => {
  expect([null, 0, 0.123, 9.996, 12.345, 99.96, -100, 10_000].map(percentLabel)).toEqual([
    ...['–', '0.00%', '+0.12%', '+10.0%', '+12.3%', '+100%', '−100%', '×101'],
  ])
  expect([null, 0, 0.000_012_34, 12_345].map((value) => amountLabel(value))).toEqual([
    ...['–', '0', '0.0₄123', '12.3K'],
  ])
  expect([-1, 59.9, 60, 86_400].map(duration)).toEqual(['0 s', '59 s', '1 min', '1 d'])
})
