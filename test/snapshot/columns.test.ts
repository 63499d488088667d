import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emptyState, type StateField, stateFields, type TokenState } from '../../market/segment.ts'
import {
  ColumnMissingError,
  ColumnRangeError,
  columnBytes,
  columnsFrom,
  emptyColumns,
  readCell,
  readState,
  writeState,
} from '../../snapshot/columns.ts'

const fields = Object.keys(stateFields) as StateField[]
const largest = { u256: 2n ** 256n - 1n, u128: 2n ** 128n - 1n }

const states = fc.record(
  Object.fromEntries(
    fields.map((field) => {
      const width = stateFields[field]
      return [field, width === 'u32' ? fc.nat(0xffff_ffff) : fc.bigInt({ min: 0n, max: largest[width] })]
    }),
  ),
) as unknown as fc.Arbitrary<TokenState>

describe('columns', () => {
  it('read back what was written, before and after a trip through bytes', () => {
    fc.assert(
      fc.property(fc.array(states, { maxLength: 12 }), (list) => {
        const columns = emptyColumns(fields, 2)
        for (const [number, state] of list.entries()) writeState(columns, number, state)
        const again = columnsFrom(fields, columns.count, Buffer.concat(columnBytes(columns)))
        for (const each of [columns, again]) {
          expect(list.map((_, number) => readState(each, number))).toEqual(list)
        }
      }),
    )
  })

  it('read 0 for a token that was not written yet', () => {
    const columns = emptyColumns(fields)
    writeState(columns, 3, { ...emptyState, holders: 7 })
    expect([readState(columns, 2), readState(columns, 400)]).toEqual([emptyState, emptyState])
  })

  it('refuse a number that does not fit, and a field that is not kept', () => {
    const columns = emptyColumns(['holders', 'supply'])
    expect(() => writeState(columns, 0, { ...emptyState, holders: -1 })).toThrow(ColumnRangeError)
    expect(() => writeState(columns, 0, { ...emptyState, supply: 2n ** 256n })).toThrow(ColumnRangeError)
    expect(() => writeState(columns, 0, { ...emptyState, supply: -1n })).toThrow(ColumnRangeError)
    expect(() => readCell(columns, 'cumTrades', 0)).toThrow(ColumnMissingError)
  })
})
