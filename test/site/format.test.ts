import { expect, it } from 'vitest'
import {
  allDigits,
  dollars,
  duration,
  percentLabel,
  priceLabel,
  shortDollars,
} from '../../site/browser/base/format.ts'

it.each([
  [null, '–'],
  [0, '$0'],
  [0.000_000_012_34, '$0.0₇1234'],
  [0.001_2, '$0.0012'],
  [0.1, '$0.1'],
  // It rounds up to the next power of ten.
  [0.999_96, '$1.000'],
  [0.099_999_6, '$0.1'],
  [1.234_56, '$1.235'],
  [999.96, '$1,000'],
  [12_345.6, '$12,346'],
])('a page prints the price %j as %s', (value, text) => {
  expect(priceLabel(value)).toBe(text)
})

it('a page prints every digit of an amount, however small, without an exponent', () => {
  expect(allDigits(2.123_456_789_01e-14)).toBe('$0.0000000000000212345678901')
  expect(allDigits(1_234_567_890_123.45)).toBe('$1,234,567,890,123.45')
})

it('a page shortens dollars, changes and times', () => {
  expect([0, 0.001, 9_999.999, 10_000, 1_240_000].map(dollars)).toEqual([
    ...['$0.00', '<$0.01', '$10,000.00', '$10.00K', '$1.24M'],
  ])
  expect([null, 0, 0.001, 0.5, 3.2, 98.04, 155_000, 1_240_000].map(shortDollars)).toEqual([
    ...['–', '$0', '<$0.01', '$0.50', '$3.20', '$98.0', '$155K', '$1.24M'],
  ])
  expect([null, 0, 12.345, -100, 10_000].map(percentLabel)).toEqual([
    '–',
    '0.00%',
    '+12.35%',
    '−100%',
    '×101',
  ])
  expect([-1, 59.9, 60, 86_400].map(duration)).toEqual(['0 s', '59 s', '1 min', '1 d'])
})
