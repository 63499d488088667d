import { describe, expect, it } from 'vitest'
import { InvalidParameterError } from '../../schemas/api/errors.ts'
import { type OperationName, operations } from '../../schemas/api/operations.ts'
import { readQuery } from '../../schemas/api/request-query.ts'

/** Whether an operation takes a text for one of its parameters. */
function isTaken(name: OperationName, parameter: string, text: string): boolean {
  const { documentParameters, rest } = operations[name]
  const sent = { field: ['symbol'], value: ['ann'], q: ['ann'], [parameter]: [text] }
  try {
    readQuery([...(documentParameters ?? []), ...rest], sent)
    return true
  } catch (error) {
    if (error instanceof InvalidParameterError) return false
    throw error
  }
}

const ligature = 'ﬁ' // fi
const phrase = '\uFDFA' // eighteen characters
const noNumbers = [
  '-0',
  '-1',
  '0x1',
  '.',
  'e2',
  'NaN',
  'Infinity',
  'null',
  '२',
  '1_0',
  '1,0',
  '1e',
  '1e1000',
  '1 0',
]
/** How languages print whole numbers. */
const whole = ['+1', '1.0', '1.', '1e1', '1E+1', '10e-1', ' 1', '1 ', '007']

describe.each<
  [OperationName, string, { readonly taken: readonly string[]; readonly refused: readonly string[] }]
>([
  [
    'creators',
    'limit',
    {
      taken: ['1', '100', ...whole],
      refused: ['0', '101', '1.5', '.5', '1e-1', 'abc', '1'.repeat(16), ...noNumbers],
    },
  ],
  [
    'creators',
    'offset',
    {
      taken: ['0', '0.0', '0'.repeat(16), '999999999999999', ...whole],
      refused: ['1000000000000000', '1e15', ...noNumbers],
    },
  ],
  ['rising', 'limit', { taken: ['50'], refused: ['51'] }],
  [
    'creators',
    'envelope',
    { taken: ['true', 'FALSE', '1', '0', 'true '], refused: ['maybe', '01', 'yes', 'on'] },
  ],
  ['creators', 'period', { taken: ['1h', '7D', '1h '], refused: ['2h', '30d', '1 h', '24'] }],
  ['creators', 'sort', { taken: ['Price', 'value'], refused: ['engagement', 'worth'] }],
  [
    'recentSwaps',
    'min_value',
    {
      taken: ['0', '12.5', '.5', '1e-7', '1.5E+3', '0.000000000000000001', '999999999999999', ...whole],
      refused: ['0.0000000000000000001', '999999999999999.1', '1'.repeat(16), ...noNumbers],
    },
  ],
  [
    'tokenSwaps',
    'before',
    {
      taken: [
        ...['2026-01-31', '2024-02-29', '2000-02-29', '2026-01-31T23:59', '2026-01-31T12:00:00.123Z'],
        ...['2026-01-31 12:00', '2026-01-31T12:00+01:00', '2026-01-31T12:00:00.1234Z', '7.3.1769860800'],
      ],
      refused: [
        ...['2023-02-29', '1900-02-29', '2026-02-30', '2026-13-01', '2026-00-10', '12026-01-01', 'soon'],
        ...['2026-01-31T24:00', '2026-01-31T12:60', '2026-01-31T12', '7.3', '-7.3.1'],
      ],
    },
  ],
  [
    'tokens',
    'value',
    { taken: ['x', 'x'.repeat(256), ` ${'é'.repeat(256)} `], refused: [' ', 'x'.repeat(257)] },
  ],
  [
    'search',
    'q',
    {
      taken: [
        ...[ligature, 'ＡＢ', '㎏', phrase, phrase.repeat(5), 'ab', 'x'.repeat(100), ` ${'x'.repeat(100)} `],
        ...[`$${'ﬁ'.repeat(50)}`, 'e\u0301'.repeat(100), '\u200B'.repeat(200) + ligature],
      ],
      refused: [
        ...['a', 'Ａ', '１', 'e\u0301', '\uFF04a', '@a', ' a ', 'a\u200B', '\u3000a', '\u200B\u200B', '$'],
        ...[phrase.repeat(6), 'ﬁ'.repeat(51), 'x'.repeat(101), `#${'x'.repeat(101)}`],
      ],
    },
  ],
])('%s takes for %s', (name, parameter, { taken, refused }) => {
  it.each(taken)('%j', (text) => expect(isTaken(name, parameter, text)).toBe(true))
  it.each(refused)('not %j', (text) => expect(isTaken(name, parameter, text)).toBe(false))
})
